/* SPDX-License-Identifier: MIT */
#include "oracle/history.h"

#include <assert.h>

struct history history;

void history_begin(void)
{
    history.on = true;
    history.count = history.wake_count = 0;
}

static unsigned core_of(const struct truth *truth, unsigned thread)
{
    unsigned core = 0;

    while (core < truth->kernel->core_count && truth->occupant[core] != thread)
        core++;
    return core < truth->kernel->core_count ? core : KERNEL_CORES;
}

static uint32_t interrupt_of(const struct kernel_core *core)
{
    for (unsigned i = core->depth; i-- > 0;)
        if (core->interrupts[i].traced)
            return core->interrupts[i].number;
    return UINT32_MAX;
}

void history_time(const struct truth *truth, uint64_t ticks,
                  const char *(*account)(const struct truth *truth, unsigned thread))
{
    struct history_slice *slice;

    if (!history.on)
        return;
    assert(history.count < HISTORY_SLICES);
    slice = &history.slices[history.count++];
    slice->from = truth->kernel->now - ticks;
    slice->to = truth->kernel->now;
    for (unsigned i = 0; i < KERNEL_THREADS; i++) {
        slice->threads[i].account = account(truth, i);
        slice->threads[i].core = (uint8_t)core_of(truth, i);
        slice->threads[i].object = (uint8_t)(truth->threads[i].blocked ? truth->threads[i].object : NOBODY);
    }
    for (unsigned i = 0; i < truth->kernel->core_count; i++) {
        slice->cores[i].occupant = (uint8_t)truth->occupant[i];
        slice->cores[i].interrupted = truth->kernel->cores[i].depth > 0;
        slice->cores[i].number = interrupt_of(&truth->kernel->cores[i]);
    }
    for (unsigned i = 0; i < KERNEL_OBJECTS; i++)
        slice->owners[i] = (uint8_t)truth->objects[i].owner;
}

void history_wake(const struct truth *truth, unsigned thread, enum kernel_ending ending)
{
    if (!history.on)
        return;
    assert(history.wake_count < HISTORY_WAKES);
    history.wakes[history.wake_count++] =
        (struct history_wake){history.count, (uint8_t)thread, ending, truth->threads[thread].waker};
}
