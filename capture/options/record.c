/* SPDX-License-Identifier: MIT */
/* The options of "txtap record". */
#include "options/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compress.h"
#include "options/filter.h"

#define WINDOW_US_DEFAULT 1000000
#define WINDOW_US_MAX     (UINT64_C(3600) * 1000000)
#define FILES_MAX         1000000

enum key {
    KEY_COMPRESS = 700,
    KEY_TRIGGER,
    KEY_BEFORE,
    KEY_AFTER,
};

const struct argp_option record_option_rows[] = {
    {"file-size", 'C', "SIZE", 0, "next file before one is larger: in millions of bytes, or with k, m or g in KiB, ...",
     1},
    {"file-seconds", 'G', "S", 0, "next file every S seconds; a name with %-codes of strftime tells them apart", 1},
    {"file-count", 'W', "N", 0, "with -C overwrite the first of N files again; with -G alone end after N", 1},
    {"compress", KEY_COMPRESS, "LEVEL", OPTION_ARG_OPTIONAL, "with zstd, level 1 to 19 (default 3)", 1},
    {"trigger", KEY_TRIGGER, "RULES", 0,
     "record only around events that match: 'event=tx_queue_send thread=producer'; may be repeated", 2},
    {"before", KEY_BEFORE, "TIME", 0, "of what came before a trigger: 2s, 500ms (default 1s)", 2},
    {"after", KEY_AFTER, "TIME", 0, "and what came after it (default 1s)", 2},
    {"limit", FILTER_KEY_LIMIT, "N", 0, "end after N events are recorded", 3},
    {0},
};

static uint64_t whole_number(const struct argp_state *state, const char *name, const char *text, uint64_t max,
                             char **end)
{
    unsigned long long value;

    errno = 0;
    value = strtoull(text, end, 10);
    if (errno || *text < '0' || *text > '9' || value == 0 || value > max)
        argp_error(state, "%s: '%s' is not a number above 0", name, text);
    return value;
}

/* tcpdump's units: a million without one, powers of 1024 with. */
static uint64_t size_option(const struct argp_state *state, const char *text)
{
    char *end = NULL;
    uint64_t number = whole_number(state, "-C", text, UINT64_C(1) << 32, &end), unit = 0;

    if (*end == '\0')
        unit = 1000000;
    else if (end[1] == '\0' && strchr("kK", *end))
        unit = 1024;
    else if (end[1] == '\0' && strchr("mM", *end))
        unit = 1024 * 1024;
    else if (end[1] == '\0' && strchr("gG", *end))
        unit = 1024 * 1024 * 1024;
    else
        argp_error(state, "-C: '%s' is not a size such as 100, 512k, 64m or 2g", text);
    return number * unit;
}

static uint64_t count_option(const struct argp_state *state, const char *name, const char *text, uint64_t max)
{
    char *end = NULL;
    uint64_t value = whole_number(state, name, text, max, &end);

    if (*end)
        argp_error(state, "%s: '%s' is not a number above 0", name, text);
    return value;
}

static uint64_t duration_option(const struct argp_state *state, const char *name, const char *text)
{
    static const struct {
        const char *name;
        double us;
    } units[] = {{"s", 1e6}, {"", 1e6}, {"ms", 1e3}, {"us", 1}, {"min", 60e6}};
    char *end;
    double value = strtod(text, &end);

    for (size_t i = 0; i < sizeof units / sizeof *units && end != text; i++)
        if (strcmp(end, units[i].name) == 0 && isfinite(value) && value >= 0 &&
            value * units[i].us <= (double)WINDOW_US_MAX)
            return (uint64_t)(value * units[i].us + 0.5);
    argp_error(state, "--%s: '%s' is not a time such as 2s or 500ms, of one hour at most", name, text);
    return 0;
}

static int level_option(const struct argp_state *state, const char *text)
{
    return text ? (int)count_option(state, "--compress", text, COMPRESS_LEVEL_MAX) : COMPRESS_LEVEL_DEFAULT;
}

