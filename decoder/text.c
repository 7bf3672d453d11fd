/* SPDX-License-Identifier: MIT */
/*
 * One event per line for people, their terminals and grep: time, context, event, fields. Whatever the target calls its
 * objects, a name can neither reach the terminal unescaped nor pass for something that txtap says itself.
 */
#include <stdio.h>
#include <string.h>

#include "exporter.h"
#include "line.h"
#include "value.h"

#define TIME_WIDTH        12
#define GUTTER            2
#define CONTEXT_WIDTH_MIN 16
#define CONTEXT_WIDTH_MAX 24
#define EVENT_WIDTH       26
#define SEQ_WIDTH         10
#define PRIORITY_WIDTH    4
#define ID_WIDTH          5

#define COLOR_OFF     "\033[0m"
#define COLOR_GAP     "\033[31m"
#define COLOR_UNKNOWN "\033[2m"

static const char *const context_colors[] = {
    [TXTAP_CONTEXT_THREAD] = "\033[32m",
    [TXTAP_CONTEXT_ISR] = "\033[33m",
    [TXTAP_CONTEXT_INIT] = "\033[2m",
    [TXTAP_CONTEXT_IDLE] = "\033[33m",
};

static const char *const component_colors[] = {
    [TXTAP_THREADX] = "\033[36m", [TXTAP_FILEX] = "\033[35m",       [TXTAP_NETX_BOTH] = "\033[34m",
    [TXTAP_NETX] = "\033[34m",    [TXTAP_NETXDUO] = "\033[34m",     [TXTAP_NETXDUO_LEGACY] = "\033[34m",
    [TXTAP_USBX] = "\033[95m",    [TXTAP_USBX_LEGACY] = "\033[95m", [TXTAP_USER] = "\033[1m",
};

static void color(const struct txtap_exporter *self, struct line *line, const char *sequence)
{
    if (self->options.color)
        line_color(line, sequence);
}

static bool shows(const struct txtap_exporter *self, enum txtap_column column)
{
    return exporter_shows(
        self, TXTAP_COLUMN_TIME | TXTAP_COLUMN_CORE | TXTAP_COLUMN_CONTEXT | TXTAP_COLUMN_EVENT | TXTAP_COLUMN_FIELDS,
        column);
}

static void write_quoted(struct line *line, const char *text)
{
    line_text(line, "\"");
    line_terminal(line, text);
    line_text(line, "\"");
}

static void write_time(const struct txtap_exporter *self, struct line *line, uint64_t ticks)
{
    size_t start = line->columns;

    if (self->options.tick_hz > 0)
        line_seconds(line, ticks, self->options.tick_hz, TIME_WIDTH);
    else
        line_decimal_right(line, ticks, TIME_WIDTH);
    line_column(line, start + TIME_WIDTH + GUTTER);
}

/* What stands before a thread's name in the column of contexts, or instead of one. */
static bool looks_like_ours(const char *name)
{
    if (strncmp(name, "core", 4) == 0 && name[4] >= '0' && name[4] <= '9')
        return true;
    return strcmp(name, "init") == 0 || strcmp(name, "isr") == 0 || strncmp(name, "isr:", 4) == 0;
}

/* Blanks may stay here, columns are two apart; but a thread called "isr" must not look like an interrupt. */
static void write_thread(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    struct value thread = value_of_thread(self->registry, event);

    if (thread.form != VALUE_NAME)
        value_write(&thread, line);
    else if (line_is_plain(thread.text, true) && !looks_like_ours(thread.text))
        line_terminal(line, thread.text);
    else
        write_quoted(line, thread.text);
}

static void write_context(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    size_t start = line->columns, width;

    color(self, line, context_colors[event->context]);
    if (event->core != 0 && shows(self, TXTAP_COLUMN_CORE)) {
        line_text(line, "core");
        line_decimal(line, event->core);
        line_text(line, ":");
    }
    switch (event->context) {
    case TXTAP_CONTEXT_THREAD:
        write_thread(self, line, event);
        break;
    case TXTAP_CONTEXT_ISR:
        line_text(line, "isr:");
        write_thread(self, line, event);
        break;
    case TXTAP_CONTEXT_INIT:
        line_text(line, "init");
        break;
    case TXTAP_CONTEXT_IDLE:
        line_text(line, "isr");
        break;
    }
    color(self, line, COLOR_OFF);
    width = line->columns - start;
    if (width > CONTEXT_WIDTH_MAX)
        width = CONTEXT_WIDTH_MAX;
    if (width > self->context_width)
        self->context_width = (unsigned)width;
    line_column(line, start + self->context_width + GUTTER);
}

static void write_name(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                       const struct txtap_event_info *info)
{
    color(self, line, info != NULL ? component_colors[info->component] : COLOR_UNKNOWN);
    line_text(line, info != NULL ? info->name : "event");
    if (info == NULL || (info->component == TXTAP_USER && info->definition == NULL)) {
        line_text(line, " ");
        line_decimal(line, event->id);
    }
    color(self, line, COLOR_OFF);
}

