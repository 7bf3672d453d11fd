/* SPDX-License-Identifier: MIT */
/*
 * The rows of samples. Samples have their own ticks, because many samples may come between two events, or between no
 * events at all. Groups of 16 samples and pages have their smallest and largest value, so a column with a million
 * samples costs as much as a column with a hundred.
 */
#include "txtap/inner/rows_samples.h"

#include <math.h>
#include <string.h>

#include "rows/rows_parts.h"

#define FORGOTTEN TXTAP_SAMPLE_STATES /* the state of a sample that was never taken: the target restarted */

/* ---- the parts of a sample ---- */

static const struct sample_page *page_of(const struct row *row, uint32_t number)
{
    return paged_page(&row->sampled.list, number / SAMPLES);
}

static uint64_t ticks_of(const struct row *row, uint32_t number)
{
    return page_of(row, number)->ticks[number % SAMPLES];
}

static bool is_held(const struct row *row)
{
    return row->kind == TXTAP_ROW_SAMPLED_VALUE || row->kind == TXTAP_ROW_SAMPLED_STATE;
}

/*
 * Windows are codes of a byte: four steps for each power of two. A code is rounded up, so a window is at most a quarter
 * too long.
 */
#define WINDOW_UNKNOWN 255u

static uint64_t window_of(unsigned code)
{
    if (code == WINDOW_UNKNOWN)
        return UINT64_MAX;
    return code < 4 ? code : (uint64_t)(4 + code % 4) << (code / 4 - 1);
}

static uint8_t window_code(const struct txtap_sample *sample)
{
    uint64_t before = sample->ticks - sample->from_ticks, after = sample->to_ticks - sample->ticks;
    unsigned code = 0;

    if (sample->to_ticks == UINT64_MAX || sample->from_ticks == 0 || sample->from_ticks > sample->ticks ||
        sample->to_ticks < sample->ticks)
        return WINDOW_UNKNOWN;
    before = before > after ? before : after;
    while (code < 240 && window_of(code) < before)
        code++;
    return (uint8_t)(code < 240 ? code : WINDOW_UNKNOWN);
}

/* Returns the value of a sample as a number; NaN: it is not known, or has no place on an axis. */
static double number_of(const struct row *row, const struct sample_page *page, uint32_t number)
{
    const struct txtap_sample sample = {.channel = row->sampled.channel, .bits = page->bits[number % SAMPLES]};
    double value = (double)NAN;

    if (page->state[number % SAMPLES] == TXTAP_SAMPLE_VALID)
        value = txtap_sample_number(&sample);
    return isfinite(value) ? value : (double)NAN;
}

/* ---- sums ---- */

static const struct sample_sum nothing = {(double)INFINITY, (double)-INFINITY, false};

static void add_number(struct sample_sum *of, double number)
{
    of->min = number < of->min ? number : of->min; /* false for NaN */
    of->max = number > of->max ? number : of->max;
    of->partly = of->partly || isnan(number);
}

static void add_sum(struct sample_sum *of, const struct sample_sum *other)
{
    of->min = other->min < of->min ? other->min : of->min;
    of->max = other->max > of->max ? other->max : of->max;
    of->partly = of->partly || other->partly;
}

/* Adds the samples from..until - 1 of a page. Uses whole groups where possible. */
static void sum_page(struct sample_sum *of, const struct row *row, const struct sample_page *page, uint32_t from,
                     uint32_t until)
{
    if (until - from == SAMPLES) {
        add_sum(of, &page->whole);
        return;
    }
    while (from < until) {
        if (from % GROUP_STEPS == 0 && until - from >= GROUP_STEPS) {
            add_sum(of, &page->groups[from % SAMPLES / GROUP_STEPS]);
            from += GROUP_STEPS;
        } else {
            add_number(of, number_of(row, page, from++));
        }
    }
}

static struct sample_sum sum_samples(const struct row *row, uint32_t from, uint32_t until)
{
    struct sample_sum of = nothing;

    while (from < until) {
        uint32_t end = (from / SAMPLES + 1) * SAMPLES;

        end = end < until ? end : until;
        sum_page(&of, row, page_of(row, from), from, end);
        from = end;
    }
    return of;
}

/* ---- the row of a channel ---- */

static enum txtap_row_kind kind_of(const struct txtap_channel *channel)
{
    if (channel->kind == TXTAP_CHANNEL_LOG)
        return TXTAP_ROW_LOG;
    if (channel->kind == TXTAP_CHANNEL_PC)
        return TXTAP_ROW_PC;
    return channel->form == TXTAP_FORM_STATE || channel->form == TXTAP_FORM_BOOL ? TXTAP_ROW_SAMPLED_STATE
                                                                                 : TXTAP_ROW_SAMPLED_VALUE;
}

