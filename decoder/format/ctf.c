/* SPDX-License-Identifier: MIT */
/*
 * The stream of a CTF 1.8 trace: who runs and which interrupts are entered, called as LTTng calls it, and each event
 * with its fields. A packet has the events of one core, and none on both sides of a gap; the packet behind a gap says
 * how many events were lost. A packet is written as a whole, so a stream that is cut ends with a whole packet.
 */
#include "format/ctf.h"

#include "format/value.h"

#define PACKET_BYTES  16384u
#define EVENT_BYTES   2048u /* at most: two names, each byte of which is four characters */
#define HEAD_BYTES    52u   /* of the packet */
#define CORES         4u
#define OFF_BEGIN     8u
#define OFF_END       16u
#define OFF_CONTENT   24u
#define OFF_SIZE      32u
#define OFF_DISCARDED 40u
#define OFF_CORE      48u

struct ctf {
    uint8_t packet[PACKET_BYTES];
    size_t used; /* 0: no packet is open */
    uint32_t core;
    uint64_t stamp, discarded;
    bool alone;                             /* the next event is the first behind a gap: it gets a packet of its own */
    struct txtap_change_switch runs[CORES]; /* the newest switch: to whom */
    uint32_t *priority;                     /* by thread */
};

static struct ctf *ctf_of(const struct txtap_exporter *self)
{
    return self->changes.state;
}

static size_t state_bytes(const struct txtap_change_limits *limits)
{
    return sizeof(struct ctf) + limits->threads * sizeof(uint32_t);
}

/* ---- bytes ---- */

static void store(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put(struct ctf *ctf, uint64_t value, size_t bytes)
{
    store(ctf->packet + ctf->used, value, bytes);
    ctf->used += bytes;
}

/* text: from the target; control characters and broken UTF-8 are escaped. */
static void put_text(struct ctf *ctf, const char *text)
{
    char room[LINE_ROOM_BYTES];
    struct line line;
    size_t length;

    line_start(&line, room);
    line_terminal(&line, text);
    length = (size_t)(line.at - line.start);
    if (length > 4 * TXTAP_OBJECT_NAME_BYTES)
        length = 4 * TXTAP_OBJECT_NAME_BYTES;
    memcpy(ctf->packet + ctf->used, room, length);
    ctf->used += length;
    put(ctf, 0, 1);
}

/* ---- packets ---- */

static enum txtap_status close_packet(struct txtap_exporter *self)
{
    struct ctf *ctf = ctf_of(self);
    size_t used = ctf->used;

    ctf->used = 0;
    if (used == 0)
        return TXTAP_OK;
    store(ctf->packet + OFF_END, ctf->stamp, 8);
    store(ctf->packet + OFF_CONTENT, used * 8, 8);
    store(ctf->packet + OFF_SIZE, used * 8, 8);
    return self->writer.write(self->writer.self, (const char *)ctf->packet, used);
}

static void open_packet(struct ctf *ctf, uint32_t core)
{
    put(ctf, CTF_MAGIC, 4);
    put(ctf, 0, 4);
    put(ctf, ctf->stamp, 8);
    ctf->used = OFF_DISCARDED;
    put(ctf, ctf->discarded, 8);
    put(ctf, core, 4);
    ctf->core = core;
}

_Static_assert(OFF_BEGIN == 8 && OFF_CORE + 4 == HEAD_BYTES, "open_packet() writes the fields in order");

static uint64_t stamp_of(const struct txtap_exporter *self, uint64_t ticks)
{
    double hz = self->options.tick_hz, ns;

    if (!(hz > 0) || (double)ctf_clock_hz(hz) == hz)
        return ticks;
    ns = (double)ticks / hz * 1e9;
    return ns < 9e18 ? (uint64_t)ns : INT64_MAX;
}

/* Starts an event. end_event() is due. */
static enum txtap_status start_event(struct txtap_exporter *self, const struct txtap_change *change, uint32_t core,
                                     uint32_t class)
{
    struct ctf *ctf = ctf_of(self);
    uint64_t stamp = stamp_of(self, change->ticks);
    enum txtap_status status = TXTAP_OK;

    if (ctf->used > 0 && (ctf->core != core || ctf->used + EVENT_BYTES > PACKET_BYTES))
        status = close_packet(self);
    if (stamp > ctf->stamp)
        ctf->stamp = stamp;
    if (ctf->used == 0)
        open_packet(ctf, core);
    put(ctf, class, 2);
    put(ctf, ctf->stamp, 8);
    return status;
}

static enum txtap_status end_event(struct txtap_exporter *self)
{
    struct ctf *ctf = ctf_of(self);

    if (!ctf->alone)
        return TXTAP_OK;
    ctf->alone = false;
    return close_packet(self);
}

/* ---- threads ---- */

static int32_t tid_of(enum txtap_running what, const struct txtap_change_party *thread)
{
    switch (what) {
    case TXTAP_RUNNING_THREAD:
        return thread->number < INT32_MAX ? (int32_t)thread->number + 1 : CTF_UNKNOWN;
    case TXTAP_RUNNING_IDLE:
        return CTF_NO_THREAD;
    case TXTAP_RUNNING_INIT:
        return CTF_INIT;
    default:
        return CTF_UNKNOWN;
    }
}

static void put_comm(struct txtap_exporter *self, const struct txtap_change *change, enum txtap_running what,
                     const struct txtap_change_party *thread)
{
    static const char *const names[] = {"(unknown)", "swapper/0", "(initialization)", "(interrupt)"};
    const struct txtap_object *object;
    char room[LINE_ROOM_BYTES];
    struct line line;

    if (what != TXTAP_RUNNING_THREAD) {
        put_text(ctf_of(self), names[what]);
        return;
    }
    object = txtap_registry_find_at(self->registry, thread->address, TXTAP_OBJECT_THREAD, change->seq);
    line_start(&line, room);
    if (object == NULL || object->name[0] == '\0')
        line_hex(&line, thread->address, 8);
    *line.at = '\0';
    put_text(ctf_of(self), object != NULL && object->name[0] != '\0' ? object->name : room);
}

static uint32_t priority_of(const struct txtap_exporter *self, const struct txtap_change_party *thread)
{
    return thread->number < self->changes.limits.threads ? ctf_of(self)->priority[thread->number] : 0;
}

static enum txtap_status write_switch(struct txtap_exporter *self, const struct txtap_change *change,
                                      const struct txtap_change_switch *to)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = start_event(self, change, change->core, CTF_SCHED_SWITCH);

    put_comm(self, change, to->from, &to->left);
    put(ctf, (uint32_t)tid_of(to->from, &to->left), 4);
    put(ctf, priority_of(self, &to->left), 4);
    put(ctf, to->from == TXTAP_RUNNING_THREAD && to->way == TXTAP_WAY_BLOCKED, 4);
    put_comm(self, change, to->to, &to->thread);
    put(ctf, (uint32_t)tid_of(to->to, &to->thread), 4);
    put(ctf, priority_of(self, &to->thread), 4);
    if (change->core < CORES)
        ctf->runs[change->core] = *to;
    return status == TXTAP_OK ? end_event(self) : status;
}

