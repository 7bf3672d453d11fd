/* SPDX-License-Identifier: MIT */
/*
 * Writes one JSON object per line, for programs. The keys are always the same, in the same order, with "type" first. An
 * address is a number if programs compare addresses, and a string if the address replaces a missing name.
 */
#include <math.h>

#include "format/exporter.h"
#include "format/line.h"
#include "format/value.h"
#include "txtap/inner/json_head.h"

/* The preprocessor joins these strings, so that one copy writes a key. */
#define KEY(name) ",\"" name "\":"

static inline void number(struct line *line, const char *key, uint64_t value)
{
    line_text(line, key);
    line_decimal(line, value);
}

static void boolean(struct line *line, const char *key, bool value)
{
    line_text(line, key);
    line_text(line, value ? "true" : "false");
}

static void open_object(struct txtap_exporter *self, struct line *line, const char *type)
{
    exporter_line_start(self, line);
    line_text(line, "{\"type\":\"");
    line_text(line, type);
    line_text(line, "\"");
}

static enum txtap_status close_object(struct txtap_exporter *self, struct line *line)
{
    line_text(line, "}");
    return exporter_line_end(self, line, "\n");
}

static void write_value(struct txtap_exporter *self, struct line *line, enum name_place place,
                        const struct value *value)
{
    if (value->form == VALUE_NAME) {
        exporter_name(self, line, place, value->text, line_json);
    } else if (value->form == VALUE_NOTHING) {
        line_text(line, "null");
    } else if (value_is_number(value)) {
        value_write(value, line);
    } else {
        line_text(line, "\"");
        value_write(value, line);
        line_text(line, "\"");
    }
}

static enum txtap_status write_header(struct txtap_exporter *self)
{
    const struct txtap_header *header = self->header;
    char head[TXTAP_JSON_HEAD_BYTES];
    struct line line;

    open_object(self, &line, "header");
    line_text(&line, ",");
    line_text(&line, txtap_json_head(head, TXTAP_SCHEMA_EVENTS));
    line_text(&line, header->endian == TXTAP_BIG ? KEY("endian") "\"big\"" : KEY("endian") "\"little\"");
    number(&line, KEY("timer_mask"), header->timer_mask);
    number(&line, KEY("base"), header->base);
    number(&line, KEY("registry_start"), header->registry_start);
    number(&line, KEY("registry_end"), header->registry_end);
    number(&line, KEY("ring_start"), header->ring_start);
    number(&line, KEY("ring_end"), header->ring_end);
    number(&line, KEY("ring_entries"), txtap_header_ring_entries(header));
    number(&line, KEY("laps"), header->laps);
    number(&line, KEY("name_bytes"), header->name_bytes);
    return close_object(self, &line);
}

static enum txtap_status write_object(struct txtap_exporter *self, const struct txtap_object *object)
{
    const char *type = txtap_object_type_name(object->type);
    struct line line;

    open_object(self, &line, "object");
    line_text(&line, KEY("object"));
    if (type != NULL) {
        line_json(&line, type);
    } else {
        line_text(&line, "\"type ");
        line_decimal(&line, object->type);
        line_text(&line, "\"");
    }
    number(&line, KEY("pointer"), object->pointer);
    line_text(&line, KEY("name"));
    line_json(&line, object->name);
    boolean(&line, KEY("live"), object->live);
    number(&line, KEY("parameter1"), object->parameter[0]);
    number(&line, KEY("parameter2"), object->parameter[1]);
    return close_object(self, &line);
}

static enum txtap_status jsonl_begin(struct txtap_exporter *self)
{
    enum txtap_status status;

    exporter_reset(self);
    status = write_header(self);
    for (size_t i = 0; i < self->registry->count && status == TXTAP_OK; i++)
        status = write_object(self, &self->registry->objects[i]);
    return status;
}

static void write_time(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    uint64_t delta = exporter_delta(self, event);

    number(line, KEY("ticks"), event->ticks);
    if (self->options.tick_hz > 0) {
        line_text(line, KEY("seconds"));
        line_seconds_right(line, 0, event->ticks, self->options.tick_hz, 0);
    }
    if (self->options.time == TXTAP_TIME_DELTA)
        number(line, KEY("delta"), delta);
    else if (self->options.time == TXTAP_TIME_ABSOLUTE)
        number(line, KEY("stamp"), event->stamp);
}

static void write_context(struct line *line, const struct txtap_event *event)
{
    switch (event->context) {
    case TXTAP_CONTEXT_THREAD:
        line_text(line, ",\"context\":\"thread\"");
        return;
    case TXTAP_CONTEXT_ISR:
        line_text(line, ",\"context\":\"isr\"");
        return;
    case TXTAP_CONTEXT_INIT:
        line_text(line, ",\"context\":\"init\"");
        return;
    case TXTAP_CONTEXT_IDLE:
        line_text(line, ",\"context\":\"idle\"");
        return;
    }
}

