/* SPDX-License-Identifier: MIT */
/* Text of any bytes, escaped for a terminal and for JSON. */
#include "txtap/inner/escape.h"

#include <criterion/criterion.h>
#include <string.h>

static char out[TXTAP_ESCAPED_JSON_BYTES(1024)];

static const char *json(const char *text)
{
    return txtap_escape_json(out, sizeof out, text);
}

Test(escape, a_json_string_has_its_quotes)
{
    cr_assert_str_eq(json("plain"), "\"plain\"");
    cr_assert_str_eq(json(""), "\"\"");
    cr_assert_str_eq(json("\"\\"), "\"\\\"\\\\\"");
    cr_assert_str_eq(json("\033[2J\n\x7f"), "\"\\u001b[2J\\u000a\\u007f\"");
    cr_assert_str_eq(json("\xc3\xa9\xff\xc2\x9b"), "\"\xc3\xa9\\ufffd\\u009b\"");
}

Test(escape, a_json_string_is_whole_or_empty)
{
    char text[1026], small[8];

    memset(text, 1, sizeof text);
    text[1024] = '\0';
    cr_assert_eq(strlen(json(text)), 6 * 1024 + 2, "each byte becomes six");
    text[1024] = 1;
    text[1025] = '\0';
    cr_assert_str_eq(json(text), "\"\"");
    cr_assert_str_eq(txtap_escape_json(small, sizeof small, "12345"), "\"12345\"");
    cr_assert_str_eq(txtap_escape_json(small, sizeof small, "123456"), "\"\"");
    cr_assert_str_eq(txtap_escape_json(small, 3, "1"), "\"\"");
}

Test(escape, text_for_a_terminal_is_cut_to_its_buffer)
{
    char small[6];

    cr_assert_str_eq(txtap_escape_terminal(small, sizeof small, "ab\033cd"), "ab\\x1");
}

Test(escape, characters_that_change_the_direction_of_a_line_are_escaped)
{
    static const char *const controls[][2] = {
        {"\xd8\x9c", "\"\\u061c\""},     {"\xe2\x80\x8e", "\"\\u200e\""}, {"\xe2\x80\x8f", "\"\\u200f\""},
        {"\xe2\x80\xaa", "\"\\u202a\""}, {"\xe2\x80\xae", "\"\\u202e\""}, {"\xe2\x81\xa6", "\"\\u2066\""},
        {"\xe2\x81\xa9", "\"\\u2069\""},
    };
    char text[64];

    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
        cr_assert_str_eq(json(controls[i][0]), controls[i][1]);
    cr_assert_str_eq(txtap_escape_terminal(text, sizeof text, "\xe2\x80\xaegnp.exe"), "\\xe2\\x80\\xaegnp.exe");
    cr_assert_str_eq(json("\xe2\x80\x90\xe2\x80\xaf\xe2\x81\xa5"), "\"\xe2\x80\x90\xe2\x80\xaf\xe2\x81\xa5\"");
}

Test(escape, xml_has_no_special_or_forbidden_character)
{
    char text[64], small[8];

    cr_assert_str_eq(txtap_escape_xml(text, sizeof text, "a < b && \"c\" > 'd'"),
                     "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
    cr_assert_str_eq(txtap_escape_xml(text, sizeof text, "\t\n\r"), "&#9;&#10;&#13;");
    cr_assert_str_eq(txtap_escape_xml(text, sizeof text, "\xc3\xa4\x01\xff\xef\xbf\xbe\xef\xbf\xbf!"),
                     "\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd!");
    cr_assert_str_eq(txtap_escape_xml(small, sizeof small, "abc<<"), "abc&lt;", "no half reference");
    cr_assert_str_eq(txtap_escape_xml(small, sizeof small, "abcdef\xc3\xa4"), "abcdef", "no half character");
    cr_assert_str_eq(txtap_escape_xml(small, 1, "abc"), "");
}
