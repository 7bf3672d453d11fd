/* SPDX-License-Identifier: MIT */
/* Makes rows of the screen from the objects of a kernel. The names are copied after each walk, so the screen needs
 * neither the reader nor the ELF file. */
#include "command/top/top_kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/kernel_names.h"

#define WALK_SECONDS  1.0
#define STACK_SECONDS 0.1 /* with a trace, stacks are read in smaller parts, because events wait meanwhile */

/* ---- opening and closing ---- */

enum txtap_status top_kernel_open(struct top_kernel *kernel, const struct attachment *attachment, struct error *error)
{
    const struct locate_wish *wished = &attachment->config.ring.wished;
    enum txtap_status status =
        kernel_reader_open(&kernel->reader, attachment->elf, wished->ram, wished->ram_count, error);

    kernel->elf = attachment->elf;
    kernel->open = status == TXTAP_OK;
    kernel->unnamed = true;
    return status;
}

void top_kernel_close(struct top_kernel *kernel)
{
    if (kernel->open)
        kernel_reader_close(&kernel->reader);
    kernel->open = kernel->walking = false;
}

void top_kernel_forget(struct top_kernel *kernel)
{
    top_kernel_close(kernel);
    kernel->elf = NULL;
    kernel->run_count = 0;
    kernel->due_us = 0;
}

/* Opens the reader if the ELF file is new. Returns false if there is nothing to read. */
static bool is_ready(struct top_kernel *kernel, const struct attachment *attachment)
{
    struct error unused;

    if (attachment->elf == NULL || attachment->firmware.firmware == FIRMWARE_OTHER || attachment->source.ops == NULL)
        return false;
    if (kernel->elf != attachment->elf) {
        top_kernel_forget(kernel);
        (void)top_kernel_open(kernel, attachment, &unused);
    }
    return kernel->open;
}

/* ---- rows ---- */

static double value_of(const struct txtap_kernel_object *object, enum txtap_kernel_value value)
{
    return txtap_kernel_knows(object, value) ? (double)object->values[value] : TXTAP_TOP_UNKNOWN;
}

static void name_of(struct top_kernel *kernel, uint32_t address, char out[TXTAP_TOP_NAME_BYTES])
{
    char name[KERNEL_NAME_BYTES];

    kernel_object_name(&kernel->reader, address, name);
    txtap_top_name(out, name);
}

static void set_state(struct top_kernel *kernel, const struct txtap_kernel_object *object, struct txtap_top_thread *out)
{
    const char *state = txtap_kernel_state_name(kernel->reader.layout.ops, object->values[KERNEL_STATE]);
    char name[TXTAP_TOP_NAME_BYTES] = "";

    if (!txtap_kernel_knows(object, KERNEL_STATE) || state == NULL)
        return;
    out->state = TXTAP_TOP_WAITING;
    if (object->values[KERNEL_STATE] == 0)
        out->state = object->running ? TXTAP_TOP_RUNNING : TXTAP_TOP_READY;
    if (txtap_kernel_knows(object, KERNEL_WAITS_FOR) && object->values[KERNEL_WAITS_FOR] != 0) {
        name_of(kernel, object->values[KERNEL_WAITS_FOR], name);
        if (txtap_kernel_find(kernel->reader.kernel, object->values[KERNEL_WAITS_FOR]) == NULL)
            kernel->unnamed = true;
    }
    snprintf(out->waits, sizeof out->waits, "%.23s%s%.31s", state, *name ? " " : "", name);
}

static void set_stack(const struct txtap_kernel_object *object, struct txtap_top_thread *out)
{
    uint32_t size = object->values[KERNEL_STACK_SIZE], peak = object->values[KERNEL_STACK_PEAK];

    if (!txtap_kernel_knows(object, KERNEL_STACK_PEAK) || size == 0 || peak > size)
        return;
    out->stack = 100.0 * peak / size;
    out->stack_bytes = size;
    out->stack_free = size - peak;
    out->stack_exact = !object->peak_at_least;
}

static double runs_per_second(struct top_kernel *kernel, const struct txtap_top_runs *now)
{
    double rate;

    for (size_t i = 0; i < kernel->run_count; i++) {
        if (kernel->runs[i].address != now->address)
            continue;
        if (txtap_top_runs_per_second(&kernel->runs[i], now, &rate))
            return rate;
        kernel->restarted = true;
    }
    return TXTAP_TOP_UNKNOWN;
}

static void add_thread(struct top_kernel *kernel, const struct txtap_kernel_object *object, struct txtap_top_runs *runs)
{
    struct txtap_top_thread *out = &kernel->found.threads[kernel->found.thread_count++];

    *out = txtap_top_unknown_thread(object->address);
    name_of(kernel, object->address, out->name);
    out->priority = value_of(object, KERNEL_PRIORITY);
    out->base = value_of(object, KERNEL_OWN_PRIORITY);
    set_state(kernel, object, out);
    set_stack(object, out);
    *runs = (struct txtap_top_runs){object->address, object->values[KERNEL_RUNS], kernel->begin_us};
    if (txtap_kernel_knows(object, KERNEL_RUNS))
        out->runs = runs_per_second(kernel, runs);
    else
        runs->address = 0;
}

