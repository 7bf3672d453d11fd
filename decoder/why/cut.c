/* SPDX-License-Identifier: MIT */
/*
 * Cuts a span of a thread into pieces, from its end back to its start. At each moment the state of the thread decides.
 * If it waits for another thread, the state of that thread decides, and so on. Each tick belongs to one piece.
 */
#include "why/parts.h"

#include <string.h>

#include "base/min_max.h"

/* ---- pieces ---- */

static bool same_context(struct context a, struct context b)
{
    return a.kind == b.kind && a.number == b.number;
}

static bool same_chain(const struct piece *a, const struct piece *b)
{
    if (a->link_count != b->link_count)
        return false;
    for (unsigned i = 0; i < a->link_count; i++)
        if (a->links[i].thread != b->links[i].thread || a->links[i].object != b->links[i].object ||
            a->links[i].reason != b->links[i].reason)
            return false;
    return true;
}

static bool same_cause(const struct piece *a, const struct piece *b)
{
    return a->before == b->before && a->thread == b->thread && a->state == b->state && same_context(a->by, b->by) &&
           a->reason == b->reason && a->object == b->object && a->ending == b->ending && a->circle == b->circle &&
           a->deep == b->deep && same_chain(a, b);
}

static void add_to_group(struct cut *cut, const struct piece *piece)
{
    uint32_t i = 0;
    struct piece *group;

    while (i < cut->group_count && !same_cause(&cut->groups[i], piece))
        i++;
    group = &cut->groups[i];
    if (i == cut->group_count && i < GROUPS) {
        *group = *piece;
        group->ticks = group->longest = 0;
        group->count = 0;
        cut->group_count++;
    } else if (i == cut->group_count) { /* no room */
        group->state = TXTAP_WHY_VARIOUS;
        group->thread = group->object = NONE;
    }
    group->ticks += piece->ticks;
    group->count++;
    if (piece->ticks < group->longest)
        return;
    group->longest = piece->ticks;
    group->seq = piece->seq;
    memcpy(group->links, piece->links, sizeof(group->links));
    group->priority_known = piece->priority_known;
    group->priority = piece->priority;
    group->waker = piece->waker;
    group->woken = piece->woken;
}

/* Makes one piece of the two neighbours that are shortest together. */
static void merge_shortest(struct cut *cut)
{
    uint32_t best = 0;
    struct piece *piece;

    for (uint32_t i = 1; i + 1 < cut->piece_count; i++)
        if (cut->pieces[i].before == cut->pieces[i + 1].before &&
            cut->pieces[i].ticks + cut->pieces[i + 1].ticks < cut->pieces[best].ticks + cut->pieces[best + 1].ticks)
            best = i;
    piece = &cut->pieces[best + 1];
    piece->to = cut->pieces[best].to;
    piece->ticks = piece->to - piece->from;
    piece->state = TXTAP_WHY_VARIOUS;
    piece->link_count = 0;
    piece->object = NONE;
    piece->by = piece->waker = (struct context){0};
    piece->circle = piece->deep = piece->priority_known = false;
    memmove(&cut->pieces[best], piece, (cut->piece_count - best - 1) * sizeof(*piece));
    cut->piece_count--;
    cut->merged = true;
}

static void add_piece(struct cut *cut, const struct piece *piece)
{
    struct piece *last = cut->piece_count > 0 ? &cut->pieces[cut->piece_count - 1] : NULL;

    if (cut->pieces_max == 0)
        return;
    if (last != NULL && last->from == piece->to && same_cause(last, piece)) {
        uint64_t to = last->to;

        *last = *piece;
        last->to = to;
        last->ticks = to - last->from;
        return;
    }
    if (cut->piece_count == cut->pieces_max)
        merge_shortest(cut);
    cut->pieces[cut->piece_count++] = *piece;
}

/* Adds a piece from `from` to `to`. Does nothing if it is empty. */
static void emit(struct cut *cut, struct piece piece, uint64_t from, uint64_t to)
{
    if (from >= to)
        return;
    piece.from = from;
    piece.to = to;
    piece.ticks = to - from;
    piece.count = 1;
    add_to_group(cut, &piece);
    add_piece(cut, &piece);
}

