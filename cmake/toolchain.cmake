# How this build uses its compiler: cache, linker, sanitizers.
find_program(HITHER_CCACHE ccache)
if(HITHER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${HITHER_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HITHER_CCACHE})
endif()

# LLVM's static archives take GNU ld several times as long as they take lld.
find_program(HITHER_LLD NAMES ld.lld PATHS /usr/lib/llvm-19/bin NO_DEFAULT_PATH)
if(HITHER_LLD)
  get_filename_component(lld_folder ${HITHER_LLD} DIRECTORY)
  add_link_options(-B${lld_folder} -fuse-ld=lld)
endif()

# Functions that libhither.so exports are not replaced at run time, so that it may inline them.
add_compile_options(-fno-semantic-interposition)

# For sizes up to a few hundred bytes GCC would use `rep movs` and `rep stos`, which take about
# 10 ns to start. A small operation has several such copies.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(strategy unrolled_loop:256:noalign,libcall:-1:noalign)
  add_compile_options(-mmemcpy-strategy=${strategy} -mmemset-strategy=${strategy})
endif()

if(HITHER_SANITIZE)
  add_compile_options(-fsanitize=${HITHER_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HITHER_SANITIZE})
endif()
