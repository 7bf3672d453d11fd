/* SPDX-License-Identifier: MIT */
/* Services of queues, semaphores, mutexes, event flags and pools. */
#include "oracle/kernel.h"

#include "txtap/registry.h"

#include <assert.h>

#define ALL   2u /* TX_AND */
#define CLEAR 1u

/* ---- shared parts ---- */

static enum kernel_outcome done(struct kernel *kernel, enum kernel_event id, unsigned object,
                                enum kernel_outcome outcome, unsigned woken)
{
    kernel->world.done(kernel->world.self, id, object, outcome, woken);
    return outcome;
}

/* Makes the current thread wait for the object. */
static void wait_for(struct kernel *kernel, unsigned number, enum kernel_state state, uint32_t wait, bool front)
{
    struct kernel_object *object = &kernel->objects[number];
    struct kernel_thread *thread = &kernel->threads[kernel->here->current];

    thread->cleanup = true;
    thread->aborted = false;
    thread->object = (uint8_t)number;
    if (front)
        line_push_front(&object->waiting, kernel->here->current);
    else
        line_push(&object->waiting, kernel->here->current);
    thread->state = state;
    thread->suspending = true;
    thread->remaining = wait;
    kernel->preempt_disable++;
    kernel_window(kernel);
}

/* Removes the first thread from the line. */
static unsigned take_first(struct kernel *kernel, struct kernel_object *object)
{
    unsigned thread = object->waiting.at[0];

    line_remove(&object->waiting, thread);
    kernel->threads[thread].cleanup = false;
    return thread;
}

static void resume_later(struct kernel *kernel, unsigned thread, enum kernel_ending ending)
{
    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel_resume(kernel, thread, ending);
}

static void serve_first(struct kernel *kernel, struct kernel_object *object)
{
    resume_later(kernel, take_first(kernel, object), ENDS_SERVED);
}

static uint32_t address_of(const struct kernel *kernel, unsigned thread)
{
    return thread != NOBODY ? kernel->threads[thread].address : 0;
}

/* ---- semaphores ---- */

enum kernel_outcome kernel_semaphore_get(struct kernel *kernel, unsigned number, uint32_t wait)
{
    struct kernel_object *object = &kernel->objects[number];

    kernel_record(kernel, EV_SEMAPHORE_GET, object->address, wait, object->count, STACK);
    if (object->count > 0) {
        object->count--;
        return done(kernel, EV_SEMAPHORE_GET, number, OUTCOME_DONE, 0);
    }
    if (wait == WAIT_NOT)
        return done(kernel, EV_SEMAPHORE_GET, number, OUTCOME_FAILED, 0);
    done(kernel, EV_SEMAPHORE_GET, number, OUTCOME_WAITS, 0);
    wait_for(kernel, number, KERNEL_SEMAPHORE, wait, false);
    kernel_suspend(kernel, kernel->here->current);
    return OUTCOME_WAITS;
}

static enum kernel_outcome put(struct kernel *kernel, enum kernel_event id, unsigned number, bool may)
{
    struct kernel_object *object = &kernel->objects[number];
    bool serves = object->waiting.count > 0;

    if (!serves && !may)
        return done(kernel, id, number, OUTCOME_FAILED, 0);
    if (serves)
        serve_first(kernel, object);
    else
        object->count++;
    return done(kernel, id, number, OUTCOME_DONE, serves);
}

enum kernel_outcome kernel_semaphore_put(struct kernel *kernel, unsigned number)
{
    const struct kernel_object *object = &kernel->objects[number];

    kernel_record(kernel, EV_SEMAPHORE_PUT, object->address, object->count, object->waiting.count, STACK);
    return put(kernel, EV_SEMAPHORE_PUT, number, true);
}

enum kernel_outcome kernel_semaphore_ceiling_put(struct kernel *kernel, unsigned number, uint32_t ceiling)
{
    const struct kernel_object *object = &kernel->objects[number];