/* ---- contexts ---- */

/* Adds why a thread ran: its priority, and the context that woke it before the tick `ticks`. */
static void add_reason(struct cut *cut, struct piece *piece, uint32_t thread, uint64_t ticks)
{
    const struct step *wake = log_before(cut->log, log_chain(cut->log, STEP_WAKE, thread), ticks);

    if (wake == NULL)
        return;
    piece->waker = (struct context){wake->what, wake->other};
    piece->woken = wake->now.seq;
}

/* Returns the newest change of the chain before *to that no gap has made invalid; NULL: unknown. *from: raised to the
 * tick since which the returned change, or the lack of a change, is valid. */
static const struct step *valid_before(struct cut *cut, uint32_t chain, uint64_t *from, uint64_t to)
{
    const struct step *gap = log_before(cut->log, log_chain(cut->log, STEP_GAP, 0), to);
    const struct step *step = log_before(cut->log, chain, to);

    if (gap != NULL && (step == NULL || step->at < gap->at)) {
        *from = max_u64(*from, min_u64(gap->now.ticks, to));
        return NULL;
    }
    if (step != NULL)
        *from = max_u64(*from, min_u64(step->now.ticks, to));
    return step;
}

/* Adds pieces for a core: which other thread or interrupt had it. */
static void cut_core(struct cut *cut, struct piece piece, uint32_t core, uint64_t from, uint64_t to)
{
    const struct piece empty = piece;

    while (to > from) {
        uint64_t since = from;
        const struct step *runs = valid_before(cut, log_chain(cut->log, STEP_RUNS, core), &since, to);

        piece = empty;
        piece.by.number = NONE;
        if (runs != NULL && !(runs->what == RUNNING_THREAD && runs->other == piece.thread)) {
            piece.by = (struct context){runs->what, runs->other};
            piece.seq = runs->now.seq;
            if (runs->what == RUNNING_THREAD) {
                piece.priority_known = runs->known;
                piece.priority = runs->priority;
                add_reason(cut, &piece, runs->other, to);
            }
        }
        emit(cut, piece, since, to);
        to = since;
    }
}

/* ---- waits ---- */

static void cut_thread(struct cut *cut, const struct piece *chain, uint32_t thread, uint32_t core, uint64_t from,
                       uint64_t to);

/* Returns true if the thread is already in the chain. */
static bool is_in_chain(const struct piece *chain, uint32_t thread)
{
    for (unsigned i = 0; i < chain->link_count; i++)
        if (chain->links[i].thread == thread)
            return true;
    return thread == chain->root;
}

/* Adds the pieces of a thread for which the thread of `piece` waits. piece: its wait. */
static void follow(struct cut *cut, struct piece piece, const struct link *link, uint64_t from, uint64_t to)
{
    struct piece chain = piece;

    if (is_in_chain(&piece, link->thread)) {
        piece.circle = true;
        piece.by = (struct context){RUNNING_THREAD, link->thread};
        emit(cut, piece, from, to);
        return;
    }
    if (piece.link_count == TXTAP_WHY_DEPTH) {
        piece.deep = true;
        piece.by = (struct context){RUNNING_THREAD, link->thread};
        emit(cut, piece, from, to);
        return;
    }
    chain.links[chain.link_count++] = *link;
    chain.thread = link->thread;
    chain.object = NONE;
    chain.reason = chain.ending = 0;
    cut_thread(cut, &chain, link->thread, NONE, from, to);
}

/* Returns the change with which the last owner got the mutex that nobody owns since the change `released`. This thread
 * is still in its put, which gives the mutex to a waiting thread. NULL: unknown, also if a gap hides the
 * end of the put. */
static const struct step *last_owner(const struct cut *cut, const struct step *released, const struct step *gap)
{
    const struct step *step = log_get(cut->log, released->subject, released->previous),
                      *next = log_passed(cut->log, released->subject),
                      *lost = log_passed(cut->log, log_chain(cut->log, STEP_GAP, 0));

    if ((next != NULL && !next->known) || (lost != NULL && (next == NULL || next->at > lost->at)))
        return NULL;
    return step != NULL && step->other != NONE && (gap == NULL || step->at > gap->at) ? step : NULL;
}

