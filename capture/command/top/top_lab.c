/* SPDX-License-Identifier: MIT */
/* Draws the rows of a lab's boards. A source finds the boards and reads their recordings. */
#include "command/top/top_lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "base/text_maker.h"
#include "command/top/lab_source.h"
#include "command/top/terminal.h"
#include "nats/place.h"
#include "txtap/inner/escape.h"

#define DELAY_US      1000000
#define DELAY_ROWS_US 2000000
#define KEYS_US       100000
#define SILENT_US     10000000 /* a board without a new block for this time is silent */
#define COLUMNS       80
#define NAME_COLUMNS  10
#define ROW_BYTES     512
#define TEXT_BYTES    24

struct row {
    const struct lab_feed *feed;
    unsigned badness; /* 0: all is well */
    char text[ROW_BYTES];
};

struct top_lab {
    const struct options *options;
    const struct lab_source *kind;
    void *source;
    struct lab_boards boards;
    struct txtap_top_state state; /* of the board that is drawn */
    struct row rows[LAB_SHOWN_MAX];
};

/* ---- a row ---- */

static void span_text(char text[static TEXT_BYTES], uint64_t us)
{
    unsigned long long s = us / 1000000;

    if (s < 100)
        snprintf(text, TEXT_BYTES, "%llus", s);
    else if (s < 6000)
        snprintf(text, TEXT_BYTES, "%llum", s / 60);
    else
        snprintf(text, TEXT_BYTES, "%lluh", s / 3600);
}

/* Writes the longest wake-up, and its thread. hz: rate of the time stamps, above 0. */
static void worst_text(char *text, size_t size, const struct txtap_top_state *state, double hz)
{
    const struct txtap_top_thread *worst = NULL;

    for (size_t i = 0; i < state->thread_count; i++)
        if (state->threads[i].wake.n > 0 && (worst == NULL || state->threads[i].wake.max > worst->wake.max))
            worst = &state->threads[i];
    if (worst == NULL)
        snprintf(text, size, "-");
    else if (worst->wake.max < hz * 1e-3)
        snprintf(text, size, "%.0fus %s", worst->wake.max * 1e6 / hz, worst->name);
    else
        snprintf(text, size, "%.2fms %s", worst->wake.max * 1e3 / hz, worst->name);
}

/* Writes what the board does. Returns how bad this is. */
static unsigned work_text(char text[static TEXT_BYTES], const struct lab_feed *feed, bool away, uint64_t wall)
{
    char span[TEXT_BYTES];
    uint64_t since = wall > feed->block_us ? wall - feed->block_us : 0;

    span_text(span, since);
    snprintf(text, TEXT_BYTES, "recording");
    if (feed->damaged)
        snprintf(text, TEXT_BYTES, "damaged");
    else if (feed->block_us == 0)
        snprintf(text, TEXT_BYTES, "no file");
    else if (feed->ended)
        snprintf(text, TEXT_BYTES, "ended %.8s", span);
    else if (away)
        snprintf(text, TEXT_BYTES, "no server");
    else if (feed->away)
        snprintf(text, TEXT_BYTES, "away %.8s", span);
    else if (since >= SILENT_US)
        snprintf(text, TEXT_BYTES, "silent %.8s", span);
    else
        return 0;
    return feed->ended || since < SILENT_US ? 3 : 4;
}

static void make_row(struct top_lab *lab, struct row *row, struct lab_feed *feed, uint64_t wall)
{
    struct txtap_top_state *state = &lab->state;
    char work[TEXT_BYTES], lost[TEXT_BYTES + 8], load[TEXT_BYTES] = "-", reset[TEXT_BYTES] = "-",
                                                 rate[TEXT_BYTES] = "-";
    char worst[3 * TXTAP_TOP_NAME_BYTES] = "-", name[TXTAP_ESCAPED_BYTES(NAME_COLUMNS)], cut[NAME_COLUMNS + 1];
    unsigned badness = work_text(work, feed, lab->boards.away, wall);
    bool runs = badness == 0;

    *row = (struct row){.feed = feed};
    if (feed->monitor != NULL && feed->hz > 0) {
        txtap_top_look(feed->monitor, &feed->registry, 1, state);
        worst_text(worst, sizeof worst, state, feed->hz);
        if (runs && state->event_rate >= 0)
            snprintf(rate, sizeof rate, "%.0f", state->event_rate);
        if (runs && state->idle >= 0)
            snprintf(load, sizeof load, "%.1f", 100 - state->idle);
    }
    snprintf(lost, sizeof lost, "%s%" PRIu64, feed->lost_exact ? "" : ">=", feed->lost);
    if (feed->reset_us > 0)
        span_text(reset, wall > feed->reset_us ? wall - feed->reset_us : 0);
    row->badness = badness + (feed->checks + feed->faults > 0 ? 8 : 0) + (feed->lost > 0 ? 1 : 0);
    snprintf(cut, sizeof cut, "%.*s", NAME_COLUMNS, feed->name);
    snprintf(row->text, sizeof row->text, "%-*s %-11s %8s %8s %5s %6" PRIu64 " %6" PRIu64 " %5s  %s", NAME_COLUMNS,
             txtap_escape_terminal(name, sizeof name, cut), work, rate, lost, load, feed->checks, feed->faults, reset,
             worst);
}

