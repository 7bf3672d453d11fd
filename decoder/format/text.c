/* SPDX-License-Identifier: MIT */
/*
 * Writes one event per line for people, terminals and grep: time, context, event, fields. Names from the target are
 * escaped, so that no name looks like txtap's own words.
 */
#include <stdio.h>
#include <string.h>

#include "format/exporter.h"
#include "format/line.h"
#include "format/value.h"

/* ---- fields; if a line would be too long, the least important fields are left out ---- */

#define WORDS     4
#define MORE      WORDS /* represents all words after the fourth */
#define NOTE_ROOM 4     /* columns of a note such as " +17" */

/* Writes the target's text in quotes. */
static void text_quoted(struct line *line, const char *text)
{
    line_text(line, "\"");
    line_terminal(line, text);
    line_text(line, "\"");
}

static void write_object_name(struct line *line, const char *name)
{
    if (line_is_plain(name, false))
        line_terminal(line, name);
    else
        text_quoted(line, name);
}

static void write_value(struct txtap_exporter *self, struct line *line, const struct value *value)
{
    if (value->form == VALUE_NAME)
        exporter_name(self, line, NAME_IN_FIELD, value->text, write_object_name);
    else
        value_write(value, line);
}

/* Writes a user event's text with its fields filled in. */
static void write_defined(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                          const struct txtap_definition *definition)
{
    char before[TXTAP_DEFINITION_TEXT_MAX + 1];
    const char *text = definition->text;
    size_t at = 0;

    for (size_t i = 0; i < definition->part_count; i++) {
        const struct txtap_definition_part *part = &definition->part[i];
        struct value value = value_of_field(self->registry, event, &definition->info, &part->field, part->word);

        exporter_name_function(self, &value);
        (void)snprintf(before, sizeof(before), "%.*s", (int)(part->at - at), text + at);
        line_text(line, before);
        at = part->at;
        write_value(self, line, &value);
        if (part->format.unit[0] != '\0') {
            line_text(line, " ");
            line_text(line, part->format.unit);
        }
    }
    line_text(line, text + at);
}

static size_t more_words(const struct txtap_event *event)
{
    return event->words != NULL && event->word_count > WORDS ? event->word_count - WORDS : 0;
}

/*
 * Writes the fields in *mask (bit i: word i; bit MORE: the words after the fourth). Sets *mask to the fields that were
 * written, and columns[i] to the width of field i.
 */
static void write_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         struct txtap_exporter_words *words, unsigned *mask, size_t columns[static WORDS + 1])
{
    const struct txtap_event_info *info = words->info;
    const char *isr = exporter_interrupt(self, event, info);
    unsigned pending = txtap_event_pending(info, event);
    unsigned wanted = *mask & ~(self->options.wide ? 0u : words->stack_pointers); /* few users need stack pointers */
    bool first = true;
    size_t start;

    *mask = 0;
    for (size_t i = 0; i < WORDS; i++) {
        struct value value;
        const char *label;

        if ((wanted >> i & 1) == 0 || !value_of_word(self->registry, event, info, i, &label, &value))
            continue;
        start = line_columns(line);
        if (!first)
            line_text(line, " ");
        first = false;
        cached_text_write(&words->label[i], line, label, 0, line_terminal);
        line_text(line, "=");
        exporter_name_function(self, &value);
        write_value(self, line, &value);
        if (pending >> i & 1)
            line_text(line, "?");
        if (i == NUMBER_OF_ISR && isr != NULL) {
            line_text(line, " isr=");
            write_object_name(line, isr);
        }
        *mask |= 1u << i;
        columns[i] = line_columns(line) - start;
    }
    if ((wanted >> MORE & 1) == 0 || more_words(event) == 0)
        return;
    start = line_columns(line);
    value_write_more(line, event, first);
    *mask |= 1u << MORE;
    columns[MORE] = line_columns(line) - start;
}

/* Returns the importance of the field: the least important field is left out first. */
static unsigned need(const struct txtap_event_info *info, size_t i)
{
    if (i == MORE || info == NULL)
        return 0;
    switch (info->field[i].kind) {
    case TXTAP_FIELD_ADDRESS:
        return 1;
    case TXTAP_FIELD_HEX:
        return 2;
    case TXTAP_FIELD_WAIT:
        return 3;
    default:
        return 4;
    }
}

/* Returns the bit of the field to leave out next: the last field among the least important fields, but never the first
 * field. mask: at least two fields. */
