/* SPDX-License-Identifier: MIT */
/* Gives any bytes to the parser of .txtap. Its settings must be whole lines of the input, and an error must have a
 * line. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "options/settings_file.h"

static void check(const struct setting *setting, const char *text, size_t length)
{
    const char *value_end = setting->value + strlen(setting->value);

    REQUIRE(setting->line >= 1 && setting->line <= length);
    REQUIRE(setting->name >= text && value_end <= text + length && setting->name < setting->value);
    REQUIRE(*setting->name >= 'a' && *setting->name <= 'z' && *setting->value != '\0');
    REQUIRE(strpbrk(setting->name, " =#[]\n") == NULL && strpbrk(setting->value, "\n\r\033") == NULL);
    REQUIRE(*setting->value != ' ' && value_end[-1] != ' ');
    REQUIRE(strpbrk(setting->section, "[]\n") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static struct setting rows[SETTINGS_MAX];
    struct settings settings = {.rows = rows, .room = SETTINGS_MAX};
    char *text = malloc(length + 1);
    bool valid;

    REQUIRE(text != NULL);
    memcpy(text, data, length);
    valid = settings_parse(&settings, text, length);
    REQUIRE(settings.count <= SETTINGS_MAX);
    REQUIRE(valid ? settings.problem == NULL : settings.problem != NULL && settings.line >= 1);
    for (size_t i = 0; i < settings.count; i++)
        check(&settings.rows[i], text, length);
    free(text);
    return 0;
}
