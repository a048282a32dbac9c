# One object library a folder of src/, which can include only the folders it names.
#
# hither_folder(compiler FOLDERS error target disk_cache LIBRARIES hither_llvm
#   HEADERS <llvm/IR/Module.h>)
#
# The rule is held by the include path: each library sees a directory of links to itself and to
# the folders it may include, and not src/ itself. libhither.so links the LIBRARIES. HEADERS are
# headers of other projects that most files of the folder read: they are parsed once, because this
# takes most of a build's time. A folder with the same compile definitions can use them too: it
# names the first folder in HEADERS_OF. libhither.so leaves out a PLUGIN and a WALLED folder. The
# files of a WALLED folder are compiled here to hold the rule, without optimisation, and again by
# the folder that lists them as its sources (so that small functions are inlined).
set_property(GLOBAL PROPERTY HITHER_OBJECT_LIBRARIES "")
set_property(GLOBAL PROPERTY HITHER_LINK_LIBRARIES "")

# Sets `out` to the directory of links through which `name` sees the folders and headers in ARGN.
function(hither_include_view out name)
  set(view ${CMAKE_BINARY_DIR}/include_view/${name})
  file(REMOVE_RECURSE ${view})
  foreach(allowed IN LISTS ARGN)
    get_filename_component(parent ${view}/${allowed} DIRECTORY)
    file(MAKE_DIRECTORY ${parent})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${allowed} ${view}/${allowed} SYMBOLIC)
  endforeach()
  set(${out} ${view} PARENT_SCOPE)
endfunction()

function(hither_folder folder)
  cmake_parse_arguments(ARG "PLUGIN;WALLED" "HEADERS_OF" "FOLDERS;LIBRARIES;HEADERS" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  hither_include_view(view ${name} ${folder} ${ARG_FOLDERS})
  if(NOT sources)
    return()
  endif()
  add_library(${name} OBJECT ${sources})
  target_include_directories(${name} PRIVATE ${view} ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${name} PRIVATE HITHER_BUILDING)
  target_link_libraries(${name} PRIVATE hither_warnings ${ARG_LIBRARIES})
  if(ARG_HEADERS)
    target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  endif()
  if(ARG_HEADERS_OF)
    string(REPLACE "/" "_" owner ${ARG_HEADERS_OF})
    target_precompile_headers(${name} REUSE_FROM ${owner})
  endif()
  if(ARG_WALLED)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(ARG_PLUGIN OR ARG_WALLED)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY HITHER_OBJECT_LIBRARIES ${name})
  set_property(GLOBAL APPEND PROPERTY HITHER_LINK_LIBRARIES ${ARG_LIBRARIES})
endfunction()

# Includes PARENT/FOLDER/folder.cmake, which adds the folder, for each row of a table:
# HITHER_X(FOLDER, ...) or HITHER_X(kConstant, FOLDER, ...).
macro(hither_folders_of table parent)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} rows REGEX "^HITHER_")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^HITHER_[A-Z]+\\((k[A-Za-z0-9]+, )?([a-z0-9_]+),.*" "\\2" folder "${row}")
    include(${parent}/${folder}/folder.cmake)
  endforeach()
endmacro()
