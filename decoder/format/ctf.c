/* SPDX-License-Identifier: MIT */
/*
 * The stream of a CTF 1.8 trace. The stream has thread switches and interrupts with the names that LTTng uses, and each
 * event with its fields. A packet has the events of one core. A packet ends at a gap. The packet after a gap contains
 * the number of lost events, or 1 if the number is unknown.
 */
#include "format/ctf.h"

#include <math.h>

#include "format/value.h"

/* ---- packets ---- */

#define EVENT_BYTES   2304u /* upper limit for an event: two texts and the numbers */
#define TEXT_BYTES    1024u /* upper limit for one text */
#define HEAD_BYTES    52u   /* bytes of a packet's head */
#define OFF_BEGIN     8u
#define OFF_END       16u
#define OFF_CONTENT   24u
#define OFF_SIZE      32u
#define OFF_DISCARDED 40u
#define OFF_CORE      48u

#define CTF_PACKET_BYTES 16384u
#define CTF_CORES        4u

struct ctf {
    uint8_t packet[CTF_PACKET_BYTES];
    size_t used; /* bytes of the open packet; 0: no packet is open */
    uint32_t core;
    uint64_t stamp, discarded;
    struct txtap_change_switch runs[CTF_CORES]; /* index: core; the newest switch of the core */
    uint32_t *priority;                         /* index: thread */
    bool *told;                                 /* index: thread; CTF_THREAD was written */
};

static struct ctf *ctf_of(const struct txtap_exporter *self)
{
    return self->changes.state;
}

/*
 * Stores the lowest bytes of value, little-endian. The function is inline because the argument bytes is a constant in
 * every call.
 */
static inline void ctf_store(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Writes a number as a field of the event. */
static inline void ctf_put(struct ctf *ctf, uint64_t value, size_t bytes)
{
    ctf_store(ctf->packet + ctf->used, value, bytes);
    ctf->used += bytes;
}

static void put_line(struct ctf *ctf, const struct line *line)
{
    size_t length = (size_t)(line->at - line->start);

    if (length > TEXT_BYTES)
        length = TEXT_BYTES;
    memcpy(ctf->packet + ctf->used, line->start, length);
    ctf->used += length;
    ctf_put(ctf, 0, 1);
}

/* Writes a text. Control characters and broken UTF-8 are escaped. */
static void ctf_put_text(struct ctf *ctf, const char *text)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    line_terminal(&line, text);
    put_line(ctf, &line);
}

/* Writes an object's name. exporter_name() escapes the name, and put_line() copies it unchanged. */
static void ctf_put_name(struct txtap_exporter *self, const struct txtap_object *object)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    exporter_name(self, &line, NAME_IN_FIELD, object->name, line_terminal);
    put_line(ctf_of(self), &line);
}

/* Writes the open packet, if a packet is open. Also used as ops->flush. */
static enum txtap_status ctf_close_packet(struct txtap_exporter *self)
{
    struct ctf *ctf = ctf_of(self);
    size_t used = ctf->used;

    ctf->used = 0;
    if (used == 0)
        return TXTAP_OK;
    ctf_store(ctf->packet + OFF_END, ctf->stamp, 8);
    ctf_store(ctf->packet + OFF_CONTENT, used * 8, 8);
    ctf_store(ctf->packet + OFF_SIZE, used * 8, 8);
    return self->writer.write(self->writer.self, (const char *)ctf->packet, used);
}

