/* SPDX-License-Identifier: MIT */
/* Parses the options with checks. */
#include "options/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "base/option_values.h"
#include "base/runtime.h"
#include "txtap/inner/check_lines.h"

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define SOURCE_BYTES   512

enum key {
    KEY_CHECK = 700,
    KEY_CHECKS,
    KEY_JUNIT,
};

const struct argp_option check_option_rows[] = {
    {"check", KEY_CHECK, "CHECK", 0,
     "a limit, such as 'wake(control).p99 <= 200us' or 'lost == 0': exit code 6 if it fails, 7 if it cannot be "
     "decided; may be repeated",
     0},
    {"checks", KEY_CHECKS, "FILE", 0, "checks from FILE, one per line; # begins a comment; may be repeated", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "write the results of the checks to FILE, in JUnit's format", 0},
    {0},
};

/* Adds a check. text: borrowed. source: "--check", or the file and its line. */
static void add(struct argp_state *state, struct check_options *options, const char *source, const char *text)
{
    struct txtap_check_error error;

    if (options->count == CHECKS_MAX)
        option_error(state, "%s: more than %d checks", source, CHECKS_MAX);
    if (!txtap_check_parse(&options->checks[options->count], text, &error))
        option_error(state, "%s: '%s': column %zu: expected %s", source, text, error.column, error.expected);
    options->count++;
}

/* Copies a text into the options. */
static const char *keep(struct argp_state *state, struct check_options *options, const char *source, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *kept = options->texts + options->texts_bytes;

    if (bytes > sizeof options->texts - options->texts_bytes)
        option_error(state, "%s: more than %d bytes of checks", source, CHECK_FILE_BYTES);
    options->texts_bytes += bytes;
    return memcpy(kept, text, bytes);
}

/* Adds a check for each line. `text` is the content of the file; the function splits it into lines. */
static void add_lines(struct argp_state *state, struct check_options *options, const char *path, char *text)
{
    struct txtap_check_lines lines = {.rest = text};
    char source[SOURCE_BYTES], *line;

    while ((line = txtap_check_lines_next(&lines)) != NULL) {
        snprintf(source, sizeof source, "%s, line %zu", path, lines.number);
        add(state, options, source, keep(state, options, source, line));
    }
}

static void add_file(struct argp_state *state, struct check_options *options, const char *path)
{
    struct error error;
    char why[ERROR_TEXT_BYTES], *text;
    uint8_t *bytes;
    size_t length;

    if (options->file_count == CHECK_FILES_MAX)
        option_error(state, "--checks: more than %d files", CHECK_FILES_MAX);
    options->files[options->file_count++] = path;
    if (input_read_file(path, FILE_BYTES_MAX, "it is not a list of checks", &bytes, &length, &error) != TXTAP_OK) {
        error_text(&error, why);
        if (stop_requested())
            argp_failure(state, EXIT_FAILED, 0, "--checks: %s", why);
        option_error(state, "--checks: %s", why);
    }
    text = realloc(bytes, length + 1);
    if (text == NULL)
        argp_failure(state, EXIT_FAILED, 0, "no memory for the checks in %s", path);
    text[length] = '\0';
    if (strlen(text) != length)
        option_error(state, "--checks: %s: not a text: it has a NUL byte", path);
    add_lines(state, options, path, text);
    free(text);
}

error_t check_option(struct check_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case KEY_CHECK:
        add(state, options, "--check", text);
        return 0;
    case KEY_CHECKS:
        add_file(state, options, text);
        return 0;
    case KEY_JUNIT:
        options->junit = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
