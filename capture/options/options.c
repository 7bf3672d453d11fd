/* SPDX-License-Identifier: MIT */
/* The command line: one table for parsing and for --help. */
#include "options/options.h"

#include <argp.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/target.h"
#include "options/values.h"
#include "probe/openocd.h"
#include "txtap/exporter.h"
#include "txtap/ring.h"
#include "txtap/version.h"

#define BUFFER_BYTES_DEFAULT ((size_t)64 << 20)
#define BUFFER_BYTES_MIN     ((size_t)1 << 20)
#define BUFFER_BYTES_MAX     ((size_t)16 << 30)
#define PATIENCE_MAX_MS      60000
#define SECONDS_MAX          1e9

enum key {
    KEY_COLOR = 256,
    KEY_WIDE,
    KEY_HZ,
    KEY_TIME,
    KEY_HOST_TIME,
    KEY_NEW,
    KEY_PATIENCE,
    KEY_NO_RECONNECT,
    KEY_OUTPUT_BUFFER,
    KEY_SECONDS,
    KEY_STRICT,
    KEY_STATS_JSON,
    KEY_FORCE,
    KEY_BASE,
    KEY_BUFFER,
    KEY_ELF,
    KEY_LIMIT = FILTER_KEY_LIMIT,
};

static const struct argp_option format_options[] = {
    {"format", 'f', "FORMAT", 0, "text (default), jsonl, csv, or decode's trx: the buffer with the chosen events", 4},
    {"output", 'o', "FILE", 0, "write to FILE; - is standard output (default)", 4},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 4},
    {"color", KEY_COLOR, "WHEN", 0, "auto (default), always or never; NO_COLOR is honoured", 4},
    {"wide", KEY_WIDE, NULL, 0, "all fields, stack pointers too, however long the line gets", 4},
    {"hz", KEY_HZ, "HZ", 0, "ticks per second of the time stamps: time is shown in seconds", 4},
    {"time", KEY_TIME, "STYLE", 0,
     "relative (default): since the first event; delta: since the event shown before; "
     "absolute: the stamp as recorded",
     4},
    {0},
};

static const struct argp_option stream_options[] = {
    {"new", KEY_NEW, NULL, 0, "only events that come from now on, not what the ring holds", 5},
    {"patience", KEY_PATIENCE, "MS", 0,
     "how long an event waits for a field that the kernel writes late, in milliseconds (default 100)", 5},
    {"no-reconnect", KEY_NO_RECONNECT, NULL, 0, "end when the target is reset, or cannot be read any more", 5},
    {"seconds", KEY_SECONDS, "S", 0, "end after S seconds", 5},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events were lost", 5},
    {0},
};

static const struct argp_option tail_options[] = {
    {"buffer", KEY_OUTPUT_BUFFER, "SIZE", 0,
     "how much may wait while nobody reads the output, in bytes or with K, M or G (default 64M); then there are gaps",
     4},
    {"host-time", KEY_HOST_TIME, NULL, 0, "show when each event was written by this host's clock, too", 4},
    {0},
};

static const struct argp_option snapshot_options[] = {
    {"output", 'o', "FILE", 0, "the file to write (required); - is standard output", 4},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 4},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events are missing in the copy", 4},
    {0},
};

static const struct argp_option record_options[] = {
    {"output", 'o', "PATH", 0, "the file to write, or the first of them (required); - is standard output", 1},
    {"force", KEY_FORCE, NULL, 0, "overwrite the first file if it exists", 1},
    {"buffer", KEY_OUTPUT_BUFFER, "SIZE", 0,
     "how much may wait while disk or pipe stalls, in bytes or with K, M or G (default 64M); then there are gaps", 1},
    {"hz", KEY_HZ, "HZ", 0, "ticks per second of the time stamps: --before and --after go by them", 2},
    {0},
};

static const struct argp_option info_options[] = {
    {"seconds", KEY_SECONDS, "S", 0, "how long to measure the event rate (default 1)", 5},
    {0},
};

