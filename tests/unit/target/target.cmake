# SPDX-License-Identifier: MIT
# Code that runs on targets, tested on the host.
set(target_dir ${PROJECT_SOURCE_DIR}/target)
set(zephyr_dir ${target_dir}/zephyr)

txtap_room(target LIBS fixture_recorder_target TESTS trace_recorder trace_recorder_events trace_recorder_registry)

# The recorder with the tests' own port.
txtap_room(target PROGRAM recorder_ported LIBS txtap_core TESTS trace_recorder_ported)
target_sources(test_recorder_ported PRIVATE ${target_dir}/recorder/txtap_trace.c)
target_include_directories(test_recorder_ported PRIVATE unit/target ${target_dir}/recorder)
target_compile_definitions(test_recorder_ported PRIVATE TXTAP_TRACE_PORT_HEADER="recorder_ported.h")

# txtap_event_logger(PROGRAM OPTION...): builds the event logger into a test program, with these options of Zephyr.
function(txtap_event_logger program)
  target_sources(test_${program} PRIVATE unit/target/event_logger_port.c ${target_dir}/event_logger/kernel_event_logger.c)
  target_include_directories(test_${program} PRIVATE unit/target ${target_dir}/event_logger)
  target_compile_definitions(test_${program} PRIVATE TXTAP_LOGGER_PORT_HEADER="event_logger_port.h"
    CONFIG_KERNEL_EVENT_LOGGER CONFIG_KERNEL_EVENT_LOGGER_CONTEXT_SWITCH CONFIG_KERNEL_EVENT_LOGGER_INTERRUPT
    CONFIG_KERNEL_EVENT_LOGGER_SLEEP ${ARGN})
endfunction()

# The tests run three times: with all options and 128 words, with all options and 100 words, and with few options.
set(logger_options CONFIG_KERNEL_EVENT_LOGGER_DYNAMIC CONFIG_KERNEL_EVENT_LOGGER_CUSTOM_TIMESTAMP)
set(logger_tests event_logger event_logger_wait event_logger_kernel event_logger_live)
txtap_room(target PROGRAM event_logger TESTS ${logger_tests})
txtap_event_logger(event_logger ${logger_options} CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE=128)
txtap_room(target PROGRAM event_logger_100 SUFFIX _100 TESTS ${logger_tests})
txtap_event_logger(event_logger_100 ${logger_options} CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE=100)
txtap_room(target PROGRAM event_logger_plain TESTS event_logger_plain)
txtap_event_logger(event_logger_plain)
target_sources(test_event_logger_plain PRIVATE unit/target/event_logger_absent.c)

# The function that starts ThreadX's trace, with declarations in place of ThreadX.
txtap_room(target/threadx PROGRAM threadx_start TESTS threadx_start)
target_sources(test_threadx_start PRIVATE ${target_dir}/threadx/txtap_threadx.c)
target_include_directories(test_threadx_start PRIVATE unit/target/threadx ${target_dir}/threadx)
target_compile_definitions(test_threadx_start PRIVATE TX_ENABLE_EVENT_TRACE)
add_test(NAME unit.threadx_cores COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/target/threadx/threadx_cores.sh
  ${PROJECT_SOURCE_DIR})
set_tests_properties(unit.threadx_cores PROPERTIES SKIP_RETURN_CODE 77)

# Firmware that is built without the recorder.
add_test(NAME unit.recorder_off COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/target/recorder_off.sh
  ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR})

# Not optimized, because it has many functions, one per hook, and each is called only once.
set_source_files_properties(unit/target/zephyr/zephyr_target.c PROPERTIES COMPILE_OPTIONS -O0)
set(zephyr_rows ${CMAKE_CURRENT_BINARY_DIR}/zephyr_rows.inc)
add_custom_command(OUTPUT ${zephyr_rows}
  COMMAND awk -f ${CMAKE_CURRENT_SOURCE_DIR}/unit/target/zephyr/rows.awk ${CMAKE_CURRENT_SOURCE_DIR}/data/zephyr_hooks.csv
    > ${zephyr_rows}
  DEPENDS unit/target/zephyr/rows.awk data/zephyr_hooks.csv VERBATIM)
add_custom_target(txtap_zephyr_rows DEPENDS ${zephyr_rows})

