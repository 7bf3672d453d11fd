/* SPDX-License-Identifier: MIT */
/* Draws the lines at the top. The most important text is at the left, because a narrow screen cuts the right end. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "top/parts.h"
#include "top/tables.h"

#define PIECE_BYTES  256
#define IDLE_BYTES   (2 * AMOUNT_BYTES + 2)
#define IDLE_COLUMNS 6

/* Writes the time as "12:31" or "1:02:03". Writes "?" if the time is unknown, or if a wrong tick rate gives an
 * impossible time. */
static void uptime(char out[static 24], double seconds)
{
    bool known = seconds >= 0 && seconds < 1e15;
    uint64_t whole = known ? (uint64_t)seconds : 0;

    if (!known)
        snprintf(out, 24, "?");
    else if (whole < 3600)
        snprintf(out, 24, "%" PRIu64 ":%02u", whole / 60, (unsigned)(whole % 60));
    else
        snprintf(out, 24, "%" PRIu64 ":%02u:%02u", whole / 3600, (unsigned)(whole / 60 % 60), (unsigned)(whole % 60));
}

static void rate_of_ticks(const struct txtap_top_state *state, char out[static 32])
{
    const char *about = state->tick_hz_measured ? "~" : "";

    if (!(state->tick_hz > 0))
        snprintf(out, 32, "times in ticks");
    else if (state->tick_hz >= 0.9995e6)
        snprintf(out, 32, "%s%.*f MHz", about, state->tick_hz_measured ? 1 : 3, state->tick_hz / 1e6);
    else
        snprintf(out, 32, "%s%.*f kHz", about, state->tick_hz_measured ? 1 : 3, state->tick_hz / 1e3);
}

/*
 * Writes the condition in brackets. A gap in the window is more important than "LIVE", because it affects all figures,
 * so it replaces "LIVE". NOT ALL: some threads, interrupts or objects did not fit into the monitor's tables.
 */
static void condition(const struct txtap_top_state *state, char out[static 64])
{
    const char *shown = state->window_gap && strcmp(state->condition, "LIVE") == 0 ? "" : state->condition;
    const char *comma = *shown ? ", " : "", *not_all = state->incomplete ? ", NOT ALL" : "";

    if (!state->window_gap)
        snprintf(out, 64, "[%s%s]", shown, not_all);
    else if (state->window_lost > 0)
        snprintf(out, 64, "[LOST %" PRIu64 "%s%s%s]", state->window_lost, comma, shown, not_all);
    else
        snprintf(out, 64, "[GAP%s%s%s]", comma, shown, not_all);
}

/* Returns the attributes of condition(). */
static uint8_t condition_style(const struct txtap_top_state *state)
{
    bool reads = strcmp(state->condition, "LIVE") == 0 || strcmp(state->condition, "REPLAY") == 0 ||
                 strcmp(state->condition, "END") == 0;

    return state->window_gap ? TXTAP_TOP_RED : !reads || state->incomplete ? TXTAP_TOP_YELLOW : 0;
}

/* Writes the length of the window, such as "2 s", or "1.2/2 s" while the window still grows. */
static void window_text(const struct txtap_top_state *state, char out[static 32])
{
    if (!(state->window > 0))
        snprintf(out, 32, "all");
    else if (state->window < state->window_full)
        snprintf(out, 32, "%.1f/%.0f s", state->window, state->window_full);
    else
        snprintf(out, 32, "%.0f s", state->window);
}

static void title(const struct txtap_top_state *state, struct txtap_top_screen *screen)
{
    char text[PIECE_BYTES], up[24], rate[32], shown[64], window[32];
    size_t length;

    condition(state, shown);
    rate_of_ticks(state, rate);
    uptime(up, state->seconds);
    window_text(state, window);
    if (*state->kernel != '\0')
        snprintf(text, sizeof text, "txtap top - %s - %s", state->source, state->kernel);
    else
        snprintf(text, sizeof text, "txtap top - %s - %s - up %s - window %s", state->source, rate, up, window);
    length = strlen(shown);
    if (length + 1 < screen->columns)
        screen_put(screen, 0, 0, screen->columns - length - 1, text);
    screen_put_right(screen, 0, 0, screen->columns, shown);
    if (length <= screen->columns)
        screen_style(screen, 0, screen->columns - length, length, condition_style(state));
}