static const struct argp_option file_options[] = {
    {"base", KEY_BASE, "ADDR", 0, "address of the first byte of a file that has no addresses", 3},
    {"address", KEY_BUFFER, "ADDR", 0, "address of the trace buffer, or its offset, if the file has several", 3},
    {"elf", KEY_ELF, "FILE", 0, "the firmware's ELF file, for a ring that is found by symbols", 3},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events are missing", 3},
    {0},
};

static const struct argp_option talk_options[] = {
    {"quiet", 'q', NULL, 0, "only errors on standard error", 6},
    {"stats-json", KEY_STATS_JSON, "FILE", 0, "write what was read and lost as a JSON object; - is standard output", 6},
    {0},
};

/* What is reckoned with in microseconds must not overflow. */
static double seconds_option(const struct argp_state *state, const char *text)
{
    double seconds = option_positive(state, "seconds", text);

    if (seconds > SECONDS_MAX)
        argp_error(state, "--seconds: '%s' is more than %g, some 30 years: leave it out for no limit", text,
                   SECONDS_MAX);
    return seconds;
}

/* Less would be no time for the kernel to write anything. */
static uint64_t patience_option(const struct argp_state *state, const char *text)
{
    double ms = option_positive(state, "patience", text);

    if (ms * 1000 < TXTAP_RING_HOLD_US || ms > PATIENCE_MAX_MS)
        argp_error(state, "--patience: '%s' is not within %d and %d milliseconds", text, TXTAP_RING_HOLD_US / 1000,
                   PATIENCE_MAX_MS);
    return (uint64_t)(ms * 1000);
}

/* At least what stands between the ring and the reader anyway. */
static size_t buffer_option(const struct argp_state *state, const char *text)
{
    static const char units[] = "KMG";
    unsigned long long bytes;
    const char *unit;
    char *end;

    errno = 0;
    bytes = strtoull(text, &end, 10);
    unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (unit != NULL) {
        bytes = bytes > SIZE_MAX >> 30 ? 0 : bytes << 10 * (unit - units + 1);
        end++;
    }
    if (errno || *text < '0' || *text > '9' || *end || bytes < BUFFER_BYTES_MIN || bytes > BUFFER_BYTES_MAX)
        argp_error(state, "--buffer: '%s' is not a size from 1M to 16G", text);
    return (size_t)bytes;
}

static enum color_mode color_option(const struct argp_state *state, const char *text)
{
    static const char *const names[] = {"auto", "always", "never"};

    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0)
            return (enum color_mode)i;
    argp_error(state, "--color: '%s' is not auto, always or never", text);
    return COLOR_AUTO;
}

static enum txtap_time time_option(const struct argp_state *state, const char *text)
{
    static const char *const names[] = {
        [TXTAP_TIME_RELATIVE] = "relative",
        [TXTAP_TIME_DELTA] = "delta",
        [TXTAP_TIME_ABSOLUTE] = "absolute",
    };

    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0)
            return (enum txtap_time)i;
    argp_error(state, "--time: '%s' is not relative, delta or absolute", text);
    return TXTAP_TIME_RELATIVE;
}

