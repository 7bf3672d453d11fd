/* SPDX-License-Identifier: MIT */
/* Analyses the input, and collects the results of a report. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_COLLECT_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_COLLECT_H

#include "input/input.h"
#include "command/report/report_show.h"
#include "file/identity.h"
#include "kernel/kernel_stacks.h"
#include "nats/place.h"
#include "options/options.h"
#include "output/translation.h"
#include "stream/stream_stats.h"
#include "txtap/analysis.h"
#include "txtap/inner/why.h"

/* ---- the input ---- */

#define REPORT_INTERRUPTS_MAX 256

/* The input, and counts of the data read. The caller sets the members that say so, and sets all other members to 0. */
struct report_input {
    const char *name; /* name of the file or of the target; set by the caller */
    struct txtap_analysis *analysis;
    const enum txtap_status *stop;  /* not TXTAP_OK: ends the reading; set by the caller; NULL: nothing ends it */
    struct txtap_why *why;          /* causes of delays; NULL: none */
    struct kernel_stacks stacks;    /* according to the kernel; for a target set by the caller before the collection */
    struct translation translation; /* translates items before report_input_take() gets them; set by the caller */
    uint64_t from_ticks, to_ticks;  /* events outside this range are ignored; set by the caller */
    struct stream_stats stats;
    uint64_t resets;                    /* how often the trace restarted or moved */
    uint64_t begun_us;                  /* host time of the first event, since 1970; 0: not known */
    bool of_target;                     /* the items come from a target */
    bool cut;                           /* the recording's end is missing */
    const struct txtap_registry *names; /* names of objects; for a target the caller sets it before the first item */
    struct txtap_registry registry;     /* names in the file */
    struct txtap_object *objects;       /* memory of `registry`; freed by the caller */
    uint32_t generation;                /* generation of names when the analysis last learned them */
    bool learnt;
    struct identity *identity; /* of the files or the target; set by the caller */
    struct txtap_definitions
        *definitions; /* names of interrupts; or NULL; set by report_collect(), freed by the caller */
    struct txtap_interrupts interrupts;
    uint32_t numbers[REPORT_INTERRUPTS_MAX]; /* different numbers of interrupts in the trace */
    size_t number_count; /* REPORT_INTERRUPTS_MAX: there may be more numbers, so handlers give no names */
    char firmware[IDENTITY_TEXT_BYTES];
    char place[NATS_TEXT_BYTES]; /* name of a NATS server and a subject, without a password */
};

/* Takes an item. A sink's function. self: a struct report_input. TXTAP_END: the event is after to_ticks. */
enum txtap_status report_input_take(void *self, const struct txtap_item *item);

/* Reads the whole input. `input` must be open at its first byte. On failure error has the cause. */
enum txtap_status report_input_read(struct report_input *into, const struct options *options, struct input *input,
                                    struct error *error);

/* Returns the sections to analyse: the sections that the report shows, and the sections that checks and patterns need.
 */
uint32_t report_sections(const struct options *options);

/* Collects the results. Call it after the last item. `results` is open, and borrows the input's names.
 * TXTAP_ERROR_SYSTEM: no memory. TXTAP_ERROR_USAGE: a pattern of an option matches nothing in the trace. error may have
 * more details. */
enum txtap_status report_collect(struct report_results *results, struct report_input *input,
                                 const struct options *options, struct error *error);

#endif
