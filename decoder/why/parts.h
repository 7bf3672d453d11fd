/* SPDX-License-Identifier: MIT */
/* The structures of a cut; private to this room. Threads, objects and interrupts are numbers of the model. */
#ifndef TXTAP_DECODER_WHY_PARTS_H
#define TXTAP_DECODER_WHY_PARTS_H

#include "txtap/inner/why.h"
#include "why/log.h"

#define GROUPS 64u

struct link {
    uint32_t object, thread; /* NONE: unknown */
    struct moment since;
    uint8_t reason;
    bool since_known;
};

struct context {
    uint8_t kind;    /* enum running */
    uint32_t number; /* of a thread or an interrupt; NONE: unknown */
};

struct piece {
    uint64_t from, to, seq;
    uint64_t ticks, longest; /* ticks: sum of a group, or the length of a piece; longest: of a group */
    uint32_t count;
    uint32_t root;           /* the first thread of the chain */
    uint32_t thread, object; /* thread: the last thread of the chain; NONE: an interrupt before the span */
    struct context by;
    struct link links[TXTAP_WHY_DEPTH];
    uint8_t link_count, state, reason, ending; /* state: enum txtap_why_state */
    bool before, circle, deep, priority_known;
    uint32_t priority;
    struct context waker;
    uint64_t woken; /* seq */
};

struct span {
    enum txtap_why_kind kind;
    uint32_t thread, object;
    struct moment start, end;
    uint64_t wake; /* JOB: number of the WAKE that started the job; 0: unknown */
    uint32_t core; /* READY: the core that the thread gets at the end; NONE: unknown, or another kind */
    bool woken;    /* READY: a resumption began it, but not the initialization */
    bool began_earlier, open, gap, vague;
    bool too_long; /* the log has lost changes of its first part; set by cut_span() */
};

struct cut {
    struct log *log;
    const struct model *model;
    struct span span;
    uint64_t origin; /* tick at which the interrupt began that caused the job */
    bool origin_known;
    struct piece *pieces; /* in reversed order of time */
    uint32_t pieces_max, piece_count;
    struct piece groups[GROUPS + 1]; /* the last element: all groups that had no room */
    uint32_t group_count;
    bool merged;
};

/* The present job or wait of a thread, as far as the model does not have it. */
struct activity {
    uint64_t wake;         /* number of the WAKE that started the open job */
    struct moment crossed; /* valid if `crosses` is true: beginning of a job that a gap has cut off */
    struct moment begins;  /* beginning of the present wait, or of the time after the last gap */
    bool crosses;          /* a gap has cut off a job, and the thread has not waited since */
    bool told;             /* the job that ends with this event has been reported */
};

/* The longest span of a thread. */
struct worst {
    struct span span;
    struct piece main;
    uint64_t ticks, unknown, before;
    bool before_known, used;
};

struct txtap_why {
    const struct model *model;
    struct txtap_why_wish wish;
    struct log log;
    struct activity *threads;
    struct worst *jobs, *wakes; /* WORST: index: number of the thread */
    struct cut cut;
    bool found;
    uint32_t event_thread; /* EVENT: the thread of the event; NONE: not seen yet */
};

enum span_of { OF_NOTHING, OF_JOB, OF_WAIT, OF_MUTEX_WAIT, OF_READY, OF_HOLD };

/* Returns the spans that give the samples of a figure. */
enum span_of span_of(enum txtap_figure_id figure);

/* Cuts the span into pieces and groups. The log must contain all changes up to the end of the span. */
void cut_span(struct cut *cut, const struct span *span);

/* Returns the group that tells the cause of the span best. *ticks: the ticks of all groups with the same first link, or
 * of this group. *unknown: ticks of groups that show no cause. NULL: the span is empty. */
const struct piece *cut_main(const struct cut *cut, uint64_t *ticks, uint64_t *unknown);

/* Sorts the groups: first the groups before the span, and the largest first. */
void cut_sort(struct cut *cut);

#endif