/* ---- triggers ---- */

/*
 * The next word of *text, with '...' or "..." around blanks taken away in place; NULL: none is left. *fine turns false
 * if a quote is not closed.
 */
static char *next_word(char **text, bool *fine)
{
    char *from = *text + strspn(*text, " \t"), *word = from, *to = from;
    char quote = '\0';

    if (*from == '\0')
        return NULL;
    for (; *from && (quote || (*from != ' ' && *from != '\t')); from++) {
        if (quote ? *from == quote : *from == '"' || *from == '\'')
            quote = quote ? '\0' : *from;
        else
            *to++ = *from;
    }
    *fine = quote == '\0';
    *text = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

static bool add_rule(struct txtap_filter *filter, char *word)
{
    static const struct {
        const char *name;
        enum txtap_filter_kind kind;
    } kinds[] = {{"event", TXTAP_FILTER_EVENT}, {"thread", TXTAP_FILTER_THREAD}, {"object", TXTAP_FILTER_OBJECT}};
    char *value = strchr(word, '=');

    if (!value || value[1] == '\0')
        return false;
    *value++ = '\0';
    if (strcmp(word, "context") == 0)
        return txtap_filter_add_context(filter, value);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(word, kinds[i].name) == 0)
            return txtap_filter_add(filter, kinds[i].kind, value) == TXTAP_OK;
    return false;
}

static void add_trigger(struct argp_state *state, struct record_options *options, const char *text)
{
    struct record_trigger *trigger = &options->triggers[options->trigger_count];
    char *rest = trigger->words, *word;
    bool fine = true, any = false;

    if (options->trigger_count == RECORD_TRIGGERS_MAX)
        argp_error(state, "--trigger: more than %d", RECORD_TRIGGERS_MAX);
    if (strlen(text) >= sizeof trigger->words)
        argp_error(state, "--trigger: longer than %d bytes: give several, or patterns", RECORD_TRIGGER_TEXT_BYTES - 1);
    if (options->trigger_count == RECORD_TRIGGERS_MAX || strlen(text) >= sizeof trigger->words)
        return;
    strcpy(trigger->words, text);
    txtap_filter_init(&trigger->filter);
    while (fine && (word = next_word(&rest, &fine))) {
        fine = fine && add_rule(&trigger->filter, word);
        any = true;
    }
    if (!fine || !any)
        argp_error(state,
                   "--trigger: '%s' is no list of event=, thread=, object= with names, patterns or numbers, and "
                   "context= with thread, isr, idle or init",
                   text);
    trigger->text = text;
    options->trigger_count++;
}

/* ---- all ---- */

static void finish(struct argp_state *state, const struct record_options *options)
{
    if (options->file_count > 0 && options->file_bytes == 0 && options->file_seconds == 0)
        argp_error(state, "-W counts files: say with -C or -G when a file is full");
    if (options->has_window && options->trigger_count == 0)
        argp_error(state, "--before and --after are about a trigger: give --trigger");
}

error_t record_option(struct record_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case 'C':
        options->file_bytes = size_option(state, text);
        return 0;
    case 'G':
        options->file_seconds = count_option(state, "-G", text, UINT32_MAX);
        return 0;
    case 'W':
        options->file_count = (uint32_t)count_option(state, "-W", text, FILES_MAX);
        return 0;
    case KEY_COMPRESS:
        options->compress = level_option(state, text);
        return 0;
    case KEY_TRIGGER:
        add_trigger(state, options, text);
        return 0;
    case KEY_BEFORE:
        options->before_us = duration_option(state, "before", text);
        options->has_window = true;
        return 0;
    case KEY_AFTER:
        options->after_us = duration_option(state, "after", text);
        options->has_window = true;
        return 0;
    case ARGP_KEY_INIT:
        options->before_us = options->after_us = WINDOW_US_DEFAULT;
        return ARGP_ERR_UNKNOWN;
    case ARGP_KEY_END:
        finish(state, options);
        return ARGP_ERR_UNKNOWN;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