# txtap_zephyr_recorder(PROGRAM EXPECTED SWITCH...): builds the hooks' recorder and a substitute for the kernel into a
# test program. EXPECTED: number of hooks of data/zephyr_hooks.csv that are recorded with these switches.
function(txtap_zephyr_recorder program expected)
  target_sources(test_${program} PRIVATE unit/target/zephyr/zephyr_target.c unit/target/zephyr/zephyr_trace.c
    ${zephyr_dir}/src/txtap_zephyr.c ${zephyr_dir}/src/txtap_zephyr_services.c
    ${zephyr_dir}/src/txtap_zephyr_objects.c ${zephyr_dir}/src/txtap_zephyr_entry.c
    ${target_dir}/recorder/txtap_trace.c)
  add_dependencies(test_${program} txtap_zephyr_rows)
  set_target_properties(test_${program} PROPERTIES C_EXTENSIONS ON) # as in Zephyr's build
  target_include_directories(test_${program} PRIVATE unit/target/zephyr ${CMAKE_CURRENT_BINARY_DIR} ${zephyr_dir}/include
    ${target_dir}/recorder)
  list(TRANSFORM ARGN PREPEND CONFIG_TRACING_ OUTPUT_VARIABLE switches)
  target_compile_definitions(test_${program} PRIVATE TXTAP_TRACE_PORT_HEADER="txtap_zephyr_port.h" CONFIG_TRACING
    TXTAP_ZEPHYR_EVENTS="${zephyr_dir}/zephyr.events" TXTAP_ZEPHYR_EXPECTED=${expected} ${switches})
endfunction()

# The tests run with all switches on, with every second switch on, with only the other switches on, and with no switch.
set(zephyr_odd THREAD SEMAPHORE CONDVAR FIFO STACK MAILBOX HEAP TIMER POLLING NET_CORE GPIO IDLE)
set(zephyr_even WORK ISR MUTEX QUEUE LIFO MESSAGE_QUEUE PIPE MEMORY_SLAB EVENT PM NET_SOCKETS SYSCALL)
txtap_room(target PROGRAM zephyr_all LIBS decoder TESTS zephyr_trace zephyr_hooks)
txtap_zephyr_recorder(zephyr_all 406 ${zephyr_odd} ${zephyr_even})
txtap_room(target PROGRAM zephyr_odd SUFFIX _odd LIBS decoder TESTS zephyr_hooks)
txtap_zephyr_recorder(zephyr_odd 211 ${zephyr_odd})
txtap_room(target PROGRAM zephyr_even SUFFIX _even LIBS decoder TESTS zephyr_hooks)
txtap_zephyr_recorder(zephyr_even 214 ${zephyr_even})
txtap_room(target PROGRAM zephyr_none SUFFIX _none LIBS decoder TESTS zephyr_hooks)
txtap_zephyr_recorder(zephyr_none 19) # named events, initialization and RTIO are always recorded

# Without CONFIG_TRACING, hooks compile to nothing: the object must not refer to the recording functions.
add_library(zephyr_untraced OBJECT unit/target/zephyr/zephyr_target.c)
add_dependencies(zephyr_untraced txtap_zephyr_rows)
set_target_properties(zephyr_untraced PROPERTIES C_EXTENSIONS ON)
target_include_directories(zephyr_untraced PRIVATE unit/target/zephyr ${CMAKE_CURRENT_BINARY_DIR} ${zephyr_dir}/include
  ${target_dir}/recorder)
target_compile_definitions(zephyr_untraced PRIVATE TXTAP_TRACE_PORT_HEADER="txtap_zephyr_port.h")
target_link_libraries(zephyr_untraced PRIVATE PkgConfig::CRITERION)
add_test(NAME unit.zephyr_untraced COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/target/zephyr_untraced.sh
  $<TARGET_OBJECTS:zephyr_untraced>)

# System calls of every shape, in every language that Zephyr compiles.
add_test(NAME unit.zephyr_system_calls COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/target/zephyr_system_calls.sh
  ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR})

txtap_room(target TESTS zephyr_clock)
target_include_directories(test_target PRIVATE ${zephyr_dir}/src)

# txtap's headers that are found before Zephyr's own headers.
add_test(NAME unit.zephyr_shadow COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/target/zephyr_shadow.sh
  ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR})

