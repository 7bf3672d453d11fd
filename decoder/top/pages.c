/* SPDX-License-Identifier: MIT */
/* Draws the pages of text: one thread, the checks, the meaning of the screen. Lines that do not fit are left out. */
#include <inttypes.h>
#include <stdio.h>

#include "top/parts.h"
#include "top/tables.h"

struct lines {
    struct txtap_top_screen *screen;
    size_t row, to;
};

static void styled_line(struct lines *lines, uint8_t style, const char *text)
{
    if (lines->row < lines->to)
        screen_append(lines->screen, lines->row++, 0, style, "%s", text);
}

static void line(struct lines *lines, const char *text)
{
    styled_line(lines, 0, text);
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

    if (thread->stack_bytes == 0 || thread->stack < 0 || thread->stack_free > thread->stack_bytes)
        snprintf(text, sizeof text, "stack            not known");
    else
        snprintf(text, sizeof text, "stack            %.0f%% used, %" PRIu32 " of %" PRIu32 " bytes, %s", thread->stack,
                 thread->stack_bytes - thread->stack_free, thread->stack_bytes,
                 thread->stack_exact ? "the true maximum" : "as seen at events");
    styled_line(lines, stack_style(thread), text);
}

void page_thread(const struct txtap_top_state *state, const struct txtap_top_view *view,
                 struct txtap_top_screen *screen, size_t from, size_t to)
{
    const struct txtap_top_thread *thread = find(state, view->selected);
    struct lines lines = {screen, from, to};
    char text[GRID_TEXT_BYTES], since[AMOUNT_BYTES], cpu[AMOUNT_BYTES], ready[AMOUNT_BYTES], now[AMOUNT_BYTES];
    char base[AMOUNT_BYTES], all[160];
    const char *lasting;

    if (thread == NULL) {
        line(&lines, "This thread is gone.");
        return;
    }
    snprintf(all, sizeof all, "thread %s at 0x%08" PRIx32, thread->name, thread->address);
    line(&lines, all);
    lasting = thread->waiting >= 0 ? amount_ticks(since, AMOUNT_EXACT, thread->waiting, state->tick_hz) : "";
    snprintf(all, sizeof all, "%.60s%s%s, priority %s, its own %s", thread_does(state, thread, text),
             *lasting ? " for " : "", lasting, amount_count(now, AMOUNT_EXACT, thread->priority),
             amount_count(base, AMOUNT_EXACT, thread->base));
    line(&lines, all);
    stack(&lines, thread);
    if (*state->kernel != '\0') {
        snprintf(all, sizeof all, "runs             %s per second", amount_count(cpu, AMOUNT_EXACT, thread->runs));
        line(&lines, all);
        return;
    }
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

void page_checks(const struct txtap_top_state *state, const struct txtap_top_view *view,
                 struct txtap_top_screen *screen, size_t from, size_t to)
{
    static const char *const verdicts[] = {
        [TXTAP_VERDICT_OK] = "ok",
        [TXTAP_VERDICT_FAILED] = "FAIL",
        [TXTAP_VERDICT_UNDECIDED] = "open",
    };
    static const uint8_t styles[] = {
        [TXTAP_VERDICT_OK] = 0,
        [TXTAP_VERDICT_FAILED] = TXTAP_TOP_RED,
        [TXTAP_VERDICT_UNDECIDED] = TXTAP_TOP_YELLOW,
    };
    struct lines lines = {screen, from, to};
    char text[160];

    if (state->check_count == 0)
        line(&lines, "There are no checks: --check gives some.");
    for (size_t i = view->scroll; i < state->check_count; i++) {
        const struct txtap_top_check *check = &state->checks[i];

        snprintf(text, sizeof text, "%-5s %s%s%s", verdicts[check->verdict], check->text,
                 *check->subject ? "   decided by " : "", check->subject);
        styled_line(&lines, styles[check->verdict], text);
    }
    if (state->checks_more > 0) {
        snprintf(text, sizeof text, "and %" PRIu64 " more", state->checks_more);
        line(&lines, text);
    }
}

void page_help(struct txtap_top_screen *screen, size_t from, size_t to)
{
    static const char *const text[] = {
        "q  quit                            up, down  choose a thread, or scroll",
        "s  sort by the next column         P C R W S  sort by PRIO, CPU%, RUN max,",
        "w  window: 1, 2, 10 s                         WAKE p99, STACK",
        "p  pause; the target is read on    r  reset: max, p99, STACK, PEAK begin again",
        "o  objects   i  interrupts   t  the chosen thread   c  checks   esc  back",
        "",
        "In the sliding window:      CPU%  WAKE/s  RATE/s  PREEMPT/s  READY%",
        "Since the start or a reset: RUN max of a job, RESP max from wake-up to its end",
        "WAKE p99   from wake-up to the core; 99 % of the times are shorter",
        "STACK      =20% true maximum; 20% as seen at events, or more; ! above 90 %",
        "PRIO 16/6  priority 16, raised to 6      STATE *  longer than usual",
        ">= <= ~    events are missing: a bound, or only about right",
        "HISTORY    a bar is 1/4 s, the newest at the right; ? not observed",
        "  CPU      heights: above 0, 0.1, 0.3, 1, 3, 10, 30, 70 %",
        "  QUEUE    height: the most messages; a whole bar is a full queue",
    };
    struct lines lines = {screen, from, to};

    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        line(&lines, text[i]);
}