static void open_packet(struct ctf *ctf, uint32_t core)
{
    ctf_put(ctf, CTF_MAGIC, 4);
    ctf_put(ctf, 0, 4);
    ctf_put(ctf, ctf->stamp, 8);
    ctf->used = OFF_DISCARDED;
    ctf_put(ctf, ctf->discarded, 8);
    ctf_put(ctf, core, 4);
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

/* Ensures that later events get a stamp of at least `ticks`. */
static void ctf_set_time(struct txtap_exporter *self, uint64_t ticks)
{
    uint64_t stamp = stamp_of(self, ticks);

    if (stamp > ctf_of(self)->stamp)
        ctf_of(self)->stamp = stamp;
}

/*
 * Starts an event at the change's time. The caller then writes the event's fields. If the packet is full, or if the
 * packet belongs to another core, writes the packet and begins the next packet.
 */
static enum txtap_status ctf_start_event(struct txtap_exporter *self, const struct txtap_change *change, uint32_t core,
                                         uint32_t class)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = TXTAP_OK;

    if (ctf->used > 0 && (ctf->core != core || ctf->used + EVENT_BYTES > sizeof ctf->packet))
        status = ctf_close_packet(self);
    ctf_set_time(self, change->ticks);
    if (ctf->used == 0)
        open_packet(ctf, core);
    ctf_put(ctf, class, 2);
    ctf_put(ctf, ctf->stamp, 8);
    return status;
}

/* ---- output of changes ---- */

static size_t state_bytes(const struct txtap_change_limits *limits)
{
    return sizeof(struct ctf) + limits->threads * (sizeof(uint32_t) + sizeof(bool));
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
        ctf_put_text(ctf_of(self), names[what]);
        return;
    }
    object = txtap_registry_find_at(self->registry, thread->address, TXTAP_OBJECT_THREAD, change->seq);
    if (object != NULL && object->name[0] != '\0') {
        ctf_put_name(self, object);
        return;
    }
    line_start(&line, room);
    line_hex(&line, thread->address, 8);
    *line.at = '\0';
    ctf_put_text(ctf_of(self), room);
}

/* Writes the identity of the thread once. The identity contains the thread's name for viewers. */
static enum txtap_status tell(struct txtap_exporter *self, const struct txtap_change *change,
                              const struct txtap_change_party *thread)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status;

    if (thread->number >= self->changes.limits.threads || ctf->told[thread->number])
        return TXTAP_OK;
    ctf->told[thread->number] = true;
    status = ctf_start_event(self, change, change->core, CTF_THREAD);
    for (size_t i = 0; i < 2; i++) { /* each thread is a process of its own */
        ctf_put(ctf, thread->number + 1, 4);
        ctf_put(ctf, thread->number + 1, 4);
    }
    ctf_put(ctf, 0, 4); /* no parent */
    ctf_put(ctf, 0, 4);
    put_comm(self, change, TXTAP_RUNNING_THREAD, thread);
    for (size_t i = 0; i < 5; i++) /* type (user thread), mode, submode, status (unknown), level of name spaces */
        ctf_put(ctf, 0, 4);
    ctf_put(ctf, change->core, 4);
    return status;
}

/* Writes the identities of all threads in the change. */
static enum txtap_status tell_all(struct txtap_exporter *self, const struct txtap_change *change)
{
    enum txtap_status status;

    switch (change->kind) {
    case TXTAP_CHANGE_EVENT:
        return tell(self, change, &change->recorded.thread);
    case TXTAP_CHANGE_SWITCH:
        status = tell(self, change, &change->switched.left);
        return status == TXTAP_OK ? tell(self, change, &change->switched.thread) : status;
    case TXTAP_CHANGE_STATE:
        return tell(self, change, &change->state.thread);
    case TXTAP_CHANGE_WAKE:
        return tell(self, change, &change->wake.thread);
    default:
        return TXTAP_OK;
    }
}

static uint32_t priority_of(const struct txtap_exporter *self, const struct txtap_change_party *thread)
{
    return thread->number < self->changes.limits.threads ? ctf_of(self)->priority[thread->number] : 0;
}

static enum txtap_status write_switch(struct txtap_exporter *self, const struct txtap_change *change,
                                      const struct txtap_change_switch *to)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = ctf_start_event(self, change, change->core, CTF_SCHED_SWITCH);

    put_comm(self, change, to->from, &to->left);
    ctf_put(ctf, (uint32_t)tid_of(to->from, &to->left), 4);
    ctf_put(ctf, priority_of(self, &to->left), 4);
    ctf_put(ctf, to->from == TXTAP_RUNNING_THREAD && to->way == TXTAP_WAY_BLOCKED, 4);
    put_comm(self, change, to->to, &to->thread);
    ctf_put(ctf, (uint32_t)tid_of(to->to, &to->thread), 4);
    ctf_put(ctf, priority_of(self, &to->thread), 4);
    if (change->core < CTF_CORES)
        ctf->runs[change->core] = *to;
    return status;
}