static void write_thread(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    struct value thread = {.form = VALUE_NOTHING};

    if (event->context == TXTAP_CONTEXT_THREAD || event->context == TXTAP_CONTEXT_ISR)
        thread = value_of_thread(self->registry, event);
    line_text(line, KEY("thread"));
    write_value(self, line, NAME_OF_CONTEXT, &thread);
}

static void write_name(struct line *line, struct txtap_exporter_words *words)
{
    line_text(line, KEY("event"));
    if (words->info != NULL)
        cached_text_write(&words->name, line, words->info->name, 0, line_json);
    else
        line_text(line, "null");
}

static void write_info(struct line *line, const struct txtap_event *event)
{
    line_text(line, ",\"info\":[");
    if (event->words == NULL)
        line_decimals(line, event->info);
    for (size_t i = 0; event->words != NULL && i < event->word_count; i++) {
        if (i > 0)
            line_text(line, ",");
        line_decimal(line, event->words[i]);
    }
    line_text(line, "]");
}

static void write_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         struct txtap_exporter_words *words)
{
    bool first = true;

    line_text(line, ",\"fields\":{");
    for (size_t i = 0; i < 4; i++) {
        struct value value;
        const char *label;

        if (!value_of_word(self->registry, event, words->info, i, &label, &value))
            continue;
        if (!first)
            line_text(line, ",");
        first = false;
        cached_text_write(&words->label[i], line, label, 0, line_json);
        line_text(line, ":");
        write_value(self, line, NAME_IN_FIELD, &value);
    }
    line_text(line, "}");
}

/* Writes the name of the interrupt that the event enters or leaves, if it is known. */
static void write_interrupt(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                            struct txtap_exporter_words *words)
{
    const char *name = exporter_interrupt(self, event, words->info);

    if (name == NULL)
        return;
    line_text(line, KEY("isr"));
    line_json(line, name);
}

/* Writes the names of the functions whose addresses are in fields, if there are any. */
static void write_functions(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                            struct txtap_exporter_words *words)
{
    bool any = false;

    for (size_t i = 0; i < 4; i++) {
        const char *name = txtap_function_of(self->definitions, event, words->info, i);

        if (name == NULL)
            continue;
        line_text(line, any ? "," : KEY("functions") "{");
        any = true;
        cached_text_write(&words->label[i], line, words->info->field[i].label, 0, line_json);
        line_text(line, ":");
        line_json(line, name);
    }
    if (any)
        line_text(line, "}");
}

/* Writes the labels of the pending words, if there are any. */
static void write_pending(struct line *line, const struct txtap_event *event, struct txtap_exporter_words *words)
{
    unsigned pending = txtap_event_pending(words->info, event);
    bool first = true;

    if (pending == 0)
        return;
    line_text(line, KEY("pending") "[");
    for (size_t i = 0; i < 4; i++) {
        if (!(pending >> i & 1))
            continue;
        if (!first)
            line_text(line, ",");
        first = false;
        cached_text_write(&words->label[i], line, words->info->field[i].label, 0, line_json);
    }
    line_text(line, "]");
}

static enum txtap_status jsonl_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    struct txtap_exporter_words *words = exporter_words(self, event->id);
    bool in_thread = event->context == TXTAP_CONTEXT_THREAD;
    struct line line;

    exporter_line_start(self, &line);
    line_text(&line, "{\"type\":\"event\"");
    if (exporter_shows_all(self, TXTAP_COLUMN_SEQ))
        number(&line, KEY("seq"), event->seq);
    if (exporter_shows_all(self, TXTAP_COLUMN_TIME))
        write_time(self, &line, event);
    if (exporter_shows_all(self, TXTAP_COLUMN_CONTEXT))
        write_context(&line, event);
    if (exporter_shows_all(self, TXTAP_COLUMN_THREAD))
        write_thread(self, &line, event);
    if (exporter_shows_all(self, TXTAP_COLUMN_ID))
        number(&line, KEY("id"), event->id);
    if (exporter_shows_all(self, TXTAP_COLUMN_EVENT))
        write_name(&line, words);
    if (exporter_shows_all(self, TXTAP_COLUMN_INFO))
        write_info(&line, event);
    if (exporter_shows_all(self, TXTAP_COLUMN_FIELDS)) {
        write_fields(self, &line, event, words);
        write_interrupt(self, &line, event, words);
        write_functions(self, &line, event, words);
        write_pending(&line, event, words);
    }
    if (in_thread && exporter_shows_all(self, TXTAP_COLUMN_PRIORITY))
        number(&line, KEY("priority"), event->priority);
    if (in_thread && exporter_shows_all(self, TXTAP_COLUMN_THRESHOLD))
        number(&line, KEY("threshold"), event->threshold);
    if (event->core != 0 && exporter_shows_all(self, TXTAP_COLUMN_CORE))
        number(&line, KEY("core"), event->core);
    if (self->options.host_time && event->unix_us != 0 && exporter_shows_all(self, TXTAP_COLUMN_TIME))
        number(&line, KEY("unix_us"), event->unix_us);
    if (event->ticks_doubtful && exporter_shows_all(self, TXTAP_COLUMN_TIME))
        boolean(&line, KEY("ticks_doubtful"), true);
    return close_object(self, &line);
}

