/* SPDX-License-Identifier: MIT */
/* Parses the lines of a configuration file. */
#include "options/settings_file.h"

#include <string.h>

#define LOWER_BYTES "abcdefghijklmnopqrstuvwxyz0123456789-"
#define NAME_BYTES  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Removes blanks at both ends. */
static char *trim(char *text)
{
    size_t length;

    while (is_blank(*text))
        text++;
    length = strlen(text);
    while (length > 0 && is_blank(text[length - 1]))
        text[--length] = '\0';
    return text;
}

static bool is_name(const char *text)
{
    return *text >= 'a' && *text <= 'z' && text[strspn(text, LOWER_BYTES)] == '\0';
}

static bool has_control_byte(const char *text)
{
    for (; *text != '\0'; text++)
        if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7F)
            return true;
    return false;
}

static bool fail(struct settings *settings, const char *problem)
{
    settings->problem = problem;
    return false;
}

/* Accepts "tail" and, if sections have names, "board b1". */
static bool is_section(const struct settings *settings, const char *text)
{
    size_t word = strspn(text, LOWER_BYTES);

    if (*text < 'a' || *text > 'z')
        return false;
    if (text[word] != ' ' || !settings->section_has_name)
        return text[word] == '\0';
    text += word + 1;
    return *text != '.' && *text != '\0' && text[strspn(text, NAME_BYTES)] == '\0';
}

static bool add(struct settings *settings, const char *section, const char *name, const char *value)
{
    if (settings->count == settings->room)
        return fail(settings, "too many settings: remove some");
    settings->rows[settings->count++] = (struct setting){settings->line, section, name, value};
    return true;
}

static bool parse_section(struct settings *settings, char *text, const char **section)
{
    size_t length = strlen(text);

    if (text[length - 1] != ']')
        return fail(settings, "the section has no ]: write it as in the manual page");
    text[length - 1] = '\0';
    *section = trim(text + 1);
    if (!is_section(settings, *section))
        return fail(settings, "the section has an invalid name: write it as in the manual page");
    return !settings->section_has_name || add(settings, *section, "", "");
}

static bool parse_line(struct settings *settings, char *line, const char **section)
{
    char *text = trim(line), *equals;

    if (*text == '\0' || *text == '#')
        return true;
    if (has_control_byte(text))
        return fail(settings, "the line has a control character: remove it");
    if (*text == '[')
        return parse_section(settings, text, section);
    equals = strchr(text, '=');
    if (equals == NULL)
        return fail(settings, "the line has no '=': write OPTION = VALUE, or OPTION = yes");
    *equals = '\0';
    text = trim(text);
    equals = trim(equals + 1);
    if (!is_name(text))
        return fail(settings, "no name of an option before '=': write it as in --help, without --");
    if (*equals == '\0')
        return fail(settings, "no value after '=': write OPTION = VALUE, or OPTION = yes");
    return add(settings, *section, text, equals);
}

bool settings_parse(struct settings *settings, char *text, size_t length)
{
    const char *section = "";
    char *end = text + length;

    *end = '\0';
    settings->count = settings->line = 0;
    settings->problem = NULL;
    while (text < end) {
        char *next = memchr(text, '\n', (size_t)(end - text));

        if (next == NULL)
            next = end;
        *next = '\0';
        settings->line++;
        if (strlen(text) != (size_t)(next - text))
            return fail(settings, "the line has a control character: remove it");
        if (!parse_line(settings, text, &section))
            return false;
        text = next + 1;
    }
    return true;
}
