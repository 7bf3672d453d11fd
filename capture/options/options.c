/* SPDX-License-Identifier: MIT */
/* Groups of options that several commands share. */
#include "options/options.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "nats/place.h"
#include "store/board.h"
#include "txtap/ring.h"

/* ---- view ---- */

enum { KEY_PORT = 950, KEY_LISTEN, KEY_NO_OPEN, KEY_RECORD, KEY_AT_EVENT };

#define ADDRESS_DEFAULT "127.0.0.1"
#define EVENT_MAX       ((UINT64_C(1) << 53) - 1) /* the largest exact number of the page */

const struct argp_option view_option_rows[] = {
    {"port", KEY_PORT, "PORT", 0, "serve the page on this port (default: one that is free)", 0},
    {"listen", KEY_LISTEN, "ADDR", 0,
     "serve the page on this address (default 127.0.0.1: this machine only); 0.0.0.0 is the whole network", 0},
    {"no-open", KEY_NO_OPEN, NULL, 0, "only print the address, open no browser", 0},
    {"at", KEY_AT_EVENT, "EVENT", 0, "open the page at the event with this number", 0},
    {"record", KEY_RECORD, "PATH", 0, "also record the target's events to PATH, as 'txtap record' does", 0},
    {0},
};

error_t view_option(struct view_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        *options = (struct view_options){.address = ADDRESS_DEFAULT};
        return 0;
    case KEY_PORT:
        options->port = (uint16_t)option_number(state, "--port", text, 0, UINT16_MAX);
        return 0;
    case KEY_LISTEN:
        options->address = text;
        return 0;
    case KEY_NO_OPEN:
        options->no_open = true;
        return 0;
    case KEY_RECORD:
        options->record = text;
        return 0;
    case KEY_AT_EVENT:
        options->at = option_number(state, "--at", text, 0, EVENT_MAX);
        options->has_at = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- top ---- */

enum { KEY_SPEED = 900 };

#define SPEED_MAX 1e6

const struct argp_option top_option_rows[] = {
    {"rows", 'b', NULL, 0, "print rows for pipes and logs instead of drawing on the terminal", 0},
    {"count", 'n', "N", 0, "end after N screens", 0},
    {"delay", 'd', "TIME", 0, "time between screens (default 250ms, with -b 2s)", 0},
    {"replay-speed", KEY_SPEED, "FACTOR", 0,
     "replay speed of a file: 1 as it was recorded (default with --hz), 10, 0 as fast as possible", 0},
    {0},
};

static double speed_option(const struct argp_state *state, const char *text)
{
    char *end;
    double speed = strtod(text, &end);

    if (end == text || *end != '\0' || !(speed >= 0 && speed <= SPEED_MAX))
        option_error(state, "--replay-speed: '%s' is not a factor from 0 to 1000000", text);
    return speed;
}

error_t top_option(struct top_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        *options = (struct top_options){.speed = SPEED_DEFAULT};
        return 0;
    case 'b':
        options->rows = true;
        return 0;
    case 'n':
        options->count = option_number(state, "--count", text, 1, UINT64_MAX);
        return 0;
    case 'd':
        options->seconds = option_seconds(state, "--delay", text, 0.05, 3600, "from 50ms to 1h");
        return 0;
    case KEY_SPEED:
        options->speed = speed_option(state, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

#define BUFFER_BYTES_MIN ((uint64_t)1 << 20) /* the kernel and a pipe always buffer about this much */
#define BUFFER_BYTES_MAX ((uint64_t)16 << 30)
#define PATIENCE_MAX_S   60.0
#define FORMATS_BYTES    512

/* ---- rows ---- */

static const struct argp_option format_rows[] = {
    {"format", 'f', "FORMAT", 0, "", 0}, /* help_of_formats() */
    {"output", 'o', "FILE", 0, "write to FILE; - is standard output (default)", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 0},
    {"color", KEY_COLOR, "WHEN", 0, "auto (default), always or never; NO_COLOR is honoured", 0},
    {"wide", KEY_WIDE, NULL, 0, "show all fields, even stack pointers, however long the line gets", 0},
    {"hz", KEY_HZ, "HZ", 0,
     "rate of the time stamps, such as 168M or 32768: shows times in seconds; auto (default): the rate that txtap "
     "finds",
     0},
    {"time", KEY_TIME, "STYLE", 0,
     "relative (default): since the first event; delta: since the event shown before; absolute: the stamp as recorded",
     0},
    {0},
};

static const struct argp_option samples_rows[] = {
    {"log", KEY_LOG, "LOG", 0,
     "show the lines of LOG at their places between the events: a file, a pipe, or a serial port with its speed, such "
     "as "
     "/dev/ttyACM0@115200; may be repeated",
     0},
    {0},
};

static const struct argp_option stream_rows[] = {
    {"pc", KEY_PC, "HZ", OPTION_ARG_OPTIONAL,
     "also sample the program counter HZ times per second (default 1000); see 'txtap profile'", 0},
    {"watch", KEY_VARIABLES, "LIST", 0,
     "also read variables, such as 'motor.iq, speed@1kHz, state:enum': at most as often as given, 100 times a second "
     "by default; may be repeated",
     0},
    {"new", KEY_NEW, NULL, 0, "only new events, not those already in the ring", 0},
    {"patience", KEY_PATIENCE, "TIME", 0, "how long to wait for fields that the kernel writes late (default 100ms)", 0},
    {"no-reconnect", KEY_NO_RECONNECT, NULL, 0, "end when the target is reset or can no longer be read", 0},
    {"seconds", KEY_SECONDS, "TIME", 0, "end after this time: 10, 500ms, 2h", 0},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events were lost", 0},
    {"verbose", 'v', NULL, 0, "also show bytes read, polls, gaps and the measured rate of the time stamps at the end",
     0},
    {0},
};

static const struct argp_option messages_rows[] = {
    {"quiet", 'q', NULL, 0, "only errors on standard error", 0},
    {"stats-json", KEY_STATS_JSON, "FILE", 0, "write what was read and lost as a JSON object; - is standard output", 0},
    {0},
};

/* ---- values ---- */

static enum color_mode color_option(const struct argp_state *state, const char *text)
{
    static const char *const words[] = {"auto", "always", "never"};

    return (enum color_mode)option_choice(state, "--color", text, words, 3);
}

static enum txtap_time time_option(const struct argp_state *state, const char *text)
{
    static const char *const words[] = {
        [TXTAP_TIME_RELATIVE] = "relative",
        [TXTAP_TIME_DELTA] = "delta",
        [TXTAP_TIME_ABSOLUTE] = "absolute",
    };

    return (enum txtap_time)option_choice(state, "--time", text, words, 3);
}

#define PC_HZ_DEFAULT 1000.0
#define PC_HZ_LIMIT   100000.0

static double pc_option(const struct argp_state *state, const char *text)
{
    double hz = text != NULL ? option_frequency(state, "--pc", text) : PC_HZ_DEFAULT;

    if (hz > PC_HZ_LIMIT)
        option_error(state, "--pc: '%s' is not a rate up to 100k", text);
    return hz;
}

/* Parses the patience. Below the lower limit the kernel would not have enough time to write its late words. */
static uint64_t patience_option(const struct argp_state *state, const char *text)
{
    _Static_assert(TXTAP_RING_HOLD_US == 2000, "the message below says 2ms");

    return (uint64_t)(option_seconds(state, "--patience", text, TXTAP_RING_HOLD_US / 1e6, PATIENCE_MAX_S,
                                     "from 2ms to 1min") *
                      1e6);
}

static bool can_write(const struct command *command, const struct txtap_exporter_ops *ops)
{
    return !ops->whole_buffer || !command->streams;
}

/* Lists "text, jsonl, ...": each format that the command can write; with its purpose if `purpose` is true. */
static void list_formats(char *list, size_t size, const struct command *command, bool purpose)
{
    const char *name = txtap_exporter_names();

    list[0] = '\0';
    while (*name != '\0') {
        size_t length = strcspn(name, ","), used = strlen(list);
        char one[32];
        const struct txtap_exporter_ops *ops;

        snprintf(one, sizeof one, "%.*s", (int)length, name);
        ops = txtap_exporter_find(one);
        name += length;
        name += strspn(name, ", ");
        if (can_write(command, ops))
            snprintf(list + used, size - used, "%s%s%s%s", used > 0 ? ", " : "", one,
                     purpose && ops->use != NULL ? " " : "", purpose && ops->use != NULL ? ops->use : "");
    }
}

static void format_option(const struct argp_state *state, struct options *options, const char *text)
{
    const struct txtap_exporter_ops *ops = txtap_exporter_find(text);
    char names[FORMATS_BYTES];

    options->format = ops;
    list_formats(names, sizeof names, options->command, false);
    if (!ops)
        option_error(state, "--format: unknown '%s': expected one of %s", text, names);
    else if (!can_write(options->command, ops))
        option_error(state, "--format: %s is not a streaming format: use 'txtap snapshot'", text);
}

/* ---- setters ---- */

/* Flags, and options whose value is stored as text. */
static const struct {
    int key;
    enum { FLAG, TEXT } kind;
    size_t offset;
} plain[] = {
    {'o', TEXT, offsetof(struct options, output)},
    {'q', FLAG, offsetof(struct options, quiet)},
    {KEY_ALARMS, TEXT, offsetof(struct options, record.alarms)},
    {KEY_ELF, TEXT, offsetof(struct options, target.elf)},
    {KEY_FORCE, FLAG, offsetof(struct options, force)},
    {KEY_HOST_TIME, FLAG, offsetof(struct options, host_time)},
    {KEY_NEW, FLAG, offsetof(struct options, only_new)},
    {KEY_FOLLOW, FLAG, offsetof(struct options, follow)},
    {KEY_NO_RECONNECT, FLAG, offsetof(struct options, no_reconnect)},
    {KEY_STATS_JSON, TEXT, offsetof(struct options, stats_json)},
    {KEY_STORE, TEXT, offsetof(struct options, store)},
    {KEY_STRICT, FLAG, offsetof(struct options, strict)},
    {'v', FLAG, offsetof(struct options, verbose)},
    {KEY_WIDE, FLAG, offsetof(struct options, wide)},
};

static bool set_plain(struct options *options, int key, const char *text)
{
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char *member = (char *)options + plain[i].offset;

        if (plain[i].key != key)
            continue;
        if (plain[i].kind == FLAG)
            *(bool *)member = true;
        else
            *(const char **)member = text;
        return true;
    }
    return false;
}

static void variables_option(const struct argp_state *state, struct variable_requests *requests, const char *text)
{
    struct error error = {0};
    char why[ERROR_TEXT_BYTES];

    if (!variable_requests_add(requests, text, &error))
        option_error(state, "--watch: %s", error_text(&error, why));
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (set_plain(options, key, text))
        return 0;
    switch (key) {
    case 'f':
        format_option(state, options, text);
        return 0;
    case KEY_COLOR:
        options->color = color_option(state, text);
        return 0;
    case KEY_HZ:
        options->tick_hz = strcmp(text, "auto") == 0 ? 0 : option_frequency(state, "--hz", text);
        return 0;
    case KEY_PC:
        options->pc_hz = pc_option(state, text);
        return 0;
    case KEY_TIME:
        options->time = time_option(state, text);
        return 0;
    case KEY_PATIENCE:
        options->patience_us = patience_option(state, text);
        return 0;
    case KEY_OUTPUT_BUFFER:
        options->buffer_bytes =
            (size_t)option_size(state, "--buffer", text, 1, BUFFER_BYTES_MIN, BUFFER_BYTES_MAX, "from 1M to 16G");
        return 0;
    case KEY_SECONDS:
        options->seconds = option_seconds(state, "--seconds", text, 1e-6, OPTION_SECONDS_MAX, "from 1us to 30 years");
        return 0;
    case KEY_STATS_EVERY:
        options->stats_seconds = option_seconds(state, "--stats-every", text, 0.1, 86400, "from 100ms to 24h");
        return 0;
    case KEY_VARIABLES:
        variables_option(state, &options->variables, text);
        return 0;
    case KEY_LIMIT:
        options->limit = option_number(state, "--limit", text, 1, UINT64_MAX);
        return 0;
    case KEY_SINCE:
        options->since_us = option_wall_us(state, "--since", text);
        return 0;
    case KEY_UNTIL:
        options->until_us = option_wall_us(state, "--until", text);
        return 0;
    case KEY_BASE:
        options->base = option_address(state, "--base", text, 1);
        options->has_base = true;
        return 0;
    case KEY_BUFFER:
        options->target.ring.wished.address = option_address(state, "--address", text, 1);
        options->target.ring.wished.has_address = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The parsers below adapt struct options to the groups, because the file of a group knows only its part of it. */
static error_t parse_target_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = &options->target.probe;
    return target_option(&options->target, key, text, state);
}

/* Collects the facts of the command line that the ring's kind needs. */
static struct ring_use use_of_ring(const struct options *options)
{
    return (struct ring_use){
        .elf = options->target.elf,
        .reads_files = options->command->reads_files,
        .has_files = options->file_count > 0,
        .only_shows = options->command->only_shows,
        .writes_directory = options->format->change == NULL,
        .has_output = options->output != NULL && strcmp(options->output, "-") != 0,
    };
}

/* Completes the options of the ring. Call it after all options are parsed, but before times are converted to ticks. */
static void finish_ring(struct options *options, const struct argp_state *state)
{
    const struct ring_use use = use_of_ring(options);

    ring_check(&options->target.ring, &use, state);
    if (options->tick_hz == 0)
        options->tick_hz = options->target.ring.kind->tick_hz;
}

static error_t parse_ring_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    (void)text;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = &options->target.ring;
    else if (key == ARGP_KEY_END)
        finish_ring(options, state);
    return key == ARGP_KEY_INIT || key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
}

static error_t parse_samples_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key != KEY_LOG)
        return ARGP_ERR_UNKNOWN;
    if (options->samples.log_count == LOGS_MAX)
        option_error(state, "too many --log: at most %u", LOGS_MAX);
    options->samples.logs[options->samples.log_count++] = text;
    return 0;
}

