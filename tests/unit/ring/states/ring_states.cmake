# SPDX-License-Identifier: MIT
# A search through every state of the ring reader. Here the reader may hold fewer entries, which keeps the number of
# states small. A ring of two slots cannot have more held entries anyway.
set(ring_states_dir ${CMAKE_CURRENT_LIST_DIR})
set(ring_states_entries TXTAP_RING_HOLD_ENTRIES=2)

add_library(ring_states_pace OBJECT ${PROJECT_SOURCE_DIR}/decoder/ring/txtb_choice.c
  ${PROJECT_SOURCE_DIR}/decoder/ring/txtb_pace.c)
target_compile_definitions(ring_states_pace PRIVATE ring_pace_note=real_pace_note ring_pace_restart=real_pace_restart
  ring_pace_gone=real_pace_gone
  ring_pace_choose=real_pace_choose)
add_library(ring_states_around OBJECT
  ${ring_states_dir}/any_pace.c
  ${ring_states_dir}/attach.c
  ${ring_states_dir}/configuration.c
  ${ring_states_dir}/ends.c
  ${ring_states_dir}/exchange.c
  ${ring_states_dir}/main.c
  ${ring_states_dir}/memory.c
  ${ring_states_dir}/oracle.c
  ${ring_states_dir}/state.c
  ${ring_states_dir}/print.c
  ${ring_states_dir}/writer.c
  ${PROJECT_SOURCE_DIR}/decoder/event/event.c
  ${PROJECT_SOURCE_DIR}/decoder/buffer/header.c)
# The parts that know nothing of rings.
add_library(states_search OBJECT
  ${ring_states_dir}/run_states.c
  ${ring_states_dir}/search.c
  ${ring_states_dir}/state_set.c)
target_include_directories(states_search PRIVATE ${PROJECT_SOURCE_DIR}/tests/unit)
add_executable(ring_states
  ${PROJECT_SOURCE_DIR}/decoder/ring/txtb.c
  ${PROJECT_SOURCE_DIR}/decoder/ring/txtb_writer.c
  $<TARGET_OBJECTS:ring_states_around> $<TARGET_OBJECTS:ring_states_pace> $<TARGET_OBJECTS:states_search>)
foreach(target ring_states_pace ring_states_around ring_states)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
    ${PROJECT_SOURCE_DIR}/decoder ${PROJECT_SOURCE_DIR}/tests/unit)
  target_compile_definitions(${target} PRIVATE ${ring_states_entries})
endforeach()

# txtap_ring_states_test(NAME CONFIGURATION...): adds the CTest test unit.ring_states.NAME, which searches these
# configurations. All of these tests together take 35 s of CPU time.
function(txtap_ring_states_test name)
  add_test(NAME unit.ring_states.${name} COMMAND ring_states ${ARGN})
  set_tests_properties(unit.ring_states.${name} PROPERTIES TIMEOUT 600 LABELS long)
endfunction()

txtap_ring_states_test(words 2.words.)
txtap_ring_states_test(pieces 3.plain. 3.counted.)
txtap_ring_states_test(answers 3.constant_stamps. 3.alike. 3.bad_answers.)
txtap_ring_states_test(laps 3.laps.)
txtap_ring_states_test(again 4.again. 3.smaller.)
txtap_ring_states_test(half_laps 2.half. 3.half.)

# Switches off each safety rule of the reader, one at a time. The model or the search must then find a violation: see
# unit/ring/txtb_rules.table.
add_test(NAME unit.ring_rules COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/ring/rules.sh
  ${CMAKE_CURRENT_SOURCE_DIR}/unit/ring/txtb_rules.table ${CMAKE_CURRENT_BINARY_DIR}/ring_rules
  $<TARGET_FILE:txtap_core> $<FILTER:$<TARGET_OBJECTS:test_ring>,INCLUDE,test_txtb_model> ${no_git_arguments} $<TARGET_FILE:fixture_txtb>
  -- $<TARGET_OBJECTS:ring_states_around> $<TARGET_OBJECTS:ring_states_pace> $<TARGET_OBJECTS:states_search> -- ${CMAKE_C_COMPILER}
  COMMAND_EXPAND_LISTS)
set_tests_properties(unit.ring_rules PROPERTIES TIMEOUT 900 LABELS long)
