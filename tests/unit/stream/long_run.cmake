# SPDX-License-Identifier: MIT
# Counts the work for changes of the objects, in basic blocks. For this the code that handles changes is compiled again.
if(TXTAP_SANITIZE) # sanitizers wrap memcpy() themselves
  return()
endif()
add_library(counted OBJECT
  ${PROJECT_SOURCE_DIR}/decoder/base/heapsort.c
  ${PROJECT_SOURCE_DIR}/decoder/buffer/registry.c
  ${PROJECT_SOURCE_DIR}/decoder/buffer/registry_copy.c
  ${PROJECT_SOURCE_DIR}/decoder/buffer/registry_lifetime.c
  ${PROJECT_SOURCE_DIR}/decoder/file/recording.c
  ${PROJECT_SOURCE_DIR}/decoder/format/exporter.c
  ${PROJECT_SOURCE_DIR}/decoder/format/text.c
  ${PROJECT_SOURCE_DIR}/decoder/format/text_fields.c
  ${PROJECT_SOURCE_DIR}/decoder/format/value.c
  ${PROJECT_SOURCE_DIR}/capture/record/blocks.c
  ${PROJECT_SOURCE_DIR}/capture/record/recorder.c
  ${PROJECT_SOURCE_DIR}/capture/stream/batch_items.c
  ${PROJECT_SOURCE_DIR}/capture/stream/name_copies.c
  ${PROJECT_SOURCE_DIR}/capture/stream/poller.c
  ${PROJECT_SOURCE_DIR}/capture/view/block_maker.c
  ${PROJECT_SOURCE_DIR}/capture/view/block_ring.c)
target_include_directories(counted PRIVATE ${PROJECT_SOURCE_DIR}/capture ${PROJECT_SOURCE_DIR}/decoder)
target_include_directories(counted PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_compile_options(counted PRIVATE -fsanitize-coverage=trace-pc)
txtap_room(stream PROGRAM long_run LIBS fixture_stream counted TESTS long_run)
target_link_options(test_long_run PRIVATE LINKER:--wrap=memcpy,--wrap=memmove,--wrap=memcmp)