static error_t parse_check_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_END && options->check.junit != NULL && options->check.count == 0 && !options->command->judges)
        option_error(state, "--junit: there are no checks: give --check or --checks");
    return check_option(&options->check, key, text, state);
}

static error_t parse_meaning_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return filter_option(&options->filter, options_rate(options), key, text, state);
}

static error_t parse_filter_option(int key, char *text, struct argp_state *state)
{
    return options_parse_with(key, text, state) == 0 ? 0 : parse_meaning_option(key, text, state);
}

/* ---- groups ---- */

static char *help_of_formats(int key, const char *text, void *input)
{
    const struct options *options = input;
    char help[FORMATS_BYTES];

    if (key != 'f')
        return (char *)text;
    list_formats(help, sizeof help, options->command, true);
    return strdup(help);
}

static const struct argp_child probe_child[] = {{&probe_argp, 0, NULL, 0}, {0}};
static const struct argp_child ring_child[] = {{&ring_argp, 0, NULL, 0}, {0}};
static const struct argp_child recorded_ring_child[] = {{&ring_recorded_argp, 0, NULL, 0}, {0}};
static const struct argp_child meaning_child[] = {{&options_meaning, 0, NULL, 0}, {0}};

const struct argp options_target = {target_option_rows, parse_target_option, NULL, NULL, probe_child, NULL, NULL};
const struct argp options_memory = {memory_option_rows, parse_target_option, NULL, NULL, probe_child, NULL, NULL};
const struct argp options_ring = {NULL, parse_ring_option, NULL, NULL, ring_child, NULL, NULL};
const struct argp options_recorded_ring = {NULL, parse_ring_option, NULL, NULL, recorded_ring_child, NULL, NULL};
const struct argp options_format = {format_rows, parse_option, NULL, NULL, NULL, help_of_formats, NULL};
const struct argp options_stream = {stream_rows, parse_option, NULL, NULL, NULL, NULL, NULL};
const struct argp options_samples = {samples_rows, parse_samples_option, NULL, NULL, NULL, NULL, NULL};
const struct argp options_meaning = {meaning_option_rows, parse_meaning_option, NULL, NULL, NULL, NULL, NULL};
const struct argp options_filter = {filter_option_rows, parse_filter_option, NULL, NULL, meaning_child, NULL, NULL};
const struct argp options_check = {check_option_rows, parse_check_option, NULL, NULL, NULL, NULL, NULL};
const struct argp options_messages = {messages_rows, parse_option, NULL, NULL, NULL, NULL, NULL};

