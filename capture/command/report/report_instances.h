/* SPDX-License-Identifier: MIT */
/* txtap report --instances: the samples of figures over time. CSV and JSON are written while the input is read, with
 * constant memory. The text has the worst instances and a strip for each figure. An instance waits for the names of its
 * figure, which may come after the first events that need them. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_INSTANCES_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_INSTANCES_H

#include "command/report/report_collect.h"
#include "output/output.h"
#include "txtap/inner/instances.h"

#define STRIP_COLUMNS   512u /* columns that are kept of each series; an even number */
#define INSTANCES_WORST 10u
#define INSTANCES_WAIT  4096u /* most instances that wait for names */

/* The largest value of each part of the time. A column takes twice the time whenever the columns are full. */
struct strip {
    uint64_t most[STRIP_COLUMNS]; /* 0: no instance ended in this column */
    uint64_t count, sum;
};

struct report_series {
    struct txtap_figure figure; /* its statistics are not valid */
    bool named;                 /* its names and its wish do not change any more */
    bool waited;                /* an instance waited for the names as long as is allowed: no other instance waits */
    unsigned wish;              /* index of the option that chose the series; the number of options: no option did */
    char subject[FIGURE_NAME_BYTES], other[FIGURE_NAME_BYTES]; /* "": no name */
    uint64_t count, cut; /* number of complete instances; number of other instances */
    struct strip *strip; /* text only; owned */
};

/* An instance that waits for the names of its series, or for an earlier instance. */
struct waiting_instance {
    struct txtap_instance instance;
    uint64_t since_us; /* on the monotonic clock */
};

/* {0}: no instances. */
struct report_instances {
    const struct options *options;
    const struct report_input *input;
    struct txtap_instances source;
    struct report_series **series; /* owned; `count` elements; index: number of the series */
    uint32_t count, room;
    /* Owned. A ring of INSTANCES_WAIT elements: `waiting_count` instances wait, from `first_waiting` on. */
    struct waiting_instance *waiting;
    uint32_t first_waiting, waiting_count;
    uint64_t wait_us;  /* longest wait for names; UINT64_MAX: until INSTANCES_WAIT instances wait */
    uint64_t nameless; /* instances left out because a pattern is given and their subject had no name yet */
    struct txtap_instance worst[REPORT_INSTANCES_MAX][INSTANCES_WORST]; /* for each wish; the longest first */
    uint32_t worst_count[REPORT_INSTANCES_MAX];
    bool begun;                         /* `first` is valid */
    uint64_t first, last, column_ticks; /* text: ticks of the first event and the last end, width of a column */
    struct output output;               /* CSV and JSON */
    enum txtap_status status;           /* TXTAP_END: the reader of the output has closed the pipe */
    int error_number;                   /* errno of a failure */
};

/* Opens the output, and takes the instances of input->analysis from now on. `instances` must not move. */
enum txtap_status report_instances_open(struct report_instances *instances, const struct options *options,
                                        const struct report_input *input, struct error *error);

/* Of a running target: gives the instances that have waited too long, and writes the output if `idle` is true. Call the
 * function from time to time. */
void report_instances_step(struct report_instances *instances, bool idle);

/* Completes the output. results: the collected figures. TXTAP_ERROR_USAGE: a pattern of the option matches nothing. */
enum txtap_status report_instances_end(struct report_instances *instances, const struct report_results *results,
                                       struct error *error);

/* Closes the output if report_instances_end() was not called. */
void report_instances_free(struct report_instances *instances);

/* Writes the strips and the worst instances. Returns false if there is no memory. */
bool report_instances_text(const struct report_instances *instances, const struct figures *figures, unsigned width,
                           FILE *out);

#endif
