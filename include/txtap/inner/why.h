/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The cause of a delay. One span of a thread (a job, a wait, a time in which it was ready) is cut into pieces without
 * remainder. Each piece has the state of the thread and its reason: it ran, another thread had its core, or it
 * waited for a mutex whose owner could not run either. Follow such a chain to its end, and the end is the cause.
 *
 *     struct txtap_why *why = txtap_why_open(memory, &limits, analysis, &wish);
 *
 *     ... the analysis takes all items, and ends ...
 *     if (txtap_why_summary(why, &summary))
 *         txtap_why_text(text, &summary, &names, tick_hz);
 *
 * docs/user/why.md defines the pieces.
 */
#ifndef TXTAP_INNER_WHY_H
#define TXTAP_INNER_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/exporter.h"
#include "txtap/figure.h"
#include "txtap/inner/change.h"
#include "txtap/inner/finding.h"

struct txtap_why_limits {
    struct txtap_analysis_limits analysis; /* as in txtap_analysis_open() */
    uint32_t steps;  /* changes of state that are kept, at least 16; earlier changes of a longer span are unknown */
    uint32_t pieces; /* most pieces of the span; if there are more, the shortest neighbours become one piece */
};

/* Returns limits for the given analysis: about 16 MB. */
struct txtap_why_limits txtap_why_limits_default(const struct txtap_analysis_limits *analysis);

enum txtap_why_select {
    TXTAP_WHY_FIGURE, /* the span that ends at event seq, and from which the figure took a sample of the subject */
    TXTAP_WHY_EVENT,  /* the job, or the wait between two jobs, of the thread of event seq at this event */
    TXTAP_WHY_TIME,   /* the job, or the wait between two jobs, of the thread `subject` at the tick `ticks` */
    TXTAP_WHY_WORST   /* the longest job of each thread, and its longest wait for a core after a resumption: see
                         txtap_why_worst() */
};

struct txtap_why_wish {
    enum txtap_why_select select;
    enum txtap_figure_id figure;  /* FIGURE: see txtap_why_explains() */
    struct txtap_subject subject; /* FIGURE, TIME */
    uint64_t seq, ticks;          /* seq: FIGURE, EVENT. ticks: TIME */
};

/* Returns true if a span of a thread gives the samples of the figure. */
bool txtap_why_explains(enum txtap_figure_id figure);

struct txtap_why; /* in the caller's memory */

/* Returns the bytes of memory for limits; 0: limits are out of range. */
size_t txtap_why_bytes(const struct txtap_why_limits *limits);

/* Opens. Call it before the analysis takes its first item. memory: txtap_why_bytes() bytes, aligned as malloc() aligns,
 * borrowed. analysis: must stay valid. Returns memory. */
struct txtap_why *txtap_why_open(void *memory, const struct txtap_why_limits *limits, struct txtap_analysis *analysis,
                                 const struct txtap_why_wish *wish);

enum txtap_why_kind {
    TXTAP_WHY_JOB,   /* from the resumption that starts the job to the suspension that ends it */
    TXTAP_WHY_WAIT,  /* from a suspension to the resumption */
    TXTAP_WHY_READY, /* from the moment at which the thread became ready to the moment at which it got a core */
    TXTAP_WHY_HOLD   /* the time in which the thread held a mutex */
};

struct txtap_why_moment {
    uint64_t ticks, seq;
};

struct txtap_why_span {
    enum txtap_why_kind kind;
    struct txtap_subject thread, object; /* object: of WAIT and HOLD; SYSTEM: no object, or unknown */
    struct txtap_why_moment start, end;
    uint64_t before;    /* JOB: ticks from the interrupt that caused the job to the start; 0 if before_known is false */
    bool before_known;  /* JOB: an interrupt caused the job, directly or through other threads */
    bool began_earlier; /* the span may have begun before start */
    bool open;          /* the span may have ended after end: a gap, or the end of the trace, cuts it off */
    bool gap;           /* events are missing inside the span: it may be several spans */
    bool vague;         /* several cores: pieces are unknown because a core may have switched unseen */
    bool too_long;      /* txtap no longer has all changes of its first part, which may be unknown */
};

/* The state of the thread at the end of a chain. */
enum txtap_why_state {
    TXTAP_WHY_RAN,         /* it ran */
    TXTAP_WHY_READY_WHILE, /* it was ready, and `by` had its core */
    TXTAP_WHY_INTERRUPTED, /* it had a core, and the interrupt `by` ran there */
    TXTAP_WHY_WAITED,      /* it waited; `by`: the interrupt or the thread that ended the wait; SYSTEM: unknown */
    TXTAP_WHY_UNKNOWN,     /* the trace does not show it */
    TXTAP_WHY_GAP,         /* events were lost */
    TXTAP_WHY_VARIOUS,     /* several short pieces that had no room */
    TXTAP_WHY_STATES
};

const char *txtap_why_state_name(enum txtap_why_state state); /* "ran", "ready", ... as in JSON */

#define TXTAP_WHY_DEPTH    8
#define TXTAP_WHY_NO_EVENT UINT64_MAX

/* A thread waits for an object, and so for another thread: the owner of a mutex, or the thread that ended the wait. */
struct txtap_why_link {
    enum txtap_wait reason;
    struct txtap_subject object; /* SYSTEM: no object, or unknown */
    struct txtap_subject thread; /* the thread that must run so that the wait can end */
    struct txtap_place since;    /* mutex: the event with which the thread got the mutex */
};

