/* SPDX-License-Identifier: MIT */
#include "rows/rows_churn.h"

#include "txtap/registry.h"

#define CORES 2u

struct churn {
    const struct txtap_change_sink *sinks;
    size_t count;
    uint64_t state, ticks, seq;
    uint32_t depth[CORES], isr[CORES][4];
    struct txtap_event event;
};

static uint32_t any_below(struct churn *churn, uint32_t limit)
{
    churn->state = churn->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(churn->state >> 33) % limit;
}

static void give(struct churn *churn, struct txtap_change change)
{
    change.ticks = churn->ticks;
    change.seq = churn->seq;
    change.event = &churn->event;
    for (size_t i = 0; i < churn->count; i++)
        (void)churn->sinks[i].take(churn->sinks[i].self, &change);
}

static struct txtap_change_party any_thread(struct churn *churn)
{
    uint32_t number = any_below(churn, CHURN_THREADS);

    return (struct txtap_change_party){number, 0x1000 + number, TXTAP_OBJECT_THREAD};
}

static struct txtap_change_party any_object(struct churn *churn)
{
    static const uint8_t types[CHURN_OBJECTS] = {TXTAP_OBJECT_QUEUE, TXTAP_OBJECT_SEMAPHORE, TXTAP_OBJECT_MUTEX,
                                                 TXTAP_OBJECT_BYTE_POOL, TXTAP_OBJECT_EVENT_FLAGS};
    uint32_t number = any_below(churn, CHURN_OBJECTS);

    return (struct txtap_change_party){number, 0x2000 + number, types[number]};
}

static const struct txtap_change_party nobody = {.number = TXTAP_CHANGE_NONE};

static void change_state(struct churn *churn)
{
    bool blocked = any_below(churn, 3) == 0;
    struct txtap_change_state state = {.thread = any_thread(churn), .object = nobody, .core = TXTAP_CHANGE_NONE};

    state.state = blocked ? TXTAP_THREAD_BLOCKED : (enum txtap_thread_state)any_below(churn, 4);
    if (blocked && any_below(churn, 2) == 0)
        state.object = any_object(churn);
    state.reason = blocked ? (enum txtap_wait)(1 + any_below(churn, 13)) : TXTAP_WAIT_NONE;
    state.since = churn->ticks;
    give(churn, (struct txtap_change){.kind = TXTAP_CHANGE_STATE, .state = state});
}

static void change_counter(struct churn *churn)
{
    struct txtap_change_counter counter = {.object = any_object(churn), .known = any_below(churn, 20) > 0};

    if (counter.object.type == TXTAP_OBJECT_EVENT_FLAGS)
        return;
    counter.value = counter.known ? any_below(churn, 100) * any_below(churn, 100) * any_below(churn, 100) : 0;
    if (counter.object.type == TXTAP_OBJECT_MUTEX)
        counter.value %= 3;
    counter.owner = counter.object.type == TXTAP_OBJECT_MUTEX && counter.value > 0 ? any_thread(churn) : nobody;
    give(churn, (struct txtap_change){.kind = TXTAP_CHANGE_COUNTER, .counter = counter});
}

static void change_interrupt(struct churn *churn, uint32_t core)
{
    uint32_t *depth = &churn->depth[core];
    bool enter = *depth == 0 || (*depth < 4 && any_below(churn, 2) == 0);

    if (enter)
        churn->isr[core][(*depth)++] = 30 + any_below(churn, 3);
    give(churn, (struct txtap_change){.kind = enter ? TXTAP_CHANGE_ISR_ENTER : TXTAP_CHANGE_ISR_EXIT,
                                      .core = core,
                                      .isr = {churn->isr[core][*depth - 1], *depth, churn->ticks, true}});
    if (!enter)
        (*depth)--;
}

static void change_run(struct churn *churn, uint32_t core)
{
    struct txtap_change_run run = {.what = (enum txtap_running)any_below(churn, 5), .thread = nobody};

    if (run.what == TXTAP_RUNNING_THREAD)
        run.thread = any_thread(churn);
    give(churn, (struct txtap_change){.kind = TXTAP_CHANGE_RUN, .core = core, .run = run});
}

static void change_wake(struct churn *churn)
{
    struct txtap_change_wake wake = {.thread = any_thread(churn),
                                     .reason = (enum txtap_wait)any_below(churn, 13),
                                     .object = nobody,
                                     .waker = TXTAP_RUNNING_THREAD,
                                     .waker_thread = any_thread(churn)};

    give(churn, (struct txtap_change){.kind = TXTAP_CHANGE_WAKE, .wake = wake});
}

static void lose(struct churn *churn)
{
    uint64_t since = churn->ticks;

    give(churn, (struct txtap_change){.kind = TXTAP_CHANGE_GAP});
    for (uint32_t i = 0; i < CORES; i++)
        churn->depth[i] = 0;
    churn->ticks += 1 + any_below(churn, 200);
    churn->seq += 7;
    give(churn, (struct txtap_change){.kind = TXTAP_CHANGE_GAP_END, .gap = {since, 7, true}});
}

static void make_event(struct churn *churn)
{
    uint32_t core = any_below(churn, CORES);
    bool in_thread = any_below(churn, 4) > 0;

    churn->event.id = 1 + any_below(churn, 120);
    give(churn, (struct txtap_change){
                    .kind = TXTAP_CHANGE_EVENT, .core = core, .recorded = {in_thread ? any_thread(churn) : nobody}});
    for (uint32_t i = any_below(churn, 4); i > 0; i--)
        change_state(churn);
    if (any_below(churn, 3) == 0)
        change_counter(churn);
    if (any_below(churn, 3) == 0)
        change_interrupt(churn, core);
    if (any_below(churn, 2) == 0)
        change_run(churn, core);
    if (any_below(churn, 5) == 0)
        change_wake(churn);
    churn->seq++;
}

void churn(uint64_t seed, unsigned events, const struct txtap_change_sink *sinks, size_t count)
{
    struct churn churn = {.sinks = sinks, .count = count, .state = seed, .ticks = 1000 + seed};
    bool lost = false;

    for (unsigned i = 0; i < events; i++) {
        uint32_t rest = any_below(&churn, 10);

        if (i > 0 && !lost) /* the event after a gap ends the gap */
            churn.ticks += rest == 0 ? any_below(&churn, 5000) : rest < 3 ? 0 : any_below(&churn, 20);
        make_event(&churn);
        lost = any_below(&churn, 700) == 0 && i + 1 < events;
        if (lost)
            lose(&churn);
    }
    give(&churn, (struct txtap_change){.kind = TXTAP_CHANGE_END});
}
