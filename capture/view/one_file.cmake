# SPDX-License-Identifier: MIT
# cmake -D PAGE=DIRECTORY -D SCRIPT=FILE -D OUT=FILE -P one_file.cmake: makes the page one file. The file page.html has
# elements that load style.css and main.js. Replaces these with the contents of style.css and of SCRIPT, the bundle of
# all modules. Adds two placeholders for the program: %POLICY% in a meta element, and %DATA% before the script. Writes
# OUT, and OUT.policy: the Content-Security-Policy with the hashes of style and script.
cmake_minimum_required(VERSION 3.25)

set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

# Sets a variable to the SHA-256 of a text, in the form for a CSP: 32 bytes in base64.
function(source_hash text out)
  string(SHA256 hex "${text}")
  set(base64 "")
  string(REGEX MATCHALL "..." groups "${hex}00") # 12 bits, two characters; the last is padding
  foreach(group ${groups})
    math(EXPR high "0x${group} >> 6")
    math(EXPR low "0x${group} & 63")
    string(SUBSTRING "${alphabet}" ${high} 1 first)
    string(SUBSTRING "${alphabet}" ${low} 1 second)
    string(APPEND base64 "${first}${second}")
  endforeach()
  string(REGEX REPLACE "A$" "=" base64 "${base64}")
  set(${out} "'sha256-${base64}'" PARENT_SCOPE)
endfunction()

# Replaces a text that must occur exactly once in the page.
function(put_in_place from to)
  string(FIND "${page}" "${from}" first)
  string(FIND "${page}" "${from}" last REVERSE)
  if(first LESS 0 OR NOT first EQUAL last)
    message(FATAL_ERROR "${PAGE}/page.html: '${from}' must stand there once")
  endif()
  string(REPLACE "${from}" "${to}" text "${page}")
  set(page "${text}" PARENT_SCOPE)
endfunction()

file(READ "${PAGE}/page.html" page)
file(READ "${PAGE}/style.css" style)
file(READ "${SCRIPT}" script)
if(script MATCHES "<!--|</[sS][cC][rR][iI][pP][tT]")
  message(FATAL_ERROR "${SCRIPT}: '${CMAKE_MATCH_0}' would end the script element: write it in two parts")
endif()
put_in_place("<head>" "<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"%POLICY%\">")
put_in_place("<script type=\"application/json\" id=\"setup\">{\"mode\":\"empty\"}</script>\n" "")
put_in_place("<link rel=\"stylesheet\" href=\"style.css\">" "<style>${style}</style>")
put_in_place("<script type=\"module\" src=\"main.js\"></script>"
             "%DATA%\n<script type=\"module\">${script}</script>")
source_hash("${script}" script_hash)
source_hash("${style}" style_hash)
file(WRITE "${OUT}" "${page}")
file(WRITE "${OUT}.policy" "default-src 'none'; script-src ${script_hash} 'wasm-unsafe-eval'; "
     "style-src ${style_hash}; base-uri 'none'; form-action 'none'")
