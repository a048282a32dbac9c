# hither_code_version(TARGET FOLDERS...) adds to TARGET the hash of all sources in FOLDERS and below
# them (compiler/code_version.h). These folders decide the machine code of kernels. The disk cache
# does not use code that was made by sources of another hash. This file also runs as a script when
# the library is built, each time one of the sources has changed.
if(CMAKE_SCRIPT_MODE_FILE)
  set(all "")
  string(REPLACE "|" ";" files "${FILES}")
  foreach(file IN LISTS files)
    file(SHA256 ${file} hash)
    string(APPEND all ${hash})
  endforeach()
  string(SHA256 hash "${all}")
  file(WRITE ${OUTPUT} "#include \"compiler/code_version.h\"

namespace hither::compiler {

const char* const kCodeVersion = \"${hash}\";

}  // namespace hither::compiler
")
  return()
endif()

function(hither_code_version target)
  set(files "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.h
      ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp
      ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.def)
    list(APPEND files ${found})
  endforeach()
  # The rows' numbers are in the keys of kernels.
  file(GLOB tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/hither/*.def)
  list(APPEND files ${tables})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/code_version.cpp)
  string(REPLACE ";" "|" joined "${files}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFILES=${joined} -DOUTPUT=${output}
      -P ${PROJECT_SOURCE_DIR}/cmake/code_version.cmake
    DEPENDS ${files} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
