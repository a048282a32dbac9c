# Installs this build into an empty folder, then builds and runs what a user of it would:
# examples/cpp by find_package, and one file by pkg-config. Wants BUILD, SOURCE, WORK, COMPILER.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component cpp)
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/cpp -B ${WORK}/examples -G Ninja
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/examples)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/examples --output-on-failure)

file(GLOB package_file ${WORK}/prefix/lib*/pkgconfig/hither.pc
  ${WORK}/prefix/lib/*/pkgconfig/hither.pc)
get_filename_component(package_folder ${package_file} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${package_folder})
execute_process(COMMAND pkg-config --cflags --libs --define-variable=prefix=${WORK}/prefix hither
  OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(options UNIX_COMMAND "${options}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
get_filename_component(libraries ${package_folder} DIRECTORY)
run(${COMPILER} ${flags} ${SOURCE}/examples/cpp/memory_on_devices.cpp ${options}
  -o ${WORK}/by_pkg_config)
set(ENV{LD_LIBRARY_PATH} ${libraries})
run(${WORK}/by_pkg_config)
