/* SPDX-License-Identifier: MIT */
/*
 * One event per line for people, their terminals and grep: time, context, event, fields. Whatever the target calls its
 * objects, a name can neither reach the terminal unescaped nor pass for something that txtap says itself.
 */
#include <string.h>

#include "exporter.h"
#include "line.h"
#include "value.h"

#define TIME_WIDTH        12
#define GUTTER            2
#define CONTEXT_WIDTH_MIN 16
#define CONTEXT_WIDTH_MAX 24
#define EVENT_WIDTH       26

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

static void write_quoted(struct line *line, const char *text)
{
    line_text(line, "\"");
    line_terminal(line, text);
    line_text(line, "\"");
}

static void write_time(const struct txtap_exporter *self, struct line *line, uint64_t ticks)
{
    if (self->options.tick_hz > 0)
        line_seconds(line, ticks, self->options.tick_hz, TIME_WIDTH);
    else
        line_decimal_right(line, ticks, TIME_WIDTH);
    line_column(line, TIME_WIDTH + GUTTER);
}

/* Blanks may stay here, columns are two apart; but a thread called "isr" must not look like an interrupt. */
static void write_thread(const struct txtap_exporter *self, struct line *line, uint32_t pointer)
{
    struct value thread = value_of_pointer(self->registry, pointer);

    if (thread.form != VALUE_NAME)
        value_write(&thread, line);
    else if (line_is_plain(thread.text, true) && strcmp(thread.text, "init") != 0 && strcmp(thread.text, "isr") != 0 &&
             strncmp(thread.text, "isr:", 4) != 0)
        line_terminal(line, thread.text);
    else
        write_quoted(line, thread.text);
}

static void write_context(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    size_t start = line->columns, width;

    color(self, line, context_colors[event->context]);
    switch (event->context) {
    case TXTAP_CONTEXT_THREAD:
        write_thread(self, line, event->thread);
        break;
    case TXTAP_CONTEXT_ISR:
        line_text(line, "isr:");
        write_thread(self, line, event->thread);
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
    if (info == NULL || info->component == TXTAP_USER) {
        line_text(line, " ");
        line_decimal(line, event->id);
    }
    color(self, line, COLOR_OFF);
}

static void write_field(struct line *line, const char *label, const struct value *value)
{
    line_text(line, label);
    line_text(line, "=");
    if (value->form != VALUE_NAME)
        value_write(value, line);
    else if (line_is_plain(value->text, false))
        line_terminal(line, value->text);
    else
        write_quoted(line, value->text);
}

static void write_fields(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         const struct txtap_event_info *info, size_t name_start)
{
    bool first = true;

    for (size_t i = 0; i < 4; i++) {
        struct value value;
        const char *label;

        if (!value_of_word(self->registry, event, info, i, &label, &value))
            continue;
        if (first)
            line_column(line, name_start + EVENT_WIDTH + GUTTER);
        else
            line_text(line, " ");
        first = false;
        write_field(line, label, &value);
    }
}

static enum txtap_status text_begin(struct txtap_exporter *self)
{
    self->context_width = CONTEXT_WIDTH_MIN;
    return TXTAP_OK;
}

static enum txtap_status text_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    const struct txtap_event_info *info = exporter_event_info(self, event->id);
    struct line line;
    size_t name_start;

    line_start(&line);
    write_time(self, &line, event->ticks);
    write_context(self, &line, event);
    name_start = line.columns;
    write_name(self, &line, event, info);
    write_fields(self, &line, event, info, name_start);
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
