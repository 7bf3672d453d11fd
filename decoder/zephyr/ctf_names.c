/* SPDX-License-Identifier: MIT */
/* Tables of the names of Zephyr's CTF records: their meanings, the actions on objects, and the classes. */
#include "zephyr/ctf_names.h"

#include <string.h>

#include "model/event_ids.h"
#include "txtap/inner/flow.h"

/* ---- classes of records, which select the colour of their marks, by the start of the record's name ---- */

static const struct {
    const char *start;
    enum txtap_event_class about;
} classes[] = {
    {"thread_", TXTAP_CLASS_THREAD},       {"user_mode_", TXTAP_CLASS_THREAD},
    {"idle", TXTAP_CLASS_THREAD},          {"isr_", TXTAP_CLASS_ISR},
    {"semaphore_", TXTAP_CLASS_SEMAPHORE}, {"mutex_", TXTAP_CLASS_MUTEX},
    {"msgq_", TXTAP_CLASS_QUEUE},          {"queue_", TXTAP_CLASS_QUEUE},
    {"fifo_", TXTAP_CLASS_QUEUE},          {"lifo_", TXTAP_CLASS_QUEUE},
    {"stack_", TXTAP_CLASS_QUEUE},         {"mbox_", TXTAP_CLASS_QUEUE},
    {"pipe_", TXTAP_CLASS_QUEUE},          {"event_", TXTAP_CLASS_FLAGS},
    {"mem_slab_", TXTAP_CLASS_POOL},       {"heap_", TXTAP_CLASS_POOL},
    {"timer_", TXTAP_CLASS_TIME},          {"named_event", TXTAP_CLASS_USER},
    {"socket_", TXTAP_CLASS_NET},          {"net_", TXTAP_CLASS_NET},
};

enum txtap_event_class txtap_zephyr_ctf_class(const char *name)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strncmp(name, classes[i].start, strlen(classes[i].start)) == 0)
            return classes[i].about;
    return TXTAP_CLASS_OTHER;
}

/* ---- meanings and actions ---- */

static const struct {
    const char *name;
    enum meaning meaning;
} meanings[] = {
    {"thread_switched_out", OUT},
    {"thread_switched_in", IN},
    {"thread_ready", READY},
    {"thread_pending", PENDING},
    {"thread_suspend", SUSPENDED},
    {"thread_abort", ABORTED},
    {"thread_create", NAMED},
    {"thread_name_set", NAMED},
    {"thread_info", NAMED},
    {"isr_enter", ISR_ENTER},
    {"isr_exit", ISR_EXIT},
    {"isr_exit_to_scheduler", ISR_EXIT},
    {"idle", IDLE},
    {"mutex_lock_exit", LOCKED},
    {"mutex_unlock_enter", UNLOCK},
};

/* The names of calls on an object begin with the object's kind. */
static const struct {
    const char *kind;
    enum reason reason;
} kinds[] = {
    {"semaphore_", REASON_SEMAPHORE}, {"mutex_", REASON_MUTEX},    {"msgq_", REASON_QUEUE},
    {"queue_", REASON_QUEUE},         {"fifo_", REASON_QUEUE},     {"lifo_", REASON_QUEUE},
    {"stack_", REASON_QUEUE},         {"mbox_", REASON_QUEUE},     {"pipe_", REASON_QUEUE},
    {"mem_slab_", REASON_BLOCK_POOL}, {"heap_", REASON_BYTE_POOL}, {"event_", REASON_FLAGS},
    {"condvar_", REASON_OTHER},       {"poll", REASON_OTHER},
};

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);

    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static enum meaning meaning_of(const char *name, enum reason *reason)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strcmp(name, meanings[i].name) == 0)
            return meanings[i].meaning;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(name, kinds[i].kind, strlen(kinds[i].kind)) != 0)
            continue;
        *reason = kinds[i].reason;
        return ends_with(name, "_exit")       ? RETURN
               : ends_with(name, "_init")     ? PLAIN
               : ends_with(name, "_blocking") ? BLOCKING
                                              : CALL;
    }
    return PLAIN;
}