/* Gives all groups the command's input, because they fill the same struct options. */
static void pass_on_input(struct argp_state *state)
{
    const struct options *options = state->input;

    for (unsigned i = 0; options->command->groups[i].argp; i++)
        state->child_inputs[i] = state->input;
}

error_t options_parse_with(int key, char *text, struct argp_state *state)
{
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = state->input;
    return parse_option(key, text, state);
}

error_t options_parse_elf(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_INIT)
        pass_on_input(state);
    if (key != ARGP_KEY_ARG)
        return parse_option(key, text, state);
    if (options->target.elf)
        option_error(state, "one ELF file, not '%s' and '%s'", options->target.elf, text);
    options->target.elf = text;
    return 0;
}

/* Replaces the folder of a board by its files; the firmware's ELF file may follow it. If that fails, reports the
 * failure and ends the program. */
static void take_board(struct options *options)
{
    static char place[PATH_MAX]; /* used until the program ends */
    static const char *places[2];
    static struct board board; /* used until the program ends */
    struct error error = {0};
    enum txtap_status status;

    if (options->file_count == 0 || options->file_count > 2 || options->command->reads_folders)
        return;
    if (options->command->shows_labs && options->file_count == 1 && nats_is_pattern(options->files[0])) {
        options->lab = true;
        return;
    }
    if (nats_is_place(options->files[0]) && options->since_us > 0 && strchr(options->files[0], '?') == NULL) {
        snprintf(place, sizeof place, "%s" NATS_SINCE "%" PRIu64, options->files[0], options->since_us);
        places[0] = place;
        places[1] = options->file_count == 2 ? options->files[1] : NULL;
        options->files = places;
    }
    if (!board_is(options->files[0]))
        return;
    if (options->command->shows_labs && options->file_count == 1 && board_is_lab(options->files[0])) {
        options->lab = true;
        return;
    }
    status = board_open(&board, options->files[0], options->since_us, options->until_us, &error);
    if (status != TXTAP_OK) {
        report_error(&error);
        exit(status_exit_code(status));
    }
    if (options->file_count == 2)
        board.paths[board.count] = options->files[1];
    options->file_count += board.count - 1;
    options->files = board.paths;
    options->board = true;
}