static enum txtap_status take_wake(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = start_event(self, change, change->core, CTF_SCHED_WAKEUP);

    put_comm(self, change, TXTAP_RUNNING_THREAD, &change->wake.thread);
    put(ctf, (uint32_t)tid_of(TXTAP_RUNNING_THREAD, &change->wake.thread), 4);
    put(ctf, priority_of(self, &change->wake.thread), 4);
    put(ctf, change->core, 4);
    return status == TXTAP_OK ? end_event(self) : status;
}

static enum txtap_status take_isr(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct ctf *ctf = ctf_of(self);
    bool enter = change->kind == TXTAP_CHANGE_ISR_ENTER;
    enum txtap_status status;

    if (change->isr.depth == 0) /* its end would be missing */
        return TXTAP_OK;
    status = start_event(self, change, change->core, enter ? CTF_IRQ_ENTRY : CTF_IRQ_EXIT);
    put(ctf, change->isr.number, 4);
    if (enter)
        put(ctf, 0, 1); /* no name */
    else
        put(ctf, 1, 4);
    return status == TXTAP_OK ? end_event(self) : status;
}

/* ---- events ---- */

static const char *object_of(const struct txtap_exporter *self, const struct txtap_event *event,
                             const struct txtap_event_info *info)
{
    for (size_t i = 0; i < 4; i++) {
        struct value value = {.form = VALUE_NOTHING};

        if (info->field[i].kind == TXTAP_FIELD_OBJECT)
            value = value_of_field(self->registry, event, info, &info->field[i], i);
        if (value.form == VALUE_NAME)
            return value.text;
    }
    return "";
}

