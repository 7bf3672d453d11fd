/* SPDX-License-Identifier: MIT */
/* Converts the kernel event logger's events for the analyses. The thread that a switch event names has run since the
 * preceding switch event. */
#include "model/event_ids.h"
#include "txtap/event_logger.h"
#include "txtap/txtb.h"
#include "txtap/inner/zephyr.h"

#define ID_SWITCH    (TXTAP_LOGGER_TYPES_BASE + TXTAP_LOGGER_CONTEXT_SWITCH)
#define ID_INTERRUPT (TXTAP_LOGGER_TYPES_BASE + TXTAP_LOGGER_INTERRUPT)
#define ID_SLEEP     (TXTAP_LOGGER_TYPES_BASE + TXTAP_LOGGER_SLEEP)

const char *txtap_zephyr_logger_lacks(void)
{
    return "when threads become ready and what they wait for, when interrupts end, priorities, calls, stacks, and, if "
           "its mask leaves them out or a collector is registered, some switches: who ran between two of them is a "
           "guess then";
}

/* Passes an event on. thread: the thread that recorded the event. next: the thread that runs after the event; 0:
 * idle. */
static enum txtap_status give(const struct txtap_zephyr_logger *logger, const struct txtap_event *event,
                              uint32_t thread, uint32_t next)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .event = *event};

    item.event.id |= OTHER_KERNEL;
    item.event.context = TXTAP_CONTEXT_THREAD;
    item.event.thread = thread == RUNS_UNKNOWN ? 0 : thread;
    item.event.next = next;
    return txtap_sink_take(logger->next, &item);
}

/* Passes on all waiting events. thread: the thread that has run since the last switch. */
static enum txtap_status release(struct txtap_zephyr_logger *logger, uint32_t thread)
{
    enum txtap_status status = TXTAP_OK;

    if (logger->has_left)
        status = give(logger, &logger->left, logger->left.thread, thread);
    for (size_t i = 0; i < logger->count && status == TXTAP_OK; i++)
        status = give(logger, &logger->waiting[i], thread, thread);
    logger->count = 0;
    logger->has_left = false;
    return status;
}

/* Ends, at this event, the time in which `thread` ran. */
static enum txtap_status end_stretch(struct txtap_zephyr_logger *logger, const struct txtap_event *event,
                                     uint32_t thread)
{
    enum txtap_status status = release(logger, thread);

    logger->left = *event;
    logger->left.id = EVENT_SWITCH;
    logger->left.thread = thread;
    logger->left.info[0] = 0;
    logger->left.info[1] = 1;
    logger->has_left = true;
    return status;
}

/* Takes a switch. If the kernel has an idle thread, the thread that leaves the core after sleep is the idle thread. */
static enum txtap_status take_switch(struct txtap_zephyr_logger *logger, const struct txtap_event *event)
{
    uint32_t thread = event->info[0];

    if (thread == 0)
        logger->idle_has_none = true;
    else if (logger->slept && logger->idle == 0 && !logger->idle_has_none)
        logger->idle = thread;
    logger->slept = false;
    return end_stretch(logger, event, thread == logger->idle ? 0 : thread);
}

static enum txtap_status hold(struct txtap_zephyr_logger *logger, const struct txtap_event *event)
{
    enum txtap_status status = logger->count == TXTAP_ZEPHYR_WAITING ? release(logger, RUNS_UNKNOWN) : TXTAP_OK;
    struct txtap_event *held = &logger->waiting[logger->count++];

    *held = *event;
    held->entry = NULL;
    held->words = NULL;
    if (event->id != ID_INTERRUPT)
        return status;
    held->id = EVENT_INTERRUPT;
    held->info[1] = event->info[0];
    return status;
}

static enum txtap_status take_event(struct txtap_zephyr_logger *logger, const struct txtap_event *event)
{
    enum txtap_status status = event->ticks_doubtful ? release(logger, RUNS_UNKNOWN) : TXTAP_OK;

    if (status != TXTAP_OK)
        return status;
    switch (event->id) {
    case ID_SWITCH:
        return take_switch(logger, event);
    case ID_SLEEP: /* no thread ran */
        logger->slept = true;
        return end_stretch(logger, event, 0);
    default:
        return hold(logger, event);
    }
}

/* Passes on an item after which the stream may continue differently. Until the next switch, the running thread is
 * unknown. */
static enum txtap_status interrupt_stream(struct txtap_zephyr_logger *logger, const struct txtap_item *item)
{
    enum txtap_status status = release(logger, RUNS_UNKNOWN);

    logger->slept = false;
    return status == TXTAP_OK ? txtap_sink_take(logger->next, item) : status;
}

/* Passes on a restart, unless the event continues the recording. The next file of a recording continues it. */
static enum txtap_status go_on(struct txtap_zephyr_logger *logger, const struct txtap_event *event)
{
    bool other = logger->restarted && !(logger->any && event->seq == logger->last_seq + 1);

    logger->restarted = false;
    logger->any = true;
    logger->last_seq = event->seq;
    return other ? interrupt_stream(logger, &logger->restart) : TXTAP_OK;
}

enum txtap_status txtap_zephyr_logger_take(void *self, const struct txtap_item *item)
{
    struct txtap_zephyr_logger *logger = self;
    enum txtap_status status;

    switch (item->kind) {
    case TXTAP_ITEM_EVENT:
        status = go_on(logger, &item->event);
        return status == TXTAP_OK ? take_event(logger, &item->event) : status;
    case TXTAP_ITEM_RESTART:
        logger->restart = *item;
        logger->restarted = true;
        return TXTAP_OK;
    case TXTAP_ITEM_GAP:
        return interrupt_stream(logger, item);
    case TXTAP_ITEM_MARK:
        if (item->mark.kind == TXTAP_MARK_RESET || item->mark.kind == TXTAP_MARK_MOVED ||
            item->mark.kind == TXTAP_MARK_ENABLED)
            return interrupt_stream(logger, item);
        /* fall through */
    default:
        return txtap_sink_take(logger->next, item);
    }
}

enum txtap_status txtap_zephyr_logger_end(struct txtap_zephyr_logger *logger)
{
    return release(logger, RUNS_UNKNOWN);
}
