/* SPDX-License-Identifier: MIT */
#include "oracle/show.h"

#include <inttypes.h>
#include <stdio.h>

#include "oracle/history.h"

/* Returns a name for an address: T1 for thread 1, s4 for object 4 if it is a semaphore. */
static const char *name_of(const struct schedule *schedule, uint32_t word)
{
    static char names[4][16];
    static unsigned next;
    char *name = names[next++ % 4];
    unsigned thread = (word - 0x20001000u) / 0x100, object = (word - 0x20004000u) / 0x400;

    if (thread < KERNEL_THREADS)
        (void)snprintf(name, 16, "T%u", thread);
    else if (object < schedule->kernel.object_count)
        (void)snprintf(name, 16, "%c%u", "--tqsmfby"[schedule->kernel.objects[object].type], object);
    else
        (void)snprintf(name, 16, "%x", (unsigned)word);
    return name;
}

void show_schedule(const struct schedule *schedule, const bool *lost)
{
    for (unsigned i = 0; i < schedule->kernel.count; i++) {
        const struct kernel_entry *entry = &schedule->kernel.events[i];

        (void)fprintf(stderr, "%4u%c %6" PRIu64 " %u %-8s %-8s %3u", i, lost != NULL && lost[i] ? '-' : ' ',
                      entry->ticks, entry->core,
                      entry->thread == 0xFFFFFFFFu ? "ISR" : name_of(schedule, entry->thread),
                      entry->thread == 0xFFFFFFFFu ? name_of(schedule, entry->priority) : "", (unsigned)entry->id);
        for (unsigned word = 0; word < 4; word++)
            (void)fprintf(stderr, " %s", name_of(schedule, entry->info[word]));
        if (entry->thread < 0xF0F0F0F0u)
            (void)fprintf(stderr, "   p%u t%u", (unsigned)entry->priority & 0xFFFFu,
                          (unsigned)(entry->priority >> 16 & 0x7FFFu));
        (void)fputc('\n', stderr);
    }
}

void show_history(const struct schedule *schedule, uint64_t from, uint64_t to)
{
    for (unsigned i = 0; i < history.count; i++) {
        const struct history_slice *slice = &history.slices[i];

        if (slice->to <= from || slice->from >= to || slice->from == slice->to)
            continue;
        (void)fprintf(stderr, "%6" PRIu64 " to %6" PRIu64 ": cores", slice->from, slice->to);
        for (unsigned core = 0; core < schedule->kernel.core_count; core++)
            (void)fprintf(stderr, slice->cores[core].occupant < KERNEL_THREADS ? " T%u%s" : " -%.0u%s",
                          slice->cores[core].occupant, slice->cores[core].interrupted ? "(interrupted)" : "");
        (void)fprintf(stderr, "; threads");
        for (unsigned thread = 0; thread < schedule->kernel.thread_count; thread++)
            (void)fprintf(stderr, " %s", slice->threads[thread].account ? slice->threads[thread].account : "-");
        (void)fputc('\n', stderr);
    }
}
