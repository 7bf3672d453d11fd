/* SPDX-License-Identifier: MIT */
/* Checks a command line before argp parses it, because the messages of argp suggest no similar option and take two
 * lines. */
#include "options/option_table.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/option_values.h"
#include "base/similar.h"

/* ---- collecting ---- */

static void add(struct option_table *table, const struct argp *argp, const char *head)
{
    for (const struct argp_option *option = argp->options; option && (option->name || option->key); option++) {
        assert(table->count < OPTION_TABLE_MAX);
        table->rows[table->count++] = (struct option_row){option, argp, head};
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        add(table, child->argp, child->header ? child->header : head);
}

void option_table_make(struct option_table *table, const struct argp *argp)
{
    table->count = 0;
    add(table, argp, NULL);
}

/* ---- finding ---- */

const struct argp_option *option_table_find(const struct option_table *table, const char *name, size_t length)
{
    const struct argp_option *found = NULL;
    bool several = false;

    for (size_t i = 0; i < table->count; i++) {
        const struct argp_option *option = table->rows[i].option;

        if (option->name == NULL || strncmp(option->name, name, length) != 0)
            continue;
        if (option->name[length] == '\0')
            return option;
        several = several || (found != NULL && found->key != option->key);
        found = option;
    }
    return several ? NULL : found;
}

const struct argp_option *option_table_find_short(const struct option_table *table, char key)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].option->key == key)
            return table->rows[i].option;
    return NULL;
}

/* ---- checking ---- */

static bool needs_value(const struct argp_option *option)
{
    return option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0;
}

static void refuse_long(const struct option_table *table, const struct argp_state *state, const char *name,
                        size_t length)
{
    char wanted[SIMILAR_NAME_BYTES], text[SIMILAR_TEXT_BYTES];
    struct similar similar;

    snprintf(wanted, sizeof wanted, "--%.*s", (int)length, name);
    similar_init(&similar, wanted);
    for (size_t i = 0; i < table->count; i++) {
        const struct argp_option *option = table->rows[i].option;
        char offered[SIMILAR_NAME_BYTES];

        snprintf(offered, sizeof offered, "--%s", option->name != NULL ? option->name : "");
        if (option->name != NULL && (option->flags & OPTION_HIDDEN) == 0)
            similar_offer(&similar, offered);
    }
    option_error(state, "unknown option '%s'%s", wanted,
                 similar.count > 0 ? similar_text(&similar, text) : ": --help shows all options");
}

/* Returns true if the word may be the value of a preceding --openocd, such as "-f my.cfg". It is then no option of
 * txtap, because these contain no blank. */
static bool is_arguments(const char *word)
{
    return word != NULL && word[strspn(word, " ")] == '-' && strchr(word, ' ') != NULL;
}

/* next: the next word, or NULL. Returns true if the next word is the value of the option. */
static bool check_long(const struct option_table *table, const struct argp_state *state, const char *name,
                       const char *next)
{
    size_t length = strcspn(name, "=");
    const struct argp_option *option = option_table_find(table, name, length);

    if (option == NULL)
        refuse_long(table, state, name, length);
    if (name[length] == '=' && option->arg == NULL)
        option_error(state, "--%s takes no value", option->name);
    if (name[length] == '=' || option->arg == NULL)
        return false;
    if (!needs_value(option))
        return is_arguments(next);
    if (next == NULL)
        option_error(state, "--%s needs a value: --%s=%s", option->name, option->name, option->arg);
    return true;
}

/* Checks options in one word, such as -qo. Returns true if the next word is the value of the last option. */
static bool check_short(const struct option_table *table, const struct argp_state *state, const char *keys,
                        const char *next)
{
    for (; *keys != '\0'; keys++) {
        const struct argp_option *option = option_table_find_short(table, *keys);

        if (option == NULL)
            option_error(state, "unknown option '-%c': --help shows all options", *keys);
        if (option->arg != NULL && keys[1] != '\0')
            return false;
        if (needs_value(option) && next == NULL)
            option_error(state, "-%c needs a value: -%c %s", *keys, *keys, option->arg);
        if (needs_value(option))
            return true;
    }
    return false;
}

void option_table_check(const struct option_table *table, int count, char **words)
{
    const struct argp_state state = {.name = words[0]};

    for (int i = 1; i < count && strcmp(words[i], "--") != 0; i++) {
        const char *word = words[i], *next = i + 1 < count ? words[i + 1] : NULL;

        if (word[0] != '-' || word[1] == '\0')
            continue;
        i += word[1] == '-' ? check_long(table, &state, word + 2, next) : check_short(table, &state, word + 1, next);
    }
}

void option_table_walk(const struct option_table *table, int count, char **words,
                       void (*see)(void *self, const struct argp_option *option, const char *value), void *self)
{
    bool dashes = false; /* all further words are operands */

    for (int i = 1; i < count; i++) {
        const char *word = words[i], *next = i + 1 < count ? words[i + 1] : NULL, *value = NULL;
        const struct argp_option *option = NULL;
        bool is_long = strncmp(word, "--", 2) == 0;

        if (dashes || word[0] != '-' || word[1] == '\0') {
            see(self, NULL, word);
        } else if (word[1] == '-' && word[2] == '\0') {
            dashes = true;
        } else if (is_long) {
            option = option_table_find(table, word + 2, strcspn(word + 2, "="));
            value = strchr(word, '=');
            value = value != NULL ? value + 1 : option != NULL && needs_value(option) ? words[++i] : NULL;
            see(self, option, value);
        }
        while (!dashes && !is_long && word[0] == '-' && *++word != '\0' &&
               (option = option_table_find_short(table, *word)) != NULL) {
            value = option->arg == NULL ? NULL : word[1] != '\0' ? word + 1 : needs_value(option) ? next : NULL;
            i += value != NULL && value == next;
            see(self, option, value);
            if (option->arg != NULL)
                break;
        }
    }
}
