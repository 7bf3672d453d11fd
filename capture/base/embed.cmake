# SPDX-License-Identifier: MIT
# txtap_embed_text(INPUT OUTPUT SYMBOL): at configure time, turns a text file into a C file with the NUL-terminated
# array `const char SYMBOL[]`. It is an array of numbers, because the length of a string literal is limited.
function(txtap_embed_text INPUT OUTPUT SYMBOL)
    get_filename_component(input "${INPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    get_filename_component(name "${input}" NAME)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${input}")
    file(READ "${input}" hex HEX)
    string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    if(bytes MATCHES "0x(00|1a|[89a-f].),")
        message(FATAL_ERROR "${input} holds a byte that is not plain text (0x${CMAKE_MATCH_1}); use ASCII only")
    endif()
    set(text "/* SPDX-License-Identifier: MIT */\n/* Made from ${name} by the build; edit that. */\n")
    string(APPEND text "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n    ${bytes}0x00,\n};\n")
    # Does not rewrite an unchanged file. Otherwise each configuration would compile the file again.
    file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
endfunction()