/* Returns the row of a channel. Adds a row if the channel has no row yet. NO_ROW: no room. */
static uint32_t row_of(struct txtap_rows *rows, const struct txtap_channel *channel)
{
    uint16_t *place = &rows->channel_rows[channel->number];

    if (*place == 0) {
        uint32_t row = rows_add(
            rows,
            &(struct row){.kind = (uint8_t)kind_of(channel), .number = channel->number, .sampled.channel = channel});

        *place = row != NO_ROW ? (uint16_t)(row + 1) : 0;
    }
    return *place - 1u;
}

/* ---- dropping ---- */

/* Drops the samples before number `first`, and the texts of a log before the text of that sample. */
static void drop_until(struct txtap_rows *rows, struct row *row, uint32_t first)
{
    rows->samples -= first - row->sampled.list.first;
    paged_drop(&row->sampled.list, &rows->source, SAMPLES, first);
    if (row->kind == TXTAP_ROW_LOG) {
        bool some = first < row->sampled.list.count;
        uint64_t text = some ? page_of(row, first)->bits[first % SAMPLES] : row->sampled.texts.count;

        paged_drop(&row->sampled.texts, &rows->source, TXTAP_ROWS_PAGE_BYTES, (uint32_t)text);
    }
}

/* Like find(), for a result from low to high. */
static uint32_t find_between(const struct row *row, uint32_t low, uint32_t high, uint64_t ticks)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (ticks_of(row, middle) < ticks)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the number of the row's first sample from `from` on at the time `ticks` or later. */
static uint32_t find(const struct row *row, uint32_t from, uint64_t ticks)
{
    uint32_t end = row->sampled.list.count, low = from, high = from, wide = 1;

    while (high < end && ticks_of(row, high) < ticks) {
        low = high + 1;
        high = end - high > wide ? high + wide : end;
        wide *= 2;
    }
    return find_between(row, low, high, ticks);
}

/* Like find(), but faster if guess is near the result: samples are often taken at a steady pace. */
static uint32_t find_near(const struct row *row, uint32_t from, uint32_t guess, uint64_t ticks)
{
    uint32_t high, wide = 1;

    if (guess >= row->sampled.list.count || ticks_of(row, guess) < ticks)
        return find(row, guess < row->sampled.list.count ? guess + 1 : from, ticks);
    for (high = guess; high - from > wide && ticks_of(row, high - wide) >= ticks; wide *= 2)
        high -= wide;
    return find_between(row, high - from > wide ? high - wide + 1 : from, high, ticks);
}

void samples_cut(struct txtap_rows *rows, struct row *row, uint64_t ticks)
{
    uint32_t number = find(row, row->sampled.list.first, ticks);

    if (is_held(row) && number > row->sampled.list.first &&
        (number == row->sampled.list.count || ticks_of(row, number) > ticks))
        number--; /* its value lasts at this time */
    if (number > row->sampled.list.first)
        drop_until(rows, row, number);
}

/* Drops the oldest page of the row with the most samples. Returns false if there is no such page. */
static bool drop_page(struct txtap_rows *rows)
{
    struct row *longest = NULL;
    uint32_t first;

    for (uint32_t i = 0; i < rows->rows.count; i++) {
        struct row *row = row_at(rows, i);

        if (row_is_sampled(row) && (longest == NULL || row->sampled.list.count - row->sampled.list.first >
                                                           longest->sampled.list.count - longest->sampled.list.first))
            longest = row;
    }
    if (longest == NULL)
        return false;
    first = (longest->sampled.list.first / SAMPLES + 1) * SAMPLES;
    if (first > longest->sampled.list.count)
        return false;
    rows->samples_dropped += first - longest->sampled.list.first;
    drop_until(rows, longest, first);
    return true;
}

/* ---- taking ---- */

/* Returns a page with room for one more element of a list of a row of samples. NULL and full: no room. */
static void *room_for(struct txtap_rows *rows, struct paged *list, uint32_t per_page)
{
    void *page = paged_room(list, &rows->source, per_page);

    while (page == NULL && drop_page(rows))
        page = paged_room(list, &rows->source, per_page);
    return page != NULL ? page : rows_room(rows, list, per_page);
}

