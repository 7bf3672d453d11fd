/* SPDX-License-Identifier: MIT */
/* Parses the options of txtap record. */
#include "options/options.h"

#include <math.h>
#include <string.h>

#include "base/compress.h"
#include "base/option_values.h"

#define WINDOW_US_DEFAULT  1000000
#define WINDOW_SECONDS_MAX 3600.0
#define FILES_MAX          1000000
#define FAULTS_MAX         10000
#define FAULTS_DEFAULT     10
#define STREAM_BYTES_LEAST (UINT64_C(1) << 20)
#define REPLICAS_MAX       5
#define CHECK_PREFIX       "check=" /* begins a trigger that is a check */

enum key {
    KEY_COMPRESS = 700,
    KEY_TRIGGER,
    KEY_BEFORE,
    KEY_AFTER,
    KEY_ON_FAULT,
    KEY_FAULT_LIMIT,
    KEY_SPOOL,
    KEY_STREAM_AGE,
    KEY_STREAM_BYTES,
    KEY_STREAM_REPLICAS,
};

const struct argp_option record_option_rows[] = {
    {"file-size", 'C', "SIZE", 0,
     "begin the next file before a file becomes larger: 512K, 64M, 2G; a bare number counts millions of bytes", 0},
    {"file-seconds", 'G', "TIME", 0,
     "begin the next file every 10min, 1h, ...; strftime's %-codes in the name tell them apart", 0},
    {"file-count", 'W', "N", 0, "with -C, write N files in turn, over and over; with -G alone, end after N", 0},
    {"compress", KEY_COMPRESS, "LEVEL", OPTION_ARG_OPTIONAL, "compress with zstd, level 1 to 19 (default 3)", 0},
    {"trigger", KEY_TRIGGER, "RULES", 0,
     "record only around events that match: 'event=tx_queue_send thread=producer'; or where a check fails: "
     "'check=wake(control) <= 200us'; or when a variable of --watch begins to fulfil 'value(speed) > 3000'; may be "
     "repeated",
     0},
    {"before", KEY_BEFORE, "TIME", 0, "how much to keep from before a trigger: 2s, 500ms (default 1s)", 0},
    {"after", KEY_AFTER, "TIME", 0, "how much to record after a trigger (default 1s)", 0},
    {"on-fault", KEY_ON_FAULT, "DIR", 0,
     "for each fault write a directory in DIR: core.elf (RAM and registers for GDB), fault.txt (cause, function, "
     "threads), events.trx",
     0},
    {"fault-limit", KEY_FAULT_LIMIT, "N", 0, "with --on-fault, write at most N directories (default 10)", 0},
    {"spool", KEY_SPOOL, "DIR", 0,
     "with --store nats://...: keep blocks that no server has stored in a file in DIR, at most 4 GiB, also for the "
     "next "
     "recording",
     0},
    {"stream-age", KEY_STREAM_AGE, "TIME", 0,
     "with --store nats://...: a stream that txtap makes keeps messages for 12h, 30d, ... (default 7d)", 0},
    {"stream-bytes", KEY_STREAM_BYTES, "SIZE", 0, "the same: at most 500M, 100G, ... (default 10G)", 0},
    {"stream-replicas", KEY_STREAM_REPLICAS, "N", 0, "the same: on N servers of a cluster (default 1)", 0},
    {"limit", KEY_LIMIT, "N", 0, "end after N events were recorded", 0},
    {0},
};

/* Parses a time of at least `least` seconds. Accepts whole seconds only. */
static uint64_t whole_seconds_option(const struct argp_state *state, const char *name, const char *text, double least,
                                     const char *range)
{
    double seconds = option_seconds(state, name, text, least, OPTION_SECONDS_MAX, range);

    if (seconds != floor(seconds))
        option_error(state, "%s: '%s' is not a whole number of seconds", name, text);
    return (uint64_t)seconds;
}

static uint64_t window_option(const struct argp_state *state, const char *name, const char *text)
{
    return (uint64_t)(option_seconds(state, name, text, 0, WINDOW_SECONDS_MAX, "of at most 1h") * 1e6 + 0.5);
}

/* ---- triggers ---- */

/* Returns the next word of *text. Removes its quotes ('...' or "...") in place. NULL: no more words. Sets *fine to
 * false if a quote is not closed. */
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
    } kinds[] = {{"event", TXTAP_FILTER_EVENT},
                 {"thread", TXTAP_FILTER_THREAD},
                 {"object", TXTAP_FILTER_OBJECT},
                 {"isr", TXTAP_FILTER_INTERRUPT}};
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

/* Adds a check. `text` is the part after "check=". */
static void add_check(struct argp_state *state, struct record_options *options, const char *text)
{
    struct txtap_check_error error;

    if (options->check_count == RECORD_TRIGGERS_MAX)
        option_error(state, "--trigger: more than %d checks", RECORD_TRIGGERS_MAX);
    if (!txtap_check_parse(&options->checks[options->check_count], text, &error))
        option_error(state, "--trigger: check=: '%s': column %zu: expected %s", text, error.column, error.expected);
    options->check_count++;
}

