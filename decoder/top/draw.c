/* SPDX-License-Identifier: MIT */
/* Arranges the lines, tables and pages on the screen. */
#include "txtap/inner/top.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "top/tables.h"

/* ---- the lines at the top: the most important text is at the left, because a narrow screen cuts the right end ---- */

#define HEAD_ROWS    3
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

static void title(const struct txtap_top_state *state, struct txtap_top_screen *screen)
{
    char text[PIECE_BYTES], up[24], rate[32], shown[64], window[32] = "all";
    size_t length;

    condition(state, shown);
    rate_of_ticks(state, rate);
    uptime(up, state->seconds);
    if (state->window > 0)
        snprintf(window, sizeof window, "%.1f s", state->window);
    snprintf(text, sizeof text, "txtap top - %s - %s - up %s - window %s", state->source, rate, up, window);
    length = strlen(shown);
    if (length + 1 < screen->columns)
        screen_put(screen, 0, 0, screen->columns - length - 1, text);
    screen_put_right(screen, 0, 0, screen->columns, shown);
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

static void loss(const struct txtap_top_state *state, char out[static 48])
{
    snprintf(out, 48, "lost %s%" PRIu64, state->lost_exact ? "" : ">=", state->lost);
}

static void rates(const struct txtap_top_state *state, struct txtap_top_screen *screen)
{
    char cpu[AMOUNT_BYTES + 1], interrupts[AMOUNT_BYTES], switches[AMOUNT_BYTES], events[AMOUNT_BYTES], lost[48],
        ring[32] = "";

    loss(state, lost);
    if (state->ring_used >= 0)
        snprintf(ring, sizeof ring, " | ring %.0f%%", state->ring_used);
    screen_print(screen, 2, "ISR %6s %s/s nest %u | switch %s/s | events %s/s %s%s",
                 share(cpu, share_sign(state), state->interrupt_cpu),
                 amount_count(interrupts, count_sign(state), state->interrupt_rate), state->nesting,
                 amount_count(switches, count_sign(state), state->switch_rate),
                 amount_count(events, count_sign(state), state->event_rate), lost, ring);
}

/* Returns true if there are unbounded inversions, deadlocks or checks to show. */
static bool has_findings(const struct txtap_top_state *state)
{
    return state->check_count > 0 || state->unbounded > 0 || state->deadlocks > 0; /* bounded inversions are usual */
}

/*
 * Writes "CHECKS 3 ok, 1 FAIL wake(logger) < 1ms". The text is the first failed check. If no check failed, the text is
 * the first undecided check.
 */
static void checks(const struct txtap_top_state *state, char *out, size_t size)
{
    size_t count[] = {[TXTAP_VERDICT_OK] = 0, [TXTAP_VERDICT_FAILED] = 0, [TXTAP_VERDICT_UNDECIDED] = 0};
    const struct txtap_top_check *worst = NULL;
    int used;

    for (size_t i = 0; i < state->check_count; i++) {
        const struct txtap_top_check *check = &state->checks[i];

        count[check->verdict]++;
        if (check->verdict == TXTAP_VERDICT_FAILED && (worst == NULL || worst->verdict != TXTAP_VERDICT_FAILED))
            worst = check;
        if (check->verdict == TXTAP_VERDICT_UNDECIDED && worst == NULL)
            worst = check;
    }
    used = snprintf(out, size, "CHECKS %zu ok, %zu FAIL, %zu open", count[TXTAP_VERDICT_OK],
                    count[TXTAP_VERDICT_FAILED], count[TXTAP_VERDICT_UNDECIDED]);
    if (worst != NULL)
        snprintf(out + used, size - (size_t)used, ": %s", worst->text);
}

/* Draws the findings as one row. */
static void draw_findings(const struct txtap_top_state *state, struct txtap_top_screen *screen, size_t row)
{
    char deadlocks[AMOUNT_BYTES], inversions[AMOUNT_BYTES], unbounded[AMOUNT_BYTES], most[AMOUNT_BYTES];
    char text[PIECE_BYTES] = "";
    enum amount_sign sign = state->lost > 0 ? AMOUNT_AT_LEAST : AMOUNT_EXACT;

    if (state->check_count > 0)
        checks(state, text, sizeof text);
    screen_print(
        screen, row, "%s%sDEADLOCKS %s | INVERSIONS %s max %s, %s unbounded", text, *text ? " | " : "",
        amount_count(deadlocks, sign, state->deadlocks), amount_count(inversions, sign, state->inversions),
        amount_ticks(most, state->inversion_lasts ? AMOUNT_AT_LEAST : sign, state->inversion_max, state->tick_hz),
        amount_count(unbounded, sign, state->unbounded));
}

/* Draws the first HEAD_ROWS rows. */
static void draw_head(const struct txtap_top_state *state, const struct txtap_top_view *view,
                      struct txtap_top_screen *screen)
{
    (void)view;
    title(state, screen);
    load(state, screen);
    rates(state, screen);
}

/* ---- pages of text: one thread, the checks, the meaning of the screen; lines that do not fit are left out ---- */

struct lines {
    struct txtap_top_screen *screen;
    size_t row, to;
};

static void line(struct lines *lines, const char *text)
{
    if (lines->row < lines->to)
        screen_print(lines->screen, lines->row++, "%s", text);
}

static const struct txtap_top_thread *find(const struct txtap_top_state *state, uint32_t id)
{
    for (size_t i = 0; i < state->thread_count; i++)
        if (state->threads[i].id == id)
            return &state->threads[i];
    return NULL;
}

static void durations(struct lines *lines, const struct txtap_top_state *state, const char *what,
                      const struct txtap_top_durations *of)
{
    char text[128], mean[AMOUNT_BYTES], half[AMOUNT_BYTES], most[AMOUNT_BYTES], max[GRID_TEXT_BYTES];
    enum amount_sign about = state->gap ? AMOUNT_ABOUT : AMOUNT_EXACT;

    snprintf(text, sizeof text, "%-16s %10" PRIu64 " %8s %8s %8s %8s", what, of->n,
             amount_ticks(mean, about, of->mean, state->tick_hz), amount_ticks(half, about, of->p50, state->tick_hz),
             amount_ticks(most, about, of->p99, state->tick_hz), longest(state, of, max));
    line(lines, text);
}

static void what_it_waits_for(struct lines *lines, const struct txtap_top_state *state,
                              const struct txtap_top_thread *thread)
{
    static const char *const reasons[TXTAP_TOP_REASONS] = {
        NULL,         "completed", "terminated", "suspended", "sleep",  "queue", "semaphore", "event flags",
        "block pool", "byte pool", "I/O",        "file",      "TCP/IP", "mutex", NULL,        "other",
    };
    char text[128], percent[AMOUNT_BYTES];

    for (size_t i = 0; i < TXTAP_TOP_REASONS; i++) {
        if (reasons[i] == NULL || !(thread->waits_for[i] >= 0.05))
            continue;
        snprintf(text, sizeof text, "  waiting, %-12s %6s%%", reasons[i],
                 amount_percent(percent, state->gap ? AMOUNT_ABOUT : AMOUNT_EXACT, thread->waits_for[i]));
        line(lines, text);
    }
}

static void stack(struct lines *lines, const struct txtap_top_thread *thread)
{
    char text[128];

    if (thread->stack_bytes == 0 || thread->stack < 0)
        snprintf(text, sizeof text, "stack            not known");
    else
        snprintf(text, sizeof text, "stack            %.0f%% used, %" PRIu32 " of %" PRIu32 " bytes free at events",
                 thread->stack, thread->stack_free, thread->stack_bytes);
    line(lines, text);
}

static void page_thread(const struct txtap_top_state *state, const struct txtap_top_view *view,
                        struct txtap_top_screen *screen, size_t from, size_t to)
{
    const struct txtap_top_thread *thread = find(state, view->selected);
    struct lines lines = {screen, from, to};
    char text[GRID_TEXT_BYTES], since[AMOUNT_BYTES], cpu[AMOUNT_BYTES], ready[AMOUNT_BYTES], now[AMOUNT_BYTES];
    char base[AMOUNT_BYTES], all[160];

    if (thread == NULL) {
        line(&lines, "This thread is gone.");
        return;
    }
    snprintf(all, sizeof all, "thread %s at 0x%08" PRIx32, thread->name, thread->address);
    line(&lines, all);
    snprintf(all, sizeof all, "%.60s for %s, priority %s, its own %s", thread_does(state, thread, text),
             amount_ticks(since, AMOUNT_EXACT, thread->waiting, state->tick_hz),
             amount_count(now, AMOUNT_EXACT, thread->priority), amount_count(base, AMOUNT_EXACT, thread->base));
    line(&lines, all);
    stack(&lines, thread);
    snprintf(all, sizeof all, "in this window   %s%% running, %s%% ready and waiting for the core",
             amount_percent(cpu, share_sign(state), thread->cpu),
             amount_percent(ready, share_sign(state), thread->ready));
    line(&lines, all);
    what_it_waits_for(&lines, state, thread);
    line(&lines, "");
    line(&lines, "                          N     MEAN      P50      P99      MAX");
    durations(&lines, state, "run time of jobs", &thread->run);
    durations(&lines, state, "response time", &thread->response);
    durations(&lines, state, "wake-up latency", &thread->wake);
}

static void page_checks(const struct txtap_top_state *state, const struct txtap_top_view *view,
                        struct txtap_top_screen *screen, size_t from, size_t to)
{
    static const char *const verdicts[] = {
        [TXTAP_VERDICT_OK] = "ok",
        [TXTAP_VERDICT_FAILED] = "FAIL",
        [TXTAP_VERDICT_UNDECIDED] = "open",
    };
    struct lines lines = {screen, from, to};
    char text[160];

    if (state->check_count == 0)
        line(&lines, "There are no checks: --check gives some.");
    for (size_t i = view->scroll; i < state->check_count; i++) {
        const struct txtap_top_check *check = &state->checks[i];

        snprintf(text, sizeof text, "%-5s %s%s%s", verdicts[check->verdict], check->text,
                 *check->subject ? "   decided by " : "", check->subject);
        line(&lines, text);
    }
    if (state->checks_more > 0) {
        snprintf(text, sizeof text, "and %" PRIu64 " more", state->checks_more);
        line(&lines, text);
    }
}

static void page_help(struct txtap_top_screen *screen, size_t from, size_t to)
{
    static const char *const text[] = {
        "q  quit                  up, down  choose a thread, or scroll",
        "s  sort: priority, CPU, run max, wake-up 99 %, stack",
        "w  window: 1, 2, 10 s    r  reset maxima and percentiles",
        "p  pause, the target is read on      esc  back",
        "o  objects   i  interrupts   t  the chosen thread   c  checks   ?  this page",
        "",
        "In the window that slides:  CPU%  ACT/s  PREEM/s  READY%  RATE/s",
        "Since the last reset:  RUNmax (of a job)  WAKE99  WAKEmax  RESPmax",
        "PRIO 16/6  priority 16, raised to 6      STATE *  longer than usual",
        "WAKE       from being woken to being given the core",
        "STACK      most used as seen at events; more is possible; ! above 90 %",
        ">= <= ~    events are missing: a bound, or only about right",
        "u m h      microseconds, milliseconds, hours; t: ticks",
    };
    struct lines lines = {screen, from, to};

    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        line(&lines, text[i]);
}

/* ---- tables ---- */

/* A table and the number of screen rows for it, including the rows of the table's head. */
struct section {
    const struct grid_kind *kind;
    size_t count;
    uint64_t more; /* number of rows that did not fit into the state */
    size_t least, rows;
};

static size_t wanted(const struct section *section)
{
    return section->count > 0 ? section->count + 1 : 0;
}

/* Gives each section its minimum of rows. Then gives each section, in order, the rows that it still needs. */
static void share_rows(struct section *sections, size_t count, size_t room)
{
    for (size_t i = 0; i < count; i++) {
        size_t want = wanted(&sections[i]);

        sections[i].rows = want < sections[i].least ? want : sections[i].least;
        if (sections[i].rows > room)
            sections[i].rows = room > 1 ? room : 0;
        room -= sections[i].rows;
    }
    for (size_t i = 0; i < count; i++) {
        size_t missing = wanted(&sections[i]) - sections[i].rows, more = missing < room ? missing : room;

        if (sections[i].rows > 0)
            sections[i].rows += more, room -= more;
    }
}

/* Draws a section. order: the rows in the order in which they are shown; NULL: not sorted. */
static void draw_section(const struct txtap_top_state *state, const struct txtap_top_view *view,
                         const struct section *section, const uint16_t *order, size_t scroll,
                         struct txtap_top_screen *screen, size_t row)
{
    struct grid grid;
    size_t room = section->rows - 1, left = section->count - scroll + section->more;

    grid_fit(&grid, section->kind, screen->columns);
    grid_head(&grid, screen, row);
    for (size_t i = 0; i < room; i++) {
        size_t number = scroll + i;

        if (number >= section->count && left == 0)
            return;
        if ((i + 1 == room && left > 1) || number >= section->count) {
            screen_print(screen, row + 1 + i, "and %zu more", left);
            return;
        }
        if (order != NULL)
            number = order[number];
        grid_row(&grid, state, number, screen, row + 1 + i);
        if (order != NULL && view->selected != 0 && state->threads[number].id == view->selected)
            screen->highlighted = row + 1 + i;
        left--;
    }
}

/* ---- the order of threads ---- */

static double key_of(const struct txtap_top_thread *thread, enum txtap_top_sort sort)
{
    switch (sort) {
    case TXTAP_TOP_SORT_CPU:
        return -thread->cpu;
    case TXTAP_TOP_SORT_RUN:
        return -(thread->run.max > thread->run.at_least ? thread->run.max : thread->run.at_least);
    case TXTAP_TOP_SORT_WAKE:
        return -thread->wake.p99;
    case TXTAP_TOP_SORT_STACK:
        return -thread->stack;
    default:
        return thread->base >= 0 ? thread->base : thread->priority >= 0 ? thread->priority : 1e9;
    }
}

/* Sorts by insertion: there are few threads, and their order hardly changes between screens. Equal threads keep their
 * order. */
static void sort_threads(const struct txtap_top_state *state, enum txtap_top_sort sort, uint16_t *order)
{
    for (size_t i = 0; i < state->thread_count; i++) {
        double key = key_of(&state->threads[i], sort);
        size_t at = i;

        for (; at > 0 && key_of(&state->threads[order[at - 1]], sort) > key; at--)
            order[at] = order[at - 1];
        order[at] = (uint16_t)i;
    }
}

uint32_t txtap_top_neighbour(const struct txtap_top_state *state, const struct txtap_top_view *view, int by)
{
    uint16_t order[TXTAP_TOP_THREADS];
    size_t at = 0;

    if (state->thread_count == 0)
        return 0;
    sort_threads(state, view->sort, order);
    while (at < state->thread_count && state->threads[order[at]].id != view->selected)
        at++;
    if (at == state->thread_count)
        return state->threads[order[0]].id;
    if (by < 0)
        at = at >= (size_t)-by ? at - (size_t)-by : 0;
    else
        at = at + (size_t)by < state->thread_count ? at + (size_t)by : state->thread_count - 1;
    return state->threads[order[at]].id;
}

/* ---- pages ---- */

/* Returns the first row to show, so that the selected thread is on the screen. */
static size_t scroll_to_selected(const struct txtap_top_state *state, const struct txtap_top_view *view,
                                 const uint16_t *order, size_t shown)
{
    size_t at = 0;

    while (at < state->thread_count && state->threads[order[at]].id != view->selected)
        at++;
    return view->selected == 0 || at == state->thread_count || at + 1 < shown ? 0 : at + 2 - shown;
}

static void page_all(const struct txtap_top_state *state, const struct txtap_top_view *view,
                     struct txtap_top_screen *screen, size_t from, size_t to)
{
    struct section sections[] = {
        {&thread_grid, state->thread_count, state->threads_more, 4, 0},
        {&interrupt_grid, state->interrupt_count, state->interrupts_more, 3, 0},
        {&object_grid, state->object_count, state->objects_more, 3, 0},
    };
    bool rules = screen->rows >= 16;
    uint16_t order[TXTAP_TOP_THREADS];
    size_t room = to - from, row = from;

    if (rules)
        room -= room > 3 ? 3 : room;
    share_rows(sections, 3, room);
    sort_threads(state, view->sort, order);
    for (size_t i = 0; i < 3; i++) {
        size_t scroll =
            i > 0 || sections[i].rows < 3 ? 0 : scroll_to_selected(state, view, order, sections[i].rows - 1);

        if (sections[i].rows == 0)
            continue;
        if (rules)
            screen_rule(screen, row++);
        draw_section(state, view, &sections[i], i == 0 ? order : NULL, scroll, screen, row);
        row += sections[i].rows;
    }
}

static void page_table(const struct txtap_top_state *state, const struct txtap_top_view *view, struct section section,
                       struct txtap_top_screen *screen, size_t from, size_t to)
{
    size_t scroll = view->scroll < section.count ? view->scroll : section.count > 0 ? section.count - 1 : 0;

    section.rows = to > from ? to - from : 0;
    if (section.rows > 1)
        draw_section(state, view, &section, NULL, scroll, screen, from);
}

static void draw_page(const struct txtap_top_state *state, const struct txtap_top_view *view,
                      struct txtap_top_screen *screen, size_t from, size_t to)
{
    const struct section objects = {&object_grid, state->object_count, state->objects_more, 0, 0};
    const struct section interrupts = {&interrupt_grid, state->interrupt_count, state->interrupts_more, 0, 0};

    switch (view->page) {
    case TXTAP_TOP_PAGE_ALL:
        page_all(state, view, screen, from, to);
        break;
    case TXTAP_TOP_PAGE_OBJECTS:
        page_table(state, view, objects, screen, from, to);
        break;
    case TXTAP_TOP_PAGE_INTERRUPTS:
        page_table(state, view, interrupts, screen, from, to);
        break;
    case TXTAP_TOP_PAGE_THREAD:
        page_thread(state, view, screen, from, to);
        break;
    case TXTAP_TOP_PAGE_CHECKS:
        page_checks(state, view, screen, from, to);
        break;
    case TXTAP_TOP_PAGE_HELP:
        page_help(screen, from, to);
        break;
    }
}

void txtap_top_draw(const struct txtap_top_state *state, const struct txtap_top_view *view,
                    struct txtap_top_screen *screen)
{
    bool keys = !view->rows_only && screen->rows >= 8, rule = keys && screen->rows >= 16;
    size_t from = screen->rows < 8 && screen->rows > 2 ? 2 : HEAD_ROWS, to = screen->rows - (size_t)keys - (size_t)rule;

    screen_clear(screen);
    draw_head(state, view, screen);
    if (from < to) {
        for (size_t row = from; row < HEAD_ROWS; row++) /* a screen with few rows does not show the rates */
            memset(screen->cells + row * screen->columns, ' ', screen->columns);
        if (has_findings(state) && to - from > 4)
            draw_findings(state, screen, from++);
        draw_page(state, view, screen, from, to);
    }
    if (rule)
        screen_rule(screen, to);
    if (keys)
        screen_print(screen, screen->rows - 1,
                     view->page == TXTAP_TOP_PAGE_ALL
                         ? "[q]uit [s]ort [o]bjects [i]sr [t]hread detail [p]ause [w]indow [r]eset max [?]"
                         : "[q]uit [esc] back [up] [down] [p]ause [w]indow [r]eset max [?]");
}