void options_check_follow(const struct options *options, const struct argp_state *state)
{
    const char *name = options->target.ring.kind->name != NULL ? options->target.ring.kind->name
                       : options->variables.count > 0          ? "watch"
                       : options->samples.log_count > 0        ? "log"
                                                               : NULL;

    if (options->file_count != 1 || (!board_is(options->files[0]) && !nats_is_place(options->files[0])))
        option_error(state, "--follow needs a board: its folder, or nats://HOST/SUBJECT");
    if (name != NULL)
        option_error(state, "--follow reads recordings: --%s works only with a running target", name);
}

/* Takes the rate and the definitions from a recording, before times in options are turned into ticks. */
static void learn_from_files(struct options *options)
{
    static struct identity identity; /* used until the program ends */

    identity_scan(&identity, options->files, options->file_count);
    options->identity = &identity;
    options->hz_found = options->tick_hz == 0 && identity.rate.how != TXTAP_RATE_UNKNOWN;
    if (options->hz_found)
        options->tick_hz = identity.rate.hz;
}

error_t options_parse_operands(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_INIT)
        pass_on_input(state);
    if (key == ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN; /* ARGP_KEY_ARGS gets all operands at once */
    if (key != ARGP_KEY_ARGS)
        return parse_option(key, text, state);
    options->files = (const char *const *)(state->argv + state->next);
    options->file_count = (size_t)(state->argc - state->next);
    if (options->follow)
        return 0; /* the board is read later, while its recorder writes it */
    take_board(options);
    if (!options->lab)
        learn_from_files(options);
    return 0;
}

error_t options_parse_files(int key, char *text, struct argp_state *state)
{
    const struct options *options = state->input;

    if (key == ARGP_KEY_END && options->file_count == 0)
        option_error(state, "no file to decode: give FILE, or - for standard input");
    return options_parse_operands(key, text, state);
}