/* The action of a call on its object. The name of the call consists of its kind and this verb. */
static const struct {
    enum reason reason;
    const char *verb;
    enum txtap_flow_action action;
} verbs[] = {
    {REASON_SEMAPHORE, "give", TXTAP_FLOW_PUT},
    {REASON_SEMAPHORE, "take", TXTAP_FLOW_GET},
    {REASON_MUTEX, "lock", TXTAP_FLOW_OWN},
    {REASON_QUEUE, "put", TXTAP_FLOW_SEND}, /* msgq, fifo, lifo, pipe, mbox */
    {REASON_QUEUE, "put_front", TXTAP_FLOW_SEND},
    {REASON_QUEUE, "append", TXTAP_FLOW_SEND}, /* queue */
    {REASON_QUEUE, "alloc_append", TXTAP_FLOW_SEND},
    {REASON_QUEUE, "prepend", TXTAP_FLOW_SEND},
    {REASON_QUEUE, "alloc_prepend", TXTAP_FLOW_SEND},
    {REASON_QUEUE, "insert", TXTAP_FLOW_SEND},
    {REASON_QUEUE, "push", TXTAP_FLOW_SEND}, /* stack */
    {REASON_QUEUE, "write", TXTAP_FLOW_SEND},
    {REASON_QUEUE, "get", TXTAP_FLOW_RECEIVE},
    {REASON_QUEUE, "pop", TXTAP_FLOW_RECEIVE},
    {REASON_QUEUE, "read", TXTAP_FLOW_RECEIVE},
    {REASON_BLOCK_POOL, "alloc", TXTAP_FLOW_ALLOCATE},
    {REASON_BLOCK_POOL, "free", TXTAP_FLOW_RELEASE},
    {REASON_BYTE_POOL, "alloc", TXTAP_FLOW_ALLOCATE},
    {REASON_BYTE_POOL, "aligned_alloc", TXTAP_FLOW_ALLOCATE},
    {REASON_BYTE_POOL, "free", TXTAP_FLOW_RELEASE},
    {REASON_FLAGS, "post", TXTAP_FLOW_SET},
    {REASON_FLAGS, "set", TXTAP_FLOW_SET},
    {REASON_FLAGS, "wait", TXTAP_FLOW_GET},
    {REASON_FLAGS, "wait_all", TXTAP_FLOW_GET},
};

/* Returns the action of a record "KIND_VERB_enter" or "KIND_VERB_blocking". */
static enum txtap_flow_action action_of(const char *name, enum reason reason)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *verb = name + strlen(kinds[i].kind);

        if (kinds[i].reason != reason || strncmp(name, kinds[i].kind, strlen(kinds[i].kind)) != 0)
            continue;
        for (size_t j = 0; j < sizeof verbs / sizeof *verbs; j++) {
            size_t length = strlen(verbs[j].verb);

            if (verbs[j].reason == reason && strncmp(verb, verbs[j].verb, length) == 0 &&
                (strcmp(verb + length, "_enter") == 0 || strcmp(verb + length, "_blocking") == 0))
                return verbs[j].action;
        }
    }
    return TXTAP_FLOW_NONE;
}

/* Returns true if the record is of a FIFO or a LIFO, which Zephyr makes from a queue. */
static bool is_made_from_queue(const char *name)
{
    return strncmp(name, "fifo_", 5) == 0 || strncmp(name, "lifo_", 5) == 0;
}

/* Finds the actions. A FIFO's call calls its queue: if there are records of queues, only these records count. */
static void find_actions(struct txtap_zephyr_ctf *ctf)
{
    bool has_queues = false;

    for (size_t i = 0; i < ctf->layout->event_count; i++)
        has_queues = has_queues || strncmp(ctf->layout->events[i].name, "queue_", 6) == 0;
    for (size_t i = 0; i < ctf->layout->event_count; i++) {
        const char *name = ctf->layout->events[i].name;

        if (!has_queues || !is_made_from_queue(name))
            ctf->action[i] = (uint8_t)action_of(name, (enum reason)ctf->reason[i]);
    }
}

void ctf_names_find(struct txtap_zephyr_ctf *ctf)
{
    for (size_t i = 0; i < ctf->layout->event_count; i++) {
        enum reason reason = REASON_OTHER;

        ctf->meaning[i] = (uint8_t)meaning_of(ctf->layout->events[i].name, &reason);
        ctf->reason[i] = (uint8_t)reason;
        ctf->event_class[i] = (uint8_t)txtap_zephyr_ctf_class(ctf->layout->events[i].name);
        ctf->has_isr_exit = ctf->has_isr_exit || ctf->meaning[i] == ISR_EXIT;
    }
    find_actions(ctf);
}
