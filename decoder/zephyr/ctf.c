/* SPDX-License-Identifier: MIT */
/*
 * Converts Zephyr's CTF to events for the analyses. It takes records from the bytes and makes events that describe the
 * record's effect on threads and interrupts. ctf_names.c knows the meaning of the records.
 */
#include "txtap/inner/zephyr.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "model/event_ids.h"
#include "txtap/inner/registry.h"
#include "txtap/txtb.h"
#include "zephyr/ctf_names.h"

/* ---- threads and interrupts in records ---- */

static bool is_idle_name(const char *name)
{
    return strcmp(name, "idle") == 0 || strncmp(name, "idle ", 5) == 0;
}

/* Adds the name of a thread to the registry. */
static void ctf_learn_name(struct txtap_zephyr_ctf *ctf, uint32_t thread, const char *name)
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

/* Returns an event with the context of the record: an interrupt, a thread, or the idle loop. */
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
    const struct txtap_zephyr_record *record = &ctf->records[ctf->seq % 2];
    struct txtap_item item = begin(ctf, EVENT_CALL);

    item.event.info[0] = object;
    item.event.info[1] = reason;
    item.event.info[2] = call_info(kind, ctf->action[record->index]);
    return txtap_sink_take(ctf->next, &item);
}

/* Passes on the switch event `left`, which belongs to the thread that was switched out. to: the thread that runs
 * next. */
static enum txtap_status give_switch(struct txtap_zephyr_ctf *ctf, struct txtap_item *left, uint32_t to)
{
    ctf->has_left = false;
    ctf->current = to;
    ctf->depth = 0; /* threads switch only after all interrupts have ended */
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

    ctf->depth += ctf->depth == 0; /* the interrupt was entered before the trace began */
    item = begin(ctf, EVENT_ISR_EXIT);
    item.event.info[1] = UINT32_MAX;
    ctf->depth--;
    item.event.next = ctf->depth > 0 ? TXTB_THREAD_ISR : runs(ctf, ctf->current);
    return txtap_sink_take(ctf->next, &item);
}

/* Takes a record of a core that goes idle. If the current thread has no name, the current thread is the idle thread. */
static enum txtap_status idle(struct txtap_zephyr_ctf *ctf)
{
    if (ctf->current != RUNS_UNKNOWN && ctf->current != 0 && ctf->idle == 0 &&
        txtap_registry_find(ctf->registry, ctf->current) == NULL)
        ctf->idle = ctf->current;
    return give(ctf, EVENT_PLAIN, 0, 0);
}

/* Ends the turn of a thread that was switched out: it is unknown which context runs after the thread. */
static enum txtap_status ctf_end_turn(struct txtap_zephyr_ctf *ctf)
{
    return ctf->has_left ? give_switch(ctf, &ctf->left, RUNS_UNKNOWN) : TXTAP_OK;
}

/* Passes on the events for a record. key: the first number in the record. */
static enum txtap_status ctf_take_record(struct txtap_zephyr_ctf *ctf, enum meaning meaning, enum reason reason,
                                         uint32_t key)
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

#define BACK_MAX 1048576u /* nanoseconds; longest interrupt between the moments of taking and storing a stamp */

void txtap_zephyr_ctf_init(struct txtap_zephyr_ctf *ctf, const struct txtap_ctf_layout *layout,
                           struct txtap_registry *registry, struct txtap_sink next)
{
    memset(ctf, 0, sizeof *ctf);
    ctf->next = next;
    ctf->layout = layout;
    ctf->registry = registry;
    ctf->current = RUNS_UNKNOWN;
    ctf_names_find(ctf);
}

/* ---- records ---- */

/* Returns the record of an event. The record may have moved, because the event may have waited for the next record. */
static struct txtap_zephyr_record *record_of(struct txtap_zephyr_ctf *ctf, uint64_t seq)
{
    return &ctf->records[seq % 2];
}

static uint64_t number(const struct txtap_zephyr_ctf *ctf, const uint8_t *bytes, uint32_t length)
{
    if (length == 0 || length > 8)
        return 0;
    return bytes_number(bytes, ctf->layout->big_endian ? TXTAP_BIG : TXTAP_LITTLE, length);
}

static uint64_t number_at(const struct txtap_zephyr_ctf *ctf, const struct txtap_zephyr_record *record, size_t at,
                          uint32_t bytes)
{
    return at + bytes <= record->have ? number(ctf, record->bytes + at, bytes) : 0;
}

/*
 * Returns the ticks from the last stamp to this stamp. 32-bit stamps wrap. If this stamp is earlier than the last
 * stamp, because an interrupt came between, the ticks are 0.
 */
