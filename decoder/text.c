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

static void write_time(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    uint64_t delta = exporter_delta(self, event), ticks = event->ticks;
    char sign = '\0';

    if (self->options.time == TXTAP_TIME_DELTA) {
        ticks = delta;
        sign = '+';
    } else if (self->options.time == TXTAP_TIME_ABSOLUTE) {
        ticks = event->stamp;
    }
    if (self->options.tick_hz > 0)
        line_seconds_right(line, sign, ticks, self->options.tick_hz, TIME_WIDTH);
    else
        line_decimal_right(line, sign, ticks, TIME_WIDTH);
    line_column(line, TIME_WIDTH + GUTTER);
}

/* Blanks may stay here, columns are two apart; but a thread called "isr" must not look like an interrupt. */
static void write_context_name(struct line *line, const char *name)
{
    if (line_is_plain(name, true) && strcmp(name, "init") != 0 && strcmp(name, "isr") != 0 &&
        strncmp(name, "isr:", 4) != 0)
        line_terminal(line, name);
    else
        write_quoted(line, name);
}

static void write_field_name(struct line *line, const char *name)
{
    if (line_is_plain(name, false))
        line_terminal(line, name);
    else
        write_quoted(line, name);
}

static void write_thread(struct txtap_exporter *self, struct line *line, uint32_t pointer)
{
    struct value thread = value_of_pointer(self->registry, pointer);

    if (thread.form == VALUE_NAME)
        exporter_name(self, line, NAME_OF_CONTEXT, thread.text, write_context_name);
    else
        value_write(&thread, line);
}

static void write_context(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    size_t start = line_columns(line), width;

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
    width = line_columns(line) - start;
    if (width > CONTEXT_WIDTH_MAX)
        width = CONTEXT_WIDTH_MAX;
    if (width > self->context_width)
        self->context_width = (unsigned)width;
    line_column(line, start + self->context_width + GUTTER);
}

static void write_name(const struct txtap_exporter *self, struct line *line, uint32_t id,
                       struct txtap_exporter_words *words)
{
    const struct txtap_event_info *info = words->info;

    color(self, line, info != NULL ? component_colors[info->component] : COLOR_UNKNOWN);
    if (info != NULL)
        piece_write(&words->name, line, info->name, 0, line_terminal);
    else
        line_text(line, "event");
    if (info == NULL || info->component == TXTAP_USER) {
        line_text(line, " ");
        line_decimal(line, id);
    }
    color(self, line, COLOR_OFF);
}

static void write_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         struct txtap_exporter_words *words, size_t name_start)
{
    bool first = true;

    for (size_t i = 0; i < 4; i++) {
        struct value value;
        const char *label;

        if (!value_of_word(self->registry, event, words->info, i, &label, &value))
            continue;
        if (first)
            line_column(line, name_start + EVENT_WIDTH + GUTTER);
        else
            line_text(line, " ");
        first = false;
        piece_write(&words->label[i], line, label, 0, line_terminal);
        line_text(line, "=");
        if (value.form == VALUE_NAME)
            exporter_name(self, line, NAME_IN_FIELD, value.text, write_field_name);
        else
            value_write(&value, line);
    }
}

static enum txtap_status text_begin(struct txtap_exporter *self)
{
    exporter_reset(self);
    self->context_width = CONTEXT_WIDTH_MIN;
    return TXTAP_OK;
}

static enum txtap_status text_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    struct txtap_exporter_words *words = exporter_words(self, event->id);
    struct line line;
    size_t name_start;
    enum txtap_status status = exporter_line_start(self, &line);

    if (status != TXTAP_OK)
        return status;
    write_time(self, &line, event);
    write_context(self, &line, event);
    name_start = line_columns(&line);
    write_name(self, &line, event->id, words);
    write_fields(self, &line, event, words, name_start);
    return exporter_line_end(self, &line, "\n");
}

static enum txtap_status text_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct line line;
    enum txtap_status status = exporter_line_start(self, &line);

    if (status != TXTAP_OK)
        return status;
    line_text(&line, "         ---");
    line_column(&line, TIME_WIDTH + GUTTER);
    color(self, &line, COLOR_GAP);
    if (!gap->exact)
        line_text(&line, "at least ");
    line_decimal(&line, gap->lost);
    line_text(&line, gap->lost == 1 ? " event lost" : " events lost");
    color(self, &line, COLOR_OFF);
    return exporter_line_end(self, &line, "\n");
}

const struct txtap_exporter_ops text_ops = {"text", text_begin, text_event, text_gap, txtap_exporter_flush, false};