static void write_value(struct line *line, const struct value *value)
{
    if (value->form != VALUE_NAME)
        value_write(value, line);
    else if (line_is_plain(value->text, false))
        line_terminal(line, value->text);
    else
        write_quoted(line, value->text);
}

/* A user event's text with its fields filled in. */
static void write_defined(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                          const struct txtap_definition *definition)
{
    char before[TXTAP_DEFINITION_TEXT_MAX + 1];
    const char *text = definition->text;
    size_t at = 0;

    for (size_t i = 0; i < definition->part_count; i++) {
        const struct txtap_definition_part *part = &definition->part[i];
        struct value value = value_of_field(self->registry, event, &definition->info, &part->field, part->word);

        (void)snprintf(before, sizeof(before), "%.*s", (int)(part->at - at), text + at);
        line_text(line, before);
        at = part->at;
        write_value(line, &value);
        if (part->format.unit[0] != '\0') {
            line_text(line, " ");
            line_text(line, part->format.unit);
        }
    }
    line_text(line, text + at);
}

static void write_fields(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         const struct txtap_event_info *info)
{
    const char *separator = "";

    if (info != NULL && info->definition != NULL && info->definition->text != NULL) {
        write_defined(self, line, event, info->definition);
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        struct value value;
        const char *label;

        if (!value_of_word(self->registry, event, info, i, &label, &value))
            continue;
        line_text(line, separator);
        separator = " ";
        line_text(line, label);
        line_text(line, "=");
        write_value(line, &value);
    }
}

static enum txtap_status text_begin(struct txtap_exporter *self)
{
    self->context_width = CONTEXT_WIDTH_MIN;
    return TXTAP_OK;
}

/* Numbers that are shown only when they are asked for, each in a column of fixed width. */
static void write_number(struct line *line, uint64_t number, size_t width)
{
    line_decimal_right(line, number, width);
    line_text(line, "  ");
}

static void write_priorities(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    bool in_thread = event->context == TXTAP_CONTEXT_THREAD;
    size_t start = line->columns;

    if (shows(self, TXTAP_COLUMN_PRIORITY)) {
        if (in_thread)
            line_decimal_right(line, event->priority, PRIORITY_WIDTH);
        start += PRIORITY_WIDTH + GUTTER;
        line_column(line, start);
    }
    if (shows(self, TXTAP_COLUMN_THRESHOLD)) {
        if (in_thread)
            line_decimal_right(line, event->threshold, PRIORITY_WIDTH);
        line_column(line, start + PRIORITY_WIDTH + GUTTER);
    }
}

static void write_info(struct line *line, const struct txtap_event *event)
{
    for (size_t i = 0; i < 4; i++) {
        line_hex(line, event->info[i], 8);
        line_text(line, "  ");
    }
}

static void strip_blanks(struct line *line)
{
    while (line->length > 0 && line->text[line->length - 1] == ' ')
        line->length--;
}

static enum txtap_status text_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    const struct txtap_event_info *info = exporter_event_info(self, event->id);
    struct line line;
    size_t start;

    line_start(&line);
    if (shows(self, TXTAP_COLUMN_SEQ))
        write_number(&line, event->seq, SEQ_WIDTH);
    if (shows(self, TXTAP_COLUMN_TIME))
        write_time(self, &line, event->ticks);
    if (shows(self, TXTAP_COLUMN_CONTEXT) || shows(self, TXTAP_COLUMN_THREAD))
        write_context(self, &line, event);
    write_priorities(self, &line, event);
    if (shows(self, TXTAP_COLUMN_ID))
        write_number(&line, event->id, ID_WIDTH);
    start = line.columns;
    if (shows(self, TXTAP_COLUMN_EVENT)) {
        write_name(self, &line, event, info);
        line_column(&line, start + EVENT_WIDTH + GUTTER);
    }
    if (shows(self, TXTAP_COLUMN_INFO))
        write_info(&line, event);
    if (shows(self, TXTAP_COLUMN_FIELDS))
        write_fields(self, &line, event, info);
    strip_blanks(&line);
    return line_write(&line, &self->sink);
}

static enum txtap_status text_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct line line;

    line_start(&line);
    line_text(&line, "         ---");
    line_column(&line, TIME_WIDTH + GUTTER);
    color(self, &line, COLOR_GAP);
    if (!gap->exact)
        line_text(&line, "at least ");
    line_decimal(&line, gap->lost);
    line_text(&line, gap->lost == 1 ? " event lost" : " events lost");
    color(self, &line, COLOR_OFF);
    return line_write(&line, &self->sink);
}

static enum txtap_status text_end(struct txtap_exporter *self)
{
    (void)self;
    return TXTAP_OK;
}

const struct txtap_exporter_ops text_ops = {"text", text_begin, text_event, text_gap, text_end};