static uint64_t ticks_until(const struct txtap_zephyr_ctf *ctf, uint64_t stamp)
{
    uint64_t mask = ctf->layout->stamp_bytes < 8 ? (1ull << 8 * ctf->layout->stamp_bytes) - 1 : UINT64_MAX;

    return !ctf->any || ((ctf->stamp - stamp) & mask) <= BACK_MAX ? 0 : (stamp - ctf->stamp) & mask;
}

static void advance(struct txtap_zephyr_ctf *ctf, const struct txtap_zephyr_record *record)
{
    uint64_t stamp = number_at(ctf, record, ctf->layout->stamp_at, ctf->layout->stamp_bytes);
    uint64_t step = ticks_until(ctf, stamp);

    if (!ctf->any || step > 0)
        ctf->stamp = stamp;
    ctf->any = true;
    ctf->ticks += step;
}

uint64_t txtap_zephyr_ctf_ticks(const struct txtap_zephyr_ctf *ctf, const uint8_t *header)
{
    return ctf->ticks + ticks_until(ctf, number(ctf, header + ctf->layout->stamp_at, ctf->layout->stamp_bytes));
}

uint64_t txtap_zephyr_ctf_seq(const struct txtap_zephyr_ctf *ctf)
{
    return ctf->seq;
}

const struct txtap_ctf_event *txtap_zephyr_ctf_record(const struct txtap_zephyr_ctf *ctf,
                                                      const struct txtap_event *event, const uint8_t **fields,
                                                      size_t *length)
{
    const struct txtap_zephyr_record *record = &ctf->records[event->seq % 2];

    *fields = record->bytes + ctf->layout->header_bytes;
    *length = record->have - ctf->layout->header_bytes;
    return &ctf->layout->events[record->index];
}

/* Returns true if the record shows that its call returned 0. */
static bool returned_0(const struct txtap_zephyr_ctf *ctf, const struct txtap_zephyr_record *record)
{
    const struct txtap_ctf_event *event = &ctf->layout->events[record->index];
    size_t at = ctf->layout->header_bytes + event->ret_at;

    return event->ret_bytes > 0 && at + event->ret_bytes <= record->have &&
           number_at(ctf, record, at, event->ret_bytes) == 0;
}

static void begin_record(struct txtap_zephyr_ctf *ctf)
{
    record_of(ctf, ctf->seq)->have = 0;
    ctf->missing = 0;
    ctf->in_fields = false;
}

static enum txtap_status end_record(struct txtap_zephyr_ctf *ctf)
{
    const struct txtap_zephyr_record *record = record_of(ctf, ctf->seq);
    const struct txtap_ctf_event *event = &ctf->layout->events[record->index];
    size_t fields = ctf->layout->header_bytes, name_at = fields + event->name_at;
    uint32_t key = event->first_bytes == 4 ? (uint32_t)number_at(ctf, record, fields, 4) : 0;
    enum meaning meaning = ctf->meaning[record->index];
    char name[TXTAP_ZEPHYR_CTF_NAME + 1] = "";
    enum txtap_status status;

    if (meaning >= OUT && meaning <= NAMED && event->name_bytes > 0 && name_at + event->name_bytes <= record->have) {
        memcpy(name, record->bytes + name_at,
               event->name_bytes < TXTAP_ZEPHYR_CTF_NAME ? event->name_bytes : TXTAP_ZEPHYR_CTF_NAME);
        ctf_learn_name(ctf, key, name);
    }
    if (meaning == LOCKED && !returned_0(ctf, record))
        meaning = RETURN;
    advance(ctf, record);
    ctf->reset_marked = false;
    status = ctf_take_record(ctf, meaning, ctf->reason[record->index], key);
    ctf->seq++;
    begin_record(ctf);
    return status;
}

static void end_header(struct txtap_zephyr_ctf *ctf)
{
    struct txtap_zephyr_record *record = record_of(ctf, ctf->seq);
    uint32_t id = (uint32_t)number_at(ctf, record, ctf->layout->id_at, ctf->layout->id_bytes);
    const struct txtap_ctf_event *event = txtap_ctf_find(ctf->layout, id);

    ctf->stopped = event == NULL;
    if (event == NULL)
        return;
    record->index = (size_t)(event - ctf->layout->events);
    ctf->missing = event->bytes;
    ctf->in_fields = true;
}

