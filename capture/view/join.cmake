# SPDX-License-Identifier: MIT
# cmake -D PAGE=DIRECTORY -D OUT=FILE -P join.cmake: joins the page's files into one. style.css stands where page.html
# links it, and the modules of modules.txt, in their order and without imports and exports, where it loads main.js. Two
# lines are left for the program: %POLICY% in a meta element, and %DATA% before the script.
# Writes OUT, and OUT.policy: the Content-Security-Policy with the hashes of style and script.
cmake_minimum_required(VERSION 3.25)

set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

# The SHA-256 of text as CSP has it: 32 bytes in base64.
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

# Modules on top of each other: a name must be there once, and nothing may end the script early.
function(joined_modules out)
  file(STRINGS "${PAGE}/modules.txt" modules REGEX "^[^#]")
  set(script "")
  foreach(module ${modules})
    file(READ "${PAGE}/${module}" text)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
    if(text MATCHES "(^|\n)export default|(^|\n)export [*]|<!--|</[sS][cC][rR][iI][pP][tT]")
      message(FATAL_ERROR "${module}: '${CMAKE_MATCH_0}' cannot be joined")
    endif()
    string(REGEX REPLACE "(^|\n)export {[^\n]*" "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(APPEND script "\n// ---- ${module} ----\n${text}")
  endforeach()
  set(${out} "${script}" PARENT_SCOPE)
endfunction()

# Replaces what stands in the page exactly once.
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
joined_modules(script)
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
