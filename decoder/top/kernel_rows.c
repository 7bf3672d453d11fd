/* SPDX-License-Identifier: MIT */
/* Adds to a state what the lists of the running kernel tell. Values from events stay: they are as new as the newest
 * event, and they belong to the same moment as all other figures of the screen. */
#include <stdio.h>
#include <string.h>

#include "top/screen.h"
#include "txtap/inner/top.h"

/* Ids of threads that only the kernel has told of. The ids of other threads are small numbers. */
#define KERNEL_ID_FLAG 0x80000000u

#define REGISTERED_BYTES 31 /* of a name in the registry of a release */

struct txtap_top_thread txtap_top_unknown_thread(uint32_t address)
{
    static const struct txtap_top_durations unknown = {
        0, TXTAP_TOP_UNKNOWN, TXTAP_TOP_UNKNOWN, TXTAP_TOP_UNKNOWN, TXTAP_TOP_UNKNOWN, TXTAP_TOP_UNKNOWN};
    struct txtap_top_thread thread = {
        .id = KERNEL_ID_FLAG | address >> 2,
        .address = address,
        .priority = TXTAP_TOP_UNKNOWN,
        .base = TXTAP_TOP_UNKNOWN,
        .waiting = TXTAP_TOP_UNKNOWN,
        .cpu = TXTAP_TOP_UNKNOWN,
        .ready = TXTAP_TOP_UNKNOWN,
        .activations = TXTAP_TOP_UNKNOWN,
        .preemptions = TXTAP_TOP_UNKNOWN,
        .runs = TXTAP_TOP_UNKNOWN,
        .run = unknown,
        .wake = unknown,
        .response = unknown,
        .stack = TXTAP_TOP_UNKNOWN,
    };

    for (size_t i = 0; i < TXTAP_TOP_HISTORY; i++)
        thread.history[i] = (float)TXTAP_TOP_UNKNOWN;
    for (size_t i = 0; i < TXTAP_TOP_REASONS; i++)
        thread.waits_for[i] = TXTAP_TOP_UNKNOWN;
    return thread;
}

void txtap_top_name(char out[TXTAP_TOP_NAME_BYTES], const char *name)
{
    screen_name(out, TXTAP_TOP_NAME_BYTES, name);
}

static bool has_name(const struct txtap_top_thread *thread)
{
    char address[TXTAP_TOP_NAME_BYTES];

    snprintf(address, sizeof address, "0x%08x", (unsigned)thread->address);
    return strcmp(thread->name, address) != 0;
}

/* Returns true if the names may be the same. The trace's registry cuts a long name. */
static bool is_same_name(const char *registered, const char *name)
{
    size_t length = strlen(registered);

    return strcmp(registered, name) == 0 || (length >= REGISTERED_BYTES && strncmp(registered, name, length) == 0);
}

/* Returns the thread of the state that is the kernel's thread. Several threads of the state may have the same address,
 * if one was created after another was deleted: then the name decides. NULL: the state has no such thread. */
static struct txtap_top_thread *find(struct txtap_top_state *state, size_t count, const struct txtap_top_thread *thread)
{
    struct txtap_top_thread *nameless = NULL;

    for (size_t i = 0; i < count; i++) {
        struct txtap_top_thread *other = &state->threads[i];

        if (other->address != thread->address)
            continue;
        if (is_same_name(other->name, thread->name))
            return other;
        if (!has_name(other))
            nameless = other;
    }
    return nameless;
}

static void take_state(struct txtap_top_thread *to, const struct txtap_top_thread *from)
{
    to->state = from->state;
    memcpy(to->waits, from->waits, sizeof to->waits);
}

/* The kernel's stack figure is the larger figure: a stack pointer at an event cannot be below the deepest use. But it
 * may be older than the newest event. */
static void take_stack(struct txtap_top_thread *to, const struct txtap_top_thread *from)
{
    if (from->stack < 0 || to->stack > from->stack)
        return;
    to->stack = from->stack;
    to->stack_bytes = from->stack_bytes;
    to->stack_free = from->stack_free;
    to->stack_exact = from->stack_exact;
}

static void complete_thread(struct txtap_top_thread *to, const struct txtap_top_thread *from)
{
    memcpy(to->name, from->name, sizeof to->name);
    if (to->priority < 0) {
        to->priority = from->priority;
        to->base = from->base;
    }
    if (to->state == TXTAP_TOP_STATE_UNKNOWN)
        take_state(to, from);
    to->runs = from->runs;
    take_stack(to, from);
}

static void add_threads(struct txtap_top_state *state, const struct txtap_top_thread *threads, size_t count)
{
    size_t before = state->thread_count;

    for (size_t i = 0; i < count; i++) {
        struct txtap_top_thread *known = find(state, before, &threads[i]);

        if (known != NULL)
            complete_thread(known, &threads[i]);
        else if (state->thread_count < TXTAP_TOP_THREADS)
            state->threads[state->thread_count++] = threads[i];
        else
            state->threads_more++;
    }
}

static void add_objects(struct txtap_top_state *state, const struct txtap_top_object *objects, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (state->object_count < TXTAP_TOP_OBJECTS)
            state->objects[state->object_count++] = objects[i];
        else
            state->objects_more++;
}

void txtap_top_add_kernel(struct txtap_top_state *state, const struct txtap_top_kernel *kernel)
{
    add_threads(state, kernel->threads, kernel->thread_count);
    if (*state->kernel != '\0')
        add_objects(state, kernel->objects, kernel->object_count);
}

bool txtap_top_runs_per_second(const struct txtap_top_runs *before, const struct txtap_top_runs *now, double *rate)
{
    uint32_t runs = now->runs - before->runs; /* the kernel's counter wraps */

    if (before->address != now->address || now->us <= before->us || runs > INT32_MAX)
        return false;
    *rate = (double)runs * 1e6 / (double)(now->us - before->us);
    return true;
}
