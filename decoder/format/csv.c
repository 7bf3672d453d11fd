/* SPDX-License-Identifier: MIT */
/*
 * Writes one event per record for spreadsheets and data frames, as in RFC 4180: a header record, commas, CRLF. All
 * records have the same number of cells. Cells with text are always quoted. A spreadsheet treats a cell that begins
 * with = + - or @ as a formula, so a name that begins with such a character gets an apostrophe before it.
 */
#include <string.h>

#include "format/exporter.h"
#include "format/line.h"
#include "format/value.h"

#define CRLF "\r\n"

/*
 * Writes the text at the beginning of a cell. Some programs skip tabs and carriage returns at this place, so these
 * characters are escaped.
 */
static void write_first(struct line *line, const char *text)
{
    if (text[0] != '\0' && strchr("=+-@'", text[0]) != NULL)
        line_text(line, "'");
    line_csv(line, text);
}

/* Writes a complete cell. */
static void write_name_cell(struct line *line, const char *name)
{
    line_text(line, "\"");
    write_first(line, name);
    line_text(line, "\"");
}

/* The cells between the type of a line and the size of a gap, in this order. The time has up to four cells. */
static const struct {
    enum txtap_column column;
    const char *names;
} groups[] = {
    {TXTAP_COLUMN_SEQ, ",seq"},
    {TXTAP_COLUMN_TIME, ",ticks"},
    {TXTAP_COLUMN_CONTEXT, ",context"},
    {TXTAP_COLUMN_THREAD, ",thread"},
    {TXTAP_COLUMN_ID, ",id"},
    {TXTAP_COLUMN_EVENT, ",event"},
    {TXTAP_COLUMN_INFO, ",info1,info2,info3,info4"},
    {TXTAP_COLUMN_FIELDS, ",field1,field2,field3,field4"},
    {TXTAP_COLUMN_PRIORITY, ",priority"},
    {TXTAP_COLUMN_THRESHOLD, ",threshold"},
    {TXTAP_COLUMN_CORE, ",core"},
};

static void write_more_times(const struct txtap_exporter *self, struct line *line, bool names)
{
    if (self->options.tick_hz > 0)
        line_text(line, names ? ",seconds" : ",");
    if (self->options.time == TXTAP_TIME_DELTA)
        line_text(line, names ? ",delta" : ",");
    else if (self->options.time == TXTAP_TIME_ABSOLUTE)
        line_text(line, names ? ",stamp" : ",");
    if (self->options.host_time)
        line_text(line, names ? ",unix_us" : ",");
}

static enum txtap_status csv_begin(struct txtap_exporter *self)
{
    struct line line;

    exporter_reset(self);
    exporter_line_start(self, &line); /* the chunk is empty, so the writer is not called */
    line_text(&line, "type");
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        if (!exporter_shows_all(self, groups[i].column))
            continue;
        line_text(&line, groups[i].names);
        if (groups[i].column == TXTAP_COLUMN_TIME)
            write_more_times(self, &line, true);
    }
    line_text(&line, ",lost,exact,value");
    return exporter_line_end(self, &line, CRLF);
}

static void write_number(struct line *line, uint64_t value)
{
    line_text(line, ",");
    line_decimal(line, value);
}

static void write_time(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    uint64_t delta = exporter_delta(self, event);

    write_number(line, event->ticks);
    if (self->options.tick_hz > 0) {
        line_text(line, ",");
        line_seconds_right(line, 0, event->ticks, self->options.tick_hz, 0);
    }
    if (self->options.time != TXTAP_TIME_RELATIVE)
        write_number(line, self->options.time == TXTAP_TIME_DELTA ? delta : event->stamp);
    if (self->options.host_time)
        line_text(line, ",");
    if (self->options.host_time && event->unix_us != 0)
        line_decimal(line, event->unix_us);
}