static unsigned least_needed(const struct txtap_event_info *info, unsigned mask)
{
    unsigned first = mask & -mask;
    size_t least = MORE + 1;

    for (size_t i = 0; i <= MORE; i++)
        if (((mask & ~first) >> i & 1) && (least > MORE || need(info, i) <= need(info, least)))
            least = i;
    return 1u << least;
}

/* Chooses the fields that fit after column `start`. The first field is always chosen, because it names the object. */
static unsigned choose(const struct txtap_exporter *self, const struct txtap_event_info *info, unsigned mask,
                       size_t start, const size_t columns[static WORDS + 1])
{
    size_t end = start + NOTE_ROOM;

    for (size_t i = 0; i <= MORE; i++)
        end += mask >> i & 1 ? columns[i] : 0;
    while (end > self->options.width && (mask & (mask - 1)) != 0) {
        unsigned out = least_needed(info, mask);

        for (size_t i = 0; i <= MORE; i++)
            end -= out >> i & 1 ? columns[i] : 0;
        mask &= ~out;
    }
    return mask;
}

/* Writes the number of fields that were left out: " +2 fields", or " +2" if the longer form does not fit. */
static void write_note(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                       unsigned left_out)
{
    size_t count = left_out >> MORE & 1 ? more_words(event) : 0;

    for (size_t i = 0; i < WORDS; i++)
        count += left_out >> i & 1;
    if (count == 0)
        return;
    line_text(line, " +");
    line_decimal(line, count);
    if (line_columns(line) + strlen(" fields") <= self->options.width)
        line_text(line, count == 1 ? " field" : " fields");
}

static void write_defined_event(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                                const struct txtap_event_info *info)
{
    write_defined(self, line, event, info->definition);
    value_write_more(line, event, false);
}

/*
 * Writes "label=value ..." or a definition's text. If the line would be longer than options.width, leaves out the least
 * important fields: addresses before other fields, but never the first field. Returns false if the line is still too
 * long.
 */
static bool text_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                        struct txtap_exporter_words *words)
{
    const struct txtap_event_info *info = words->info;
    const struct line before = *line;
    size_t columns[WORDS + 1];
    unsigned all = (2u << MORE) - 1, chosen;

    if (info != NULL && info->definition != NULL && info->definition->text != NULL) {
        write_defined_event(self, line, event, info);
        return true;
    }
    write_fields(self, line, event, words, &all, columns);
    if (self->options.width == 0 || line_columns(line) <= self->options.width)
        return true;
    chosen = choose(self, info, all, line_columns(&before), columns);
    if (chosen != all) {
        *line = before;
        all &= ~chosen;
        write_fields(self, line, event, words, &chosen, columns);
        write_note(self, line, event, all);
    }
    return line_columns(line) <= self->options.width;
}

/* ---- the columns before the fields ---- */

#define TIME_WIDTH        12
#define HOST_TIME_WIDTH   15 /* columns of 23:59:59.123456 */
#define GUTTER            2
#define CONTEXT_WIDTH_MIN 16
#define CONTEXT_WIDTH_MAX 24
#define EVENT_WIDTH       26
#define NARROW            100 /* a line with fewer columns than this uses the two widths below */
#define NARROW_CONTEXT    8
#define NARROW_EVENT      20
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
    [TXTAP_COMPONENT_THREADX] = "\033[36m",   [TXTAP_COMPONENT_FILEX] = "\033[35m",
    [TXTAP_COMPONENT_NETX_BOTH] = "\033[34m", [TXTAP_COMPONENT_NETX] = "\033[34m",
    [TXTAP_COMPONENT_NETXDUO] = "\033[34m",   [TXTAP_COMPONENT_NETXDUO_LEGACY] = "\033[34m",
    [TXTAP_COMPONENT_USBX] = "\033[95m",      [TXTAP_COMPONENT_USBX_LEGACY] = "\033[95m",
    [TXTAP_COMPONENT_USER] = "\033[1m",
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

static bool shows_host_time(const struct txtap_exporter *self)
{
    return self->options.host_time && shows(self, TXTAP_COLUMN_TIME);
}

static void write_two_digits(struct line *line, uint64_t value, const char *after)
{
    line_text(line, value < 10 ? "0" : "");
    line_decimal(line, value);
    line_text(line, after);
}