static void format_option(const struct argp_state *state, struct options *options, const char *text)
{
    const struct txtap_exporter_ops *ops = txtap_exporter_find(text);

    options->format = text;
    if (!ops)
        argp_error(state, "--format: '%s' is none of %s", text, txtap_exporter_names());
    else if (ops->whole_buffer && strcmp(options->command->name, "tail") == 0)
        argp_error(state, "--format: %s is no stream: 'txtap snapshot' writes such a file", text);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'f':
        format_option(state, options, text);
        return 0;
    case 'o':
        options->output = text;
        return 0;
    case KEY_COLOR:
        options->color = color_option(state, text);
        return 0;
    case KEY_WIDE:
        options->wide = true;
        return 0;
    case KEY_HZ:
        options->tick_hz = option_positive(state, "hz", text);
        return 0;
    case KEY_TIME:
        options->time = time_option(state, text);
        return 0;
    case KEY_HOST_TIME:
        options->host_time = true;
        return 0;
    case KEY_PATIENCE:
        options->patience_us = patience_option(state, text);
        return 0;
    case KEY_NEW:
        options->only_new = true;
        return 0;
    case KEY_OUTPUT_BUFFER:
        options->buffer_bytes = buffer_option(state, text);
        return 0;
    case KEY_NO_RECONNECT:
        options->no_reconnect = true;
        return 0;
    case KEY_SECONDS:
        options->seconds = seconds_option(state, text);
        return 0;
    case KEY_STRICT:
        options->strict = true;
        return 0;
    case KEY_FORCE:
        options->force = true;
        return 0;
    case KEY_BASE:
        options->base = option_byte_address(state, "base", text);
        options->has_base = true;
        return 0;
    case KEY_BUFFER:
        options->target.address = option_byte_address(state, "address", text);
        options->target.has_address = true;
        return 0;
    case KEY_ELF:
        options->target.elf = text;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case KEY_STATS_JSON:
        options->stats_json = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Options of a group of their own, for its file knows no more of struct options than its part. */
static error_t parse_target_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return target_option(&options->target, key, text, state);
}

static error_t parse_filter_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = state->input;
    if (key == KEY_LIMIT) {
        options->limit = option_count(state, "limit", text);
        return 0;
    }
    return filter_option(&options->filter, options->tick_hz, key, text, state);
}

static error_t parse_meaning_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return filter_option(&options->filter, options->tick_hz, key, text, state);
}

/* What goes with a ring that symbols say all about, and what such a ring needs. */
static void check_ring(struct argp_state *state, const struct options *options)
{
    bool decodes = strcmp(options->command->name, "decode") == 0, asks = strcmp(options->command->name, "info") == 0;
    const char *name = options->ring.kind == READER_LOGGER ? "kernel-event-logger" : "zephyr-ram";

    if (options->ring.kind == READER_TXTB) {
        if (decodes && options->target.elf)
            argp_error(state,
                       "--elf is for a ring that is found by symbols: give --kernel-event-logger or --zephyr-ram");
        return;
    }
    if (options->target.scan || options->target.has_address || options->target.symbol || options->target.ram_count > 0)
        argp_error(state, "--%s finds its ring by symbols: leave --scan, --ram, --symbol and --address away", name);
    if (!options->target.elf && !(decodes && options->ring.kind == READER_ZEPHYR_RAM))
        argp_error(state, "--%s needs the firmware's ELF file: its symbols say where the ring is", name);
    if (options->ring.kind != READER_ZEPHYR_RAM || asks)
        return;
    if (!options->ring.ctf_metadata)
        argp_error(state, "--zephyr-ram needs --ctf-metadata FILE: subsys/tracing/ctf/tsdl/metadata of the Zephyr that "
                          "the firmware was built with");
    if (!options->output || strcmp(options->output, "-") == 0)
        argp_error(state, "--zephyr-ram writes a directory: give -o DIR");
}

static error_t parse_ring_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;
    error_t result = ring_option(&options->ring, key, text, state);

    if (key == ARGP_KEY_END)
        check_ring(state, options);
    return result;
}

static const struct argp *argp_of(const struct command *command);

/* The groups of options all fill the same struct. */
static void pass_on_input(struct argp_state *state)
{
    const struct options *options = state->input;
    const struct argp *argp = argp_of(options->command);

    for (unsigned i = 0; argp->children[i].argp; i++)
        state->child_inputs[i] = state->input;
}

/* The one operand of most commands: an ELF file. */
static error_t parse_elf(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_INIT)
        pass_on_input(state);
    if (key != ARGP_KEY_ARG)
        return parse_option(key, text, state);
    if (options->target.elf)
        argp_error(state, "one ELF file, not '%s' and '%s'", options->target.elf, text);
    options->target.elf = text;
    return 0;
}