static void write_context(struct line *line, const struct txtap_event *event)
{
    static const char *const contexts[] = {
        [TXTAP_CONTEXT_THREAD] = ",thread",
        [TXTAP_CONTEXT_ISR] = ",isr",
        [TXTAP_CONTEXT_INIT] = ",init",
        [TXTAP_CONTEXT_IDLE] = ",idle",
    };

    line_text(line, contexts[event->context]);
}

static void write_thread(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    struct value thread;

    line_text(line, ",");
    if (event->context != TXTAP_CONTEXT_THREAD && event->context != TXTAP_CONTEXT_ISR)
        return;
    thread = value_of_thread(self->registry, event);
    if (thread.form == VALUE_NAME)
        exporter_name(self, line, NAME_OF_CONTEXT, thread.text, write_name_cell);
    else
        value_write(&thread, line);
}

static void write_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         struct txtap_exporter_words *words)
{
    unsigned pending = txtap_event_pending(words->info, event);
    const char *isr = exporter_interrupt(self, event, words->info);

    for (size_t i = 0; i < 4; i++) {
        struct value value;
        const char *label;

        line_text(line, ",");
        if (!value_of_word(self->registry, event, words->info, i, &label, &value))
            continue;
        line_text(line, "\"");
        cached_text_write(&words->label[i], line, label, 0, write_first);
        line_text(line, "=");
        exporter_name_function(self, &value);
        if (value.form == VALUE_NAME)
            exporter_name(self, line, NAME_IN_FIELD, value.text, line_csv);
        else
            value_write(&value, line);
        if (pending >> i & 1)
            line_text(line, "?");
        if (i == NUMBER_OF_ISR && isr != NULL) {
            line_text(line, " isr=");
            line_csv(line, isr);
        }
        if (i == 3)
            value_write_more(line, event, false);
        line_text(line, "\"");
    }
}

static void write_name(struct line *line, struct txtap_exporter_words *words)
{
    line_text(line, ",");
    if (words->info != NULL)
        cached_text_write(&words->name, line, words->info->name, 0, write_name_cell);
}

/* Writes the priority, if a thread recorded the event; otherwise writes an empty cell. */
static void write_priority(struct line *line, const struct txtap_event *event, uint32_t priority)
{
    line_text(line, ",");
    if (event->context == TXTAP_CONTEXT_THREAD)
        line_decimal(line, priority);
}

static enum txtap_status csv_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    struct txtap_exporter_words *words = exporter_words(self, event->id);
    struct line line;

    exporter_line_start(self, &line);
    line_text(&line, "event");
    if (exporter_shows_all(self, TXTAP_COLUMN_SEQ))
        write_number(&line, event->seq);
    if (exporter_shows_all(self, TXTAP_COLUMN_TIME))
        write_time(self, &line, event);
    if (exporter_shows_all(self, TXTAP_COLUMN_CONTEXT))
        write_context(&line, event);
    if (exporter_shows_all(self, TXTAP_COLUMN_THREAD))
        write_thread(self, &line, event);
    if (exporter_shows_all(self, TXTAP_COLUMN_ID))
        write_number(&line, event->id);
    if (exporter_shows_all(self, TXTAP_COLUMN_EVENT))
        write_name(&line, words);
    if (exporter_shows_all(self, TXTAP_COLUMN_INFO)) {
        line_text(&line, ",");
        line_decimals(&line, event->info);
    }
    if (exporter_shows_all(self, TXTAP_COLUMN_FIELDS))
        write_fields(self, &line, event, words);
    if (exporter_shows_all(self, TXTAP_COLUMN_PRIORITY))
        write_priority(&line, event, event->priority);
    if (exporter_shows_all(self, TXTAP_COLUMN_THRESHOLD))
        write_priority(&line, event, event->threshold);
    if (exporter_shows_all(self, TXTAP_COLUMN_CORE))
        write_number(&line, event->core);
    line_text(&line, ",,,");
    return exporter_line_end(self, &line, CRLF);
}

/* Writes one comma for each cell in names. */
static void write_empty(struct line *line, const char *names)
{
    for (const char *at = strchr(names, ','); at != NULL; at = strchr(at + 1, ','))
        line_text(line, ",");
}