static enum txtap_status take_wake(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = ctf_start_event(self, change, change->core, CTF_SCHED_WAKEUP);

    put_comm(self, change, TXTAP_RUNNING_THREAD, &change->wake.thread);
    ctf_put(ctf, (uint32_t)tid_of(TXTAP_RUNNING_THREAD, &change->wake.thread), 4);
    ctf_put(ctf, priority_of(self, &change->wake.thread), 4);
    ctf_put(ctf, change->core, 4);
    return status;
}

static enum txtap_status take_isr(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct ctf *ctf = ctf_of(self);
    bool enter = change->kind == TXTAP_CHANGE_ISR_ENTER;
    const char *name;
    enum ctf_class class = change->isr.depth == 0 ? CTF_INTERRUPT : enter ? CTF_IRQ_ENTRY : CTF_IRQ_EXIT;
    enum txtap_status status = ctf_start_event(self, change, change->core, class);

    ctf_put(ctf, change->isr.number, 4);
    txtap_interrupts_see(&self->interrupts, change->isr.number);
    name = txtap_interrupts_name(&self->interrupts, change->isr.number);
    if (class != CTF_IRQ_EXIT)
        ctf_put_text(ctf, name != NULL ? name : "");
    else if (class == CTF_IRQ_EXIT)
        ctf_put(ctf, 1, 4);
    return status;
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

/* Returns true if the class has the field `word`. Classes of definitions have all four words. */
static bool has_word(const struct txtap_event_info *info, size_t word)
{
    return info == NULL || info->definition != NULL || info->field[word].kind != TXTAP_FIELD_NONE;
}

static enum txtap_status take_event(struct txtap_exporter *self, const struct txtap_change *change)
{
    const struct txtap_event *event = change->event;
    const struct txtap_event_info *info = txtap_exporter_row(self, event->id);
    uint32_t class = ctf_class_of(self->definitions, info);
    bool in_thread = event->context == TXTAP_CONTEXT_THREAD;
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status;

    if (!exporter_wants(self, event))
        return TXTAP_OK;
    status = ctf_start_event(self, change, change->core, class);
    ctf_put(ctf, (uint32_t)tid_of(in_thread ? TXTAP_RUNNING_THREAD : TXTAP_RUNNING_IDLE, &change->recorded.thread), 4);
    ctf_put(ctf, event->context, 1);
    if (class == CTF_OTHER)
        ctf_put(ctf, event->id, 4);
    for (size_t i = 0; i < 4; i++)
        if (class == CTF_OTHER || has_word(info, i))
            ctf_put(ctf, event->info[i], 4);
    ctf_put_text(ctf, class != CTF_OTHER ? object_of(self, event, info) : info != NULL ? info->name : "");
    return status;
}

/* ---- gaps ---- */

/* Takes all threads off their cores, because it is unknown what runs in a gap or after the end of the trace. */
static enum txtap_status take_gap(struct txtap_exporter *self, const struct txtap_change *gap)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = TXTAP_OK;

    for (uint32_t core = 0; core < CTF_CORES && status == TXTAP_OK; core++) {
        struct txtap_change change = *gap;
        const struct txtap_change_switch to = {.from = ctf->runs[core].to,
                                               .to = TXTAP_RUNNING_UNKNOWN,
                                               .left = ctf->runs[core].thread,
                                               .way = TXTAP_WAY_UNKNOWN};

        change.core = core;
        if (ctf->runs[core].to != TXTAP_RUNNING_UNKNOWN)
            status = write_switch(self, &change, &to);
    }
    return status == TXTAP_OK ? ctf_close_packet(self) : status;
}

/*
 * Writes the packet after a gap. The packet has one event, with the number of events lost, so that readers see where
 * the gap ends. Readers ignore a gap with 0 discarded events. So a gap of unknown size counts as 1 event.
 */
