/* SPDX-License-Identifier: MIT */
/* The list of formats, and their common functions. The first format is the default. */
#include "format/exporter.h"

#include <string.h>

#include "format/notices.h"
#include "txtap/exporter.h"
#include "txtap/inner/change.h"
#include "txtap/inner/interrupts.h"
#include "txtap/trace.h"

#define FORMATS(ROW)                                                                                                   \
    ROW(text, "text")                                                                                                  \
    ROW(jsonl, "jsonl")                                                                                                \
    ROW(csv, "csv")                                                                                                    \
    ROW(trx, "trx")                                                                                                    \
    ROW(vcd, "vcd")                                                                                                    \
    ROW(vcd_wires, "vcd-wires")                                                                                        \
    ROW(ctf, "ctf")                                                                                                    \
    ROW(perfetto, "perfetto")

#define COLUMNS(ROW)                                                                                                   \
    ROW(seq, SEQ)                                                                                                      \
    ROW(time, TIME)                                                                                                    \
    ROW(core, CORE)                                                                                                    \
    ROW(context, CONTEXT)                                                                                              \
    ROW(thread, THREAD)                                                                                                \
    ROW(priority, PRIORITY)                                                                                            \
    ROW(threshold, THRESHOLD)                                                                                          \
    ROW(id, ID)                                                                                                        \
    ROW(event, EVENT)                                                                                                  \
    ROW(info, INFO)                                                                                                    \
    ROW(fields, FIELDS)

#define COLUMN_ROW(name, column)      {#name, TXTAP_COLUMN_##column},
#define COLUMN_NAME_ROW(name, column) ", " #name

static const struct {
    const char *name;
    unsigned column;
} columns_by_name[] = {COLUMNS(COLUMN_ROW)};
static const char column_names[] = COLUMNS(COLUMN_NAME_ROW);

#define OPS_ROW(format, name)  &format##_ops,
#define NAME_ROW(format, name) ", " name

static const struct txtap_exporter_ops *const formats[] = {FORMATS(OPS_ROW)};
static const char names[] = FORMATS(NAME_ROW);

/*
 * Returns the profile, adapted to the target. USBX's ids go up to 1033, but user events may begin at 1025. If the
 * target has an object of USBX, the ids from 1025 to 1033 belong to USBX.
 */
static unsigned effective_profile(const struct txtap_exporter *self)
{
    return self->options.profile | (self->registry->usbx ? 0 : TXTAP_PROFILE_USER_1025);
}

/* Returns the words that are stack pointers, as a set of bits. The text format leaves these words out, because every
 * second event has a stack pointer. */
static uint8_t stack_pointers(const struct txtap_event_info *info)
{
    unsigned words = 0;

    for (unsigned i = 0; i < 4 && info != NULL; i++)
        words |= (unsigned)(info->field[i].kind == TXTAP_FIELD_ADDRESS && strcmp(info->field[i].label, "stack") == 0)
                 << i;
    return (uint8_t)words;
}

struct txtap_exporter_words *exporter_words(struct txtap_exporter *self, uint32_t id)
{
    /* ThreadX, FileX and NetX use the slots of their ids. User events use the free slots between them. */
    uint32_t slot = id < 1024 ? id : id + 130;
    struct txtap_exporter_words *words = &self->memory->events[slot % TXTAP_EXPORTER_EVENTS];
    unsigned profile = effective_profile(self);

    if (words->known && words->id == id && words->profile == profile)
        return words;
    memset(words, 0, sizeof(*words));
    words->id = id;
    words->profile = profile;
    words->known = true;
    words->info = txtap_definitions_event(self->definitions, id, profile);
    words->stack_pointers = stack_pointers(words->info);
    return words;
}

void exporter_reset(struct txtap_exporter *self)
{
    struct txtap_exporter_memory *memory = self->memory;

    memset(memory->events, 0, sizeof(memory->events));
    memset(memory->names, 0, sizeof(memory->names));
    memory->used = 0;
    self->any = false;
    self->last_stamp = 0;
    txtap_interrupts_init(&self->interrupts, self->definitions);
}

