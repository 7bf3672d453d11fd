/* SPDX-License-Identifier: MIT */
/*
 * One JSON object per line, for programs: the same keys in the same order each time, "type" first. Addresses are
 * numbers where a program joins by them and strings where a name would stand.
 */
#include <limits.h>

#include "exporter.h"
#include "line.h"
#include "value.h"

static void key(struct line *line, const char *name)
{
    line_text(line, ",\"");
    line_text(line, name);
    line_text(line, "\":");
}

static void number(struct line *line, const char *name, uint64_t value)
{
    key(line, name);
    line_decimal(line, value);
}

/* text: ours. */
static void word(struct line *line, const char *name, const char *text)
{
    key(line, name);
    line_json(line, text);
}

static void boolean(struct line *line, const char *name, bool value)
{
    key(line, name);
    line_text(line, value ? "true" : "false");
}

static void open_object(struct line *line, const char *type)
{
    line_start(line);
    line_text(line, "{\"type\":");
    line_json(line, type);
}

static enum txtap_status close_object(struct line *line, const struct txtap_exporter *self)
{
    line_text(line, "}");
    return line_write(line, &self->sink);
}

static void write_value(struct line *line, const struct value *value)
{
    if (value->form == VALUE_NAME) {
        line_json(line, value->text);
        return;
    }
    if (value->form == VALUE_NOTHING) {
        line_text(line, "null");
        return;
    }
    if (!value_is_number(value))
        line_text(line, "\"");
    value_write(value, line);
    if (!value_is_number(value))
        line_text(line, "\"");
}

static enum txtap_status write_header(const struct txtap_exporter *self)
{
    const struct txtap_header *header = self->header;
    struct line line;

    open_object(&line, "header");
    word(&line, "endian", header->endian == TXTAP_BIG ? "big" : "little");
    number(&line, "timer_mask", header->timer_mask);
    number(&line, "base", header->base);
    number(&line, "registry_start", header->registry_start);
    number(&line, "registry_end", header->registry_end);
    number(&line, "ring_start", header->ring_start);
    number(&line, "ring_end", header->ring_end);
    number(&line, "ring_entries", txtap_header_ring_entries(header));
    number(&line, "laps", header->laps);
    number(&line, "name_bytes", header->name_bytes);
    return close_object(&line, self);
}

static enum txtap_status write_object(const struct txtap_exporter *self, const struct txtap_object *object)
{
    const char *type = txtap_object_type_name(object->type);
    struct line line;

    open_object(&line, "object");
    key(&line, "object");
    if (type != NULL) {
        line_json(&line, type);
    } else {
        line_text(&line, "\"type ");
        line_decimal(&line, object->type);
        line_text(&line, "\"");
    }
    number(&line, "pointer", object->pointer);
    key(&line, "name");
    line_json(&line, object->name);
    boolean(&line, "live", object->live);
    number(&line, "parameter1", object->parameter[0]);
    number(&line, "parameter2", object->parameter[1]);
    return close_object(&line, self);
}

static enum txtap_status jsonl_begin(struct txtap_exporter *self)
{
    enum txtap_status status = write_header(self);

    for (size_t i = 0; i < self->registry->count && status == TXTAP_OK; i++)
        status = write_object(self, &self->registry->objects[i]);
    return status;
}

static void write_context(struct line *line, const struct txtap_event *event)
{
    static const char *const contexts[] = {
        [TXTAP_CONTEXT_THREAD] = "thread",
        [TXTAP_CONTEXT_ISR] = "isr",
        [TXTAP_CONTEXT_INIT] = "init",
        [TXTAP_CONTEXT_IDLE] = "idle",
    };

    word(line, "context", contexts[event->context]);
}

static void write_thread(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    key(line, "thread");
    if (event->context == TXTAP_CONTEXT_THREAD || event->context == TXTAP_CONTEXT_ISR) {
        struct value thread = value_of_thread(self->registry, event);

        write_value(line, &thread);
    } else {
        line_text(line, "null");
    }
}

static void write_info(struct line *line, const struct txtap_event *event)
{
    key(line, "info");
    for (size_t i = 0; i < 4; i++) {
        line_text(line, i == 0 ? "[" : ",");
        line_decimal(line, event->info[i]);
    }
    line_text(line, "]");
}

static void write_fields(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         const struct txtap_event_info *info)
{
    const char *separator = "";

    key(line, "fields");
    line_text(line, "{");
    for (size_t i = 0; i < 4; i++) {
        struct value value;
        const char *label;

        if (!value_of_word(self->registry, event, info, i, &label, &value))
            continue;
        line_text(line, separator);
        line_json(line, label);
        line_text(line, ":");
        write_value(line, &value);
        separator = ",";
    }
    line_text(line, "}");
}

static void write_time(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    number(line, "ticks", event->ticks);
    if (self->options.tick_hz > 0) {
        key(line, "seconds");
        line_seconds(line, event->ticks, self->options.tick_hz, 0);
    }
}

static void write_name(struct line *line, const struct txtap_event_info *info)
{
    key(line, "event");
    if (info != NULL)
        line_json(line, info->name);
    else
        line_text(line, "null");
}

static bool shows(const struct txtap_exporter *self, enum txtap_column column)
{
    return exporter_shows(self, UINT_MAX, column);
}

static enum txtap_status jsonl_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    const struct txtap_event_info *info = exporter_event_info(self, event->id);
    bool in_thread = event->context == TXTAP_CONTEXT_THREAD;
    struct line line;

    open_object(&line, "event");
    if (shows(self, TXTAP_COLUMN_SEQ))
        number(&line, "seq", event->seq);
    if (shows(self, TXTAP_COLUMN_TIME))
        write_time(self, &line, event);
    if (shows(self, TXTAP_COLUMN_CONTEXT))
        write_context(&line, event);
    if (shows(self, TXTAP_COLUMN_THREAD))
        write_thread(self, &line, event);
    if (shows(self, TXTAP_COLUMN_ID))
        number(&line, "id", event->id);
    if (shows(self, TXTAP_COLUMN_EVENT))
        write_name(&line, info);
    if (shows(self, TXTAP_COLUMN_INFO))
        write_info(&line, event);
    if (shows(self, TXTAP_COLUMN_FIELDS))
        write_fields(self, &line, event, info);
    if (in_thread && shows(self, TXTAP_COLUMN_PRIORITY))
        number(&line, "priority", event->priority);
    if (in_thread && shows(self, TXTAP_COLUMN_THRESHOLD))
        number(&line, "threshold", event->threshold);
    if (event->core != 0 && shows(self, TXTAP_COLUMN_CORE))
        number(&line, "core", event->core);
    return close_object(&line, self);
}

static enum txtap_status jsonl_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct line line;

    open_object(&line, "gap");
    number(&line, "seq", gap->seq);
    number(&line, "lost", gap->lost);
    boolean(&line, "exact", gap->exact);
    return close_object(&line, self);
}

static enum txtap_status jsonl_end(struct txtap_exporter *self)
{
    (void)self;
    return TXTAP_OK;
}

const struct txtap_exporter_ops jsonl_ops = {"jsonl", jsonl_begin, jsonl_event, jsonl_gap, jsonl_end};