static error_t parse_snapshot(int key, char *text, struct argp_state *state)
{
    const struct options *options = state->input;

    if (key == ARGP_KEY_END && !options->output)
        argp_error(state, "no file to write: give -o FILE");
    return parse_elf(key, text, state);
}

/* Options of a group of their own, too. */
static error_t parse_record_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = state->input;
    if (key == KEY_LIMIT) {
        options->limit = option_count(state, "limit", text);
        return 0;
    }
    if (key == ARGP_KEY_END && options->record.trigger_count == 0 &&
        (options->filter.definitions_count > 0 || options->filter.profile != 0))
        argp_error(state, "--definitions and --profile are about a trigger's events: give --trigger");
    if (key == ARGP_KEY_END && options->output && strcmp(options->output, "-") == 0 &&
        (options->record.file_bytes > 0 || options->record.file_seconds > 0))
        argp_error(state, "-C and -G are for files: give -o PATH");
    return record_option(&options->record, key, text, state);
}

static error_t parse_file(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_END && options->file_count == 0)
        argp_error(state, "no file to decode: give FILE, or - for standard input");
    if (key == ARGP_KEY_INIT)
        pass_on_input(state);
    if (key == ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN; /* all at once */
    if (key != ARGP_KEY_ARGS)
        return parse_option(key, text, state);
    options->files = (const char *const *)(state->argv + state->next);
    options->file_count = (size_t)(state->argc - state->next);
    return 0;
}

static const struct argp target_argp = {target_option_rows, parse_target_option, NULL, NULL, NULL, NULL, NULL};
static const struct argp format_argp = {format_options, parse_option, NULL, NULL, NULL, NULL, NULL};
static const struct argp stream_argp = {stream_options, parse_option, NULL, NULL, NULL, NULL, NULL};
static const struct argp tail_argp = {tail_options, parse_option, NULL, NULL, NULL, NULL, NULL};
static const struct argp talk_argp = {talk_options, parse_option, NULL, NULL, NULL, NULL, NULL};

