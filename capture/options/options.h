/* SPDX-License-Identifier: MIT */
/* The command line: one table of options for parsing and --help. */
#ifndef TXTAP_CAPTURE_OPTIONS_OPTIONS_H
#define TXTAP_CAPTURE_OPTIONS_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "attach/attach.h"
#include "base/failure.h"
#include "base/option_values.h"
#include "file/identity.h"
#include "log/logs.h"
#include "options/check_outputs.h"
#include "options/checks.h"
#include "options/report.h"
#include "output/outlet.h"
#include "record/recorder.h"
#include "txtap/exporter.h"
#include "txtap/filter.h"
#include "txtap/rate.h"
#include "variables/variable.h"

enum compare_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_MARKDOWN, COMPARE_BENCHMARK, COMPARE_HTML };

struct compare_options {
    enum compare_format format;
    bool all, check;
    double tolerance; /* 0.2 for 20 %; below 0: the defaults */
};

extern const struct argp_option compare_option_rows[];

/* Parses an option; at ARGP_KEY_INIT sets the defaults. A wrong option ends the program with a usage error. */
error_t compare_option(struct compare_options *options, int key, char *text, struct argp_state *state);

struct view_options {
    const char *address; /* numeric address to listen on */
    uint16_t port;       /* 0: any free port */
    bool no_open;        /* only print the URL */
    const char *record;  /* path of a file to record to, or NULL */
    uint64_t at;         /* number of the event at which the page opens, if has_at is true */
    bool has_at;
};

extern const struct argp_option view_option_rows[];

/* Parses an option; at ARGP_KEY_INIT sets the defaults. A wrong option ends the program with a usage error. */
error_t view_option(struct view_options *options, int key, char *text, struct argp_state *state);

#define SPEED_DEFAULT (-1.0) /* means 1 if the tick rate is known, otherwise 0 */

struct top_options {
    bool rows;      /* print rows instead of drawing on the terminal */
    uint64_t count; /* number of screens; 0: no limit */
    double seconds; /* time between two screens; 0: the default */
    double speed;   /* playing speed of a file: 1 as recorded, 0 as fast as possible, SPEED_DEFAULT */
};

extern const struct argp_option top_option_rows[];

/* Parses an option; at ARGP_KEY_INIT sets the defaults. A wrong option ends the program with a usage error. */
error_t top_option(struct top_options *options, int key, char *text, struct argp_state *state);

enum profile_format { PROFILE_TEXT, PROFILE_FOLDED, PROFILE_PPROF, PROFILE_JSON };

struct profile_options {
    enum profile_format format;
    uint64_t samples;      /* 0: no limit */
    double within;         /* end when all shares are certain to within this fraction; 0: no such limit */
    const char *from, *to; /* as typed */
    uint64_t from_ticks, to_ticks;
};

/* ---- groups of options; each group has its own file ---- */

/* Options that say where the trace buffer is. */
extern const struct argp_option target_option_rows[];
extern const struct argp_option memory_option_rows[]; /* for commands that read memory, but no trace buffer */

/* Parses an option. A wrong option ends the program with a usage error. */
error_t target_option(struct attach_config *config, int key, char *text, struct argp_state *state);

#define DEFINITIONS_FILES_MAX 16

/* The filter of events, and the definitions of user events. */
struct filter_options {
    bool started; /* the filter was initialised */
    struct txtap_filter filter;
    const char *from, *to; /* as typed; converted to ticks at the end, when --hz is known */
    unsigned profile;      /* TXTAP_PROFILE_* */
    unsigned columns;      /* bits of enum txtap_column; 0: the default columns of the format */
    const char *definitions[DEFINITIONS_FILES_MAX];
    size_t definitions_count;
};

extern const struct argp_option filter_option_rows[];
extern const struct argp_option meaning_option_rows[]; /* commands without a filter also have these options */

/* Parses an option of filter_option_rows or meaning_option_rows. At ARGP_KEY_END, converts --from and --to to ticks. An
 * invalid option ends the program with a usage error. */
error_t filter_option(struct filter_options *options, struct option_rate rate, int key, char *text,
                      struct argp_state *state);

