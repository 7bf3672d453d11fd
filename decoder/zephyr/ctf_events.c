/* SPDX-License-Identifier: MIT */
/* What Zephyr's records say of threads and interrupts, as events for the model. Knows no bytes. */
#include <string.h>

#include "txtap/txtb.h"
#include "txtap/inner/zephyr.h"
#include "txtap/inner/registry.h"
#include "zephyr/ctf.h"

static bool is_idle_name(const char *name)
{
    return strcmp(name, "idle") == 0 || strncmp(name, "idle ", 5) == 0;
}

void ctf_learn_name(struct txtap_zephyr_ctf *ctf, uint32_t thread, const char *name)
{
    struct txtap_object object = {.pointer = thread, .type = TXTAP_OBJECT_THREAD, .live = true};
    const struct txtap_object *known = thread != 0 ? txtap_registry_find(ctf->registry, thread) : NULL;

    if (is_idle_name(name))
        ctf->idle = thread;
    if (thread == 0 || thread == ctf->idle || *name == '\0' || strcmp(name, "unknown") == 0 ||
        (known != NULL && strcmp(known->name, name) == 0))
        return;
    memcpy(object.name, name, strlen(name));
    txtap_registry_restore(ctf->registry, &object, 1);
}

/* ---- events ---- */

static uint32_t runs(const struct txtap_zephyr_ctf *ctf, uint32_t thread)
{
    return thread == ctf->idle && thread != 0 ? 0 : thread;
}

/* An event in the context of the record: an interrupt, a thread, or the idle loop. */
static struct txtap_item begin(const struct txtap_zephyr_ctf *ctf, uint32_t id)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};
    uint32_t current = runs(ctf, ctf->current);

    item.event.seq = ctf->seq;
    item.event.ticks = ctf->ticks;
    item.event.id = OTHER_KERNEL | id;
    item.event.event_class = ctf->event_class[ctf->records[ctf->seq % 2].index];
    item.event.context = ctf->depth > 0 ? TXTAP_CONTEXT_ISR : TXTAP_CONTEXT_THREAD;
    item.event.thread = current == RUNS_UNKNOWN ? 0 : current;
    item.event.next = ctf->depth > 0 ? TXTB_THREAD_ISR : current;
    return item;
}

static enum txtap_status give(struct txtap_zephyr_ctf *ctf, uint32_t id, uint32_t first, uint32_t second)
{
    struct txtap_item item = begin(ctf, id);

    item.event.info[0] = first;
    item.event.info[1] = second;
    return txtap_sink_take(ctf->next, &item);
}

static enum txtap_status give_call(struct txtap_zephyr_ctf *ctf, uint32_t object, enum reason reason,
                                   enum call_kind kind)
{
    struct txtap_item item = begin(ctf, EVENT_CALL);

    item.event.info[0] = object;
    item.event.info[1] = reason;
    item.event.info[2] = kind;
    return txtap_sink_take(ctf->next, &item);
}

/* The thread that was switched out is followed by this one. */
static enum txtap_status give_switch(struct txtap_zephyr_ctf *ctf, struct txtap_item *left, uint32_t to)
{
    ctf->has_left = false;
    ctf->current = to;
    ctf->depth = 0; /* threads switch when all interrupts are over */
    left->event.info[0] = ctf->resumptions;
    left->event.next = runs(ctf, to);
    return txtap_sink_take(ctf->next, left);
}

static enum txtap_status switch_out(struct txtap_zephyr_ctf *ctf, uint32_t thread)
{
    ctf->current = thread;
    ctf->depth = 0;
    ctf->left = begin(ctf, EVENT_SWITCH);
    ctf->has_left = true;
    return TXTAP_OK;
}

static enum txtap_status switch_in(struct txtap_zephyr_ctf *ctf, uint32_t thread)
{
    struct txtap_item item;
    enum txtap_status status;

    if (ctf->has_left) {
        status = give_switch(ctf, &ctf->left, thread);
        return status == TXTAP_OK ? give(ctf, EVENT_PLAIN, 0, 0) : status;
    }
    ctf->depth = 0;
    item = begin(ctf, EVENT_SWITCH);
    return give_switch(ctf, &item, thread);
}

static enum txtap_status isr_enter(struct txtap_zephyr_ctf *ctf)
{
    ctf->interrupts = true;
    if (!ctf->has_isr_exit)
        return give(ctf, EVENT_INTERRUPT, 0, UINT32_MAX);
    ctf->depth++;
    return give(ctf, EVENT_ISR_ENTER, 0, UINT32_MAX);
}

static enum txtap_status isr_exit(struct txtap_zephyr_ctf *ctf)
{
    struct txtap_item item;

    ctf->depth += ctf->depth == 0; /* it was entered before the trace began */
    item = begin(ctf, EVENT_ISR_EXIT);
    item.event.info[1] = UINT32_MAX;
    ctf->depth--;
    item.event.next = ctf->depth > 0 ? TXTB_THREAD_ISR : runs(ctf, ctf->current);
    return txtap_sink_take(ctf->next, &item);
}

/* Only where threads have no names: the idle thread is the one that says so. */
static enum txtap_status idle(struct txtap_zephyr_ctf *ctf)
{
    if (ctf->current != RUNS_UNKNOWN && ctf->current != 0 && ctf->idle == 0 &&
        txtap_registry_find(ctf->registry, ctf->current) == NULL)
        ctf->idle = ctf->current;
    return give(ctf, EVENT_PLAIN, 0, 0);
}

enum txtap_status ctf_end_turn(struct txtap_zephyr_ctf *ctf)
{
    return ctf->has_left ? give_switch(ctf, &ctf->left, RUNS_UNKNOWN) : TXTAP_OK;
}

enum txtap_status ctf_take_record(struct txtap_zephyr_ctf *ctf, enum meaning meaning, enum reason reason, uint32_t key)
{
    enum txtap_status status = meaning != IN ? ctf_end_turn(ctf) : TXTAP_OK;

    if (status != TXTAP_OK)
        return status;
    switch (meaning) {
    case OUT:
        return switch_out(ctf, key);
    case IN:
        return switch_in(ctf, key);
    case READY:
        ctf->resumptions = true;
        return give(ctf, EVENT_THREAD_RESUME, key, REASON_READY);
    case PENDING:
        return give(ctf, EVENT_THREAD_SUSPEND, key, REASON_READY);
    case SUSPENDED:
        return give(ctf, EVENT_THREAD_SUSPEND, key, REASON_SUSPENDED);
    case ABORTED:
        return give(ctf, EVENT_THREAD_SUSPEND, key, REASON_TERMINATED);
    case ISR_ENTER:
        return isr_enter(ctf);
    case ISR_EXIT:
        return isr_exit(ctf);
    case IDLE:
        return idle(ctf);
    case CALL:
        return give_call(ctf, key, reason, CALL_PLAIN);
    case BLOCKING:
        return give_call(ctf, key, reason, CALL_WAITS);
    case UNLOCK:
        return give_call(ctf, key, REASON_MUTEX, CALL_UNLOCKS);
    case LOCKED:
        return give(ctf, EVENT_LOCKED, key, 0);
    case RETURN:
        return give(ctf, EVENT_RETURN, 0, 0);
    default:
        return give(ctf, EVENT_PLAIN, 0, 0);
    }
}

/* ---- what records are about, by how their names begin: the colour of their marks ---- */

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
