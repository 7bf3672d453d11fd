/* SPDX-License-Identifier: MIT */
/*
 * Converts Zephyr's CTF to events for the analyses. It takes records from the bytes and makes events that describe the
 * record's effect on threads and interrupts. The record's name in the metadata decides the meaning of the record.
 */
#include "txtap/inner/zephyr.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "model/event_ids.h"
#include "txtap/inner/flow.h"
#include "txtap/inner/registry.h"
#include "txtap/txtb.h"

/* Records from OUT to NAMED refer to a thread and contain its name. */
enum meaning {
    PLAIN,
    OUT,
    IN,
    READY,
    PENDING,
    SUSPENDED,
    ABORTED,
    NAMED,
    ISR_ENTER,
    ISR_EXIT,
    IDLE,
    CALL,
    BLOCKING,
    RETURN,
    LOCKED, /* if the call returned 0, it locked a mutex; otherwise the record counts as RETURN */
    UNLOCK
};

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

#define BACK_MAX 1048576u /* nanoseconds; longest interrupt between the moments of taking and storing a stamp */

/* ---- names ---- */

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

void txtap_zephyr_ctf_init(struct txtap_zephyr_ctf *ctf, const struct txtap_ctf_layout *layout,
                           struct txtap_registry *registry, struct txtap_sink next)
{
    memset(ctf, 0, sizeof *ctf);
    ctf->next = next;
    ctf->layout = layout;
    ctf->registry = registry;
    ctf->current = RUNS_UNKNOWN;
    for (size_t i = 0; i < layout->event_count; i++) {
        enum reason reason = REASON_OTHER;

        ctf->meaning[i] = (uint8_t)meaning_of(layout->events[i].name, &reason);
        ctf->reason[i] = (uint8_t)reason;
        ctf->event_class[i] = (uint8_t)txtap_zephyr_ctf_class(layout->events[i].name);
        ctf->has_isr_exit = ctf->has_isr_exit || ctf->meaning[i] == ISR_EXIT;
    }
    find_actions(ctf);
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
