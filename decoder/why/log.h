/* SPDX-License-Identifier: MIT */
/*
 * The latest changes of the model, in a ring of the caller's memory. Each change belongs to a subject: the state of a
 * thread, the resumptions of a thread, the activity of a core, the times in which a core's activity is uncertain, the
 * owner of a mutex, the gaps. The changes of a subject form a chain from the newest to older changes. A change that
 * leaves the ring stays known until the next change of its subject leaves the ring, so that the log has the state of
 * each subject at the beginning of the ring.
 *
 * A reader walks back in time. It may read many chains, but each chain only from newer to older changes.
 */
#ifndef TXTAP_DECODER_WHY_LOG_H
#define TXTAP_DECODER_WHY_LOG_H

#include "model/model.h"

enum step_kind { STEP_STATE, STEP_WAKE, STEP_RUNS, STEP_DOUBT, STEP_OWNER, STEP_GAP, STEP_KINDS };

/* A change. */
struct step {
    uint64_t at; /* number of the change, from 1; 0: no change */
    struct moment now;
    uint64_t since;    /* WAKE by an interrupt: tick at which the interrupt began; WAKE by a thread: number of the step
                          that started this thread's job, 0: unknown */
    uint64_t previous; /* number of the subject's change before this change; 0: no such change */
    uint32_t subject;  /* index of the chain */
    uint32_t other;    /* STATE: the object; WAKE: number of the waker; RUNS: thread or interrupt; OWNER: thread;
                          NONE: unknown */
    uint32_t priority; /* RUNS of a thread */
    uint8_t what;      /* STATE: enum account; WAKE, RUNS: enum running; GAP, DOUBT: 1: begins, 0: ends */
    uint8_t core;      /* STATE of a thread that has a core; WAKE: core of the waker */
    uint8_t ending;    /* WAKE: enum ending */
    bool known;        /* RUNS: priority is known; OWNER: the moment is exact */
};

/* The changes of a subject. */
struct chain {
    struct step base;   /* newest change that left the ring; at 0: no change has left it */
    uint64_t newest;    /* number of the newest change; 0: no change */
    uint64_t walk;      /* the walk for which the next two members are valid */
    uint64_t place;     /* number of the change that the walk has reached; 0: no older change */
    struct step passed; /* the change that the walk passed last; at 0: the walk has passed no change */
};

struct log {
    struct step *ring; /* `capacity` elements */
    struct chain *chains;
    uint64_t count; /* number of all changes so far */
    uint32_t capacity, threads, objects;
    uint64_t walk; /* number of the present walk */
};

void log_layout(struct log *log, struct arena *arena, uint32_t threads, uint32_t objects, uint32_t steps);

/* Returns the index of a chain. number: of a thread, a core or an object; 0 for GAP. */
static inline uint32_t log_chain(const struct log *log, enum step_kind kind, uint32_t number)
{
    const uint32_t first[STEP_KINDS] = {[STEP_STATE] = 0,
                                        [STEP_WAKE] = log->threads,
                                        [STEP_RUNS] = 2 * log->threads,
                                        [STEP_DOUBT] = 2 * log->threads + TXTAP_CORES_MAX,
                                        [STEP_OWNER] = 2 * log->threads + 2 * TXTAP_CORES_MAX,
                                        [STEP_GAP] = 2 * log->threads + 2 * TXTAP_CORES_MAX + log->objects};

    return first[kind] + number;
}

/* Adds a change to the chain. Sets at, previous and subject of the change. Returns its number. */
uint64_t log_add(struct log *log, uint32_t chain, struct step step);

/* Adds to a chain of STATE that the thread has been in this state since the tick `since`, which is in the past. */
void log_learn(struct log *log, uint32_t chain, uint64_t since, uint8_t what);

/* Returns the change with this number, if it is the newest change of its chain or in the ring; NULL: neither. */
const struct step *log_get(const struct log *log, uint32_t chain, uint64_t number);

/* Returns the newest change of the chain; NULL: the chain is empty. */
static inline const struct step *log_newest(const struct log *log, uint32_t chain)
{
    return log_get(log, chain, log->chains[chain].newest);
}

/* Begins a walk at the newest changes. */
void log_walk(struct log *log);

/* Walks back to the newest change of the chain before the tick `ticks`; NULL: there is no such change. */
const struct step *log_before(struct log *log, uint32_t chain, uint64_t ticks);

/* Walks back to the newest change of the chain with a number of at most `number`; NULL: there is no such change. */
const struct step *log_up_to(struct log *log, uint32_t chain, uint64_t number);

/* Returns the tick of the oldest change in the ring; 0: no change has left the ring. */
static inline uint64_t log_oldest(const struct log *log)
{
    return log->count > log->capacity ? log->ring[(log->count + 1) % log->capacity].now.ticks : 0;
}

/* Returns the change after the place that the walk has reached; NULL: the walk has passed no change. */
const struct step *log_passed(const struct log *log, uint32_t chain);

#endif