    kernel_record(kernel, EV_SEMAPHORE_CEILING_PUT, object->address, object->count, object->waiting.count, ceiling);
    return put(kernel, EV_SEMAPHORE_CEILING_PUT, number, object->count < ceiling);
}

/* ---- queues ---- */

enum kernel_outcome kernel_queue_send(struct kernel *kernel, unsigned number, uint32_t wait, bool front)
{
    struct kernel_object *object = &kernel->objects[number];
    enum kernel_event id = front ? EV_QUEUE_FRONT_SEND : EV_QUEUE_SEND;

    kernel_record(kernel, id, object->address, 0x20005000, wait, object->count);
    if (object->count < object->capacity) {
        bool serves = object->waiting.count > 0;

        if (serves)
            serve_first(kernel, object);
        else
            object->count++;
        return done(kernel, id, number, OUTCOME_DONE, serves);
    }
    if (wait == WAIT_NOT)
        return done(kernel, id, number, OUTCOME_FAILED, 0);
    done(kernel, id, number, OUTCOME_WAITS, 0);
    wait_for(kernel, number, KERNEL_QUEUE, wait, front);
    kernel_suspend(kernel, kernel->here->current);
    return OUTCOME_WAITS;
}

enum kernel_outcome kernel_queue_receive(struct kernel *kernel, unsigned number, uint32_t wait)
{
    struct kernel_object *object = &kernel->objects[number];

    kernel_record(kernel, EV_QUEUE_RECEIVE, object->address, 0x20005000, wait, object->count);
    if (object->count > 0) {
        bool serves = object->waiting.count > 0; /* a waiting sender: its message takes the free place */

        if (serves)
            serve_first(kernel, object);
        else
            object->count--;
        return done(kernel, EV_QUEUE_RECEIVE, number, OUTCOME_DONE, serves);
    }
    if (wait == WAIT_NOT)
        return done(kernel, EV_QUEUE_RECEIVE, number, OUTCOME_FAILED, 0);
    done(kernel, EV_QUEUE_RECEIVE, number, OUTCOME_WAITS, 0);
    wait_for(kernel, number, KERNEL_QUEUE, wait, false);
    kernel_suspend(kernel, kernel->here->current);
    return OUTCOME_WAITS;
}

/* Resumes all waiting threads. No thread can displace the caller until all are resumed. */
static void resume_all(struct kernel *kernel, const struct line *waiting, enum kernel_ending ending)
{
    for (unsigned i = 0; i < waiting->count; i++) {
        kernel->threads[waiting->at[i]].cleanup = false;
        resume_later(kernel, waiting->at[i], ending);
    }
    kernel->preempt_disable--;
    kernel_preempt_check(kernel);
}

void kernel_queue_flush(struct kernel *kernel, unsigned number)
{
    struct kernel_object *object = &kernel->objects[number];
    struct line waiting = object->waiting;

    kernel_record(kernel, EV_QUEUE_FLUSH, object->address, STACK, 0, 0);
    if (object->count > 0) {
        object->count = 0;
        object->waiting.count = 0;
        if (waiting.count > 0) {
            kernel->preempt_disable++;
            resume_all(kernel, &waiting, ENDS_SERVED);
        }
    }
    done(kernel, EV_QUEUE_FLUSH, number, OUTCOME_DONE, 0);
}

/* ---- event flags ---- */

static bool satisfies(uint32_t flags, uint32_t wanted, unsigned option)
{
    return (option & ALL) != 0 ? (flags & wanted) == wanted : (flags & wanted) != 0;
}