static enum txtap_status take_event(struct txtap_exporter *self, const struct txtap_change *change)
{
    const struct txtap_event *event = change->event;
    const struct txtap_event_info *info = txtap_exporter_row(self, event->id);
    uint32_t class = ctf_class_of(info);
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status;

    if (!exporter_wants(self, event))
        return TXTAP_OK;
    status = start_event(self, change, change->core, class);
    put(ctf,
        (uint32_t)tid_of(event->context == TXTAP_CONTEXT_THREAD ? TXTAP_RUNNING_THREAD : TXTAP_RUNNING_IDLE,
                         &change->recorded.thread),
        4);
    put(ctf, event->context, 1);
    if (class == CTF_OTHER)
        put(ctf, event->id, 4);
    for (size_t i = 0; i < 4; i++)
        if (class == CTF_OTHER || info->field[i].kind != TXTAP_FIELD_NONE)
            put(ctf, event->info[i], 4);
    put_text(ctf, class != CTF_OTHER ? object_of(self, event, info) : info != NULL ? info->name : "");
    return status == TXTAP_OK ? end_event(self) : status;
}

/* ---- gaps ---- */

/* Whoever has a core leaves it: what it does then is not known. */
static enum txtap_status take_gap(struct txtap_exporter *self, const struct txtap_change *gap)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = TXTAP_OK;

    for (uint32_t core = 0; core < CORES && status == TXTAP_OK; core++) {
        struct txtap_change change = *gap;
        const struct txtap_change_switch to = {.from = ctf->runs[core].to,
                                               .to = TXTAP_RUNNING_UNKNOWN,
                                               .left = ctf->runs[core].thread,
                                               .way = TXTAP_WAY_UNKNOWN};

        change.core = core;
        if (ctf->runs[core].to != TXTAP_RUNNING_UNKNOWN)
            status = write_switch(self, &change, &to);
    }
    return status == TXTAP_OK ? close_packet(self) : status;
}

/* Behind a gap the stamp is that of its end, even if no event follows. */
static enum txtap_status take_gap_end(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = close_packet(self); /* interrupts, before it is known what runs */
    uint64_t stamp = stamp_of(self, change->ticks);

    if (stamp > ctf->stamp)
        ctf->stamp = stamp;
    ctf->discarded += change->gap.lost;
    ctf->alone = true;
    return status;
}

/* A gap that no event follows needs a packet, too: an empty one. */
static enum txtap_status take_end(struct txtap_exporter *self)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = close_packet(self);

    if (status != TXTAP_OK || !ctf->alone)
        return status;
    open_packet(ctf, ctf->core);
    ctf->alone = false;
    return close_packet(self);
}

static enum txtap_status change(struct txtap_exporter *self, const struct txtap_change *change)
{
    switch (change->kind) {
    case TXTAP_CHANGE_EVENT:
        return take_event(self, change);
    case TXTAP_CHANGE_SWITCH:
        return write_switch(self, change, &change->switched);
    case TXTAP_CHANGE_WAKE:
        return take_wake(self, change);
    case TXTAP_CHANGE_PRIORITY:
        if (change->priority.thread.number < self->changes.limits.threads)
            ctf_of(self)->priority[change->priority.thread.number] = change->priority.priority;
        return TXTAP_OK;
    case TXTAP_CHANGE_ISR_ENTER:
    case TXTAP_CHANGE_ISR_EXIT:
        return take_isr(self, change);
    case TXTAP_CHANGE_GAP:
        return take_gap(self, change);
    case TXTAP_CHANGE_GAP_END:
        return take_gap_end(self, change);
    case TXTAP_CHANGE_END:
        return take_end(self);
    default:
        return TXTAP_OK;
    }
}

/* ---- life ---- */

static enum txtap_status begin(struct txtap_exporter *self)
{
    enum txtap_status status = exporter_changes_begin(self);

    if (status == TXTAP_OK)
        ctf_of(self)->priority = (uint32_t *)(ctf_of(self) + 1);
    return status;
}

static enum txtap_status end(struct txtap_exporter *self)
{
    return exporter_changes_end(self);
}

const struct txtap_exporter_ops ctf_ops = {
    .name = "ctf",
    .begin = begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .end = end,
    .binary = true,
    .change = change,
    .state_bytes = state_bytes,
    .metadata = ctf_metadata,
};