/* Copies the text of a log line. Returns its offset in the row's texts; UINT64_MAX: no room. */
static uint64_t keep_text(struct txtap_rows *rows, struct row *row, const char *text)
{
    uint32_t length = (uint32_t)strnlen(text, TXTAP_SAMPLE_TEXT_BYTES - 1), at = row->sampled.texts.count;
    uint32_t left = TXTAP_ROWS_PAGE_BYTES - at % TXTAP_ROWS_PAGE_BYTES;
    char *page;

    if (at > UINT32_MAX - 2 * TXTAP_ROWS_PAGE_BYTES)
        return UINT64_MAX;
    if (left <= length)
        row->sampled.texts.count += left;
    page = room_for(rows, &row->sampled.texts, TXTAP_ROWS_PAGE_BYTES);
    if (page == NULL)
        return UINT64_MAX;
    at = row->sampled.texts.count;
    memcpy(page + at % TXTAP_ROWS_PAGE_BYTES, text, length);
    page[at % TXTAP_ROWS_PAGE_BYTES + length] = '\0';
    row->sampled.texts.count += length + 1;
    return at;
}

/* Adds a sample with these bits. False: no room. */
static bool append(struct txtap_rows *rows, struct row *row, const struct txtap_sample *sample, uint64_t bits)
{
    struct sample_page *page = room_for(rows, &row->sampled.list, SAMPLES);
    uint32_t at = row->sampled.list.count % SAMPLES;

    if (page == NULL)
        return false;
    if (at == 0)
        page->whole = nothing;
    if (at % GROUP_STEPS == 0)
        page->groups[at / GROUP_STEPS] = nothing;
    page->ticks[at] = row->sampled.until;
    page->bits[at] = bits;
    page->state[at] = (uint8_t)sample->state;
    page->window[at] = window_code(sample);
    if (is_held(row)) {
        double value = number_of(row, page, at);

        add_number(&page->groups[at / GROUP_STEPS], value);
        add_number(&page->whole, value);
    }
    row->sampled.list.count++;
    rows->samples++;
    return true;
}

/* Returns true if the sample shows the same as the row's newest sample. */
static bool is_repeated(const struct row *row, const struct txtap_sample *sample)
{
    uint32_t newest = row->sampled.list.count - 1;
    const struct sample_page *page;

    if (!is_held(row) || row->sampled.list.count == row->sampled.list.first)
        return false;
    page = page_of(row, newest);
    return page->state[newest % SAMPLES] == sample->state && page->bits[newest % SAMPLES] == sample->bits;
}

static bool take(struct txtap_rows *rows, struct row *row, const struct txtap_sample *sample)
{
    uint32_t most = rows->options.samples > 0 ? rows->options.samples : TXTAP_ROWS_SAMPLES_MAX;
    uint64_t bits = sample->bits;

    row->sampled.until = sample->ticks > row->sampled.until ? sample->ticks : row->sampled.until;
    if (is_repeated(row, sample))
        return true;
    while (rows->samples >= most && drop_page(rows))
        ;
    if (row->kind == TXTAP_ROW_PC)
        bits = (uint64_t)sample->thread << 32 | (uint32_t)bits;
    else if (row->kind == TXTAP_ROW_LOG)
        bits = keep_text(rows, row, sample->text);
    return (row->kind != TXTAP_ROW_LOG || bits != UINT64_MAX) && append(rows, row, sample, bits);
}

enum txtap_status txtap_rows_take_sample(struct txtap_rows *rows, const struct txtap_sample *sample)
{
    uint32_t number;

    if (rows->full)
        return TXTAP_ERROR_SPACE;
    rows->version++;
    number = row_of(rows, sample->channel);
    if (number != NO_ROW && take(rows, row_at(rows, number), sample)) {
        row_at(rows, number)->sampled.taken++;
        return TXTAP_OK;
    }
    rows->left_out += !rows->full;
    return rows->full ? TXTAP_ERROR_SPACE : TXTAP_OK;
}

enum txtap_status txtap_rows_forget_samples(struct txtap_rows *rows)
{
    const struct txtap_sample forgotten = {.state = FORGOTTEN, .to_ticks = UINT64_MAX};

    for (uint32_t i = 0; i < rows->rows.count && !rows->full; i++) {
        struct row *row = row_at(rows, i);

        if (is_held(row) && !is_repeated(row, &forgotten))
            (void)append(rows, row, &forgotten, 0);
    }
    rows->version++;
    return rows->full ? TXTAP_ERROR_SPACE : TXTAP_OK;
}

/* ---- single samples ---- */

static const struct row *sampled_row(const struct txtap_rows *rows, uint32_t number)
{
    const struct row *row = number < rows->rows.count ? row_at(rows, number) : NULL;

    return row != NULL && row_is_sampled(row) ? row : NULL;
}