/* Adds pieces for a wait for a mutex: its owners, one after another. */
static void cut_owned(struct cut *cut, struct piece piece, uint64_t from, uint64_t to)
{
    while (to > from) {
        uint64_t since = from;
        const struct step *owner = valid_before(cut, log_chain(cut->log, STEP_OWNER, piece.object), &since, to);

        if (owner != NULL && owner->other == NONE)
            owner = last_owner(cut, owner, log_before(cut->log, log_chain(cut->log, STEP_GAP, 0), to));
        if (owner != NULL) {
            const struct link link = {piece.object, owner->other, owner->now, piece.reason, owner->known};

            follow(cut, piece, &link, since, to);
        } else {
            emit(cut, piece, since, to);
        }
        to = since;
    }
}

/* Returns true if a gap hides the beginning of the state: the trace does not show for how long the thread would wait,
 * so a resumption by the timer may look like the end of the wait by a service. */
static bool began_in_gap(struct cut *cut, const struct step *state, uint64_t to)
{
    return state->now.seq == TXTAP_WHY_NO_EVENT && log_before(cut->log, log_chain(cut->log, STEP_GAP, 0), to) != NULL;
}

/* Returns the resumption that ended the state, which began with the change `state` and lasted at least until `to`;
 * NULL: unknown, also if a gap may hide another resumption. */
static const struct step *wake_after(struct cut *cut, uint32_t thread, const struct step *state, uint64_t to)
{
    const struct step *next = log_passed(cut->log, log_chain(cut->log, STEP_STATE, thread)),
                      *lost = log_passed(cut->log, log_chain(cut->log, STEP_GAP, 0));
    uint32_t chain = log_chain(cut->log, STEP_WAKE, thread);
    const struct step *wake;

    (void)log_up_to(cut->log, chain, state->at);
    wake = log_passed(cut->log, chain);
    return wake != NULL && wake->at > state->at && wake->now.ticks >= to && (next == NULL || wake->at < next->at) &&
                   (lost == NULL || wake->at < lost->at)
               ? wake
               : NULL;
}

/* Adds the pieces of a wait. piece: its reason and object. */
static void cut_wait(struct cut *cut, struct piece piece, const struct step *state, uint64_t from, uint64_t to)
{
    const struct step *wake;

    piece.seq = state->now.seq;
    piece.by.number = NONE;
    piece.state = TXTAP_WHY_WAITED;
    piece.reason = (uint8_t)(state->what - ACCOUNT_BLOCKED);
    piece.object = state->other;
    if (piece.object != NONE && (piece.reason == REASON_MUTEX || model_is_lock(cut->model, piece.object))) {
        cut_owned(cut, piece, from, to);
        return;
    }
    wake = began_in_gap(cut, state, to) ? NULL : wake_after(cut, piece.thread, state, to);
    if (wake != NULL) {
        piece.by = (struct context){wake->what, wake->other};
        piece.ending = wake->ending;
    }
    /* the thread that puts an unknown mutex at last need not have owned it before */
    if (wake == NULL || piece.reason == REASON_MUTEX || wake->what != RUNNING_THREAD || wake->other == NONE ||
        wake->ending == ENDING_TIMEOUT || piece.reason == REASON_SLEEP || piece.reason <= REASON_TERMINATED)
        emit(cut, piece, from, to);
    else
        follow(cut, piece, &(struct link){piece.object, wake->other, {0, 0}, piece.reason, false}, from, to);
}

/* ---- a thread ---- */

/* Returns the core that the thread gets after its wait for a core. core: if it is known already. */
static uint32_t next_core(const struct cut *cut, uint32_t thread, uint32_t core)
{
    const struct step *next = log_passed(cut->log, log_chain(cut->log, STEP_STATE, thread));

    if (core != NONE)
        return core;
    if (next != NULL && (next->what == ACCOUNT_RUNNING || next->what == ACCOUNT_INTERRUPTED))
        return next->core;
    return cut->model->core_count > 1 ? NONE : 0;
}

