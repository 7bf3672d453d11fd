/* SPDX-License-Identifier: MIT */
/* The command line: one table of options for parsing and --help. */
#ifndef TXTAP_CAPTURE_OPTIONS_OPTIONS_H
#define TXTAP_CAPTURE_OPTIONS_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/program_status.h"
#include "options/checks.h"
#include "options/filter.h"
#include "options/record.h"
#include "options/report.h"
#include "options/ring.h"
#include "options/target.h"
#include "options/top.h"
#include "txtap/exporter.h"

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct command;

struct options {
    const struct command *command;
    struct target_options target;
    /* output */
    const char *format, *output; /* output: NULL = stdout */
    enum color_mode color;
    bool wide;
    double tick_hz; /* 0 = show ticks */
    enum txtap_time time;
    bool host_time;
    bool quiet, strict, force;
    const char *stats_json; /* or NULL */
    /* limits */
    bool only_new, no_reconnect;
    uint64_t patience_us; /* how long an event waits for a field that is written late; 0: the default */
    size_t buffer_bytes;  /* tail, record: output that may wait for its reader or the disk */
    double seconds;       /* 0 = no limit */
    uint64_t limit;
    struct filter_options filter;
    struct record_options record;
    struct check_options check;
    struct report_options report;
    struct ring_options ring;
    struct top_options top;
    const char *const *files; /* of decode and top, file_count of them */
    size_t file_count;
    bool watch; /* probes: it goes on, and lists again every watch_seconds */
    double watch_seconds;
    bool has_base; /* decode: the address of the first byte of a file without addresses */
    uint32_t base;
};

/* One row of the table of commands. */
struct command {
    const char *name;
    const char *brief;
    int (*run)(const struct options *options); /* returns an enum exit_code */
    const struct argp *argp;                   /* its options, operands and help */
    bool streams;     /* its output has no end: it refuses formats that need the whole buffer */
    bool reads_files; /* its operands are traces, not an ELF file */
    bool only_shows;  /* it writes no events */
    bool records;     /* it writes only events, without end */
};

/* ---- groups of options that several commands have ---- */

enum option_key {
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
    KEY_WATCH,
    KEY_HELP = 'h',
    KEY_LIMIT = FILTER_KEY_LIMIT,
};

extern const struct argp options_target, options_format, options_stream, options_filter, options_meaning,
    options_messages;

#define OPTIONS_TARGET_HEAD   "Where the trace buffer is:"
#define OPTIONS_OUTPUT_HEAD   "Output:"
#define OPTIONS_STREAM_HEAD   "Streaming:"
#define OPTIONS_FILTER_HEAD   "Which events, and what they mean:"
#define OPTIONS_MESSAGES_HEAD "Messages:"

/*
 * Parsers for the struct argp of a command: they parse the options of option_key, pass the input on to the groups, and
 * take an ELF file, or files, as operands.
 */
error_t options_parse_elf(int key, char *text, struct argp_state *state);
error_t options_parse_files(int key, char *text, struct argp_state *state);

/* Takes any number of operands as files, or none. */
error_t options_parse_operands(int key, char *text, struct argp_state *state);

/* The same without operands, for a command's rows that are listed with one group, which is their only child. */
error_t options_parse_with(int key, char *text, struct argp_state *state);

/* For a command without groups: -h, in a hidden row of KEY_HELP. */
error_t options_parse_help(int key, struct argp_state *state);

/*
 * Parses the command line `txtap COMMAND ...` against the table of commands, which ends with NULL. Prints help, version
 * and usage errors itself, and then exits with EXIT_DONE or EXIT_USAGE. Strings are borrowed from argv, which is
 * changed.
 */
void options_parse(struct options *options, int argc, char **argv, const struct command *const *commands);

#endif
