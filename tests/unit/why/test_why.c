/* SPDX-License-Identifier: MIT */
/* Pieces of a real trace that were computed by hand, and limits. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure_list.h"
#include "analysis/made_trace.h"
#include "txtap/inner/why.h"
#include "txtap/trace.h"

#define CONTROL  "control"
#define DEMO_REC TXTAP_TEST_UNPACKED "/demo_rec.trx"

static struct txtap_object objects[1024];
static struct txtap_trace trace;
static struct figure_list list;
static char text[TXTAP_WHY_TEXT_BYTES];

static const char *name_of(const void *self, const struct txtap_subject *subject)
{
    return txtap_subject_name(subject, self);
}

static const struct txtap_finding_names names = {name_of, &trace.registry};

static void load(const char *path)
{
    static uint8_t bytes[2u << 20];
    FILE *file = fopen(path, "rb");

    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(txtap_trace_open(&trace, bytes, fread(bytes, 1, sizeof(bytes), file), objects, 1024), TXTAP_OK);
    fclose(file);
}

/* Analyses a file. wish: NULL: no cut. Its memory is freed at the next call. */
static struct txtap_why *analyse(const char *path, const struct txtap_why_wish *wish, uint32_t steps, uint32_t pieces)
{
    static void *memory;
    const struct txtap_why_limits limits = {
        .analysis = {.threads = 64, .objects = 128, .pairs = 512, .pages = 4096, .buckets = FIGURE_LIST_BUCKETS},
        .steps = steps,
        .pieces = pieces};
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    struct txtap_why *why = NULL;
    struct txtap_item item;

    free(memory);
    memory = malloc(txtap_why_bytes(&limits));
    load(path);
    if (wish != NULL)
        why = txtap_why_open(memory, &limits, analysis, wish);
    txtap_analysis_objects(analysis, &trace.registry);
    while (txtap_trace_next(&trace, &item) == TXTAP_OK)
        (void)txtap_analysis_take(analysis, &item);
    figure_list_end(&list, analysis);
    return why;
}

/* Returns the figure of a thread. */
static struct txtap_figure figure_of(enum txtap_figure_id id, const char *thread)
{
    for (size_t i = 0; i < list.count; i++)
        if (list.figures[i].id == id && strcmp(name_of(&trace.registry, &list.figures[i].subject), thread) == 0)
            return list.figures[i];
    cr_assert(false, "no figure of %s", thread);
    return list.figures[0];
}

static struct txtap_why *worst(enum txtap_figure_id id, uint32_t steps, uint32_t pieces)
{
    struct txtap_why_wish wish = {.select = TXTAP_WHY_FIGURE, .figure = id};
    struct txtap_figure figure;

    (void)analyse(DEMO_REC, NULL, 16, 2);
    figure = figure_of(id, CONTROL);
    wish.subject = figure.subject;
    wish.seq = figure.max_at.seq;
    return analyse(DEMO_REC, &wish, steps, pieces);
}

static struct txtap_why *worst_response(uint32_t steps, uint32_t pieces)
{
    return worst(TXTAP_FIGURE_RESPONSE, steps, pieces);
}

Test(why, the_pieces_of_the_longest_response_are_those_computed_by_hand)
{
    static const struct {
        uint64_t ticks;
        bool before;
        enum txtap_why_state state;
        const char *text;
    } expected[] = {
        {33, true, TXTAP_WHY_INTERRUPTED, "interrupt 15"},
        {35, true, TXTAP_WHY_READY_WHILE, "was ready while interrupt 15 ran"},
        {83, true, TXTAP_WHY_RAN, "ran (priority 0)"},
        {24, true, TXTAP_WHY_READY_WHILE,
         "was ready while System Timer Thread (priority 0, woken by interrupt 15 at event 280) ran"},
        {73, true, TXTAP_WHY_RAN, "ran (priority 16)"},
        {185, false, TXTAP_WHY_RAN, "ran (priority 6)"},
        {110, false, TXTAP_WHY_RAN, "waited for mutex model, held by reporter since event 284, which ran (priority 6)"},
        {28, false, TXTAP_WHY_RAN, "ran (priority 6)"},
    };
    struct txtap_why *why = worst_response(1u << 16, 256);
    struct txtap_why_summary summary;
    struct txtap_why_piece piece;

    cr_assert(txtap_why_summary(why, &summary));
    cr_expect_eq(summary.total, 323);
    cr_expect_eq(summary.span.before, 248);
    for (size_t i = 0; i < txtap_why_pieces(why); i++) {
        txtap_why_piece(why, i, &piece);
        cr_expect_eq(piece.ticks, expected[i].ticks, "piece %zu: %" PRIu64, i, piece.ticks);
        cr_expect_eq(piece.before, expected[i].before);
        cr_expect_eq(piece.state, expected[i].state);
        cr_expect_str_eq(txtap_why_piece_text(text, &piece, &names), expected[i].text, "piece %zu: %s", i, text);
    }
    cr_expect_eq(txtap_why_pieces(why), sizeof(expected) / sizeof(*expected));
    cr_expect_str_eq(txtap_why_text(text, &summary, &names, 0),
                     "control waited 110 ticks for mutex model, held by reporter since event 284", "%s", text);
}