/* Adds the pieces of one state of a thread. core: the core that the thread gets at `to`; NONE: see next_core(). */
static void cut_state(struct cut *cut, struct piece piece, const struct step *state, uint32_t core, uint64_t from,
                      uint64_t to)
{
    piece.seq = state->now.seq;
    switch (state->what) {
    case ACCOUNT_RUNNING:
        piece.state = TXTAP_WHY_RAN;
        piece.by = (struct context){0, NONE};
        add_reason(cut, &piece, piece.thread, to);
        piece.priority_known = state->known;
        piece.priority = state->priority;
        emit(cut, piece, from, to);
        break;
    case ACCOUNT_INTERRUPTED:
        piece.state = TXTAP_WHY_INTERRUPTED;
        cut_core(cut, piece, state->core, from, to);
        break;
    case ACCOUNT_READY:
        piece.state = TXTAP_WHY_READY_WHILE;
        core = next_core(cut, piece.thread, core);
        piece.by = (struct context){0, NONE};
        if (core != NONE)
            cut_core(cut, piece, core, from, to);
        else
            emit(cut, piece, from, to);
        break;
    case ACCOUNT_UNKNOWN:
        piece.state = TXTAP_WHY_UNKNOWN;
        emit(cut, piece, from, to);
        break;
    default:
        cut_wait(cut, piece, state, from, to);
    }
}

/* Returns true if the activity of the core is uncertain just before the tick `to`, or if the core seems to run the
 * thread, which seems to be ready. thread: NONE: it is not ready. *from: raised to the tick since which this answer is
 * valid. */
static bool core_is_uncertain(struct cut *cut, uint32_t core, uint32_t thread, uint64_t *from, uint64_t to)
{
    const struct step *doubt = log_before(cut->log, log_chain(cut->log, STEP_DOUBT, core), to);
    const struct step *runs = log_before(cut->log, log_chain(cut->log, STEP_RUNS, core), to);

    if (doubt != NULL)
        *from = max_u64(*from, min_u64(doubt->now.ticks, to));
    if (runs != NULL)
        *from = max_u64(*from, min_u64(runs->now.ticks, to));
    return (doubt != NULL && doubt->what != 0) || runs == NULL || runs->what == RUNNING_UNKNOWN ||
           (runs->what == RUNNING_THREAD && runs->other == thread);
}

/* Several cores: returns true if the trace does not show whether the thread ran just before `to`. A thread that seems
 * to be ready may have had any core whose activity is uncertain. *from: raised to the tick since which this answer is
 * valid. */
static bool is_uncertain(struct cut *cut, uint32_t thread, const struct step *state, uint64_t *from, uint64_t to)
{
    bool uncertain = to <= cut->model->core_added;

    if (!model_is_vague(cut->model))
        return false;
    if (state->what == ACCOUNT_RUNNING || state->what == ACCOUNT_INTERRUPTED)
        return core_is_uncertain(cut, state->core, NONE, from, to);
    if (state->what != ACCOUNT_READY)
        return false;
    if (!uncertain)
        *from = max_u64(*from, cut->model->core_added);
    for (uint32_t i = 0; i < cut->model->core_count; i++)
        uncertain = core_is_uncertain(cut, i, thread, from, to) || uncertain;
    return uncertain;
}

/* Adds the pieces of one state of a thread. A time in which the state is uncertain is unknown. If a thread was ready
 * before such a time, it may have got any core after it, so it is unknown for which core it waited. *passed: an
 * uncertain time follows, or time in which the thread was ready before it. */
static void cut_certain(struct cut *cut, struct piece piece, const struct step *state, uint32_t core, uint64_t from,
                        uint64_t to, bool *passed)
{
    struct piece ready = piece;

    ready.state = TXTAP_WHY_READY_WHILE;
    ready.seq = state->now.seq;
    while (to > from) {
        uint64_t since = from;

        if (is_uncertain(cut, piece.thread, state, &since, to)) {
            piece.state = TXTAP_WHY_UNKNOWN;
            cut->span.vague = *passed = true;
            emit(cut, piece, since, to);
        } else if (*passed && state->what == ACCOUNT_READY) {
            emit(cut, ready, since, to);
        } else {
            *passed = false;
            cut_state(cut, piece, state, core, since, to);
        }
        to = since;
    }
}