uint64_t exporter_delta(struct txtap_exporter *self, const struct txtap_event *event)
{
    uint64_t delta = self->any ? event->ticks - self->last_ticks : 0;

    self->any = true;
    self->last_ticks = event->ticks;
    self->last_stamp = event->stamp;
    return delta;
}

const char *exporter_channel_kind(const struct txtap_channel *channel)
{
    static const char *const kinds[TXTAP_CHANNEL_KINDS] = {
        [TXTAP_CHANNEL_VALUE] = "value", [TXTAP_CHANNEL_PC] = "pc", [TXTAP_CHANNEL_LOG] = "log"};

    return kinds[channel->kind];
}

struct txtap_event exporter_event_of_sample(const struct txtap_exporter *self, const struct txtap_sample *sample)
{
    uint32_t since = (uint32_t)(self->any ? sample->ticks - self->last_ticks : sample->ticks);

    return (struct txtap_event){.seq = sample->seq,
                                .ticks = sample->ticks,
                                .stamp = (self->last_stamp + since) & self->header->timer_mask,
                                .unix_us = sample->unix_us,
                                .context = sample->thread != 0 ? TXTAP_CONTEXT_THREAD : TXTAP_CONTEXT_IDLE,
                                .thread = sample->thread};
}

void exporter_line_start(struct txtap_exporter *self, struct line *line)
{
    struct txtap_exporter_memory *memory = self->memory;
    enum txtap_status status = TXTAP_OK;

    if (sizeof(memory->chunk) - memory->used < LINE_ROOM_BYTES)
        status = txtap_exporter_flush(self);
    line_start(line, memory->chunk + memory->used);
    line->status = status;
}

/* ---- formats that show states: they take changes instead of items ---- */

#define ALIGNMENT 16u /* of the parts of memory: the changes, the notices, the format's state */

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t txtap_exporter_changes_bytes(const struct txtap_exporter_ops *ops, const struct txtap_change_limits *limits)
{
    size_t bytes = txtap_changes_bytes(limits);

    if (ops->change == NULL || bytes == 0)
        return 0;
    return aligned(bytes) + aligned(sizeof(struct txtap_notices)) + ops->state_bytes(limits);
}

/* ---- marks and samples: each waits for the events before it ---- */

/* Writes the first notice. */
static enum txtap_status write_first(struct txtap_exporter *self)
{
    struct txtap_notices *notices = self->changes.notices;
    const struct notice *notice = notices_first(notices);
    enum txtap_status status =
        notice->is_sample ? self->ops->sample(self, &notice->sample) : self->ops->mark(self, &notice->mark);

    notices_remove(notices);
    return status;
}

/* Writes the notices before event seq. */
static enum txtap_status write_notices(struct txtap_exporter *self, uint64_t seq)
{
    const struct notice *notice;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (notice = notices_first(self->changes.notices)) != NULL && notice_seq(notice) <= seq)
        status = write_first(self);
    return status;
}

static enum txtap_status take_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    enum txtap_status status = TXTAP_OK;

    if (mark->seq <= self->changes.next_seq) {
        status = write_notices(self, UINT64_MAX);
        return status == TXTAP_OK ? self->ops->mark(self, mark) : status;
    }
    while (status == TXTAP_OK && !notices_add_mark(self->changes.notices, mark))
        status = write_first(self); /* too early, but no mark is lost */
    return status;
}

static enum txtap_status take_sample(struct txtap_exporter *self, const struct txtap_sample *item)
{
    const struct txtap_filter *filter = self->changes.filter;
    uint64_t base = txtap_changes_base(self->changes.changes);
    struct txtap_sample sample = *item;
    enum txtap_status status = TXTAP_OK;