Test(why, pieces_without_room_are_merged_and_their_sum_stays_the_same)
{
    struct txtap_why *why = worst_response(1u << 16, 3);
    struct txtap_why_piece piece;
    uint64_t sum = 0;

    cr_assert(txtap_why_merged(why));
    cr_assert_eq(txtap_why_pieces(why), 3);
    for (size_t i = 0; i < 3; i++) {
        txtap_why_piece(why, i, &piece);
        sum += piece.ticks;
    }
    cr_expect_eq(sum, 571);
}

Test(why, a_small_log_makes_early_pieces_unknown)
{
    static struct txtap_figure figures[FIGURES_MAX];
    struct txtap_why_summary large, small;
    size_t count, unknown = 0;

    (void)analyse(DEMO_REC, NULL, 16, 2);
    count = list.count;
    memcpy(figures, list.figures, count * sizeof(*figures));
    for (size_t i = 0; i < count; i++) {
        const struct txtap_why_wish wish = {TXTAP_WHY_FIGURE, figures[i].id, figures[i].subject, figures[i].max_at.seq,
                                            0};

        if ((figures[i].id != TXTAP_FIGURE_BLOCK && figures[i].id != TXTAP_FIGURE_RESPONSE) || !figures[i].max_at.known)
            continue;
        cr_assert(txtap_why_summary(analyse(DEMO_REC, &wish, 1u << 16, 256), &large));
        cr_assert(txtap_why_summary(analyse(DEMO_REC, &wish, 16, 256), &small));
        cr_expect_eq(small.total, large.total);
        cr_expect(small.unknown >= large.unknown);
        cr_expect_not(large.span.too_long);
        cr_expect(small.unknown == large.unknown || small.span.too_long);
        unknown += small.unknown > large.unknown;
    }
    cr_expect(unknown > 0);
}

Test(why, an_event_or_a_time_finds_the_same_job_as_the_figure)
{
    struct txtap_why_wish wish = {.select = TXTAP_WHY_EVENT};
    struct txtap_why_summary figure, found;

    cr_assert(txtap_why_summary(worst_response(1u << 16, 256), &figure));
    wish.seq = figure.span.end.seq - 1;
    cr_assert(txtap_why_summary(analyse(DEMO_REC, &wish, 1u << 16, 256), &found));
    cr_expect_eq(found.span.end.seq, figure.span.end.seq);
    cr_expect_eq(found.total, 323);
    wish = (struct txtap_why_wish){
        .select = TXTAP_WHY_TIME, .subject = figure.span.thread, .ticks = figure.span.start.ticks + 1};
    cr_assert(txtap_why_summary(analyse(DEMO_REC, &wish, 1u << 16, 256), &found));
    cr_expect_eq(found.span.end.seq, figure.span.end.seq);
}