/* Writes the time of day, or blanks if it is unknown. */
static void write_host_time(const struct txtap_exporter *self, struct line *line, uint64_t unix_us)
{
    uint64_t seconds = unix_us / 1000000 + 86400 + (uint64_t)(int64_t)self->options.utc_offset_s;

    if (unix_us != 0) {
        write_two_digits(line, seconds / 3600 % 24, ":");
        write_two_digits(line, seconds / 60 % 60, ":");
        line_text(line, seconds % 60 < 10 ? "0" : "");
        line_seconds_right(line, 0, seconds % 60 * 1000000 + unix_us % 1000000, 1e6, 0);
    }
    line_column(line, HOST_TIME_WIDTH + GUTTER);
}

static void write_time(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    uint64_t delta = exporter_delta(self, event), ticks = event->ticks;
    size_t start = line_columns(line);
    char sign = event->ticks_doubtful ? '~' : '\0';

    if (self->options.time == TXTAP_TIME_DELTA) {
        ticks = delta;
        sign = event->ticks_doubtful ? '~' : '+';
    } else if (self->options.time == TXTAP_TIME_ABSOLUTE) {
        ticks = event->stamp;
        sign = '\0';
    }
    if (self->options.tick_hz > 0)
        line_seconds_right(line, sign, ticks, self->options.tick_hz, TIME_WIDTH);
    else
        line_decimal_right(line, sign, ticks, TIME_WIDTH);
    line_column(line, start + TIME_WIDTH + GUTTER);
}

/* Returns true if a thread's name looks like one of txtap's own words in the context column. */
static bool looks_like_ours(const char *name)
{
    if (strncmp(name, "core", 4) == 0 && name[4] >= '0' && name[4] <= '9')
        return true;
    return strcmp(name, "init") == 0 || strcmp(name, "isr") == 0 || strncmp(name, "isr:", 4) == 0;
}

/*
 * Writes a thread's name. The name may contain blanks here, because two blanks separate columns. But a thread called
 * "isr" must not look like an interrupt.
 */
static void write_context_name(struct line *line, const char *name)
{
    if (line_is_plain(name, true) && !looks_like_ours(name))
        line_terminal(line, name);
    else
        text_quoted(line, name);
}

static void write_thread(struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    struct value thread = value_of_thread(self->registry, event);

    if (thread.form == VALUE_NAME)
        exporter_name(self, line, NAME_OF_CONTEXT, thread.text, write_context_name);
    else
        value_write(&thread, line);
}

static bool is_narrow(const struct txtap_exporter *self)
{
    return self->options.width != 0 && self->options.width < NARROW;
}

/* tight: add no blanks that only align the columns. */
static void write_context(struct txtap_exporter *self, struct line *line, const struct txtap_event *event, bool tight)
{
    size_t start = line_columns(line), width, width_max = is_narrow(self) ? CONTEXT_WIDTH_MIN : CONTEXT_WIDTH_MAX;

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
    width = line_columns(line) - start;
    if (width > width_max)
        width = width_max;
    if (width > self->context_width)
        self->context_width = (unsigned)width;
    line_column(line, tight ? 0 : start + self->context_width + GUTTER);
}

#define LONG_START "Internal Thread "

/* Returns the event's name. In a narrow terminal "Internal Thread Resume" is "Resume". */
static const char *name_of(const struct txtap_exporter *self, const struct txtap_event_info *info)
{
    size_t length = strlen(LONG_START);

    return is_narrow(self) && strncmp(info->name, LONG_START, length) == 0 ? info->name + length : info->name;
}

static void write_name(const struct txtap_exporter *self, struct line *line, uint32_t id,
                       struct txtap_exporter_words *words)
{
    const struct txtap_event_info *info = words->info;

    color(self, line, info != NULL ? component_colors[info->component] : COLOR_UNKNOWN);
    if (info != NULL)
        cached_text_write(&words->name, line, name_of(self, info), 0, line_terminal);
    else
        line_text(line, "event");
    if (info == NULL || (info->component == TXTAP_COMPONENT_USER && info->definition == NULL)) {
        line_text(line, " ");
        line_decimal(line, id);
    }
    color(self, line, COLOR_OFF);
}

static enum txtap_status text_begin(struct txtap_exporter *self)
{
    exporter_reset(self);
    self->context_width = is_narrow(self) ? NARROW_CONTEXT : CONTEXT_WIDTH_MIN;
    return TXTAP_OK;
}

/* Writes a number in a column of fixed width. This column is shown only with --fields. */
static void write_number(struct line *line, uint64_t number, size_t width)
{
    line_decimal_right(line, '\0', number, width);
    line_text(line, "  ");
}

