# SPDX-License-Identifier: MIT
# txtap view: the page in one file, the decoder in WebAssembly, and the server. If a tool or a library is missing, a
# message here names it, and the command reports it.
set(page ${CMAKE_CURRENT_SOURCE_DIR}/view/page)
set(TXTAP_VIEW_LACKS "")
if(NOT MICROHTTPD_FOUND)
  list(APPEND TXTAP_VIEW_LACKS "libmicrohttpd (Debian: libmicrohttpd-dev)")
endif()
if(NOT ZLIB_FOUND)
  list(APPEND TXTAP_VIEW_LACKS "zlib (Debian: zlib1g-dev)")
endif()
find_program(TXTAP_ESBUILD esbuild)
if(NOT TXTAP_ESBUILD)
  list(APPEND TXTAP_VIEW_LACKS "esbuild (Debian: esbuild)")
endif()
if(NOT TXTAP_DECODER_WASM)
  list(APPEND TXTAP_VIEW_LACKS "a compiler for WebAssembly (Debian: clang lld wasi-libc libclang-rt-14-dev-wasm32)")
endif()
string(JOIN ", " lacks ${TXTAP_VIEW_LACKS})

if(lacks)
  if(NOT MICROHTTPD_FOUND OR NOT ZLIB_FOUND OR NOT TXTAP_ESBUILD) # wasm.cmake reports the compiler
    message(STATUS "without ${lacks}: 'txtap view' will only say so")
  endif()
  set_source_files_properties(command/view/view.c PROPERTIES COMPILE_DEFINITIONS "VIEW_LACKS=\"${lacks}\"")
  return()
endif()

set(built ${CMAKE_CURRENT_BINARY_DIR}/page.html)
set(script ${CMAKE_CURRENT_BINARY_DIR}/page.js)
file(GLOB_RECURSE modules CONFIGURE_DEPENDS ${page}/*.js ${page}/*/*.js)
add_executable(txtap_page_abi EXCLUDE_FROM_ALL view/wasm/abi.c) # prints abi.js; fails if the given file differs
target_link_libraries(txtap_page_abi PRIVATE txtap_core)
target_include_directories(txtap_page_abi PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
add_custom_command(OUTPUT ${script}
  COMMAND txtap_page_abi ${page}/abi.js
  COMMAND ${TXTAP_ESBUILD} ${page}/main.js --bundle --format=esm --charset=utf8 --log-level=warning --outfile=${script}
  DEPENDS txtap_page_abi ${modules} COMMENT "Bundling the script of txtap view's page" VERBATIM)
add_custom_command(OUTPUT ${built} ${built}.policy
  COMMAND ${CMAKE_COMMAND} -D PAGE=${page} -D SCRIPT=${script} -D OUT=${built} -P ${CMAKE_CURRENT_SOURCE_DIR}/view/one_file.cmake
  DEPENDS view/one_file.cmake ${page}/page.html ${page}/style.css ${script}
  COMMENT "Building the page of txtap view" VERBATIM)
set(wasm ${TXTAP_DECODER_WASM})
set_source_files_properties(view/document.c PROPERTIES
  OBJECT_DEPENDS "${built};${built}.policy;${wasm}"
  COMPILE_DEFINITIONS "PAGE_FILE=\"${built}\";POLICY_FILE=\"${built}.policy\";WASM_FILE=\"${wasm}\"")
if(TARGET txtap_decoder_wasm)
  add_dependencies(txtap_capture txtap_decoder_wasm)
endif()
target_sources(txtap_capture PRIVATE
  command/view/live_state.c
  command/view/view_board.c
  command/view/view_live.c
  command/view/view_page.c
  view/document.c
  view/listen.c
  view/server.c
  view/trace_data.c
  ${built})
target_link_libraries(txtap_capture PRIVATE PkgConfig::MICROHTTPD)
set(TXTAP_HAS_VIEW YES)
set(TXTAP_HAS_VIEW YES PARENT_SCOPE) # for the tests