/* Sets the content of an object, in the words that the table of objects uses. */
static void set_now(struct top_kernel *kernel, const struct txtap_kernel_object *object, struct txtap_top_object *out)
{
    const uint32_t *values = object->values;
    size_t size = sizeof out->now;

    if (object->type == TXTAP_OBJECT_QUEUE && txtap_kernel_knows(object, KERNEL_MESSAGES))
        snprintf(out->now, size, "%" PRIu32 "/%" PRIu32, values[KERNEL_MESSAGES], values[KERNEL_CAPACITY]);
    else if (object->type == TXTAP_OBJECT_SEMAPHORE && txtap_kernel_knows(object, KERNEL_COUNT))
        snprintf(out->now, size, "%" PRIu32, values[KERNEL_COUNT]);
    else if (object->type == TXTAP_OBJECT_EVENT_FLAGS && txtap_kernel_knows(object, KERNEL_FLAGS))
        snprintf(out->now, size, "0x%08" PRIx32, values[KERNEL_FLAGS]);
    else if (object->type == TXTAP_OBJECT_BLOCK_POOL && txtap_kernel_knows(object, KERNEL_BLOCKS_FREE))
        snprintf(out->now, size, "%" PRIu32 " free", values[KERNEL_BLOCKS_FREE]);
    else if (object->type == TXTAP_OBJECT_BYTE_POOL && txtap_kernel_knows(object, KERNEL_BYTES_FREE))
        snprintf(out->now, size, "%" PRIu32 " free", values[KERNEL_BYTES_FREE]);
    else if (object->type == TXTAP_OBJECT_MUTEX && txtap_kernel_knows(object, KERNEL_OWNER)) {
        if (values[KERNEL_OWNER] != 0)
            name_of(kernel, values[KERNEL_OWNER], out->now);
        else
            snprintf(out->now, size, "-");
    }
}

/* Sets the number of threads that wait for the object, and the name of the waiting thread with the highest priority. */
static void set_waiter(struct top_kernel *kernel, const struct txtap_kernel_object *object,
                       struct txtap_top_object *out)
{
    const struct txtap_kernel_object *first = NULL, *threads;
    size_t count;

    threads = txtap_kernel_objects(kernel->reader.kernel, &count);
    for (size_t i = 0; i < count; i++) {
        const struct txtap_kernel_object *thread = &threads[i];

        if (thread->type != TXTAP_OBJECT_THREAD || !txtap_kernel_knows(thread, KERNEL_WAITS_FOR) ||
            thread->values[KERNEL_WAITS_FOR] != object->address)
            continue;
        out->waiters++;
        if (first == NULL || thread->values[KERNEL_PRIORITY] < first->values[KERNEL_PRIORITY])
            first = thread;
    }
    if (first != NULL)
        name_of(kernel, first->address, out->waiter);
}

static void add_object(struct top_kernel *kernel, const struct txtap_kernel_object *object)
{
    struct txtap_top_object *out = &kernel->found.objects[kernel->found.object_count++];

    *out = (struct txtap_top_object){.address = object->address, .type = object->type};
    name_of(kernel, object->address, out->name);
    set_now(kernel, object, out);
    set_waiter(kernel, object, out);
}

static void take_walk(struct top_kernel *kernel)
{
    struct txtap_top_runs runs[TXTAP_TOP_THREADS];
    size_t count;
    const struct txtap_kernel_object *objects = txtap_kernel_objects(kernel->reader.kernel, &count);

    kernel->unnamed = false;
    kernel->found.thread_count = kernel->found.object_count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t threads = kernel->found.thread_count;

        if (objects[i].type == TXTAP_OBJECT_THREAD && threads < TXTAP_TOP_THREADS)
            add_thread(kernel, &objects[i], &runs[threads]);
        else if (objects[i].type >= TXTAP_OBJECT_QUEUE && kernel->found.object_count < TXTAP_TOP_OBJECTS)
            add_object(kernel, &objects[i]);
    }
    kernel_stacks_take(&kernel->stacks, &kernel->reader);
    kernel->run_count = kernel->found.thread_count;
    memcpy(kernel->runs, runs, kernel->run_count * sizeof *runs);
    kernel->known = true;
}

/* ---- walking ---- */

/* Begins a walk over the classes that the screen shows. The names of other objects change only if they are created
 * again, so they are read only while a name is missing. */
static void begin_walk(struct top_kernel *kernel, uint64_t now_us)
{
    bool all = kernel->objects || kernel->unnamed;
    uint32_t stack_bytes = kernel_reader_stack_bytes(&kernel->reader, kernel->objects ? WALK_SECONDS : STACK_SECONDS);

    if (kernel->objects && !kernel->known) /* no events wait meanwhile */
        stack_bytes = KERNEL_STACK_BYTES_MAX;
    kernel_reader_begin(&kernel->reader, all ? TXTAP_KERNEL_ALL & ~(1u << TXTAP_OBJECT_TIMER) : TXTAP_KERNEL_THREADS,
                        stack_bytes);
    kernel->begin_us = now_us;
    kernel->walking = true;
}

enum txtap_status top_kernel_step(struct top_kernel *kernel, struct attachment *attachment, uint64_t now_us,
                                  struct error *error)
{
    enum txtap_status status;

    if (!is_ready(kernel, attachment) || (!kernel->walking && now_us < kernel->due_us))
        return TXTAP_OK;
    if (!kernel->walking)
        begin_walk(kernel, now_us);
    status = kernel_reader_step(&kernel->reader, attachment->source, error);
    if (status == TXTAP_OK)
        return TXTAP_OK;
    kernel->walking = false;
    kernel->due_us = now_us + kernel_reader_pause_us(&kernel->reader, WALK_SECONDS);
    if (status != TXTAP_END)
        return status;
    /* With a trace, its reader notices other firmware. */
    if (attachment->only_memory &&
        (!txtap_kernel_list(kernel->reader.kernel, TXTAP_OBJECT_THREAD).complete || elf_has_changed(attachment->elf)))
        status = attach_check(attachment, error);
    if (status < TXTAP_OK)
        return status;
    take_walk(kernel);
    if (kernel->restarted)
        top_kernel_forget(kernel);
    kernel->restarted = false;
    return TXTAP_OK;
}
