/* SPDX-License-Identifier: MIT */
/*
 * One event per record for spreadsheets and data frames, as RFC 4180 says: a header record, commas, CRLF, the same
 * number of cells in each. Cells with text are always quoted. A spreadsheet takes a cell that begins with = + - or @
 * for a formula, whoever wrote it: such a name gets an apostrophe before it.
 */
#include <string.h>

#include "exporter.h"
#include "line.h"
#include "value.h"

#define CRLF "\r\n"

/* A cell of its own, where nothing of ours stands before the name. */
static void write_name_cell(struct line *line, const char *name)
{
    line_text(line, "\"");
    if (name[0] != '\0' && strchr("=+-@'", name[0]) != NULL)
        line_text(line, "'");
    line_csv(line, name);
    line_text(line, "\"");
}

static enum txtap_status csv_begin(struct txtap_exporter *self)
{
    struct line line;

    exporter_reset(self);
    (void)exporter_line_start(self, &line); /* the chunk is empty: nothing is handed over */
    line_text(&line, "type,seq,ticks");
    if (self->options.tick_hz > 0)
        line_text(&line, ",seconds");
    if (self->options.time == TXTAP_TIME_DELTA)
        line_text(&line, ",delta");
    else if (self->options.time == TXTAP_TIME_ABSOLUTE)
        line_text(&line, ",stamp");
    line_text(&line, ",context,thread,id,event,info1,info2,info3,info4,field1,field2,field3,field4,lost,exact");
    return exporter_line_end(self, &line, CRLF);
}

static void write_time(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    uint64_t delta = exporter_delta(self, event);

    line_decimal(line, event->ticks);
    if (self->options.tick_hz > 0) {
        line_text(line, ",");
        line_seconds_right(line, 0, event->ticks, self->options.tick_hz, 0);
    }
    if (self->options.time != TXTAP_TIME_RELATIVE) {
        line_text(line, ",");
        line_decimal(line, self->options.time == TXTAP_TIME_DELTA ? delta : event->stamp);
    }
}

static void write_context(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    struct value thread;

    switch (event->context) {
    case TXTAP_CONTEXT_THREAD:
        line_text(line, ",thread,");
        break;
    case TXTAP_CONTEXT_ISR:
        line_text(line, ",isr,");
        break;
    case TXTAP_CONTEXT_INIT:
        line_text(line, ",init,");
        return;
    case TXTAP_CONTEXT_IDLE:
        line_text(line, ",idle,");
        return;
    }
    thread = value_of_thread(self->registry, event);
    if (thread.form == VALUE_NAME)
        exporter_name(self, line, NAME_OF_CONTEXT, thread.text, write_name_cell);
    else
        value_write(&thread, line);
}

static void write_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         struct txtap_exporter_words *words)
{
    for (size_t i = 0; i < 4; i++) {
        struct value value;
        const char *label;

        line_text(line, ",");
        if (!value_of_word(self->registry, event, words->info, i, &label, &value))
            continue;
        line_text(line, "\"");
        piece_write(&words->label[i], line, label, 0, line_csv);
        line_text(line, "=");
        if (value.form == VALUE_NAME)
            exporter_name(self, line, NAME_IN_FIELD, value.text, line_csv);
        else
            value_write(&value, line);
        line_text(line, "\"");
    }
}

static enum txtap_status csv_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    struct txtap_exporter_words *words = exporter_words(self, event->id);
    struct line line;
    enum txtap_status status = exporter_line_start(self, &line);

    if (status != TXTAP_OK)
        return status;
    line_text(&line, "event,");
    line_decimal(&line, event->seq);
    line_text(&line, ",");
    write_time(self, &line, event);
    write_context(self, &line, event);
    line_text(&line, ",");
    line_decimal(&line, event->id);
    line_text(&line, ",");
    if (words->info != NULL)
        piece_write(&words->name, &line, words->info->name, 0, write_name_cell);
    line_text(&line, ",");
    line_decimals(&line, event->info);
    write_fields(self, &line, event, words);
    line_text(&line, ",,");
    return exporter_line_end(self, &line, CRLF);
}

static enum txtap_status csv_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct line line;
    enum txtap_status status = exporter_line_start(self, &line);

    if (status != TXTAP_OK)
        return status;
    line_text(&line, "gap,");
    line_decimal(&line, gap->seq);
    if (self->options.tick_hz > 0)
        line_text(&line, ",");
    if (self->options.time != TXTAP_TIME_RELATIVE)
        line_text(&line, ",");
    line_text(&line, ",,,,,,,,,,,,,,"); /* ticks, context to field4 */
    line_decimal(&line, gap->lost);
    line_text(&line, gap->exact ? ",true" : ",false");
    return exporter_line_end(self, &line, CRLF);
}

const struct txtap_exporter_ops csv_ops = {"csv", csv_begin, csv_event, csv_gap, txtap_exporter_flush, false};
