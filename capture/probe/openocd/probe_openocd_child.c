/* SPDX-License-Identifier: MIT */
/* An OpenOCD that txtap starts and ends itself, as a probe. */
#include "probe/openocd/probe_openocd_child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option_values.h"
#include "base/runtime.h"
#include "probe/openocd/openocd_child.h"
#include "probe/openocd/probe_openocd.h"
#include "probe/source_base.h"

#define HOST    "127.0.0.1"
#define PROGRAM "openocd"
/* factor of the timeouts: this OpenOCD runs for txtap only, so a late answer means only that it is slow */
#define PATIENCE 3
#define START_MS 10000 /* least timeout of the start, because a slow probe takes seconds to open */
/* longer than a reset or a disturbance; after this time only a new OpenOCD can find probe and target */
#define LOST_US 500000

struct child_probe {
    struct error error;                  /* must be first: source_base.h */
    char name[48], serial[40], node[64]; /* copies of struct child_purpose, cut to fit */
    struct openocd_child openocd;
    struct tcl_source *tcl;
    struct txtap_source inner; /* the memory source of `openocd` */
    uint64_t lost_us;          /* since when the target does not answer; 0: it answers */
};

/* ---- its options ---- */

enum {
    KEY_OPENOCD = 940,
    KEY_PROGRAM,
};

static const struct argp_option rows[] = {
    {"openocd", KEY_OPENOCD, "ARGS", OPTION_ARG_OPTIONAL,
     "start OpenOCD with these arguments, such as '-f my.cfg', and end it; without arguments: use OpenOCD for the "
     "connected USB probe",
     0},
    {"openocd-program", KEY_PROGRAM, "PATH", 0,
     "the OpenOCD that --openocd or --probe starts (default: openocd in PATH)", 0},
    {0},
};

/* Takes the next word of the command line as ARGS if the word contains a blank, such as "-f my.cfg". Such a word cannot
 * be an option of txtap. */
