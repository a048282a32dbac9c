# The libraries and tools of other projects.
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
add_library(hither_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
# Only the headers of fmt::fmt, without its shared library.
target_include_directories(hither_fmt SYSTEM PUBLIC
  $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
set_target_properties(hither_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(SLEEF REQUIRED IMPORTED_TARGET sleef)
pkg_check_modules(HIGHWAY REQUIRED IMPORTED_TARGET libhwy-contrib libhwy)

find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
add_library(hither_llvm INTERFACE)
target_include_directories(hither_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
# LLVM asks for the shared library, which a wheel would have to contain.
option(HITHER_STATIC_ZSTD "Link Zstandard, which LLVM uses, statically" OFF)
if(HITHER_STATIC_ZSTD)
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${zstd_STATIC_LIBRARY})
endif()
llvm_map_components_to_libnames(HITHER_LLVM_LIBRARIES
  core support analysis irreader bitreader bitwriter linker passes orcjit native NVPTX)
add_library(hither_llvm_link INTERFACE)
target_link_libraries(hither_llvm_link INTERFACE ${HITHER_LLVM_LIBRARIES})
find_program(HITHER_CLANG NAMES clang++-19 REQUIRED HINTS /usr/lib/llvm-19/bin)
# Options with which clang compiles for another machine than this one.
set(HITHER_CLANG_TARGET "")
if(CMAKE_CROSSCOMPILING)
  set(HITHER_CLANG_TARGET --target=${CMAKE_LIBRARY_ARCHITECTURE} --sysroot=${CMAKE_SYSROOT})
endif()
find_program(HITHER_LLVM_LINK NAMES llvm-link-19 llvm-link REQUIRED HINTS /usr/lib/llvm-19/bin)

find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(hither_xxhash INTERFACE)
target_include_directories(hither_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
target_compile_definitions(hither_xxhash INTERFACE XXH_INLINE_ALL)

add_library(hither_warnings INTERFACE)
target_compile_options(hither_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wno-missing-field-initializers
  # False alarms of GCC 12: on "text" + std::string, and on atomics behind inlined pointers.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>")