    sample.ticks += base;
    sample.from_ticks += base;
    sample.to_ticks += sample.to_ticks != UINT64_MAX ? base : 0;
    if (filter != NULL && (sample.ticks < filter->from_ticks || sample.ticks > filter->to_ticks))
        return TXTAP_OK;
    if (sample.seq <= self->changes.next_seq) {
        status = write_notices(self, UINT64_MAX);
        return status == TXTAP_OK ? self->ops->sample(self, &sample) : status;
    }
    while (status == TXTAP_OK && !notices_add_sample(self->changes.notices, &sample))
        status = write_first(self); /* too early, but no sample is lost */
    return status;
}

static enum txtap_status take_change(void *self, const struct txtap_change *change)
{
    struct txtap_exporter *exporter = self;
    enum txtap_status status = TXTAP_OK;

    if (change->kind == TXTAP_CHANGE_EVENT) {
        status = write_notices(exporter, change->seq);
        exporter->changes.next_seq = change->seq + 1;
    } else if (change->kind == TXTAP_CHANGE_END) {
        status = write_notices(exporter, UINT64_MAX);
    }
    return status == TXTAP_OK ? exporter->ops->change(exporter, change) : status;
}

/* ---- items ---- */

enum txtap_status exporter_changes_begin(struct txtap_exporter *self)
{
    struct txtap_exporter_changes *changes = &self->changes;
    size_t bytes = txtap_changes_bytes(&changes->limits);

    if (changes->memory == NULL || bytes == 0)
        return TXTAP_ERROR_USAGE;
    changes->changes =
        txtap_changes_open(changes->memory, &changes->limits, (struct txtap_change_sink){take_change, self});
    changes->notices = (void *)((unsigned char *)changes->memory + aligned(bytes));
    changes->state = (unsigned char *)changes->notices + aligned(sizeof *changes->notices);
    memset(changes->state, 0, self->ops->state_bytes(&changes->limits));
    changes->learnt = false;
    notices_clear(changes->notices);
    changes->next_seq = 0;
    exporter_reset(self);
    return TXTAP_OK;
}

static void learn(struct txtap_exporter *self)
{
    struct txtap_exporter_changes *changes = &self->changes;

    if (changes->learnt && changes->generation == self->registry->generation)
        return;
    changes->learnt = true;
    changes->generation = self->registry->generation;
    txtap_changes_objects(changes->changes, self->registry);
}

/* Converts the item to changes. Also takes a mark as a mark, and a sample as a sample. */
static enum txtap_status exporter_changes_take(struct txtap_exporter *self, const struct txtap_item *item)
{
    enum txtap_status status;

    if (self->changes.changes == NULL)
        return TXTAP_ERROR_USAGE; /* exporter_changes_begin() failed */
    if (item->kind == TXTAP_ITEM_EVENT)
        learn(self);
    status = txtap_changes_take(self->changes.changes, item);
    if (status == TXTAP_OK && item->kind == TXTAP_ITEM_MARK && self->ops->mark != NULL)
        status = take_mark(self, &item->mark);
    if (status == TXTAP_OK && item->kind == TXTAP_ITEM_SAMPLE && self->ops->sample != NULL)
        status = take_sample(self, &item->sample);
    return status;
}

enum txtap_status exporter_changes_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .event = *event};

    return exporter_changes_take(self, &item);
}

enum txtap_status exporter_changes_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = *gap};

    return exporter_changes_take(self, &item);
}

enum txtap_status exporter_changes_end(struct txtap_exporter *self)
{
    return self->changes.changes != NULL ? txtap_changes_end(self->changes.changes) : TXTAP_OK;
}

bool exporter_wants(struct txtap_exporter *self, const struct txtap_event *event)
{
    const struct txtap_filter *filter = self->changes.filter;
    const struct txtap_event_info *row = txtap_exporter_row(self, event->id);

    return filter == NULL ||
           txtap_filter_passes(filter, self->registry, event, row, exporter_interrupt(self, event, row));
}

/* ---- items ---- */

enum txtap_status txtap_exporter_take(void *self, const struct txtap_item *item)
{
    struct txtap_exporter *exporter = self;