Test(why, the_longest_jobs_of_all_threads_are_those_of_the_figures)
{
    const struct txtap_why_wish wish = {.select = TXTAP_WHY_WORST};
    struct txtap_why *why = analyse(DEMO_REC, &wish, 1u << 16, 0);
    struct txtap_why_summary summary;
    unsigned jobs = 0;

    for (uint32_t i = 0; i < txtap_why_threads(why); i++) {
        struct txtap_figure figure;

        if (!txtap_why_worst(why, i, TXTAP_WHY_JOB, &summary))
            continue;
        figure = figure_of(TXTAP_FIGURE_RESPONSE, name_of(&trace.registry, &summary.span.thread));
        if (figure.stat[TXTAP_STAT_MAX].upper > figure.stat[TXTAP_STAT_MAX].value)
            continue;
        cr_expect_eq((double)summary.total, figure.stat[TXTAP_STAT_MAX].value);
        cr_expect_eq(summary.span.end.seq, figure.max_at.seq);
        jobs++;
    }
    cr_expect(jobs >= 3);
}

Test(why, jobs_without_pieces_have_no_note_about_pieces)
{
    const struct txtap_why_wish wish = {.select = TXTAP_WHY_WORST};
    struct txtap_why *why = analyse(TXTAP_TEST_DATA "/analysis/deadlock.trx", &wish, 1u << 16, 2);
    struct txtap_why_summary summary;
    const char *note;

    cr_assert(txtap_why_worst(why, 0, TXTAP_WHY_JOB, &summary));
    for (unsigned i = 0; (note = txtap_why_note(why, &summary, i)) != NULL; i++)
        cr_expect_null(strstr(note, "pieces"), "%s", note);
}

/* ---- made traces ---- */

enum { A = 0x100, B = 0x200, C = 0x300, D = 0x400, E = 0x500, M1 = 0x1000, M2 = 0x2000, M3 = 0x3000, M4 = 0x4000 };

static struct txtap_why *made_why;

static const char *made_name(const void *self, const struct txtap_subject *subject)
{
    static const struct {
        uint32_t address;
        const char *name;
    } known[] = {{A, "a"}, {B, "b"}, {C, "c"}, {D, "d"}, {E, "e"}, {M1, "m1"}, {M2, "m2"}, {M3, "m3"}};

    (void)self;
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (known[i].address == subject->number)
            return known[i].name;
    return "";
}

static const struct txtap_finding_names made_text = {made_name, NULL};

/* Begins a made trace. Its span is that of thread A at this tick. */
static void begin(uint64_t ticks)
{
    static void *memory;
    static const uint32_t threads[] = {A, B, C, D, E};
    static const uint16_t priorities[] = {1, 2, 3, 20, 10};
    const struct txtap_why_limits limits = {
        .analysis = {.threads = 64, .objects = 128, .pairs = 512, .pages = 4096, .buckets = FIGURE_LIST_BUCKETS},
        .steps = 1024,
        .pieces = 64};
    struct txtap_why_wish wish = {.select = TXTAP_WHY_TIME, .ticks = ticks};

    if (memory == NULL)
        memory = malloc(txtap_why_bytes(&limits));
    wish.subject.kind = TXTAP_SUBJECT_THREAD;
    wish.subject.number = A;
    made_begin(&(struct txtap_analysis_options){0});
    made_why = txtap_why_open(memory, &limits, made_analysis(), &wish);
    for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++)
        made_priority(threads[i], priorities[i]);
}

static void suspend(uint64_t ticks, uint32_t thread, uint32_t reason, uint32_t next)
{
    made_event(ticks, thread, EVENT_THREAD_SUSPEND, thread, reason, 0, next);
}

static void resume(uint64_t ticks, uint32_t by, uint32_t thread, uint32_t reason)
{
    made_event(ticks, by, EVENT_THREAD_RESUME, thread, reason, 0, thread);
}

/* owner: 0: nobody owns the mutex. */
static void get(uint64_t ticks, uint32_t thread, uint32_t mutex, uint32_t owner)
{
    made_event(ticks, thread, EVENT_MUTEX_GET, mutex, UINT32_MAX, owner, owner != 0);
}

static void put(uint64_t ticks, uint32_t thread, uint32_t mutex)
{
    made_event(ticks, thread, EVENT_MUTEX_PUT, mutex, thread, 1, 0);
}

static void expect_piece(size_t index, uint64_t ticks, const char *expected)
{
    struct txtap_why_piece piece;

    cr_assert(index < txtap_why_pieces(made_why));
    txtap_why_piece(made_why, index, &piece);
    txtap_why_piece_text(text, &piece, &made_text);
    cr_expect(piece.ticks == ticks && strcmp(text, expected) == 0, "piece %zu: %" PRIu64 " %s", index, piece.ticks,
              text);
}

