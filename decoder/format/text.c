/* SPDX-License-Identifier: MIT */
/*
 * Writes one event per line for people, terminals and grep: time, context, event, fields. Names from the target are
 * escaped, so that no name looks like txtap's own words.
 */
#include "format/text.h"

#include <string.h>

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
#define COLOR_SAMPLE  "\033[35m"

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
    static const char *const ours[] = {"init", "isr", "value", "pc", "log"};

    if (strncmp(name, "core", 4) == 0 && name[4] >= '0' && name[4] <= '9')
        return true;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        size_t length = strlen(ours[i]);

        if (strncmp(name, ours[i], length) == 0 && (name[length] == '\0' || name[length] == ':'))
            return true;
    }
    return false;
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

/* Writes blanks up to the end of the column that begins at `start`. tight: only two blanks. */
static void end_context(struct txtap_exporter *self, struct line *line, size_t start, bool tight)
{
    size_t width = line_columns(line) - start, width_max = is_narrow(self) ? CONTEXT_WIDTH_MIN : CONTEXT_WIDTH_MAX;

    if (width > width_max)
        width = width_max;
    if (width > self->context_width)
        self->context_width = (unsigned)width;
    line_column(line, tight ? 0 : start + self->context_width + GUTTER);
}

/* tight: add no blanks that only align the columns. */
static void write_context(struct txtap_exporter *self, struct line *line, const struct txtap_event *event, bool tight)
{
    size_t start = line_columns(line);

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
    end_context(self, line, start, tight);
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

/* ---- samples ---- */

/* Writes "value", "log", "pc" or, if the thread is known, "pc:THREAD". */
static void write_sample_kind(struct txtap_exporter *self, struct line *line, const struct txtap_sample *sample,
                              const struct txtap_event *event)
{
    size_t start = line_columns(line);

    color(self, line, COLOR_SAMPLE);
    line_text(line, exporter_channel_kind(sample->channel));
    if (sample->thread != 0) {
        line_text(line, ":");
        write_thread(self, line, event);
    }
    color(self, line, COLOR_OFF);
    end_context(self, line, start, false);
}

/* Writes the value with its unit, or the line of a log. */
static void write_sample_value(struct line *line, const struct txtap_sample *sample)
{
    char value[TXTAP_SAMPLE_VALUE_BYTES];

    if (sample->state == TXTAP_SAMPLE_UNREADABLE) {
        line_text(line, "unreadable");
    } else if (sample->channel->kind == TXTAP_CHANNEL_LOG) {
        line_terminal(line, sample->text);
    } else {
        (void)txtap_sample_value_text(sample, value);
        line_terminal(line, value);
        line_text(line, sample->state == TXTAP_SAMPLE_VALID && sample->channel->unit[0] != '\0' ? " " : "");
        if (sample->state == TXTAP_SAMPLE_VALID)
            line_terminal(line, sample->channel->unit);
    }
}

static enum txtap_status text_sample(struct txtap_exporter *self, const struct txtap_sample *sample)
{
    const struct txtap_event event = exporter_event_of_sample(self, sample);
    struct line line;
    size_t start;

    exporter_line_start(self, &line);
    if (shows_host_time(self))
        write_host_time(self, &line, event.unix_us);
    if (shows(self, TXTAP_COLUMN_SEQ))
        write_number(&line, event.seq, SEQ_WIDTH);
    if (shows(self, TXTAP_COLUMN_TIME))
        write_time(self, &line, &event);
    if (shows(self, TXTAP_COLUMN_CONTEXT) || shows(self, TXTAP_COLUMN_THREAD))
        write_sample_kind(self, &line, sample, &event);
    start = line_columns(&line);
    if (shows(self, TXTAP_COLUMN_EVENT)) {
        color(self, &line, component_colors[TXTAP_COMPONENT_USER]);
        line_terminal(&line, sample->channel->name);
        color(self, &line, COLOR_OFF);
        line_column(&line, start + (is_narrow(self) ? NARROW_EVENT : EVENT_WIDTH) + GUTTER);
    }
    if (shows(self, TXTAP_COLUMN_FIELDS))
        write_sample_value(&line, sample);
    line_strip_blanks(&line);
    return exporter_line_end(self, &line, "\n");
}

const struct txtap_exporter_ops text_ops = {
    .name = "text",
    .use = "(default)",
    .begin = text_begin,
    .event = text_event,
    .gap = text_gap,
    .mark = text_mark,
    .sample = text_sample,
    .end = txtap_exporter_flush,
};