/* Draws the load as a bar: '#' for threads, ':' for interrupts. */
static void bar(const struct txtap_top_state *state, char *out, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        double here = 100.0 * ((double)i + 0.5) / (double)width;

        out[i] = state->load < 0 || here > state->load ? ' ' : here > state->load - state->interrupt_cpu ? ':' : '#';
    }
    out[width] = '\0';
}

/* Writes a share of time, such as "12.3%". */
static const char *share(char text[static AMOUNT_BYTES + 1], enum amount_sign sign, double percent)
{
    amount_percent(text, sign, percent);
    return percent >= 0 ? strcat(text, "%") : text;
}

/* Writes "97.8%". Writes a range, such as "12.0-97.8%", if interrupts without enter and exit events make the idle time
 * uncertain. */
static const char *idle_text(char text[static IDLE_BYTES], const struct txtap_top_state *state)
{
    char least[AMOUNT_BYTES], most[AMOUNT_BYTES];

    if (state->window_gap || state->idle < 0 || state->idle_most - state->idle_least < 0.05)
        return share(text, share_sign(state), state->idle);
    snprintf(text, IDLE_BYTES, "%s-%s%%",
             amount_percent(least, AMOUNT_EXACT, state->idle_least > 0 ? state->idle_least : 0),
             amount_percent(most, AMOUNT_EXACT, state->idle_most < 100 ? state->idle_most : 100));
    return text;
}

static void load(const struct txtap_top_state *state, struct txtap_top_screen *screen)
{
    char used[AMOUNT_BYTES + 1], idle[IDLE_BYTES], most[AMOUNT_BYTES + 1], meter[64] = "";
    size_t width = screen->columns < 60 ? 0 : screen->columns - 40;

    (void)idle_text(idle, state);
    if (width > 0 && strlen(idle) > IDLE_COLUMNS)
        width -= strlen(idle) - IDLE_COLUMNS;

    bar(state, meter, width < sizeof meter ? width : sizeof meter - 1);
    screen_print(screen, 1, width > 0 ? "CPU %6s [%s] idle %s  max %s" : "CPU %6s%s idle %s  max %s",
                 share(used, share_sign(state), state->load), meter, idle,
                 share(most, maximum_sign(state), state->load_max));
}

static void rates(const struct txtap_top_state *state, struct txtap_top_screen *screen)
{
    char cpu[AMOUNT_BYTES + 1], interrupts[AMOUNT_BYTES], switches[AMOUNT_BYTES], events[AMOUNT_BYTES];
    size_t column;

    column = screen_append(screen, 2, 0, 0, "ISR %6s %s/s nest %u | switch %s/s | events %s/s ",
                           share(cpu, share_sign(state), state->interrupt_cpu),
                           amount_count(interrupts, count_sign(state), state->interrupt_rate), state->nesting,
                           amount_count(switches, count_sign(state), state->switch_rate),
                           amount_count(events, count_sign(state), state->event_rate));
    column = screen_append(screen, 2, column, state->lost > 0 ? TXTAP_TOP_RED : 0, "lost %s%" PRIu64,
                           state->lost_exact ? "" : ">=", state->lost);
    if (state->ring_used >= 100)
        screen_append(screen, 2, screen_append(screen, 2, column, 0, " | "), TXTAP_TOP_RED, "ring full");
    else if (state->ring_used >= 0)
        screen_append(screen, 2, column, 0, " | ring %.0f%%", state->ring_used);
}

bool has_findings(const struct txtap_top_state *state)
{
    return state->check_count > 0 || state->unbounded > 0 || state->deadlocks > 0; /* bounded inversions are usual */
}

/*
 * Draws "CHECKS 3 ok, 1 FAIL, 0 open: wake(logger) < 1ms". The text is the first failed check. If no check failed, the
 * text is the first undecided check. Returns the column after it.
 */
