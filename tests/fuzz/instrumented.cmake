# SPDX-License-Identifier: MIT
# Libraries for fuzzers with libFuzzer. Coverage is measured only in the code that fuzzers reach.

# The files of capture/ that fuzzers reach, less than a third of them. Each word is the beginning of a file's name. If a
# file is missing, the linker reports its functions.
set(reached adi arm_core baseline batch_items block_maker block_ring buckets_text changes child chip code_map comparison core_state dap_command dap_link
  dap_permitted dap_plan dap_source dwarf_die elf_file failure figures file_names files filter gap_estimate gate gdb_framing guests hid_reports input jlink_
  lab_file name_copies nats/ noise openocd_child openocd_reply option_values overview poller port_owner probe/probe.c probes_show processes
  record/blocks request runs runtime sample_batch sample_queue servers settings_file similar source_base stlink_ store_index_json swd_ switch_on tcp text_maker text_table txtb usb_ variables/ words)
list(JOIN reached "|" reached)
get_target_property(sources txtap_capture SOURCES)
list(FILTER sources INCLUDE REGEX "(^|/)(${reached})[^/]*$")
list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/capture/)
# These files compare answers with their own requests, which a fuzzer cannot guess. Tracing these comparisons would
# take a third of the time.
set(direct ${sources})
list(FILTER direct INCLUDE REGEX "/(adi|block_|dap|event_|jlink_|stlink_|swd_)[^/]*$")
set_source_files_properties(${direct} PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
# Rows compare times, and the checksum compares lengths. Tracing the comparisons of rows would take two thirds of the
# time.
get_target_property(core txtap_core SOURCES)
foreach(source ${core})
  if(source MATCHES "^(rows/|base/crc32)")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/decoder/${source} TARGET_DIRECTORY txtap_core
      PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
  endif()
endforeach()
set_source_files_properties(view/fuzz_live_stream.c events/fuzz_rows.c PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
find_package(Threads REQUIRED) # a library that is linked below needs threads
add_library(fuzz_capture STATIC ${sources})
target_include_directories(fuzz_capture PUBLIC $<TARGET_PROPERTY:txtap_capture,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(fuzz_capture PUBLIC $<TARGET_PROPERTY:txtap_capture,LINK_LIBRARIES>)

# The emulated probe that answers the fuzzer. It is not under test, so it is built without sanitizers and coverage.
get_target_property(models usbprobe_models SOURCES)
list(TRANSFORM models PREPEND ${PROJECT_SOURCE_DIR}/target/usbprobe/)
add_library(fuzz_probe STATIC ${models})
target_include_directories(fuzz_probe PUBLIC $<TARGET_PROPERTY:usbprobe_models,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_options(fuzz_probe PRIVATE -O2 -fno-sanitize=all)