    if (exporter->ops->change != NULL)
        return exporter_changes_take(exporter, item);
    switch (item->kind) {
    case TXTAP_ITEM_EVENT:
        return exporter->ops->event(exporter, &item->event);
    case TXTAP_ITEM_GAP:
        return exporter->ops->gap != NULL ? exporter->ops->gap(exporter, &item->gap) : TXTAP_OK;
    case TXTAP_ITEM_MARK:
        return exporter->ops->mark != NULL ? exporter->ops->mark(exporter, &item->mark) : TXTAP_OK;
    case TXTAP_ITEM_SAMPLE:
        return exporter->ops->sample != NULL ? exporter->ops->sample(exporter, &item->sample) : TXTAP_OK;
    default:
        return TXTAP_OK;
    }
}

enum txtap_status txtap_exporter_flush(struct txtap_exporter *self)
{
    size_t length = self->memory->used;
    enum txtap_status status = TXTAP_OK;

    self->memory->used = 0;
    if (length > 0)
        status = self->writer.write(self->writer.self, self->memory->chunk, length);
    if (status != TXTAP_OK || self->ops->flush == NULL || self->changes.changes == NULL)
        return status;
    return self->ops->flush(self);
}

void cached_text_render(struct txtap_exporter_cached_text *cached, const char *text, uint32_t generation,
                        cached_text_writer *writer)
{
    char room[LINE_ROOM_BYTES];
    struct line line;
    size_t length;

    line_start(&line, room);
    writer(&line, text);
    length = (size_t)(line.at - room);
    cached->source = text;
    cached->generation = generation;
    cached->length = TXTAP_EXPORTER_CACHED_BYTES + 1;
    if (length > TXTAP_EXPORTER_CACHED_BYTES)
        return;
    cached->length = (uint8_t)length;
    cached->columns = (uint8_t)line_columns(&line);
    memset(cached->bytes, 0, sizeof(cached->bytes));
    memcpy(cached->bytes, room, length);
}

const struct txtap_event_info *txtap_exporter_row(struct txtap_exporter *exporter, uint32_t id)
{
    return exporter_words(exporter, id)->info;
}

const struct txtap_exporter_ops *txtap_exporter_find(const char *name)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    }
    return NULL;
}

enum txtap_status txtap_exporter_init(struct txtap_exporter *exporter, const char *format, struct txtap_writer writer,
                                      struct txtap_exporter_memory *memory)
{
    const struct txtap_exporter_ops *ops = txtap_exporter_find(format);

    memset(exporter, 0, sizeof(*exporter));
    memset(memory, 0, sizeof(*memory));
    exporter->ops = ops;
    exporter->writer = writer;
    exporter->memory = memory;
    return ops ? TXTAP_OK : TXTAP_ERROR_USAGE;
}

const char *txtap_exporter_names(void)
{
    return names + strlen(", ");
}

static unsigned column_of(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(columns_by_name) / sizeof(columns_by_name[0]); i++) {
        if (strlen(columns_by_name[i].name) == length && memcmp(columns_by_name[i].name, name, length) == 0)
            return columns_by_name[i].column;
    }
    return 0;
}

bool txtap_columns_parse(const char *text, unsigned *columns)
{
    unsigned found = 0;

    for (;;) {
        size_t length = strcspn(text, ",");
        unsigned column = column_of(text, length);

        if (column == 0)
            return false;
        found |= column;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    *columns = found;
    return true;
}

const char *txtap_columns_names(void)
{
    return column_names + strlen(", ");
}

enum txtap_status txtap_exporter_trace(struct txtap_exporter *exporter, struct txtap_trace *trace)
{
    struct txtap_item item;
    enum txtap_status status;

    exporter->registry = &trace->registry;
    exporter->header = &trace->header;
    txtap_trace_rewind(trace);
    status = exporter->ops->begin(exporter);
    while (status == TXTAP_OK && txtap_trace_next(trace, &item) == TXTAP_OK)
        status = txtap_exporter_take(exporter, &item);
    return status == TXTAP_OK ? exporter->ops->end(exporter) : status;
}
