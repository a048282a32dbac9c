# hither_add_kernels(TARGET FILE.cpp...) compiles kernels written in C++ (<hither/device.h>) to LLVM
# bitcode with clang++, embeds it in TARGET, and leaves ${CMAKE_CURRENT_BINARY_DIR}/NAME.bc for
# hither.load_module("NAME.bc"). TARGET includes "NAME_kernels.h", which declares
# `extern const std::string_view NAME_kernels;`, the code for hither::Module. NAME is FILE without
# folder and extension. HITHER_CLANG names the compiler (version 19 or older).
get_filename_component(HITHER_KERNELS_FOLDER ${CMAKE_CURRENT_LIST_DIR} ABSOLUTE)

function(hither_add_kernels target)
  find_program(HITHER_CLANG NAMES clang++-19 clang++-18 clang++-17 clang++ REQUIRED
    HINTS /usr/lib/llvm-19/bin)
  get_target_property(include hither::hither INTERFACE_INCLUDE_DIRECTORIES)
  set(flags -std=c++20 -O2 -ffp-contract=off -fno-vectorize -fno-slp-vectorize -fno-unroll-loops
    -fno-math-errno -fno-exceptions -fno-rtti -fno-stack-protector -fno-threadsafe-statics
    -fno-asynchronous-unwind-tables -nostdinc++ -fPIC -DHITHER_DEVICE_CODE -Wall -Wextra)
  foreach(file IN LISTS ARGN)
    get_filename_component(source ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME_WE)
    set(code ${CMAKE_CURRENT_BINARY_DIR}/${name}.bc)
    set(embedded ${CMAKE_CURRENT_BINARY_DIR}/hither_kernels/${name}_kernels)
    file(CONFIGURE OUTPUT ${embedded}.h CONTENT
      "#pragma once\n#include <string_view>\n\nextern const std::string_view ${name}_kernels;\n")
    add_custom_command(OUTPUT ${code}
      COMMAND ${HITHER_CLANG} ${flags} "-I$<JOIN:${include},;-I>" -c -emit-llvm ${source} -o ${code}
        -MD -MF ${code}.d
      DEPENDS ${source} DEPFILE ${code}.d COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Compiling the kernels of ${name}")
    add_custom_command(OUTPUT ${embedded}.cpp
      COMMAND ${CMAKE_COMMAND} -DINPUT=${code} -DOUTPUT=${embedded}.cpp -DHEADER=${name}_kernels.h
        -DNAME=${name}_kernels -P ${HITHER_KERNELS_FOLDER}/embed_bytes.cmake
      DEPENDS ${code} VERBATIM)
    target_sources(${target} PRIVATE ${embedded}.cpp)
  endforeach()
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/hither_kernels)
endfunction()