enum kernel_outcome kernel_flags_get(struct kernel *kernel, unsigned number, uint32_t flags, unsigned option,
                                     uint32_t wait)
{
    struct kernel_object *object = &kernel->objects[number];
    struct kernel_thread *thread;

    kernel_record(kernel, EV_FLAGS_GET, object->address, flags, object->count, option);
    if (satisfies(object->count, flags, option)) {
        if ((option & CLEAR) != 0)
            object->count &= ~flags;
        return done(kernel, EV_FLAGS_GET, number, OUTCOME_DONE, 0);
    }
    if (wait == WAIT_NOT)
        return done(kernel, EV_FLAGS_GET, number, OUTCOME_FAILED, 0);
    done(kernel, EV_FLAGS_GET, number, OUTCOME_WAITS, 0);
    thread = &kernel->threads[kernel->here->current];
    thread->wanted = flags;
    thread->option = (uint8_t)option;
    wait_for(kernel, number, KERNEL_FLAGS, wait, false);
    kernel_suspend(kernel, kernel->here->current);
    return OUTCOME_WAITS;
}

/* Serves all threads that the flags satisfy, in the order of their waits. Flags that one thread clears still count for
 * later threads. */
static struct line take_satisfied(struct kernel *kernel, struct kernel_object *object)
{
    struct line satisfied = {0}, waiting = object->waiting;
    uint32_t flags = object->count;

    for (unsigned i = 0; i < waiting.count; i++) {
        struct kernel_thread *thread = &kernel->threads[waiting.at[i]];

        if (!satisfies(flags, thread->wanted, thread->option))
            continue;
        if ((thread->option & CLEAR) != 0)
            object->count &= ~thread->wanted;
        thread->cleanup = false;
        line_remove(&object->waiting, waiting.at[i]);
        line_push(&satisfied, waiting.at[i]);
    }
    return satisfied;
}

void kernel_flags_set(struct kernel *kernel, unsigned number, uint32_t flags, unsigned option)
{
    struct kernel_object *object = &kernel->objects[number];
    bool one = object->waiting.count == 1;
    struct line satisfied = {0};

    kernel_record(kernel, EV_FLAGS_SET, object->address, flags, option, object->waiting.count);
    if ((option & ALL) != 0) {
        object->count &= flags;
    } else {
        object->count |= flags;
        satisfied = take_satisfied(kernel, object);
        if (one && satisfied.count == 1) {
            resume_later(kernel, satisfied.at[0], ENDS_SERVED);
        } else if (!one && satisfied.count > 0) {
            kernel->preempt_disable++;
            resume_all(kernel, &satisfied, ENDS_SERVED);
        }
    }
    done(kernel, EV_FLAGS_SET, number, OUTCOME_DONE, satisfied.count);
}

/* ---- block pools ---- */

static uint32_t block_address(const struct kernel_object *object, unsigned block)
{
    return object->address + 0x100 + block * (0x20 + KERNEL_POINTER_BYTES) + KERNEL_POINTER_BYTES;
}

enum kernel_outcome kernel_block_allocate(struct kernel *kernel, unsigned number, uint32_t wait)
{
    struct kernel_object *object = &kernel->objects[number];
    int event = kernel_record(kernel, EV_BLOCK_ALLOCATE, object->address, 0, wait, object->count);

    if (object->count > 0) {
        kernel->events[event].info[1] = block_address(object, object->free_blocks.at[0]);
        line_remove(&object->free_blocks, object->free_blocks.at[0]);
        object->count--;
        return done(kernel, EV_BLOCK_ALLOCATE, number, OUTCOME_DONE, 0);
    }
    if (wait == WAIT_NOT)
        return done(kernel, EV_BLOCK_ALLOCATE, number, OUTCOME_FAILED, 0);
    done(kernel, EV_BLOCK_ALLOCATE, number, OUTCOME_WAITS, 0);
    kernel->threads[kernel->here->current].patch = event;
    kernel->threads[kernel->here->current].granted = 0;
    wait_for(kernel, number, KERNEL_BLOCK_POOL, wait, false);
    kernel_suspend(kernel, kernel->here->current);
    return OUTCOME_WAITS;
}

