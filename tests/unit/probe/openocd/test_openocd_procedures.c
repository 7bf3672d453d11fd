/* SPDX-License-Identifier: MIT */
/* Everything that the sources send over the Tcl port: no command may change a target. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(const char *path)
{
    char name[512];
    FILE *file;
    char *text = calloc(1, 65536);

    snprintf(name, sizeof name, "%s/../../%s", TXTAP_TEST_DATA, path);
    file = fopen(name, "r");
    cr_assert(file != NULL && text != NULL, "%s", name);
    cr_assert(fread(text, 1, 65535, file) > 0);
    fclose(file);
    return text;
}

static bool is_word_part(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Checks that the text contains no command that changes a target. */
static void changes_nothing(const char *text, const char *where)
{
    static const char *const forbidden[] = {
        "halt",     "resume",     "reset",    "step",    "write_memory", "array2mem", "mwb",     "mwh",      "mww",
        "mwd",      "load_image", "flash",    "program", "bp",           "wp",        "set_reg", "reg",      "poll",
        "arp_halt", "arp_reset",  "arp_poll", "init",    "shutdown",     "targets",   "dap",     "configure"};

    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++) {
        size_t length = strlen(forbidden[i]);

        for (const char *at = text; (at = strstr(at, forbidden[i])) != NULL; at += length)
            cr_assert((at > text && is_word_part(at[-1])) || is_word_part(at[length]), "'%s' in %s", forbidden[i],
                      where);
    }
}

Test(tcl_procedures, procedures_have_no_command_that_changes_a_target)
{
    char *text = text_of("openocd-cfg/txtap.tcl");

    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        /* without an argument these two commands only list settings */
        if (strcmp(line, "    catch { append list [capture {bp}] }") == 0 ||
            strcmp(line, "    catch { append list [capture {wp}] }") == 0)
            continue;
        if (line[0] != '#')
            changes_nothing(line, "txtap.tcl");
    }
    free(text);
}

Test(tcl_procedures, strings_of_the_client_have_no_command_that_changes_a_target)
{
    static const char *const paths[] = {"capture/probe/openocd/openocd.c", "capture/base/tcp.c"};
    char *reply = text_of("capture/probe/openocd/openocd_reply.c");

    /* This file's messages to the user name such commands. It cannot send them, because it has no stream. */
    cr_assert(strstr(reply, "stream") == NULL);
    free(reply);

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char *text = text_of(paths[i]);
        unsigned strings = 0;

        for (char *line = text, *next; line != NULL; line = next) {
            next = strchr(line, '\n');
            if (next != NULL)
                *next++ = '\0';
            if (strncmp(line, "#include", 8) == 0 || strchr(line, '"') == NULL || strstr(line, "/*") != NULL)
                continue;
            /* Checks the line from its first quote on: the string, and the call whose argument it is. */
            changes_nothing(strchr(line, '"'), paths[i]);
            strings++;
        }
        cr_assert_gt(strings, 0);
        free(text);
    }
}
