/* SPDX-License-Identifier: MIT */
#include "probe/openocd/openocd_arguments.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct openocd_arguments arguments;
static const size_t before = 3; /* number of arguments before the user's arguments: the program, -c, the servers */

/* Returns the user's words, separated by |. txtap's own words follow them. */
static const char *words(const char *text)
{
    static char joined[OPENOCD_ARGUMENT_BYTES + OPENOCD_ARGUMENTS_MAX];
    const char *problem = openocd_arguments_make(&arguments, "openocd", text);
    size_t length = 0;

    if (problem != NULL)
        return problem;
    cr_assert_null(arguments.argv[arguments.count]);
    joined[0] = '\0';
    for (size_t i = before; i + 8 < arguments.count; i++)
        length +=
            (size_t)snprintf(joined + length, sizeof joined - length, "%s%s", length > 0 ? "|" : "", arguments.argv[i]);
    return joined;
}

Test(openocd_arguments, are_split_into_words_as_in_a_shell)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"-f a.cfg -f b.cfg", "-f|a.cfg|-f|b.cfg"},
        {"  -f\ta.cfg\n", "-f|a.cfg"},
        {"-c 'adapter serial \"X\"'", "-c|adapter serial \"X\""},
        {"-c \"set A 1; set B {2 \\\" \\\\ \\n}\"", "-c|set A 1; set B {2 \" \\ \\n}"},
        {"-c 'a\\b'", "-c|a\\b"},
        {"-c 'a\\\\b'", "-c|a\\\\b"},
        {"-f my\\ file.cfg", "-f|my file.cfg"},
        {"-f '/a b'/c.cfg", "-f|/a b/c.cfg"},
        {"-c $HOME*", "-c|$HOME*"},
        {"-c ''", "-c|"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(words(cases[i].text), cases[i].words, "%s: %s", cases[i].text, words(cases[i].text));
}

Test(openocd_arguments, that_cannot_be_split_are_refused)
{
    cr_assert_not_null(strstr(words(""), "is empty"));
    cr_assert_not_null(strstr(words(" \t"), "is empty"));
    cr_assert_not_null(strstr(words("-c 'a"), "not closed"));
    cr_assert_not_null(strstr(words("-c \"a"), "not closed"));
    cr_assert_not_null(strstr(words("-c a\\"), "ends in a backslash"));
}

Test(openocd_arguments, have_limits)
{
    static char text[OPENOCD_ARGUMENT_BYTES + 2];

    for (size_t count = 1; count < 100; count++) {
        const char *got;

        memset(text, ' ', sizeof text);
        for (size_t i = 0; i < count; i++)
            text[2 * i] = 'x';
        text[2 * count] = '\0';
        got = words(text);
        cr_assert_eq(strcmp(got, "has too many words") == 0, count > OPENOCD_ARGUMENTS_MAX - before - 8, "%zu: %s",
                     count, got);
    }
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    cr_assert_not_null(strstr(words(text), "too long"));
    text[OPENOCD_ARGUMENT_BYTES - 1] = '\0';
    cr_assert_str_eq(words(text), text);
}

/* Commands after the user's words disable the servers that the user's files enable. The order must be this. */
Test(openocd_arguments, are_placed_between_txtaps_own_arguments)
{
    static const char *const order[] = {"bindto 127.0.0.1",
                                        "tcl_port 0",
                                        "gdb_port disabled",
                                        "telnet_port disabled",
                                        "USER",
                                        "tcl_port 0",
                                        "gdb_port disabled",
                                        "log_output default",
                                        "init",
                                        "poll off",
                                        "txtap_look_at_core"};
    static char all[4096];
    const char *at = all;

    cr_assert_null(openocd_arguments_make(&arguments, "/opt/openocd", "USER"));
    cr_assert_str_eq(arguments.argv[0], "/opt/openocd");
    for (size_t i = 0; i < arguments.count; i++) {
        strcat(all, arguments.argv[i]);
        strcat(all, "\n");
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        at = strstr(at, order[i]);
        cr_assert_not_null(at, "no %s in its place in %s", order[i], all);
    }
    cr_assert_null(strstr(all, "halt"));
    cr_assert_null(strstr(all, "reset"));
}