/* Options of txtap record. */
struct record_options {
    uint64_t file_bytes;   /* -C; 0: no limit */
    uint64_t file_seconds; /* -G; 0: no limit */
    uint32_t file_count;   /* -W; 0: no limit */
    int compress;          /* level of zstd; 0: no compression */
    uint64_t before_us, after_us;
    struct record_trigger triggers[RECORD_TRIGGERS_MAX];
    size_t trigger_count;
    struct txtap_check checks[RECORD_TRIGGERS_MAX]; /* triggers that are checks: the first check_count are in use */
    size_t check_count;
    struct value_trigger values[RECORD_TRIGGERS_MAX]; /* the first value_count are in use */
    size_t value_count;
    bool has_window;             /* --before or --after was given */
    const char *on_fault;        /* directory for the files of faults; or NULL */
    uint32_t fault_limit;        /* number of faults whose files are written */
    const char *alarms;          /* file to which alarms are appended; or NULL */
    const char *spool;           /* folder for messages that no NATS server has stored; or NULL */
    struct stream_limits stream; /* limits of a stream that is made */
};

static inline bool record_has_triggers(const struct record_options *options)
{
    return options->trigger_count + options->check_count + options->value_count > 0;
}

extern const struct argp_option record_option_rows[];

/* Parses an option; at ARGP_KEY_INIT sets the defaults. A wrong option ends the program with a usage error. */
error_t record_option(struct record_options *options, int key, char *text, struct argp_state *state);

/* Data that txtap reads beside the events. */
struct samples_options {
    const char *logs[LOGS_MAX]; /* --log; log_count names, see log/logs.h */
    size_t log_count;
};

/* ---- all ---- */

struct command;

struct options {
    const struct command *command;
    struct attach_config target;
    /* output */
    const struct txtap_exporter_ops *format;
    const char *output; /* path of the output; NULL: standard output */
    const char *store;  /* of --store; NULL: not given. Then `output` is made from it */
    enum color_mode color;
    bool wide;
    double tick_hz;            /* 0: show ticks */
    bool hz_found;             /* tick_hz is from the recording, not from the user */
    struct identity *identity; /* description of the files; commands without files: NULL */
    enum txtap_time time;
    bool host_time;
    bool quiet, verbose, strict, force;
    const char *stats_json; /* path, or NULL */
    double stats_seconds;   /* record: how often stats_json is written before the end; 0: never */
    /* limits */
    bool only_new, no_reconnect;
    uint64_t patience_us; /* how long an event waits for a word that the kernel writes late; 0: the default */
    size_t buffer_bytes;  /* tail, record: size of the buffer for output while its reader or the disk is slow */
    double seconds;       /* 0: no limit */
    uint64_t limit;
    struct variable_requests variables; /* of --watch */
    struct filter_options filter;
    struct record_options record;
    struct samples_options samples;
    struct check_options check;
    struct check_outputs outputs;
    struct report_options report;
    struct compare_options compare;
    struct top_options top;
    struct profile_options profile;
    double pc_hz; /* samples of the program counter per second; 0: no samples */
    struct view_options view;
    const char *const *files; /* the file_count operands, if the command reads files; of a board, its files */
    bool board;               /* files are the files of a board: see struct input */
    bool follow;              /* the only file is a board whose recorder runs */
    bool lab;                 /* the only file is a folder of boards */
    size_t file_count;
    bool core;           /* snapshot: writes the RAM as a core file */
    size_t after_dashes; /* operands after -- */
    bool json;           /* probes: lists the probes as JSON */
    bool watch;          /* probes: repeats the list every watch_seconds */
    double watch_seconds;
    char **words; /* the word_count words of the command line; words[0] is the command */
    int word_count;
    uint64_t since_us, until_us; /* decode, report: microseconds since 1970; 0: no limit */
    bool has_base;               /* decode: `base` is the address of the first byte of a file without addresses */
    uint32_t base;
};

/* A row of the table of commands. */
struct command {
    const char *name;
    const char *brief;
    int (*run)(const struct options *options); /* returns an enum exit_code; NULL: see run_attached */
    int (*run_attached)(const struct options *options, struct attachment *attachment, struct error *error);
    /* called with the error if a target or a file cannot be opened; NULL: the error is only printed */
    void (*unopened)(const struct options *options, const struct error *error);
    /* Runs the command without a ring, if the firmware has none. Returns an enum exit_code;
     * -1: the command cannot do this either. NULL: the command needs a ring. */
    int (*without_ring)(const struct options *options, const char *elf);
    const struct argp_option *rows; /* the command's own options; NULL: it has no own options */
    argp_parser_t parser;
    const char *operands;
    const char *nothing;             /* "nothing to show": error if there is no operand and no target; or NULL */
    const char *common;              /* names of the common options, separated by blanks, most common first; or NULL */
    const char *help;                /* text after \v: printed after all options */
    const struct argp_child *groups; /* or NULL */
    bool streams;       /* the output has no end, so the command refuses formats that need the whole buffer */
    bool reads_files;   /* the command's operands are traces, not an ELF file */
    bool reads_folders; /* a folder means all traces in it; false: it is a board */
    bool shows_labs;    /* a folder of boards is an operand, too */
    bool only_shows;    /* the command writes no events */
    bool records;       /* the command writes only events, without end */
    bool judges;        /* the command has checks even if the user gives none */
};