static size_t checks(const struct txtap_top_state *state, struct txtap_top_screen *screen, size_t row)
{
    size_t count[] = {[TXTAP_VERDICT_OK] = 0, [TXTAP_VERDICT_FAILED] = 0, [TXTAP_VERDICT_UNDECIDED] = 0}, column;
    const struct txtap_top_check *worst = NULL;

    for (size_t i = 0; i < state->check_count; i++) {
        const struct txtap_top_check *check = &state->checks[i];

        count[check->verdict]++;
        if (check->verdict == TXTAP_VERDICT_FAILED && (worst == NULL || worst->verdict != TXTAP_VERDICT_FAILED))
            worst = check;
        if (check->verdict == TXTAP_VERDICT_UNDECIDED && worst == NULL)
            worst = check;
    }
    column = screen_append(screen, row, 0, 0, "CHECKS %zu ok, ", count[TXTAP_VERDICT_OK]);
    column = screen_append(screen, row, column, count[TXTAP_VERDICT_FAILED] > 0 ? TXTAP_TOP_RED : 0, "%zu FAIL",
                           count[TXTAP_VERDICT_FAILED]);
    column = screen_append(screen, row, column, 0, ", %zu open", count[TXTAP_VERDICT_UNDECIDED]);
    if (worst != NULL)
        column = screen_append(screen, row, column, 0, ": %s", worst->text);
    return column;
}

void draw_findings(const struct txtap_top_state *state, struct txtap_top_screen *screen, size_t row)
{
    char deadlocks[AMOUNT_BYTES], inversions[AMOUNT_BYTES], unbounded[AMOUNT_BYTES], most[AMOUNT_BYTES];
    enum amount_sign sign = state->lost > 0 ? AMOUNT_AT_LEAST : AMOUNT_EXACT;
    size_t column = state->check_count > 0 ? checks(state, screen, row) : 0;

    if (*state->kernel != '\0') /* the analyses had no events */
        return;
    if (column > 0)
        column = screen_append(screen, row, column, 0, " | ");
    column = screen_append(screen, row, column, state->deadlocks > 0 ? TXTAP_TOP_RED : 0, "DEADLOCKS %s",
                           amount_count(deadlocks, sign, state->deadlocks));
    column = screen_append(
        screen, row, column, 0, " | INVERSIONS %s max %s, ", amount_count(inversions, sign, state->inversions),
        amount_ticks(most, state->inversion_lasts ? AMOUNT_AT_LEAST : sign, state->inversion_max, state->tick_hz));
    screen_append(screen, row, column, state->unbounded > 0 ? TXTAP_TOP_RED : 0, "%s unbounded",
                  amount_count(unbounded, sign, state->unbounded));
}

void draw_bounds_note(const struct txtap_top_state *state, bool keys, struct txtap_top_screen *screen, size_t row)
{
    char at[AMOUNT_BYTES + 24];

    if (state->gap_at < 0)
        return;
    if (state->tick_hz > 0)
        uptime(at, state->gap_at / state->tick_hz);
    else
        amount_ticks(at, AMOUNT_EXACT, state->gap_at, 0);
    screen_append(screen, row, 3, TXTAP_TOP_YELLOW, " since %s events were lost%s ", at,
                  keys ? ": [r] resets >= and ~" : "");
}

/* Draws the two lines below the title if the firmware has no trace. */
static void kernel_lines(const struct txtap_top_state *state, struct txtap_top_screen *screen)
{
    size_t count[] = {
        [TXTAP_TOP_STATE_UNKNOWN] = 0, [TXTAP_TOP_RUNNING] = 0, [TXTAP_TOP_READY] = 0, [TXTAP_TOP_WAITING] = 0};

    for (size_t i = 0; i < state->thread_count; i++)
        count[state->threads[i].state]++;
    screen_print(screen, 1, "threads: %zu running, %zu ready, %zu waiting", count[TXTAP_TOP_RUNNING],
                 count[TXTAP_TOP_READY], count[TXTAP_TOP_WAITING]);
    screen_print(screen, 2, "CPU%%, times and interrupts need the trace: 'txtap info ELF' tells more");
}

void draw_head(const struct txtap_top_state *state, struct txtap_top_screen *screen)
{
    title(state, screen);
    if (*state->kernel != '\0') {
        kernel_lines(state, screen);
        return;
    }
    load(state, screen);
    rates(state, screen);
}