static enum txtap_status jsonl_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct line line;

    open_object(self, &line, "gap");
    number(&line, KEY("seq"), gap->seq);
    number(&line, KEY("lost"), gap->lost);
    boolean(&line, KEY("exact"), gap->exact);
    if (!gap->exact && gap->estimate > 0)
        number(&line, KEY("estimate"), gap->estimate);
    return close_object(self, &line);
}

static enum txtap_status jsonl_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    struct line line;

    open_object(self, &line, txtap_mark_name(mark->kind));
    number(&line, KEY("seq"), mark->seq);
    if (mark->unix_us != 0)
        number(&line, KEY("unix_us"), mark->unix_us);
    line_text(&line, KEY("text"));
    line_json(&line, mark->text);
    return close_object(self, &line);
}

/* ---- samples ---- */

/* Writes the window in which the sample was taken, and its times. */
static void write_sample_time(struct txtap_exporter *self, struct line *line, const struct txtap_sample *sample)
{
    const struct txtap_event event = exporter_event_of_sample(self, sample);

    write_time(self, line, &event);
    number(line, KEY("from_ticks"), sample->from_ticks);
    if (sample->to_ticks != UINT64_MAX)
        number(line, KEY("to_ticks"), sample->to_ticks);
    if (self->options.host_time && sample->unix_us != 0)
        number(line, KEY("unix_us"), sample->unix_us);
}

/* Returns true if the text of the value is a number in JSON, or true or false. */
static bool is_json(const struct txtap_sample *sample)
{
    return sample->channel->form != TXTAP_FORM_FLOAT || isfinite(txtap_sample_number(sample));
}

static void write_sample_value(struct line *line, const struct txtap_sample *sample)
{
    char value[TXTAP_SAMPLE_VALUE_BYTES];

    if (sample->state != TXTAP_SAMPLE_VALID) {
        line_text(line, KEY("value") "null");
        line_text(line,
                  sample->state == TXTAP_SAMPLE_ASLEEP ? KEY("state") "\"asleep\"" : KEY("state") "\"unreadable\"");
        return;
    }
    if (sample->channel->kind == TXTAP_CHANNEL_LOG) {
        line_text(line, KEY("text"));
        line_json(line, sample->text);
        return;
    }
    line_text(line, KEY("value"));
    (void)txtap_sample_value_text(sample, value);
    if (sample->channel->form == TXTAP_FORM_STATE)
        line_signed(line, (int64_t)sample->bits);
    else if (sample->channel->form == TXTAP_FORM_ADDRESS)
        line_decimal(line, sample->bits);
    else if (is_json(sample))
        line_text(line, value);
    else
        line_json(line, value);
    if (txtap_sample_word(sample) != NULL) {
        line_text(line, KEY("word"));
        line_json(line, value);
    }
}

static enum txtap_status jsonl_sample(struct txtap_exporter *self, const struct txtap_sample *sample)
{
    const struct txtap_event event = exporter_event_of_sample(self, sample);
    struct line line;

    open_object(self, &line, "sample");
    if (exporter_shows_all(self, TXTAP_COLUMN_SEQ))
        number(&line, KEY("seq"), sample->seq);
    if (exporter_shows_all(self, TXTAP_COLUMN_TIME))
        write_sample_time(self, &line, sample);
    if (exporter_shows_all(self, TXTAP_COLUMN_CONTEXT)) {
        line_text(&line, KEY("kind"));
        line_json(&line, exporter_channel_kind(sample->channel));
    }
    if (sample->channel->kind == TXTAP_CHANNEL_PC && exporter_shows_all(self, TXTAP_COLUMN_THREAD))
        write_thread(self, &line, &event);
    if (exporter_shows_all(self, TXTAP_COLUMN_EVENT)) {
        line_text(&line, KEY("channel"));
        line_json(&line, sample->channel->name);
    }
    if (exporter_shows_all(self, TXTAP_COLUMN_FIELDS))
        write_sample_value(&line, sample);
    if (sample->channel->unit[0] != '\0' && exporter_shows_all(self, TXTAP_COLUMN_FIELDS)) {
        line_text(&line, KEY("unit"));
        line_json(&line, sample->channel->unit);
    }
    return close_object(self, &line);
}

const struct txtap_exporter_ops jsonl_ops = {
    .name = "jsonl",
    .begin = jsonl_begin,
    .event = jsonl_event,
    .gap = jsonl_gap,
    .mark = jsonl_mark,
    .sample = jsonl_sample,
    .end = txtap_exporter_flush,
};