void kernel_block_release(struct kernel *kernel, unsigned number, uint32_t address)
{
    struct kernel_object *object = &kernel->objects[number];
    bool serves = object->waiting.count > 0;

    kernel_record(kernel, EV_BLOCK_RELEASE, object->address, address, object->waiting.count, STACK);
    if (serves) {
        kernel->threads[object->waiting.at[0]].granted = address;
        serve_first(kernel, object);
    } else {
        line_push_front(&object->free_blocks, (address - block_address(object, 0)) / (0x20 + KERNEL_POINTER_BYTES));
        object->count++;
    }
    done(kernel, EV_BLOCK_RELEASE, number, OUTCOME_DONE, serves);
}

/* ---- byte pools ---- */

#define OVERHEAD (2 * KERNEL_POINTER_BYTES)
#define LEAST    20u /* TX_BYTE_BLOCK_MIN */

static uint32_t piece_bytes(const struct kernel_object *object, unsigned piece)
{
    return object->pieces[piece + 1].offset - object->pieces[piece].offset;
}

static void remove_piece(struct kernel_object *object, unsigned piece)
{
    object->piece_count--;
    for (unsigned i = piece; i < object->piece_count; i++)
        object->pieces[i] = object->pieces[i + 1];
}

static void split_piece(struct kernel_object *object, unsigned piece, uint32_t bytes)
{
    assert(object->piece_count + 1u < KERNEL_PIECES);
    for (unsigned i = object->piece_count++; i > piece; i--)
        object->pieces[i] = object->pieces[i - 1];
    object->pieces[piece + 1] = (struct kernel_piece){object->pieces[piece].offset + bytes, true};
}

/* Returns the first piece that is large enough, from the search pointer on. Joins free neighbours during the search. */
static unsigned search(struct kernel_object *object, uint32_t bytes)
{
    unsigned piece = object->search, last = object->piece_count - 1u, left = object->piece_count + 1u;
    bool found_free = false;

    while (left > 0) {
        if (object->pieces[piece].free) {
            if (!found_free)
                object->search = (uint8_t)piece;
            found_free = true;
            if (piece_bytes(object, piece) - OVERHEAD >= bytes)
                return piece;
            if (object->pieces[piece + 1].free) {
                remove_piece(object, piece + 1);
                last--;
                if (object->search > piece)
                    object->search = object->search == piece + 1 ? (uint8_t)piece : object->search - 1;
            } else {
                piece = piece + 1 == last ? 0 : piece + 2;
                left -= left > 0;
            }
        } else {
            piece = piece == last ? 0 : piece + 1;
        }
        left -= left > 0;
    }
    return NOBODY;
}

/* Allocates memory of a pool, as _tx_byte_pool_search does. Returns its address; 0: no memory is available. */
static uint32_t cut_out(struct kernel_object *object, uint32_t bytes)
{
    uint32_t taken;
    unsigned piece;

    if (bytes >= object->count + (object->piece_count - 2u) * OVERHEAD)
        return 0;
    piece = search(object, bytes);
    if (piece == NOBODY)
        return 0;
    taken = piece_bytes(object, piece) - OVERHEAD;
    if (taken - bytes >= LEAST) {
        split_piece(object, piece, bytes + OVERHEAD);
        if (object->search > piece)
            object->search++;
        taken = bytes;
    }
    object->pieces[piece].free = false;
    object->count -= taken + OVERHEAD;
    if (object->search == piece)
        object->search++;
    return object->address + 0x100 + object->pieces[piece].offset + OVERHEAD;
}

static void put_back(struct kernel_object *object, uint32_t address)
{
    uint32_t offset = address - OVERHEAD - 0x100 - object->address;
    unsigned piece = 0;

    while (object->pieces[piece].offset != offset)
        piece++;
    object->pieces[piece].free = true;
    object->count += piece_bytes(object, piece);
    if (piece < object->search)
        object->search = (uint8_t)piece;
}

enum kernel_outcome kernel_byte_allocate(struct kernel *kernel, unsigned number, uint32_t bytes, uint32_t wait)
{
    struct kernel_object *object = &kernel->objects[number];
    int event = kernel_record(kernel, EV_BYTE_ALLOCATE, object->address, 0, bytes, wait);
    uint32_t address = cut_out(object, bytes);

