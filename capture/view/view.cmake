# SPDX-License-Identifier: MIT
# txtap view: the page in one file, the decoder in WebAssembly, and the server. What is missing is said once; then the
# command says so, too.
set(page ${CMAKE_CURRENT_SOURCE_DIR}/view/page)
set(TXTAP_VIEW_LACKS "")
if(NOT MICROHTTPD_FOUND)
  list(APPEND TXTAP_VIEW_LACKS "libmicrohttpd (Debian: libmicrohttpd-dev)")
endif()
if(NOT ZLIB_FOUND)
  list(APPEND TXTAP_VIEW_LACKS "zlib (Debian: zlib1g-dev)")
endif()
if(NOT TXTAP_DECODER_WASM)
  list(APPEND TXTAP_VIEW_LACKS "a compiler for WebAssembly (Debian: clang lld wasi-libc libclang-rt-14-dev-wasm32)")
endif()
string(JOIN ", " lacks ${TXTAP_VIEW_LACKS})

if(lacks)
  if(NOT MICROHTTPD_FOUND OR NOT ZLIB_FOUND) # of the compiler wasm.cmake has said so
    message(STATUS "without ${lacks}: 'txtap view' will only say so")
  endif()
  target_sources(txtap_capture PRIVATE command/view/view_none.c)
  set_source_files_properties(command/view/view_none.c PROPERTIES COMPILE_DEFINITIONS "VIEW_LACKS=\"${lacks}\"")
  return()
endif()

set(joined ${CMAKE_CURRENT_BINARY_DIR}/page.html)
file(STRINGS ${page}/modules.txt modules REGEX "^[^#]")
list(TRANSFORM modules PREPEND ${page}/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page}/modules.txt)
add_custom_command(OUTPUT ${joined} ${joined}.policy
  COMMAND ${CMAKE_COMMAND} -D PAGE=${page} -D OUT=${joined} -P ${CMAKE_CURRENT_SOURCE_DIR}/view/join.cmake
  DEPENDS view/join.cmake ${page}/modules.txt ${page}/page.html ${page}/style.css ${modules}
  COMMENT "Joining the page of txtap view" VERBATIM)
set(wasm ${TXTAP_DECODER_WASM})
set_source_files_properties(view/embedded.c PROPERTIES
  OBJECT_DEPENDS "${joined};${joined}.policy;${wasm}"
  COMPILE_DEFINITIONS "PAGE_FILE=\"${joined}\";POLICY_FILE=\"${joined}.policy\";WASM_FILE=\"${wasm}\"")
if(TARGET txtap_decoder_wasm)
  add_dependencies(txtap_capture txtap_decoder_wasm)
endif()
target_sources(txtap_capture PRIVATE
  command/view/view_files.c
  command/view/view_live.c
  command/view/view_page.c
  view/browser.c
  view/document.c
  view/embedded.c
  view/packed.c
  view/server.c
  view/server_listen.c
  view/server_requests.c
  view/server_streams.c
  view/trace_data.c
  ${joined})
target_link_libraries(txtap_capture PRIVATE PkgConfig::MICROHTTPD)
set(TXTAP_HAS_VIEW YES PARENT_SCOPE) # for the tests
