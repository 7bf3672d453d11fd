/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Findings: facts of a trace that deserve attention, the most severe first. They follow from the figures of an
 * analysis. docs/user/findings.md defines each kind.
 */
#ifndef TXTAP_INNER_FINDING_H
#define TXTAP_INNER_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/figure.h"
#include "txtap/inner/figure_json.h"

/* The kinds, the most severe first. */
enum txtap_finding_kind {
    TXTAP_FINDING_DEADLOCK,      /* parties: the threads of a circle, the mutex for which each waits, and its owner */
    TXTAP_FINDING_STACK_OUTSIDE, /* party: a thread whose stack pointer was not in its stack; count: how often */
    TXTAP_FINDING_UNBOUNDED,  /* unbounded inversions. Parties: the waiting thread, the mutex and its owner; the thread
                                 that ran most, and the number of further threads in parties_left_out. value: how
                                 long they ran, in ticks; of: the longest inversion. Unknown: the owner if the thread
                                 waited for several; the thread that ran if the thread waited for several mutexes */
    TXTAP_FINDING_LEAK,       /* parties: the pool, and the thread that holds most. value: allocated blocks */
    TXTAP_FINDING_FAILED,     /* a send or an allocation failed. Party: thread and object. count: how often */
    TXTAP_FINDING_STACK,      /* less than 10 % of a stack is free. Party: the thread. value, of: used, all bytes */
    TXTAP_FINDING_QUEUE_FULL, /* party: the queue. value: messages, of: capacity, time: how long, count: sends that
                                 waited, count_failed: sends that failed */
    TXTAP_FINDING_LATE,       /* a late job. Party: the thread. value: the longest response; of: the period; parts:
                                 the parts of that job */
    TXTAP_FINDING_STORM,      /* an interrupt occurs again at once. value: median interval, of: mean interval, count:
                                 how often it occurred */
    TXTAP_FINDING_LOST,       /* count: lost events, of: gaps */
    TXTAP_FINDING_POLLED,     /* a get or a receive that did not wait got nothing. Party: thread and object */
    TXTAP_FINDING_KINDS
};

/* A thread (or an interrupt), an object, and the thread that owns the object. Kind SYSTEM: none, or unknown. */
struct txtap_finding_party {
    struct txtap_subject thread, object, owner;
    struct txtap_place owned; /* the event since which the owner owns the object */
};

/* Returns true if both are the same thread, interrupt, object, core, or the whole system. */
static inline bool txtap_subject_is_same(const struct txtap_subject *one, const struct txtap_subject *other)
{
    return one->kind == other->kind && one->number == other->number && one->life == other->life;
}

#define TXTAP_FINDING_PARTIES 4

enum txtap_finding_part {
    TXTAP_FINDING_RUN,
    TXTAP_FINDING_READY,
    TXTAP_FINDING_INTERRUPTED,
    TXTAP_FINDING_MUTEX,
    TXTAP_FINDING_PARTS
};

struct txtap_finding {
    enum txtap_finding_kind kind;
    struct txtap_finding_party parties[TXTAP_FINDING_PARTIES]; /* the first party_count elements are valid */
    uint32_t party_count;
    uint32_t parties_left_out; /* number of further parties */
    enum txtap_unit unit;      /* unit of value and of */
    struct txtap_measure value, of, time, count, count_failed, parts[TXTAP_FINDING_PARTS]; /* time, parts: in ticks */
    bool for_ever;          /* DEADLOCK: no thread of the circle waits with a time limit */
    bool nominal;           /* LATE: the user gave the period; false: the median period of the thread */
    bool perhaps;           /* lost events may be the only cause of this finding */
    const char *service;    /* FAILED, POLLED: "tx_queue_send"; static. Other kinds: NULL */
    struct txtap_place at;  /* the event of the finding */
    struct txtap_span span; /* the time to look at */
    double weight;          /* findings of one kind are sorted by it, the largest first */
};

#define TXTAP_FINDINGS_MAX 64

struct txtap_findings {
    struct txtap_finding at[TXTAP_FINDINGS_MAX]; /* the first `count` elements are valid, the most severe first */
    size_t count;
    uint64_t left_out; /* number of further findings, which are less severe */
};

/*
 * Finds everything that deserves attention in the events so far. The analysis must have the section FINDINGS. The
 * names of subjects are valid until the analysis takes another item.
 */
void txtap_findings_collect(struct txtap_findings *findings, const struct txtap_analysis *analysis);

/* Returns "deadlock", "stack_outside", ...; static. */
const char *txtap_finding_kind_name(enum txtap_finding_kind kind);

/* Returns the name of the section that has the figures of such a finding; static. */
const char *txtap_finding_section(enum txtap_finding_kind kind);

/* Gives the names of subjects. */
struct txtap_finding_names {
    /* Returns the name, any bytes; "": it has no name. */
    const char *(*name)(const void *self, const struct txtap_subject *subject);
    const void *self;
};

#define TXTAP_FINDING_TEXT_BYTES 2048

/* Writes a sentence: "leak: pool net: 5 blocks not released, most of them by rx; event 159 at 0.056466 s". tick_hz: 0:
 * unknown, then times are in ticks. Printable. Returns out. */
char *txtap_finding_text(char out[static TXTAP_FINDING_TEXT_BYTES], const struct txtap_finding *finding,
                         const struct txtap_finding_names *names, double tick_hz);

/* Writes the sentence without the kind: "pool net: 5 blocks not released, ...". */
char *txtap_finding_reason(char out[static TXTAP_FINDING_TEXT_BYTES], const struct txtap_finding *finding,
                           const struct txtap_finding_names *names, double tick_hz);

/* Writes the members "findings" and "findings_left_out" of a report. Call it after txtap_figure_json_end(). */
enum txtap_status txtap_figure_json_findings(struct txtap_figure_json *json, const struct txtap_findings *findings,
                                             const struct txtap_finding_names *names);

#endif