static void add_trigger(struct argp_state *state, struct record_options *options, const char *text)
{
    struct record_trigger *trigger = &options->triggers[options->trigger_count];
    char *rest = trigger->words, *word;
    bool fine = true, any = false;

    if (options->trigger_count == RECORD_TRIGGERS_MAX)
        option_error(state, "--trigger: more than %d", RECORD_TRIGGERS_MAX);
    if (strlen(text) >= sizeof trigger->words)
        option_error(state, "--trigger: longer than %d bytes: give several, or patterns",
                     RECORD_TRIGGER_TEXT_BYTES - 1);
    if (options->trigger_count == RECORD_TRIGGERS_MAX || strlen(text) >= sizeof trigger->words)
        return;
    strcpy(trigger->words, text);
    txtap_filter_init(&trigger->filter);
    while (fine && (word = next_word(&rest, &fine))) {
        fine = fine && add_rule(&trigger->filter, word);
        any = true;
    }
    if (!fine || !any)
        option_error(state,
                     "--trigger: '%s' is not a list such as 'event=tx_queue_* thread=producer context=isr': expected "
                     "event=, thread=, object= or isr= with a name, a pattern or a number, or context= with thread, "
                     "isr, idle or "
                     "init; or check= alone",
                     text);
    trigger->text = text;
    options->trigger_count++;
}

static void add_value(struct argp_state *state, struct record_options *options, const char *text)
{
    const char *expected;

    if (options->value_count == RECORD_TRIGGERS_MAX)
        option_error(state, "--trigger: more than %d conditions on values", RECORD_TRIGGERS_MAX);
    expected = value_trigger_parse(&options->values[options->value_count++], text);
    if (expected != NULL)
        option_error(state, "--trigger: '%s': expected %s", text, expected);
}

/* ---- all ---- */

static void finish(struct argp_state *state, const struct record_options *options)
{
    if (options->file_count > 0 && options->file_bytes == 0 && options->file_seconds == 0)
        option_error(state, "-W counts files: say with -C or -G when a file is full");
    if (options->has_window && !record_has_triggers(options))
        option_error(state, "--before and --after are about a trigger: give --trigger");
}

error_t record_option(struct record_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case 'C':
        options->file_bytes = option_size(state, "-C", text, 1000000, 1024, UINT64_C(1) << 62, "of at least 1K");
        return 0;
    case 'G':
        options->file_seconds = whole_seconds_option(state, "-G", text, 1, "of at least 1s");
        return 0;
    case 'W':
        options->file_count = (uint32_t)option_number(state, "-W", text, 1, FILES_MAX);
        return 0;
    case KEY_COMPRESS:
        options->compress = COMPRESS_LEVEL_DEFAULT;
        if (text)
            options->compress = (int)option_number(state, "--compress", text, 1, COMPRESS_LEVEL_MAX);
        return 0;
    case KEY_TRIGGER:
        if (strncmp(text, CHECK_PREFIX, strlen(CHECK_PREFIX)) == 0)
            add_check(state, options, text + strlen(CHECK_PREFIX));
        else if (strncmp(text, VALUE_TRIGGER_PREFIX, strlen(VALUE_TRIGGER_PREFIX)) == 0)
            add_value(state, options, text);
        else
            add_trigger(state, options, text);
        return 0;
    case KEY_BEFORE:
        options->before_us = window_option(state, "--before", text);
        options->has_window = true;
        return 0;
    case KEY_AFTER:
        options->after_us = window_option(state, "--after", text);
        options->has_window = true;
        return 0;
    case KEY_ON_FAULT:
        options->on_fault = text;
        return 0;
    case KEY_SPOOL:
        options->spool = text;
        return 0;
    case KEY_STREAM_AGE:
        options->stream.seconds = whole_seconds_option(state, "--stream-age", text, 60, "of at least 1min");
        return 0;
    case KEY_STREAM_BYTES:
        options->stream.bytes =
            option_size(state, "--stream-bytes", text, 1, STREAM_BYTES_LEAST, UINT64_C(1) << 62, "of at least 1M");
        return 0;
    case KEY_STREAM_REPLICAS:
        options->stream.copies = (unsigned)option_number(state, "--stream-replicas", text, 1, REPLICAS_MAX);
        return 0;
    case KEY_FAULT_LIMIT:
        options->fault_limit = (uint32_t)option_number(state, "--fault-limit", text, 1, FAULTS_MAX);
        return 0;
    case ARGP_KEY_INIT:
        options->fault_limit = FAULTS_DEFAULT;
        options->before_us = options->after_us = WINDOW_US_DEFAULT;
        return ARGP_ERR_UNKNOWN;
    case ARGP_KEY_END:
        finish(state, options);
        return ARGP_ERR_UNKNOWN;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