static int worst_first(const void *first, const void *second)
{
    const struct row *a = first, *b = second;

    if (a->badness != b->badness)
        return a->badness > b->badness ? -1 : 1;
    if (a->feed->checks != b->feed->checks)
        return a->feed->checks > b->feed->checks ? -1 : 1;
    if (a->feed->lost != b->feed->lost)
        return a->feed->lost > b->feed->lost ? -1 : 1;
    return strcmp(a->feed->name, b->feed->name);
}

/* ---- a screen ---- */

/* Writes the head and at most `rows` rows of at most `columns` columns. `end` ends each line. */
static void put_rows(FILE *out, struct top_lab *lab, size_t rows, size_t columns, const char *end)
{
    for (size_t i = 0; i < lab->boards.count; i++)
        make_row(lab, &lab->rows[i], lab->boards.feeds[i], wall_us());
    if (lab->boards.count > 1)
        qsort(lab->rows, lab->boards.count, sizeof *lab->rows, worst_first);
    fprintf(out, "%-*s %-11s %8s %8s %5s %6s %6s %5s  %s%s", NAME_COLUMNS, "BOARD", "STATE", "EVENTS/S", "LOST", "CPU%",
            "CHECKS", "FAULTS", "RESET", "WORST WAKE", end);
    for (size_t i = 0; i < lab->boards.count && i < rows; i++)
        fprintf(out, "%.*s%s", (int)columns, lab->rows[i].text, end);
    if (lab->boards.is_full)
        fprintf(out, "more than %u boards: the others are not shown%s", LAB_SHOWN_MAX, end);
}

static bool draw(struct top_lab *lab)
{
    struct text_maker maker;
    size_t rows = 0, columns = 0;
    bool drawn;

    if (lab->options->top.rows) {
        put_rows(stdout, lab, lab->boards.count, COLUMNS, "\n");
        return putchar('\n') != EOF && fflush(stdout) == 0;
    }
    terminal_size(&rows, &columns, LAB_SHOWN_MAX, LAB_SHOWN_MAX);
    (void)terminal_is_blank();
    if (!terminal_is_ready() || !text_maker_begin(&maker))
        return true;
    fputs("\033[H", maker.out);
    put_rows(maker.out, lab, rows > 2 ? rows - 2 : 1, columns, "\033[K\r\n");
    fputs("\033[J", maker.out);
    if (!text_maker_end(&maker))
        return true;
    drawn = terminal_write(maker.text, maker.length) == maker.length;
    free(maker.text);
    return drawn;
}

/* ---- the run ---- */

/* Waits until the next screen, or until the user ends the command. Returns false at the end. */
static bool wait_for_next(const struct top_lab *lab, uint64_t until)
{
    uint64_t now;

    while ((now = now_us()) < until) {
        uint64_t left = until - now;

        if (!sleep_us(lab->options->top.rows || left < KEYS_US ? left : KEYS_US) || reopen_requested())
            return false;
        if (!lab->options->top.rows)
            for (enum terminal_key key; (key = terminal_key()) != TERMINAL_NONE;)
                if (key == 'q' || key == TERMINAL_GONE)
                    return false;
    }
    return true;
}

static enum txtap_status run(struct top_lab *lab, struct error *error)
{
    const struct top_options *top = &lab->options->top;
    uint64_t delay = top->seconds > 0 ? (uint64_t)(top->seconds * 1e6) : top->rows ? DELAY_ROWS_US : DELAY_US;
    enum txtap_status status = TXTAP_OK;
    uint64_t due;

    for (uint64_t screens = 0; status == TXTAP_OK && !stop_requested(); screens++) {
        due = now_us() + delay;
        status = lab->kind->step(lab->source, &lab->boards, error);
        if (status != TXTAP_OK || stop_requested() || !draw(lab) || (top->count > 0 && screens + 1 == top->count) ||
            !wait_for_next(lab, due))
            break;
    }
    return status;
}

int top_lab_run(const struct options *options)
{
    struct top_lab *lab = calloc(1, sizeof *lab);
    struct error error = {0};
    enum txtap_status status = TXTAP_OK;

    if (lab == NULL)
        status = failure(&error, TXTAP_ERROR_SYSTEM, "no memory for the screen");
    runtime_take_requests();
    if (status == TXTAP_OK) {
        lab->options = options;
        lab->kind = nats_is_place(options->files[0]) ? &lab_subjects : &lab_folders;
        status = lab->kind->open(&lab->source, options->files[0], &error);
    }
    if (status == TXTAP_OK) {
        if (!options->top.rows)
            status = terminal_open(&error);
        if (status == TXTAP_OK)
            status = run(lab, &error);
        if (!options->top.rows)
            terminal_close();
        lab->kind->close(lab->source, &lab->boards);
    }
    free(lab);
    if (status < TXTAP_OK)
        report_error(&error);
    return status_exit_code(status);
}