static void write_priorities(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event)
{
    bool in_thread = event->context == TXTAP_CONTEXT_THREAD;
    size_t start = line_columns(line);

    if (shows(self, TXTAP_COLUMN_PRIORITY)) {
        if (in_thread)
            line_decimal_right(line, '\0', event->priority, PRIORITY_WIDTH);
        start += PRIORITY_WIDTH + GUTTER;
        line_column(line, start);
    }
    if (shows(self, TXTAP_COLUMN_THRESHOLD)) {
        if (in_thread)
            line_decimal_right(line, '\0', event->threshold, PRIORITY_WIDTH);
        line_column(line, start + PRIORITY_WIDTH + GUTTER);
    }
}

static void write_info(struct line *line, const struct txtap_event *event)
{
    const uint32_t *words = event->words != NULL ? event->words : event->info;
    size_t count = event->words != NULL ? event->word_count : 4;

    for (size_t i = 0; i < count; i++) {
        line_hex(line, words[i], 8);
        line_text(line, "  ");
    }
}

/* Writes the columns between the time and the fields. tight: without the blanks that only align the columns. */
static void write_columns(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                          struct txtap_exporter_words *words, bool tight)
{
    size_t start;

    if (shows(self, TXTAP_COLUMN_CONTEXT) || shows(self, TXTAP_COLUMN_THREAD))
        write_context(self, line, event, tight);
    write_priorities(self, line, event);
    if (shows(self, TXTAP_COLUMN_ID))
        write_number(line, event->id, ID_WIDTH);
    start = line_columns(line);
    if (shows(self, TXTAP_COLUMN_EVENT)) {
        write_name(self, line, event->id, words);
        line_column(line, tight ? 0 : start + (is_narrow(self) ? NARROW_EVENT : EVENT_WIDTH) + GUTTER);
    }
    if (shows(self, TXTAP_COLUMN_INFO))
        write_info(line, event);
}

static enum txtap_status text_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    struct txtap_exporter_words *words = exporter_words(self, event->id);
    struct line line, start;

    exporter_line_start(self, &line);
    if (shows_host_time(self))
        write_host_time(self, &line, event->unix_us);
    if (shows(self, TXTAP_COLUMN_SEQ))
        write_number(&line, event->seq, SEQ_WIDTH);
    if (shows(self, TXTAP_COLUMN_TIME))
        write_time(self, &line, event);
    start = line;
    write_columns(self, &line, event, words, false);
    if (shows(self, TXTAP_COLUMN_FIELDS) && !text_fields(self, &line, event, words)) {
        line = start;
        write_columns(self, &line, event, words, true);
        (void)text_fields(self, &line, event, words);
    }
    line_strip_blanks(&line);
    return exporter_line_end(self, &line, "\n");
}

/* Starts a line for a gap or a mark, in the colour for gaps. unix_us: the host's time, or 0. */
static void start_notice(struct txtap_exporter *self, struct line *line, uint64_t unix_us)
{
    size_t start = shows_host_time(self) ? HOST_TIME_WIDTH + GUTTER : 0;

    exporter_line_start(self, line);
    if (shows_host_time(self))
        write_host_time(self, line, unix_us);
    line_text(line, "         ---");
    line_column(line, start + TIME_WIDTH + GUTTER);
    color(self, line, COLOR_GAP);
}

static enum txtap_status text_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct line line;

    start_notice(self, &line, 0);
    if (gap->lost == 0) {
        line_text(&line, "events may be lost here: nobody knows how many");
    } else {
        if (!gap->exact)
            line_text(&line, "at least ");
        line_decimal(&line, gap->lost);
        line_text(&line, gap->lost == 1 ? " event lost" : " events lost");
    }
    if (!gap->exact && gap->estimate > 0) {
        line_text(&line, ", by their rate ");
        line_decimal(&line, gap->estimate);
    }
    color(self, &line, COLOR_OFF);
    return exporter_line_end(self, &line, "\n");
}

static enum txtap_status text_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    struct line line;

    start_notice(self, &line, mark->unix_us);
    line_text(&line, txtap_mark_name(mark->kind));
    if (mark->text[0] != '\0')
        line_text(&line, ": ");
    line_terminal(&line, mark->text);
    color(self, &line, COLOR_OFF);
    return exporter_line_end(self, &line, "\n");
}

const struct txtap_exporter_ops text_ops = {
    .name = "text",
    .use = "(default)",
    .begin = text_begin,
    .event = text_event,
    .gap = text_gap,
    .mark = text_mark,
    .end = txtap_exporter_flush,
};