static enum txtap_status take_gap_end(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = ctf_close_packet(self); /* interrupts from before the running context was known */

    ctf_set_time(self, change->ticks);
    ctf->discarded += change->gap.lost > 0 ? change->gap.lost : !change->gap.exact;
    if (status == TXTAP_OK)
        status = ctf_start_event(self, change, change->core < CTF_CORES ? change->core : 0, CTF_GAP);
    ctf_put(ctf, change->gap.lost, 8);
    ctf_put(ctf, change->gap.exact, 1);
    return status == TXTAP_OK ? ctf_close_packet(self) : status;
}

static enum txtap_status mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    struct ctf *ctf = ctf_of(self);
    const char *name = txtap_mark_name(mark->kind);
    enum txtap_status status = ctf_start_event(self, &(struct txtap_change){.ticks = 0}, ctf->core, CTF_MARK);

    ctf_put_text(ctf, name != NULL ? name : "");
    ctf_put_text(ctf, mark->text);
    return status;
}

/* ---- samples ---- */

static void put_window(const struct txtap_exporter *self, const struct txtap_sample *sample)
{
    ctf_put(ctf_of(self), stamp_of(self, sample->from_ticks), 8);
    ctf_put(ctf_of(self), sample->to_ticks != UINT64_MAX ? stamp_of(self, sample->to_ticks) : UINT64_MAX, 8);
}

/* Writes the value as a number, which is NaN if there is no value, and as text with its unit. */
static void put_value(struct txtap_exporter *self, const struct txtap_sample *sample)
{
    bool valid = sample->state == TXTAP_SAMPLE_VALID;
    char value[TXTAP_SAMPLE_VALUE_BYTES], room[LINE_ROOM_BYTES];
    struct line line;

    ctf_put(ctf_of(self), txtap_sample_bits(valid ? txtap_sample_number(sample) : (double)NAN), 8);
    (void)txtap_sample_value_text(sample, value);
    line_start(&line, room);
    line_terminal(&line, sample->state == TXTAP_SAMPLE_UNREADABLE ? "unreadable" : value);
    line_text(&line, valid && sample->channel->unit[0] != '\0' ? " " : "");
    if (valid)
        line_terminal(&line, sample->channel->unit);
    put_line(ctf_of(self), &line);
}

static enum txtap_status take_sample(struct txtap_exporter *self, const struct txtap_sample *sample)
{
    const struct txtap_change at = {.ticks = sample->ticks};
    struct ctf *ctf = ctf_of(self);
    bool log = sample->channel->kind == TXTAP_CHANNEL_LOG;
    enum txtap_status status = ctf_start_event(self, &at, ctf->core, log ? CTF_LOG : CTF_SAMPLE);

    ctf_put_text(ctf, sample->channel->name);
    if (log)
        ctf_put_text(ctf, sample->text);
    else
        put_value(self, sample);
    if (!log)
        ctf_put_text(ctf, txtap_registry_name(self->registry, sample->thread));
    put_window(self, sample);
    return status;
}

/* ---- begin and end ---- */

static enum txtap_status change(struct txtap_exporter *self, const struct txtap_change *change)
{
    enum txtap_status status = tell_all(self, change);

    if (status != TXTAP_OK)
        return status;
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
        return take_gap(self, change);
    default:
        return TXTAP_OK;
    }
}

static enum txtap_status begin(struct txtap_exporter *self)
{
    enum txtap_status status = exporter_changes_begin(self);

    if (status != TXTAP_OK)
        return status;
    ctf_of(self)->priority = (uint32_t *)(ctf_of(self) + 1);
    ctf_of(self)->told = (bool *)(ctf_of(self)->priority + self->changes.limits.threads);
    return TXTAP_OK;
}

static enum txtap_status end(struct txtap_exporter *self)
{
    return exporter_changes_end(self);
}

const struct txtap_exporter_ops ctf_ops = {
    .name = "ctf",
    .use = "for Trace Compass",
    .begin = begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .mark = mark,
    .sample = take_sample,
    .end = end,
    .flush = ctf_close_packet,
    .binary = true,
    .change = change,
    .state_bytes = state_bytes,
    .metadata = ctf_metadata,
};