static const struct argp meaning_argp = {meaning_option_rows, parse_meaning_option, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child meaning_children[] = {{&meaning_argp, 0, NULL, 0}, {0}};
static const struct argp filter_argp = {
    filter_option_rows, parse_filter_option, NULL, NULL, meaning_children, NULL, NULL};

static const struct argp ring_argp = {ring_option_rows, parse_ring_option, NULL, NULL, NULL, NULL, NULL};

static const struct argp_child tail_children[] = {{&target_argp, 0, "Where the trace buffer is:", 1},
                                                  {&ring_argp, 0, "Which ring, if it is not ThreadX's:", 1},
                                                  {&format_argp, 0, "What is written:", 2},
                                                  {&tail_argp, 0, NULL, 0},
                                                  {&stream_argp, 0, "What is read:", 3},
                                                  {&filter_argp, 0, "Which events, and what they mean:", 4},
                                                  {&talk_argp, 0, "What is said:", 5},
                                                  {0}};
static const struct argp_child attach_children[] = {{&target_argp, 0, "Where the trace buffer is:", 1},
                                                    {&ring_argp, 0, "Which ring, if it is not ThreadX's:", 1},
                                                    {&talk_argp, 0, "What is said:", 4},
                                                    {0}};
static const struct argp file_argp = {file_options, parse_option, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child decode_children[] = {
    {&file_argp, 0, "What is read:", 1},      {&ring_argp, 0, "Which ring, if it is not ThreadX's:", 1},
    {&format_argp, 0, "What is written:", 2}, {&filter_argp, 0, "Which events, and what they mean:", 4},
    {&talk_argp, 0, "What is said:", 5},      {0}};

static const struct argp record_argp = {
    record_option_rows, parse_record_option, NULL, NULL, meaning_children, NULL, NULL};
static const struct argp_child record_children[] = {{&target_argp, 0, "Where the trace buffer is:", 1},
                                                    {&record_argp, 0, "What is written:", 2},
                                                    {&stream_argp, 0, "What is read:", 3},
                                                    {&talk_argp, 0, "What is said:", 5},
                                                    {0}};

struct command_syntax {
    const char *command;
    struct argp argp;
};

static const struct command_syntax syntaxes[] = {
    {"tail",
     {NULL, parse_elf, "[ELF]",
      "Follow the trace events of a running target until Ctrl-C.\vThe target is read through OpenOCD while it runs; it "
      "is "
      "never halted and never written to. ELF is the firmware's file: it says where the trace buffer is. Without it "
      "RAM "
      "is searched.\n\nA line 'N events lost' stands where events were overwritten before they could be read.",
      tail_children, NULL, NULL}},
    {"snapshot",
     {snapshot_options, parse_snapshot, "[ELF]",
      "Write one consistent copy of the trace buffer to a file that TraceX opens.\vThe target keeps running. What "
      "moved "
      "while it was copied is read again.",
      attach_children, NULL, NULL}},
    {"record",
     {record_options, parse_snapshot, "[ELF]",
      "Write the trace events of a running target to files, until Ctrl-C.\vThe files are txtap's own; 'txtap decode' "
      "prints them, as well as those that a crash or a power cut left unfinished, and makes files for TraceX of them.",
      record_children, NULL, NULL}},
    {"info",
     {info_options, parse_elf, "[ELF]",
      "Show the trace buffer: header, objects, event rate, and whether the probe is fast enough.", attach_children,
      NULL, NULL}},
    {"decode",
     {NULL, parse_file, "FILE...",
      "Print the events of a trace buffer in a file.\vFILE is what snapshot wrote or TraceX reads (.trx), a dump of "
      "RAM, "
      "an ELF core file, Intel HEX, Motorola S-records or hexadecimal text; - is standard input. What kind it is, its "
      "content tells.\n\nA line 'N events lost' stands where the file has no data for them.",
      decode_children, NULL, NULL}},
};

static void print_help(const struct command *commands)
{
    printf("Usage: txtap COMMAND [OPTION...] [ELF]\n"
           "Follow the event trace of a running ThreadX target, without halting it.\n\n");
    for (const struct command *command = commands; command->name; command++)
        printf("  %-10s %s\n", command->name, command->brief);
    printf("\n'txtap COMMAND --help' shows a command's options.\n"
           "Exit codes: 0 done, 1 failed, 2 usage, 3 no trace buffer found, 4 no server to\n"
           "talk to, 5 events were lost and --strict was given.\n");
}

static const struct command *find_command(const struct command *commands, const char *name)
{
    for (const struct command *command = commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static const struct argp *argp_of(const struct command *command)
{
    for (size_t i = 0; i < sizeof syntaxes / sizeof *syntaxes; i++)
        if (strcmp(syntaxes[i].command, command->name) == 0)
            return &syntaxes[i].argp;
    assert(!"a command without a syntax");
    return NULL;
}

static void parse_command(struct options *options, int argc, char **argv)
{
    static char name[64];

    snprintf(name, sizeof name, "txtap %s", options->command->name);
    argv[0] = name;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(argp_of(options->command), argc, argv, 0, NULL, options);
}

void options_parse(struct options *options, int argc, char **argv, const struct command *commands)
{
    *options =
        (struct options){.target.tcl_port = TCL_PORT_DEFAULT, .format = "text", .buffer_bytes = BUFFER_BYTES_DEFAULT};
    if (argc < 2) {
        fprintf(stderr, "txtap: no command: 'txtap --help' lists them\n");
        exit(EXIT_USAGE);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(commands);
        exit(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("txtap %s\n", TXTAP_VERSION);
        exit(EXIT_DONE);
    }
    options->command = find_command(commands, argv[1]);
    if (!options->command) {
        fprintf(stderr, "txtap: '%s' is not a command: 'txtap --help' lists them\n", argv[1]);
        exit(EXIT_USAGE);
    }
    parse_command(options, argc - 1, argv + 1);
}
