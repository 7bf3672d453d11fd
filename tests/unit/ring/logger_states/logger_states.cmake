# SPDX-License-Identifier: MIT
# A search through every state of the reader of the event logger's ring. Fewer tries, and fewer drops in an item's
# header, keep the number of states small.
set(logger_states_dir ${CMAKE_CURRENT_LIST_DIR})

add_library(logger_states_around OBJECT
  ${logger_states_dir}/attach.c
  ${logger_states_dir}/configuration.c
  ${logger_states_dir}/ends.c
  ${logger_states_dir}/exchange.c
  ${logger_states_dir}/main.c
  ${logger_states_dir}/oracle.c
  ${logger_states_dir}/paths.c
  ${logger_states_dir}/state.c
  ${logger_states_dir}/print.c
  ${logger_states_dir}/writer.c)
add_executable(logger_states ${PROJECT_SOURCE_DIR}/decoder/ring/event_logger.c
  ${PROJECT_SOURCE_DIR}/decoder/ring/event_logger_sample.c
  ${PROJECT_SOURCE_DIR}/decoder/ring/event_logger_walk.c
  $<TARGET_OBJECTS:logger_states_around> $<TARGET_OBJECTS:states_search>)
foreach(target logger_states_around logger_states)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/decoder
    ${PROJECT_SOURCE_DIR}/tests/unit)
  target_compile_definitions(${target} PRIVATE TRIES_MAX=1u DROPPED_MAX=3u)
endforeach()

# txtap_logger_states_test(NAME CONFIGURATION...): logger_states with these as the CTest test unit.logger_states.NAME. About twenty
# seconds of CPU time in all.
function(txtap_logger_states_test name)
  add_test(NAME unit.logger_states.${name} COMMAND logger_states ${ARGN})
  set_tests_properties(unit.logger_states.${name} PROPERTIES TIMEOUT 600 LABELS long)
endfunction()

txtap_logger_states_test(words 3.words. 3.events.)
txtap_logger_states_test(drops 3.drop.words.)
txtap_logger_states_test(times 3.slow.words. 3.laps.words.)
txtap_logger_states_test(again 3.again.words.)
txtap_logger_states_test(uncounted 16.half.)

# Each safety rule of the reader is switched off, and the model, or the search through its states, must notice: see
# unit/ring/event_logger_rules.table.
add_test(NAME unit.logger_rules COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/ring/rules.sh
  ${CMAKE_CURRENT_SOURCE_DIR}/unit/ring/event_logger_rules.table ${CMAKE_CURRENT_BINARY_DIR}/logger_rules
  $<TARGET_FILE:txtap_core> $<TARGET_OBJECTS:test_logger_model> $<TARGET_OBJECTS:no_certificates> $<TARGET_FILE:fixture_event_logger>
  -- $<TARGET_OBJECTS:logger_states_around> $<TARGET_OBJECTS:states_search> -- ${CMAKE_C_COMPILER}
  COMMAND_EXPAND_LISTS)
set_tests_properties(unit.logger_rules PROPERTIES TIMEOUT 900 LABELS long)
