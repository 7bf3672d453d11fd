# SPDX-License-Identifier: MIT
# decoder.wasm: libtxtap and this folder, compiled for the page. clang compiles it, even if another compiler compiles
# the rest. Sets TXTAP_DECODER_WASM to its path. If it cannot be built, prints the reason and sets TXTAP_DECODER_WASM to
# "". One rule compiles everything. The file is the same in every build, so TXTAP_VIEW_WASM can name the file of another
# build.
set(TXTAP_VIEW_WASM "" CACHE FILEPATH "decoder.wasm of another build of the same source, for the page of txtap view")
set(glue answers.c answers_rows.c answers_samples.c csv.c instances.c meanings.c pool.c profile.c recording_feed.c report.c store.c text.c timeline.c view_trace.c
  view_trace_columns.c view_trace_ctf.c view_trace_image.c)
list(TRANSFORM glue PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
add_library(txtap_view_trace STATIC EXCLUDE_FROM_ALL ${glue}) # for the fuzzer
target_include_directories(txtap_view_trace PUBLIC ${PROJECT_SOURCE_DIR}/capture)
target_link_libraries(txtap_view_trace PUBLIC txtap_core)
target_compile_definitions(txtap_view_trace PUBLIC
  VIEW_OBJECTS_MAX=256 VIEW_TABLES_MAX=32 TIMELINE_THREADS_MAX=32 TIMELINE_OBJECTS_MAX=64 SLAB_FIRST=8192u)
list(APPEND glue ${CMAKE_CURRENT_LIST_DIR}/compare.c ${CMAKE_CURRENT_LIST_DIR}/exports.c ${CMAKE_CURRENT_LIST_DIR}/judge.c)
# The comparison of two traces, and checks, as the program has them.
set(comparison base/failure.c base/similar.c base/text_maker.c compare/baseline.c compare/changes.c compare/changes_show.c compare/changes_words.c
  compare/gate.c compare/noise.c compare/runs.c figures/checks.c figures/checks_show.c figures/figures.c figures/reasons.c
  figures/text_table.c figures/verdicts.c)
list(TRANSFORM comparison PREPEND ${PROJECT_SOURCE_DIR}/capture/)

if(TXTAP_VIEW_WASM)
  if(NOT EXISTS ${TXTAP_VIEW_WASM})
    message(FATAL_ERROR "TXTAP_VIEW_WASM: there is no ${TXTAP_VIEW_WASM}: build the other build first, or leave the option out")
  endif()
  set(TXTAP_DECODER_WASM ${TXTAP_VIEW_WASM})
  set(TXTAP_DECODER_WASM ${TXTAP_VIEW_WASM} PARENT_SCOPE) # for the tests
  return()
endif()

set(TXTAP_DECODER_WASM "")
find_program(TXTAP_WASM_CLANG clang)
find_program(TXTAP_WASM_LD NAMES wasm-ld wasm-ld-14)
find_path(TXTAP_WASI_INCLUDE wasi/api.h PATHS /usr/include/wasm32-wasi NO_DEFAULT_PATH)
set(missing)
if(NOT TXTAP_WASM_CLANG)
  list(APPEND missing clang)
endif()
if(NOT TXTAP_WASM_LD)
  list(APPEND missing lld)
endif()
if(NOT TXTAP_WASI_INCLUDE)
  list(APPEND missing wasi-libc)
endif()
set(flags --target=wasm32-wasi -O3 -std=c17 -DNDEBUG -D_GNU_SOURCE -fvisibility=hidden
  -ffunction-sections -fdata-sections)
set(link -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=1048576)
# Uses -flto if clang and lld have the same version.
foreach(option -flto "")
  if(NOT missing AND NOT DEFINED TXTAP_WASM_TOGETHER)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/links.c "int main(void) { return 0; }\n")
    execute_process(COMMAND ${TXTAP_WASM_CLANG} ${flags} ${option} ${link} links.c -o links.wasm
      WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      set(TXTAP_WASM_TOGETHER "${option}" CACHE INTERNAL "clang links for WebAssembly, with this option")
    endif()
  endif()
endforeach()
if(NOT missing AND NOT DEFINED TXTAP_WASM_TOGETHER)
  list(APPEND missing "libclang-rt-dev-wasm32")
endif()
if(missing)
  list(JOIN missing ", " missing)
  message(STATUS "without ${missing}: no decoder for the page of 'txtap view'")
  return()
endif()

get_target_property(core txtap_core SOURCES)
list(TRANSFORM core PREPEND ${PROJECT_SOURCE_DIR}/decoder/)
set(includes -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_BINARY_DIR}/include -I${PROJECT_SOURCE_DIR}/decoder
  -I${PROJECT_SOURCE_DIR}/capture)
# Compiles the code that handles each event as one unit, which makes it a sixth faster. With all code as one unit,
# linking would take five seconds.
set(hot "buffer_registry|event_clock|event_event|file_recording|rows_|analysis_(changes|model|next_context|table)")
set(hot "^(decoder_(${hot})|capture_view_wasm_)")
set(objects)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/wasm)
foreach(source ${core} ${comparison} ${glue})
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  string(REPLACE "/" "_" name ${name})
  set(object ${folder}/${name}.o)
  set(together)
  if(name MATCHES "${hot}")
    set(together ${TXTAP_WASM_TOGETHER})
  endif()
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${TXTAP_WASM_CLANG} ${flags} ${together} ${includes} -MD -MF ${object}.d -c ${source}
            -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d COMMENT "Building for the page: ${name}" VERBATIM)
  list(APPEND objects ${object})
endforeach()
file(MAKE_DIRECTORY ${folder})
set(TXTAP_DECODER_WASM ${CMAKE_CURRENT_BINARY_DIR}/decoder.wasm)
set(TXTAP_DECODER_WASM ${TXTAP_DECODER_WASM} PARENT_SCOPE) # for the tests
add_custom_command(OUTPUT ${TXTAP_DECODER_WASM}
  COMMAND ${TXTAP_WASM_CLANG} ${flags} ${link} ${objects} -o ${TXTAP_DECODER_WASM}
  DEPENDS ${objects} COMMENT "Linking decoder.wasm" VERBATIM)
add_custom_target(txtap_decoder_wasm ALL DEPENDS ${TXTAP_DECODER_WASM})