struct txtap_why_piece {
    uint64_t from, to; /* in ticks; a group of pieces (txtap_why_group()): 0 */
    uint64_t ticks;    /* length of the piece; group: sum of the lengths */
    uint64_t seq;      /* event at which the piece begins, TXTAP_WHY_NO_EVENT: unknown; group: of its longest piece */
    uint32_t count;    /* group: number of pieces */
    bool before;       /* before the span: between the interrupt that caused the job and the job's start */
    struct txtap_why_link links[TXTAP_WHY_DEPTH]; /* the first link_count: the chain from the span's thread */
    unsigned link_count;
    struct txtap_subject thread; /* the thread at the end of the chain; SYSTEM: an interrupt before the span */
    enum txtap_why_state state;
    struct txtap_subject by;
    enum txtap_wait reason;      /* WAITED */
    enum txtap_ending ending;    /* WAITED: how the wait ended */
    struct txtap_subject object; /* WAITED; SYSTEM: no object, or unknown */
    bool circle;                 /* WAITED: for a thread of this chain; for a mutex: a deadlock */
    bool deep;                   /* WAITED: the chain goes on, but has more than TXTAP_WHY_DEPTH links */
    bool priority_known;
    uint32_t priority; /* of the thread that ran: of `by` for READY_WHILE, of `thread` for RAN; may be inherited */
    struct txtap_subject waker; /* context that woke the thread that ran; SYSTEM: unknown */
    uint64_t woken;             /* event of this resumption; 0: unknown */
};

/* The largest cause of a span. */
struct txtap_why_summary {
    struct txtap_why_span span;
    uint64_t total;              /* length of the span without `before` */
    struct txtap_why_piece main; /* the largest group of the cause */
    uint64_t ticks;              /* ticks of all pieces with the same first link as main, or ticks of main */
    uint64_t unknown;            /* ticks of the span of which the trace shows no cause: each other number may be larger
                                    by these ticks */
};

/* Return the span and its largest cause. False: the trace has no such span. Call them after txtap_analysis_end(). */
bool txtap_why_summary(const struct txtap_why *why, struct txtap_why_summary *summary);

/* WORST: the longest span of this kind, JOB or READY, of thread number `index`: 0, 1, ...; false: no such span.
 * txtap_why_threads(): number of threads. */
uint32_t txtap_why_threads(const struct txtap_why *why);
bool txtap_why_worst(const struct txtap_why *why, uint32_t index, enum txtap_why_kind kind,
                     struct txtap_why_summary *summary);

/* Like txtap_why_worst(), for a figure of a job or of `wake`, and its maximum at event seq. False: the longest span of
 * the thread is another one, or the figure has no such span. */
bool txtap_why_of_figure(const struct txtap_why *why, enum txtap_figure_id figure, const struct txtap_subject *thread,
                         uint64_t seq, struct txtap_why_summary *summary);

/* The pieces in the order of time: first the pieces before the span, then the pieces of the span. */
size_t txtap_why_pieces(const struct txtap_why *why);
void txtap_why_piece(const struct txtap_why *why, size_t index, struct txtap_why_piece *piece);
bool txtap_why_merged(const struct txtap_why *why); /* pieces had no room, and became VARIOUS */

/* Pieces with the same cause as groups: first the groups before the span, the largest first; then the others. */
size_t txtap_why_groups(const struct txtap_why *why);
void txtap_why_group(const struct txtap_why *why, size_t index, struct txtap_why_piece *group);

#define TXTAP_WHY_TEXT_BYTES 1024

/* Writes the cause as a sentence: "control waited 110 ticks for mutex model, held by reporter since event 284". Returns
 * out. */
char *txtap_why_text(char out[static TXTAP_WHY_TEXT_BYTES], const struct txtap_why_summary *summary,
                     const struct txtap_finding_names *names, double tick_hz);

/* Writes the span as a sentence: "job of control: 323 ticks, from event 286 to event 301 at tick 106315". Returns out.
 */
char *txtap_why_span_text(char out[static TXTAP_WHY_TEXT_BYTES], const struct txtap_why_summary *summary,
                          const struct txtap_finding_names *names, double tick_hz);

/* Returns the limits of the span, number `index`: 0, 1, ...; static; NULL: no more limits. */
const char *txtap_why_note(const struct txtap_why *why, const struct txtap_why_summary *summary, unsigned index);

/* Writes a piece or a group in a few words, without its length: "waited for mutex model, held by reporter, which ran".
 * Returns out. */
char *txtap_why_piece_text(char out[static TXTAP_WHY_TEXT_BYTES], const struct txtap_why_piece *piece,
                           const struct txtap_finding_names *names);

/* Does the same with the subject of the sentence: "control waited for mutex model, ...", "before: interrupt 15".
 * thread: of the span. */
char *txtap_why_piece_line(char out[static TXTAP_WHY_TEXT_BYTES], const struct txtap_why_piece *piece,
                           const struct txtap_subject *thread, const struct txtap_finding_names *names);

/* Writes the members of an object that docs/user/why.md describes, without braces: the span with its pieces and groups,
 * or "jobs" if the caller wants no single span. The writer is called often, with a few bytes each time. Returns
 * TXTAP_OK, or the failure of the writer. */
enum txtap_status txtap_why_json(const struct txtap_why *why, const struct txtap_finding_names *names, double tick_hz,
                                 struct txtap_writer writer);

#endif