/* Takes bytes of the header or of the fields, and keeps only the first bytes. Returns the number of bytes taken. */
static size_t fill(struct txtap_zephyr_ctf *ctf, const uint8_t *bytes, size_t length)
{
    struct txtap_zephyr_record *record = record_of(ctf, ctf->seq);
    size_t want = ctf->in_fields ? ctf->missing : ctf->layout->header_bytes - record->have;
    size_t most = ctf->layout->header_bytes + TXTAP_ZEPHYR_CTF_KEPT;
    size_t step = want < length ? want : length, room = most - record->have;
    size_t kept = step < room ? step : room;

    memcpy(record->bytes + record->have, bytes, kept);
    record->have += kept;
    if (ctf->in_fields)
        ctf->missing -= step;
    return step;
}

/* Gives up the stream: the start of the next record is unknown, so all later records are lost. */
static enum txtap_status give_up(struct txtap_zephyr_ctf *ctf)
{
    const struct txtap_item gap = {.kind = TXTAP_ITEM_GAP, .gap = {ctf->seq, 1, false, 0}};

    return txtap_zephyr_ctf_take(ctf, &gap);
}

static enum txtap_status take_bytes(struct txtap_zephyr_ctf *ctf, const uint8_t *bytes, size_t length)
{
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && length > 0 && !ctf->stopped) {
        size_t step = fill(ctf, bytes, length);

        bytes += step;
        length -= step;
        if (!ctf->in_fields && record_of(ctf, ctf->seq)->have == ctf->layout->header_bytes)
            end_header(ctf);
        if (ctf->stopped)
            return give_up(ctf);
        if (ctf->in_fields && ctf->missing == 0)
            status = end_record(ctf);
    }
    return status;
}

/* ---- items ---- */

/* Forgets all data about the target's state. */
static enum txtap_status forget(struct txtap_zephyr_ctf *ctf)
{
    enum txtap_status status = txtap_zephyr_ctf_end(ctf);

    ctf->current = RUNS_UNKNOWN;
    ctf->depth = 0;
    return status;
}

/* Begins another stream with the next record. */
static enum txtap_status restart(struct txtap_zephyr_ctf *ctf)
{
    const struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {TXTAP_MARK_RESET, ctf->seq, 0, ""}};
    enum txtap_status status = forget(ctf);

    begin_record(ctf);
    ctf->stopped = ctf->any = false;
    return status == TXTAP_OK && !ctf->reset_marked ? txtap_sink_take(ctf->next, &mark) : status;
}

static enum txtap_status take_mark(struct txtap_zephyr_ctf *ctf, const struct txtap_item *item)
{
    enum txtap_status status = TXTAP_OK;

    if (item->mark.kind == TXTAP_MARK_RESET || item->mark.kind == TXTAP_MARK_MOVED) {
        ctf->reset_marked = true;
        status = forget(ctf); /* the records before the restart are unrelated to the records after it */
    }
    return status == TXTAP_OK ? txtap_sink_take(ctf->next, item) : status;
}

enum txtap_status txtap_zephyr_ctf_go_on(struct txtap_zephyr_ctf *ctf, uint64_t seq, uint64_t ticks)
{
    enum txtap_status status = forget(ctf);

    ctf->seq = seq;
    ctf->ticks = ticks;
    begin_record(ctf);
    ctf->stopped = ctf->any = false;
    return status;
}

enum txtap_status txtap_zephyr_ctf_take(void *self, const struct txtap_item *item)
{
    struct txtap_zephyr_ctf *ctf = self;
    enum txtap_status status;

    switch (item->kind) {
    case TXTAP_ITEM_BYTES:
        return take_bytes(ctf, item->bytes.at, item->bytes.length);
    case TXTAP_ITEM_RESTART:
        return restart(ctf);
    case TXTAP_ITEM_GAP:
        status = forget(ctf);
        return status == TXTAP_OK ? txtap_sink_take(ctf->next, item) : status;
    case TXTAP_ITEM_MARK:
        return take_mark(ctf, item);
    default:
        return txtap_sink_take(ctf->next, item);
    }
}

enum txtap_status txtap_zephyr_ctf_end(struct txtap_zephyr_ctf *ctf)
{
    return ctf_end_turn(ctf);
}

const char *txtap_zephyr_ctf_lacks(struct txtap_zephyr_ctf *ctf)
{
    (void)snprintf(ctf->lacks, sizeof ctf->lacks, "%s%s, priorities, stacks, cores, how much objects hold",
                   ctf->resumptions ? "" : "when threads become ready (a wait lasts until the thread runs again), ",
                   !ctf->interrupts    ? "interrupts"
                   : ctf->has_isr_exit ? "which interrupt it is"
                                       : "which interrupt it is and when it ends");
    return ctf->lacks;
}