/* ---- groups of options that several commands share ---- */

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
    KEY_STATS_EVERY,
    KEY_ALARMS,
    KEY_FORCE,
    KEY_BASE,
    KEY_BUFFER,
    KEY_ELF,
    KEY_WATCH,
    KEY_VARIABLES,
    KEY_SINCE,
    KEY_UNTIL,
    KEY_PC,
    KEY_LOG,
    KEY_STORE,
    KEY_FOLLOW = 'F',
    KEY_LIMIT = 600,
};

extern const struct argp options_target, options_memory, options_ring, options_recorded_ring, options_format,
    options_stream, options_samples, options_filter, options_meaning, options_messages, options_check;

/* The row of KEY_FOLLOW, for the table of a command. The command's parser calls options_check_follow() at the end. */
#define OPTIONS_FOLLOW_ROW                                                                                             \
    {                                                                                                                  \
        "follow", KEY_FOLLOW, NULL, 0, "FILE is a board: follow its recorder, instead of reading its recordings", 0    \
    }

/* Rows of KEY_SINCE and KEY_UNTIL, for the table of a command. */
#define OPTIONS_WALL_ROWS                                                                                              \
    {"since",                                                                                                          \
     KEY_SINCE,                                                                                                        \
     "TIME",                                                                                                           \
     0,                                                                                                                \
     "of a recording: only events from this time on: 2026-11-28T12:34:56 (local), or with Z (UTC)",                    \
     0},                                                                                                               \
    {                                                                                                                  \
        "until", KEY_UNTIL, "TIME", 0, "of a recording: only events up to this time", 0                                \
    }

#define OPTIONS_TARGET_HEAD   "Where the trace buffer is:"
#define OPTIONS_OUTPUT_HEAD   "Output:"
#define OPTIONS_STREAM_HEAD   "Streaming:"
#define OPTIONS_FILTER_HEAD   "Which events, and their meaning:"
#define OPTIONS_MESSAGES_HEAD "Messages:"
#define OPTIONS_RING_HEAD     "Zephyr's own rings, instead of ThreadX's:"
#define OPTIONS_SAMPLES_HEAD  "Data beside the events:"
#define OPTIONS_CHECK_HEAD    "Checks:"
#define OPTIONS_HELP_HEAD     "Help:"

/* Parsers for the struct argp of a command. They parse the options of option_key, and pass the input on to the groups.
 * options_parse_elf() takes at most one operand, an ELF file. options_parse_files() takes one or more files. */
error_t options_parse_elf(int key, char *text, struct argp_state *state);
error_t options_parse_files(int key, char *text, struct argp_state *state);

/* Takes any number of operands as files, including none. */
error_t options_parse_operands(int key, char *text, struct argp_state *state);

/* Refuses --follow without a board, and with an option that applies only to a target. */
void options_check_follow(const struct options *options, const struct argp_state *state);

/* Parses an option, for a struct argp with exactly one child and without operands. Passes the input on to the child. */
error_t options_parse_with(int key, char *text, struct argp_state *state);

/* Returns the rate for times in options. */
static inline struct option_rate options_rate(const struct options *options)
{
    return (struct option_rate){options->tick_hz, options->tick_hz > 0 && !options->hz_found};
}

/* Returns true if the user gave no rate: a known rate then comes from the recording, if a file is read. */
static inline bool options_rate_is_recorded(const struct options *options)
{
    return options->tick_hz == 0 || options->hz_found;
}

/* Returns the rate that the user gave, or else the rate of the recording. */
static inline struct txtap_rate options_known_rate(const struct options *options)
{
    if (options->tick_hz > 0 && !options->hz_found)
        return (struct txtap_rate){.how = TXTAP_RATE_GIVEN, .hz = options->tick_hz};
    return options->identity != NULL ? options->identity->rate : (struct txtap_rate){.how = TXTAP_RATE_UNKNOWN};
}

/* ---- config.c: configurations of other rooms ---- */

/* Returns the outlet for events of the target or of a file. */
struct outlet_config options_outlet(const struct options *options);

/* Returns the recording in the file of -o. */
struct record_config options_record(const struct options *options);

#endif