/* Several cores: returns true if the thread's state lasts longer than until `to`, or may do so. Then it may have got
 * any core after that, unseen. */
static bool lasts_longer(const struct cut *cut, uint32_t thread, uint64_t to)
{
    uint32_t states = log_chain(cut->log, STEP_STATE, thread);
    const struct step *next;

    (void)log_before(cut->log, states, to);
    next = log_passed(cut->log, states);
    return model_is_vague(cut->model) && (next == NULL || next->now.ticks > to);
}

/* core: the core that the thread gets at `to`; NONE: see next_core(). */
static void cut_thread(struct cut *cut, const struct piece *chain, uint32_t thread, uint32_t core, uint64_t from,
                       uint64_t to)
{
    bool passed = core == NONE && lasts_longer(cut, thread, to);

    while (to > from) {
        const struct step *gap = log_before(cut->log, log_chain(cut->log, STEP_GAP, 0), to);
        struct piece piece = *chain;
        uint64_t since = from;
        const struct step *state = valid_before(cut, log_chain(cut->log, STEP_STATE, thread), &since, to);

        piece.thread = thread;
        if (piece.link_count == 0)
            piece.root = thread;
        piece.by.number = NONE;
        if (state != NULL) {
            cut_certain(cut, piece, state, core, since, to, &passed);
        } else {
            piece.state = gap != NULL && gap->what != 0 ? TXTAP_WHY_GAP : TXTAP_WHY_UNKNOWN;
            emit(cut, piece, since, to);
        }
        if (state == NULL || state->what != ACCOUNT_READY)
            core = state != NULL && (state->what == ACCOUNT_RUNNING || state->what == ACCOUNT_INTERRUPTED) ? state->core
                                                                                                           : NONE;
        to = since;
    }
}

/* ---- the time before a job ---- */

/* Returns the resumption that started the job of the thread that made this resumption; NULL: unknown. */
static const struct step *wake_of_waker(const struct cut *cut, const struct step *wake)
{
    if (wake->what != RUNNING_THREAD || wake->other == NONE)
        return NULL;
    return log_get(cut->log, log_chain(cut->log, STEP_WAKE, wake->other), wake->since);
}

/* Finds the interrupt that caused the job. */
static void find_origin(struct cut *cut, const struct step *wake)
{
    while (wake != NULL && wake->what != RUNNING_ISR)
        wake = wake_of_waker(cut, wake);
    if (wake == NULL)
        return;
    cut->origin_known = true;
    cut->origin = wake->since;
}

/* Adds the pieces between the interrupt and the start of the job: each thread from its own resumption until it resumes
 * the next thread. */
static void cut_before(struct cut *cut, const struct step *wake)
{
    struct piece chain = {.before = true, .seq = TXTAP_WHY_NO_EVENT, .object = NONE, .by = {0, NONE}, .thread = NONE};

    while (wake->what == RUNNING_THREAD) {
        const struct step *earlier = wake_of_waker(cut, wake);

        cut_thread(cut, &chain, wake->other, wake->core, earlier->now.ticks, wake->now.ticks);
        wake = earlier;
    }
    chain.state = TXTAP_WHY_INTERRUPTED;
    cut_core(cut, chain, wake->core, wake->since, wake->now.ticks);
}

void cut_span(struct cut *cut, const struct span *span)
{
    const struct piece chain = {.seq = TXTAP_WHY_NO_EVENT, .object = NONE, .by = {0, NONE}, .thread = span->thread};
    const struct step *wake = log_get(cut->log, log_chain(cut->log, STEP_WAKE, span->thread), span->wake);

    cut->span = *span;
    cut->origin_known = cut->merged = false;
    cut->origin = 0;
    cut->piece_count = cut->group_count = 0;
    memset(&cut->groups[GROUPS], 0, sizeof(*cut->groups));
    log_walk(cut->log);
    cut_thread(cut, &chain, span->thread, span->core, span->start.ticks, span->end.ticks);
    if (wake != NULL)
        find_origin(cut, wake);
    if (cut->origin_known)
        cut_before(cut, wake);
    cut->span.too_long = span->start.ticks < log_oldest(cut->log);
}