/* d owns m3, c owns m2 and waits for m3, b owns m1 and waits for m2, a waits for m1. e keeps d from running. */
static void make_three_mutexes(void)
{
    get(0, D, M3, 0);
    resume(10, D, C, REASON_SUSPENDED);
    get(20, C, M2, 0);
    get(30, C, M3, D);
    suspend(32, C, REASON_MUTEX, D);
    resume(40, D, B, REASON_SUSPENDED);
    get(50, B, M1, 0);
    get(60, B, M2, C);
    suspend(62, B, REASON_MUTEX, D);
    resume(70, D, A, REASON_SUSPENDED);
    get(80, A, M1, B);
    suspend(82, A, REASON_MUTEX, D);
    resume(100, D, E, REASON_SUSPENDED);
    suspend(200, E, REASON_SUSPENDED, D);
    put(210, D, M3);
    resume(211, D, C, REASON_MUTEX);
    put(220, C, M2);
    resume(221, C, B, REASON_MUTEX);
    put(230, B, M1);
    resume(231, B, A, REASON_MUTEX);
    suspend(240, A, REASON_SUSPENDED, B);
}

#define CHAIN_OF_B "waited for mutex m1, held by b since event 6, which "
#define CHAIN_OF_C CHAIN_OF_B "waited for mutex m2, held by c since event 2, which "
#define CHAIN_OF_D CHAIN_OF_C "waited for mutex m3, held by d since event 0, which "

Test(why, a_chain_of_three_mutexes_ends_at_the_thread_that_keeps_the_last_owner_from_running)
{
    struct txtap_why_summary summary;

    begin(150);
    make_three_mutexes();
    made_end();
    cr_assert(txtap_why_summary(made_why, &summary));
    cr_expect_eq(summary.total, 170);
    expect_piece(0, 12, "ran"); /* no earlier event has the priority */
    expect_piece(1, 18, CHAIN_OF_D "ran (priority 20)");
    expect_piece(2, 100, CHAIN_OF_D "was ready while e (woken by d at event 12) ran");
    expect_piece(3, 11, CHAIN_OF_D "ran (priority 20)");
    expect_piece(4, 10, CHAIN_OF_C "ran (priority 3)");
    expect_piece(5, 10, CHAIN_OF_B "ran (priority 2)");
    expect_piece(6, 9, "ran (priority 1)");
    cr_expect_eq(txtap_why_pieces(made_why), 7);
    cr_expect_str_eq(txtap_why_text(text, &summary, &made_text, 0),
                     "a waited 149 ticks for mutex m1, held by b since event 6, which waited for mutex m2, held by c "
                     "since event 2, which waited for mutex m3, held by d since event 0; for 100 ticks d was ready "
                     "while e ran",
                     "%s", text);
}

Test(why, a_gap_inside_a_job_is_a_piece_and_the_span_says_that_it_may_be_several_jobs)
{
    struct txtap_why_summary summary;

    begin(60);
    resume(10, D, A, REASON_SLEEP);
    get(40, A, M1, 0);
    made_gap(5);
    put(100, A, M1);
    suspend(120, A, REASON_SLEEP, D);
    made_event(130, D, EVENT_THREAD_RELINQUISH, 0, 0, 0, 0);
    made_end();
    cr_assert(txtap_why_summary(made_why, &summary));
    cr_expect(summary.span.gap);
    cr_expect_eq(summary.total, 110);
    cr_expect_eq(summary.unknown, 60);
    expect_piece(0, 30, "ran");
    expect_piece(1, 60, "is not in the trace: events were lost");
    expect_piece(2, 20, "ran");
    cr_expect_str_eq(txtap_why_text(text, &summary, &made_text, 0), "a: the trace does not show the cause of 60 ticks",
                     "%s", text);
}