/* Writes a line for a gap or a mark: its type, its seq, and the text in the cell for an event's name. */
static void write_notice(struct txtap_exporter *self, struct line *line, const char *type, uint64_t seq,
                         const char *text)
{
    line_text(line, type);
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        if (!exporter_shows_all(self, groups[i].column))
            continue;
        write_empty(line, groups[i].names);
        if (groups[i].column == TXTAP_COLUMN_SEQ)
            line_decimal(line, seq);
        else if (groups[i].column == TXTAP_COLUMN_TIME)
            write_more_times(self, line, false);
        else if (groups[i].column == TXTAP_COLUMN_EVENT && text[0] != '\0')
            write_name_cell(line, text);
    }
}

static enum txtap_status csv_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct line line;

    exporter_line_start(self, &line);
    write_notice(self, &line, "gap", gap->seq, "");
    write_number(&line, gap->lost);
    line_text(&line, gap->exact ? ",true," : ",false,");
    return exporter_line_end(self, &line, CRLF);
}

static enum txtap_status csv_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    struct line line;

    exporter_line_start(self, &line);
    write_notice(self, &line, txtap_mark_name(mark->kind), mark->seq, mark->text);
    line_text(&line, ",,,");
    return exporter_line_end(self, &line, CRLF);
}

/* ---- samples ---- */

/* Writes the value of a sample in its cell. The cell is empty if the value could not be read. */
static void write_sample_value(struct line *line, const struct txtap_sample *sample)
{
    char value[TXTAP_SAMPLE_VALUE_BYTES];

    line_text(line, ",");
    if (sample->state == TXTAP_SAMPLE_UNREADABLE)
        return;
    (void)txtap_sample_value_text(sample, value);
    if (sample->channel->kind == TXTAP_CHANNEL_LOG)
        write_name_cell(line, sample->text);
    else if (sample->state == TXTAP_SAMPLE_VALID && txtap_sample_word(sample) != NULL)
        write_name_cell(line, value);
    else
        line_text(line, value);
}

/* Writes a cell of a sample. The name of the channel is in the cell for an event's name, and its unit is in the first
 * cell for fields. */
static void write_sample_group(struct txtap_exporter *self, struct line *line, const struct txtap_sample *sample,
                               const struct txtap_event *event, size_t group)
{
    switch (groups[group].column) {
    case TXTAP_COLUMN_SEQ:
        write_number(line, sample->seq);
        break;
    case TXTAP_COLUMN_TIME:
        write_time(self, line, event);
        break;
    case TXTAP_COLUMN_CONTEXT:
        line_text(line, ",");
        line_text(line, exporter_channel_kind(sample->channel));
        break;
    case TXTAP_COLUMN_THREAD:
        write_thread(self, line, event);
        break;
    case TXTAP_COLUMN_EVENT:
        line_text(line, ",");
        write_name_cell(line, sample->channel->name);
        break;
    case TXTAP_COLUMN_FIELDS:
        line_text(line, ",");
        if (sample->channel->unit[0] != '\0') {
            line_text(line, "\"unit=");
            line_csv(line, sample->channel->unit);
            line_text(line, "\"");
        }
        line_text(line, ",,,");
        break;
    default:
        write_empty(line, groups[group].names);
        break;
    }
}

static enum txtap_status csv_sample(struct txtap_exporter *self, const struct txtap_sample *sample)
{
    const struct txtap_event event = exporter_event_of_sample(self, sample);
    struct line line;

    exporter_line_start(self, &line);
    line_text(&line, "sample");
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (exporter_shows_all(self, groups[i].column))
            write_sample_group(self, &line, sample, &event, i);
    line_text(&line, ",,");
    write_sample_value(&line, sample);
    return exporter_line_end(self, &line, CRLF);
}

const struct txtap_exporter_ops csv_ops = {
    .name = "csv",
    .begin = csv_begin,
    .event = csv_event,
    .gap = csv_gap,
    .mark = csv_mark,
    .sample = csv_sample,
    .end = txtap_exporter_flush,
};