    if (address != 0) {
        kernel->events[event].info[1] = address;
        return done(kernel, EV_BYTE_ALLOCATE, number, OUTCOME_DONE, 0);
    }
    if (wait == WAIT_NOT)
        return done(kernel, EV_BYTE_ALLOCATE, number, OUTCOME_FAILED, 0);
    done(kernel, EV_BYTE_ALLOCATE, number, OUTCOME_WAITS, 0);
    kernel->threads[kernel->here->current].patch = event;
    kernel->threads[kernel->here->current].granted = 0;
    kernel->threads[kernel->here->current].wanted = bytes;
    wait_for(kernel, number, KERNEL_BYTE_POOL, wait, false);
    kernel_suspend(kernel, kernel->here->current);
    return OUTCOME_WAITS;
}

/* Serves waiting threads while there are enough bytes. Each of them may displace the caller, which continues when it
 * runs again. */
void kernel_byte_release_goes_on(struct kernel *kernel, unsigned number)
{
    struct kernel_object *object = &kernel->objects[number];
    unsigned caller = kernel->here->depth == 0 ? kernel->here->current : NOBODY;

    while (object->waiting.count > 0) {
        struct kernel_thread *thread = &kernel->threads[object->waiting.at[0]];
        uint32_t address = cut_out(object, thread->wanted);

        if (address == 0)
            break;
        thread->granted = address;
        serve_first(kernel, object);
        if (caller != NOBODY && kernel->here->current != caller) {
            kernel->threads[caller].releasing = (uint8_t)number;
            return;
        }
    }
    kernel_preempt_check(kernel);
}

void kernel_byte_release(struct kernel *kernel, unsigned number, uint32_t address)
{
    struct kernel_object *object = &kernel->objects[number];

    kernel_record(kernel, EV_BYTE_RELEASE, object->address, address, object->waiting.count, object->count);
    put_back(object, address);
    if (object->waiting.count > 0)
        kernel_byte_release_goes_on(kernel, number);
    done(kernel, EV_BYTE_RELEASE, number, OUTCOME_DONE, 0);
}

/* ---- mutexes ---- */

static void set_owner(struct kernel *kernel, unsigned number, unsigned thread)
{
    kernel->objects[number].owner = (uint8_t)thread;
    kernel->world.owner(kernel->world.self, number);
}

static void own(struct kernel *kernel, unsigned number, unsigned thread)
{
    kernel->objects[number].count = 1;
    kernel->objects[number].highest_waiting = KERNEL_PRIORITIES;
    line_push(&kernel->threads[thread].owned, number);
    set_owner(kernel, number, thread);
}

static void inherit(struct kernel *kernel, struct kernel_object *object, unsigned owner)
{
    unsigned priority = kernel->threads[kernel->here->current].priority;

    if (object->highest_waiting > priority)
        object->highest_waiting = (uint8_t)priority;
    if (priority < kernel->threads[owner].inherit_priority)
        kernel->threads[owner].inherit_priority = (uint8_t)priority;
    if (kernel->threads[owner].priority > priority)
        kernel_mutex_priority_change(kernel, owner, priority);
}

enum kernel_outcome kernel_mutex_get(struct kernel *kernel, unsigned number, uint32_t wait)
{
    struct kernel_object *object = &kernel->objects[number];
    unsigned owner = object->owner;

    kernel_record(kernel, EV_MUTEX_GET, object->address, wait, address_of(kernel, owner), object->count);
    if (object->count == 0) {
        own(kernel, number, kernel->here->current);
        return done(kernel, EV_MUTEX_GET, number, OUTCOME_DONE, 0);
    }
    if (owner == kernel->here->current) {
        object->count++;
        return done(kernel, EV_MUTEX_GET, number, OUTCOME_DONE, 0);
    }
    if (wait == WAIT_NOT)
        return done(kernel, EV_MUTEX_GET, number, OUTCOME_FAILED, 0);
    done(kernel, EV_MUTEX_GET, number, OUTCOME_WAITS, 0);
    wait_for(kernel, number, KERNEL_MUTEX, wait, false);
    if (object->inherit)
        inherit(kernel, object, owner);
    kernel_suspend(kernel, kernel->here->current);
    return OUTCOME_WAITS;
}