uint32_t txtap_rows_first_sample(const struct txtap_rows *rows, uint32_t number, uint64_t ticks)
{
    const struct row *row = sampled_row(rows, number);

    return row != NULL ? find(row, row->sampled.list.first, ticks) : 0;
}

static const char *text_of(const struct row *row, uint32_t offset)
{
    const char *page = paged_page(&row->sampled.texts, offset / TXTAP_ROWS_PAGE_BYTES);

    return page + offset % TXTAP_ROWS_PAGE_BYTES;
}

bool txtap_rows_sample(const struct txtap_rows *rows, uint32_t number, uint32_t at, struct txtap_row_sample *out)
{
    const struct row *row = sampled_row(rows, number);
    const struct sample_page *page;
    uint64_t bits;
    uint8_t state;

    if (row == NULL || at < row->sampled.list.first || at >= row->sampled.list.count)
        return false;
    page = page_of(row, at);
    bits = page->bits[at % SAMPLES];
    state = page->state[at % SAMPLES];
    *out = (struct txtap_row_sample){.window = window_of(page->window[at % SAMPLES]),
                                     .known = state != FORGOTTEN,
                                     .last = at + 1 == row->sampled.list.count};
    out->to_ticks = out->last ? row->sampled.until : ticks_of(row, at + 1);
    out->sample = (struct txtap_sample){.channel = row->sampled.channel,
                                        .state = out->known ? (enum txtap_sample_state)state : TXTAP_SAMPLE_UNREADABLE,
                                        .ticks = page->ticks[at % SAMPLES],
                                        .bits = row->kind == TXTAP_ROW_PC    ? (uint32_t)bits
                                                : row->kind == TXTAP_ROW_LOG ? 0
                                                                             : bits,
                                        .thread = row->kind == TXTAP_ROW_PC ? (uint32_t)(bits >> 32) : 0,
                                        .text = row->kind == TXTAP_ROW_LOG ? text_of(row, (uint32_t)bits) : ""};
    return true;
}

/* ---- columns ---- */

/* Returns a piece of these columns with the samples from..until - 1. before: the sample before them also counts. */
static struct txtap_row_samples piece(const struct row *row, uint32_t x0, uint32_t x1, uint32_t from, uint32_t until,
                                      bool before)
{
    struct txtap_row_samples out = {.x0 = (uint16_t)x0,
                                    .x1 = (uint16_t)x1,
                                    .count = (uint16_t)(until - from < UINT16_MAX ? until - from : UINT16_MAX)};
    struct sample_sum of;

    if (!is_held(row))
        return out;
    of = sum_samples(row, from - before, until);
    out.min = of.min;
    out.max = of.max;
    out.last = number_of(row, page_of(row, until - 1), until - 1);
    out.flags = (uint16_t)((isnan(out.last) ? 0 : TXTAP_VALUES_LAST) | (of.partly ? TXTAP_VALUES_PARTLY : 0));
    return out;
}

/* Returns the time at which a column begins. */
static uint64_t begin_of(const struct txtap_rows *rows, const struct txtap_rows_edge *edge)
{
    if (!edge->by_event)
        return edge->at;
    return edge->index >= moments_end(rows) ? UINT64_MAX : edge->ticks;
}

size_t txtap_rows_samples(const struct txtap_rows *rows, uint32_t number, const struct txtap_rows_edge *edges,
                          uint32_t count, struct txtap_row_samples *out)
{
    const struct row *row = sampled_row(rows, number);
    uint32_t from, until, x0 = 0, end = count, width = 0;
    size_t pieces = 0;

    if (row == NULL || row->sampled.list.first == row->sampled.list.count)
        return 0;
    from = find(row, row->sampled.list.first, begin_of(rows, &edges[0]));
    for (uint32_t x = 0; x < count; x++, width = until - from, from = until) {
        bool holds = is_held(row) && from > row->sampled.list.first;

        until = find_near(row, from, from + width, begin_of(rows, &edges[x + 1]));
        if (until == from)
            continue;
        if (holds && x0 < x)
            out[pieces++] = piece(row, x0, x, from, from, true);
        out[pieces++] = piece(row, x, x + 1, from, until, holds && ticks_of(row, from) > begin_of(rows, &edges[x]));
        x0 = x + 1;
    }
    while (end > x0 && begin_of(rows, &edges[end - 1]) > row->sampled.until)
        end--; /* nothing is known after the newest sample */
    if (is_held(row) && from > row->sampled.list.first && x0 < end)
        out[pieces++] = piece(row, x0, end, from, from, true);
    return pieces;
}