Test(why, the_owner_of_a_mutex_may_have_ended)
{
    begin(60);
    get(0, B, M1, 0);
    suspend(5, B, REASON_COMPLETED, D);
    resume(10, D, A, REASON_SLEEP);
    get(40, A, M1, B);
    suspend(42, A, REASON_MUTEX, D);
    made_event(130, D, EVENT_THREAD_RELINQUISH, 0, 0, 0, 0);
    made_end();
    expect_piece(1, 88, "waited for mutex m1, held by b since event 0, which had completed");
}

Test(why, an_unknown_object_has_its_kind)
{
    begin(60);
    suspend(20, A, REASON_SEMAPHORE, D);
    resume(70, D, A, REASON_SEMAPHORE);
    suspend(90, A, REASON_SLEEP, D);
    made_end();
    expect_piece(0, 50, "waited for a semaphore, given by d, which ran");
}

/* ---- several cores ---- */

#define TIME_GET 120u /* an event of a thread that changes nothing */

/* Records that an interrupt begins, or ends. */
static void interrupt(uint64_t ticks, uint32_t thread, uint32_t id)
{
    made_interrupt(ticks, thread, id, 0, 7, 1, 0);
}

/* An interrupt on the core of a suspends a. If core 1 exists, a waits from then on; otherwise a was interrupted. */
static void make_suspension_in_interrupt(bool core_1_first, bool resumed_in_interrupt)
{
    if (core_1_first)
        made_core(1);
    made_event(5, B, TIME_GET, 0, 0, 0, 0);
    made_core(0);
    resume(10, D, A, REASON_SLEEP);
    interrupt(50, A, EVENT_ISR_ENTER);
    made_interrupt(60, A, EVENT_THREAD_SUSPEND, A, REASON_SUSPENDED, 0, D);
    if (resumed_in_interrupt)
        made_interrupt(70, A, EVENT_THREAD_RESUME, A, REASON_SUSPENDED, 0, A);
    interrupt(80, A, EVENT_ISR_EXIT);
    if (!resumed_in_interrupt)
        resume(100, D, A, REASON_SUSPENDED);
    made_core(1);
    made_event(110, B, TIME_GET, 0, 0, 0, 0);
    made_core(0);
    suspend(120, A, REASON_SUSPENDED, D);
    made_end();
}

Test(why, a_wait_in_an_interrupt_is_unknown_if_the_second_core_is_seen_later)
{
    begin(65);
    make_suspension_in_interrupt(true, false);
    expect_piece(0, 40, "waited for a call of tx_thread_resume, given by d, which is not shown by the trace");
    begin(65);
    make_suspension_in_interrupt(false, false);
    expect_piece(0, 20, "is not shown by the trace");
    expect_piece(1, 20, "waited for a call of tx_thread_resume, given by d, which ran (priority 20)");
    begin(65);
    make_suspension_in_interrupt(false, true);
    expect_piece(0, 10, "is not shown by the trace");
}

Test(why, a_core_that_takes_a_thread_from_a_core_in_an_interrupt_keeps_it)
{
    begin(55);
    made_core(1);
    made_event(5, D, TIME_GET, 0, 0, 0, 0);
    made_core(0);
    made_event(10, A, TIME_GET, 0, 0, 0, 0);
    interrupt(20, A, EVENT_ISR_ENTER);
    made_interrupt(22, A, EVENT_THREAD_RESUME, E, REASON_SUSPENDED, 0, E);
    made_core(1);
    suspend(24, D, REASON_PRIORITY, A);
    made_event(26, D, EVENT_THREAD_RESUME, D, REASON_PRIORITY, 0, A);
    made_core(0);
    interrupt(32, A, EVENT_ISR_EXIT);
    made_core(1);
    made_event(34, A, TIME_GET, 0, 0, 0, 0);
    made_core(0);
    made_event(40, E, TIME_GET, 0, 0, 0, 0);
    made_core(1);
    interrupt(50, A, EVENT_ISR_ENTER);
    interrupt(60, A, EVENT_ISR_EXIT);
    made_event(62, A, TIME_GET, 0, 0, 0, 0);
    suspend(70, A, REASON_SUSPENDED, 0);
    made_end();
    expect_piece(3, 8, "is not shown by the trace");
    expect_piece(4, 16, "ran (priority 1)");
    expect_piece(5, 10, "was interrupted by interrupt 7");
    expect_piece(6, 10, "ran (priority 1)");
}