void kernel_mutex_prioritize(struct kernel *kernel, unsigned number)
{
    struct kernel_object *object = &kernel->objects[number];
    unsigned first;

    kernel_record(kernel, EV_MUTEX_PRIORITIZE, object->address, object->waiting.count, STACK, 0);
    if (object->waiting.count < 2)
        return;
    first = object->waiting.at[0];
    for (unsigned i = 1; i < object->waiting.count; i++)
        if (kernel->threads[object->waiting.at[i]].priority < kernel->threads[first].priority)
            first = object->waiting.at[i];
    line_remove(&object->waiting, first);
    line_push_front(&object->waiting, first);
    kernel_preempt_check(kernel);
}

/* Returns the priority that the thread has without this mutex: its own priority, or a higher priority that another
 * owned mutex gives it. */
static unsigned priority_left(struct kernel *kernel, unsigned owner)
{
    struct kernel_thread *thread = &kernel->threads[owner];
    unsigned inherited = KERNEL_PRIORITIES;

    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel->preempt_disable--;
    for (unsigned i = 0; i < thread->owned.count; i++) {
        const struct kernel_object *mutex = &kernel->objects[thread->owned.at[i]];

        if (mutex->inherit && mutex->highest_waiting < inherited)
            inherited = mutex->highest_waiting;
    }
    thread->inherit_priority = (uint8_t)inherited;
    return inherited < thread->user_priority ? inherited : thread->user_priority;
}

static void change_if_different(struct kernel *kernel, unsigned thread, unsigned priority)
{
    if (kernel->threads[thread].priority != priority)
        kernel_mutex_priority_change(kernel, thread, priority);
}

/* Makes the mutex free. No thread waits for it. */
static void set_free(struct kernel *kernel, unsigned number, unsigned priority)
{
    struct kernel_object *object = &kernel->objects[number];

    kernel->preempt_disable++;
    kernel_window(kernel);
    object->highest_waiting = KERNEL_PRIORITIES;
    change_if_different(kernel, object->owner, priority);
    kernel->preempt_disable--;
    set_owner(kernel, number, NOBODY);
    kernel_preempt_check(kernel);
}

static void hand_over(struct kernel *kernel, unsigned number, unsigned priority)
{
    struct kernel_object *object = &kernel->objects[number];
    unsigned before = object->owner, next = take_first(kernel, object);

    own(kernel, number, next);
    kernel->preempt_disable++;
    kernel_window(kernel);
    if (object->inherit) {
        if (object->waiting.count > 0) {
            kernel_mutex_prioritize(kernel, number);
            if (object->waiting.count > 0)
                object->highest_waiting = kernel->threads[object->waiting.at[0]].priority;
        }
        change_if_different(kernel, before, priority);
    }
    kernel_resume(kernel, next, ENDS_SERVED);
}

enum kernel_outcome kernel_mutex_put(struct kernel *kernel, unsigned number)
{
    struct kernel_object *object = &kernel->objects[number];
    unsigned owner = object->owner, priority;

    kernel_record(kernel, EV_MUTEX_PUT, object->address, address_of(kernel, owner), object->count, STACK);
    if (object->count == 0 || (owner != kernel->here->current && kernel->preempt_disable == 0))
        return done(kernel, EV_MUTEX_PUT, number, OUTCOME_FAILED, 0);
    if (--object->count > 0)
        return done(kernel, EV_MUTEX_PUT, number, OUTCOME_DONE, 0);
    line_remove(&kernel->threads[owner].owned, number);
    if (object->waiting.count == 0 && !object->inherit) {
        set_owner(kernel, number, NOBODY);
        return done(kernel, EV_MUTEX_PUT, number, OUTCOME_DONE, 0);
    }
    priority = kernel->threads[owner].user_priority;
    if (object->inherit)
        priority = priority_left(kernel, owner);
    if (object->waiting.count > 1 && object->inherit) {
        kernel->preempt_disable++;
        kernel_mutex_prioritize(kernel, number);
        kernel->preempt_disable--;
    }
    if (object->waiting.count == 0)
        set_free(kernel, number, priority);
    else
        hand_over(kernel, number, priority);
    return done(kernel, EV_MUTEX_PUT, number, OUTCOME_DONE, 0);
}