static char *next_word(struct argp_state *state)
{
    char *next = state->next < state->argc ? state->argv[state->next] : NULL;

    if (next == NULL || strchr(next, ' ') == NULL || next[strspn(next, " ")] != '-')
        return NULL;
    state->next++;
    return next;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_options *options = state->input;

    switch (key) {
    case KEY_OPENOCD:
        options->child.arguments = text != NULL ? text : next_word(state);
        options->usb.through_openocd = options->child.arguments == NULL;
        probe_choose(options->usb.through_openocd ? &probe_usb : &probe_openocd_child, state);
        return 0;
    case KEY_PROGRAM:
        options->child.program = text;
        return 0;
    case ARGP_KEY_END:
        if (options->child.program &&
            (options->openocd.given ||
             (options->kind != &probe_openocd && options->kind != &probe_openocd_child && options->kind != &probe_usb)))
            option_error(state, "--openocd-program needs --openocd or --probe");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const char *probe_child_program(const struct probe_options *options)
{
    return options->child.program ? options->child.program : PROGRAM;
}

static void check(struct probe_options *options, const struct argp_state *state)
{
    struct openocd_arguments arguments;
    const char *problem = openocd_arguments_make(&arguments, probe_child_program(options), options->child.arguments);

    if (options->openocd.given)
        option_error(state, "--tcl and --openocd exclude each other: does an OpenOCD run already?");
    if (problem != NULL)
        option_error(state, "--openocd: '%s' %s", options->child.arguments, problem);
}

/* ---- the source: OpenOCD's, but it ends when the probe is unplugged or the target does not return ---- */

/* Reports whether the probe was unplugged. OpenOCD 0.12 takes seconds to notice an unplugged probe, reports missing
 * power instead, and never finds the probe again. */
static bool is_unplugged(const struct child_probe *probe)
{
    return probe->node[0] != '\0' && access(probe->node, F_OK) != 0;
}

static enum txtap_status read_through(void *self, const struct txtap_read *reads, size_t count)
{
    struct child_probe *probe = self;
    enum txtap_status status = probe->inner.ops->read(probe->inner.self, reads, count);

    child_trim(&probe->openocd.process); /* frees memory, because nobody will read the log */
    error_clear(&probe->error);
    if (status == TXTAP_OK) {
        probe->lost_us = 0;
        return status;
    }
    if (is_unplugged(probe))
        return failure(&probe->error, ERROR_CLOSED, "%s%s%s was unplugged: plug it in again", probe->name,
                       probe->serial[0] != '\0' ? " " : "", probe->serial);
    if (status != ERROR_TARGET)
        return memory_failure(probe->inner, status, NULL, &probe->error);
    if (probe->lost_us == 0)
        probe->lost_us = now_us();
    if (now_us() - probe->lost_us >= LOST_US)
        status = ERROR_CLOSED;
    return failure(&probe->error, status, "%.200s\ncheck power and wiring",
                   probe->inner.ops->error_text(probe->inner.self));
}

static void close_probe(void *self)
{
    struct child_probe *probe = self;

    if (probe->tcl != NULL)
        probe->inner.ops->close(probe->inner.self);
    openocd_child_end(&probe->openocd);
    free(probe);
}

static struct txtap_source source_of(struct child_probe *probe)
{
    static const struct txtap_source_ops ops = {
        .name = "tcl",
        .read_bytes_max = TCL_READ_BYTES_MAX,
        .reads_max = TCL_READS_MAX,
        .read = read_through,
        .error_text = source_error_text,
        .hint_text = source_hint_text,
        .close = close_probe,
    };

    return (struct txtap_source){.ops = &ops, .self = probe};
}

/* ---- the row ---- */

enum txtap_status probe_child_open(const struct openocd_arguments *arguments, const struct child_purpose *purpose,
                                   const struct probe_options *options, unsigned timeout_ms, void **self,
                                   struct txtap_source *source, struct error *error)
{
    struct child_probe *probe = calloc(1, sizeof *probe);
    unsigned patience_ms = PATIENCE * timeout_ms;
    enum txtap_status status;

    if (probe == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    snprintf(probe->name, sizeof probe->name, "%s", purpose->name);
    snprintf(probe->serial, sizeof probe->serial, "%s", purpose->serial);
    snprintf(probe->node, sizeof probe->node, "%s", purpose->node);
    status = openocd_child_start(&probe->openocd, arguments, patience_ms > START_MS ? patience_ms : START_MS, error);
    if (status == TXTAP_OK)
        status = tcl_open(&probe->tcl, HOST, probe->openocd.port, options->openocd.target, patience_ms, error);
    if (status != TXTAP_OK) {
        close_probe(probe);
        return status;
    }
    probe->inner = tcl_source_of(probe->tcl);
    *self = probe;
    *source = source_of(probe);
    return TXTAP_OK;
}

static enum txtap_status open_probe(const struct probe_options *options, unsigned timeout_ms,
                                    struct probe_device *device, void **self, struct txtap_source *source,
                                    struct error *error)
{
    static const struct child_purpose purpose = {"it", "", ""};
    struct openocd_arguments arguments;

    (void)device;
    /* already checked at the command line */
    (void)openocd_arguments_make(&arguments, probe_child_program(options), options->child.arguments);
    return probe_child_open(&arguments, &purpose, options, timeout_ms, self, source, error);
}

static void describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    const struct child_probe *probe = self;

    (void)options;
    snprintf(out, PROBE_TEXT_BYTES, "%.63s, OpenOCD %s started for %.36s", tcl_target(probe->tcl)->name,
             probe->openocd.log.version, probe->name);
}

static void print(void *self, const struct probe_options *options)
{
    const struct child_probe *probe = self;
    char server[96];

    (void)options;
    snprintf(server, sizeof server, "OpenOCD %s, started by txtap", probe->openocd.log.version);
    probe_openocd_print_as(probe->tcl, server);
}

static void announce(void *self, const struct probe_options *options)
{
    const struct child_probe *probe = self;

    probe_openocd_announce(probe->tcl, options);
}

static enum core_state core(void *self)
{
    const struct child_probe *probe = self;

    return probe_openocd_core(probe->tcl);
}

const struct probe_kind probe_openocd_child = {
    .name = "openocd",
    .options = {rows, parse, NULL, NULL, NULL, NULL, NULL},
    .live = true,
    .check = check,
    .open = open_probe,
    .describe = describe,
    .print = print,
    .announce = announce,
    .core = core,
};