/* ---- creation and deletion ---- */

static void init_pool(struct kernel_object *object)
{
    if (object->type == TXTAP_OBJECT_BLOCK_POOL)
        for (unsigned i = 0; i < object->capacity; i++)
            line_push(&object->free_blocks, i);
    if (object->type != TXTAP_OBJECT_BYTE_POOL)
        return;
    object->pieces[0] = (struct kernel_piece){0, true};
    object->pieces[1] = (struct kernel_piece){object->capacity - OVERHEAD, false};
    object->pieces[2].offset = object->capacity;
    object->piece_count = 2;
    object->count = object->capacity - OVERHEAD;
}

unsigned kernel_object_add(struct kernel *kernel, unsigned type, uint32_t count, uint32_t capacity, bool inherit)
{
    unsigned number = kernel->object_count++;
    struct kernel_object *object = &kernel->objects[number];

    assert(number < KERNEL_OBJECTS);
    *object = (struct kernel_object){.address = 0x20004000u + 0x400 * number,
                                     .type = (uint8_t)type,
                                     .exists = true,
                                     .count = count,
                                     .capacity = capacity,
                                     .owner = NOBODY,
                                     .inherit = inherit,
                                     .highest_waiting = KERNEL_PRIORITIES,
                                     .message_words = 1};
    init_pool(object);
    return number;
}

void kernel_object_create_again(struct kernel *kernel, unsigned number, uint32_t count)
{
    struct kernel_object *object = &kernel->objects[number];

    object->count = count;
    object->owner = NOBODY;
    object->highest_waiting = KERNEL_PRIORITIES;
    if (object->type == TXTAP_OBJECT_QUEUE)
        kernel_record(kernel, EV_QUEUE_CREATE, object->address, object->message_words, 0x20006000,
                      object->capacity * 4 * object->message_words);
    else if (object->type == TXTAP_OBJECT_SEMAPHORE)
        kernel_record(kernel, EV_SEMAPHORE_CREATE, object->address, count, STACK, 0);
    else if (object->type == TXTAP_OBJECT_MUTEX)
        kernel_record(kernel, EV_MUTEX_CREATE, object->address, object->inherit, STACK, 0);
    else
        kernel_record(kernel, EV_FLAGS_CREATE, object->address, STACK, 0, 0);
    object->exists = true;
}

void kernel_object_delete(struct kernel *kernel, unsigned number)
{
    static const enum kernel_event ids[] = {[TXTAP_OBJECT_QUEUE] = EV_QUEUE_DELETE,
                                            [TXTAP_OBJECT_SEMAPHORE] = EV_SEMAPHORE_DELETE,
                                            [TXTAP_OBJECT_MUTEX] = EV_MUTEX_DELETE,
                                            [TXTAP_OBJECT_EVENT_FLAGS] = EV_FLAGS_DELETE};
    struct kernel_object *object = &kernel->objects[number];
    struct line waiting = object->waiting;

    kernel_record(kernel, ids[object->type], object->address, STACK, 0, 0);
    object->exists = false;
    object->waiting.count = 0;
    kernel->preempt_disable++;
    if (object->type == TXTAP_OBJECT_MUTEX && object->owner != NOBODY) {
        object->count = 1;
        (void)kernel_mutex_put(kernel, number);
    }
    resume_all(kernel, &waiting, ENDS_DELETED);
}
