/* SPDX-License-Identifier: MIT */
/* A state drawn on screens of several sizes. TXTAP_UPDATE=1: writes tests/data/top.*.expect. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top/top_sample.h"

static struct txtap_top_state state;
static struct txtap_top_view view;
static char cells[TXTAP_TOP_ROWS_MAX * TXTAP_TOP_COLUMNS_MAX];
static uint8_t styles[sizeof cells];
static char text[sizeof cells + TXTAP_TOP_ROWS_MAX + 1];

static void setup(void)
{
    top_sample(&state);
    view = (struct txtap_top_view){0};
}

TestSuite(top_screen, .init = setup);

#define ATTRIBUTES (TXTAP_TOP_BOLD | TXTAP_TOP_REVERSE | TXTAP_TOP_RED | TXTAP_TOP_YELLOW)

static bool is_bar(char cell)
{
    return (unsigned char)cell > TXTAP_TOP_CELL_BAR && (unsigned char)cell <= TXTAP_TOP_CELL_BAR + 8;
}

/* Draws the screen, and makes a text of it, in which lines do not end with spaces, and bars are their heights. */
static struct txtap_top_screen draw(size_t rows, size_t columns)
{
    struct txtap_top_screen screen = {rows, columns, cells, styles, 0};
    char *at = text;

    memset(cells, 1, sizeof cells);
    memset(styles, 0xff, sizeof styles);
    txtap_top_draw(&state, &view, &screen);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < columns; i++) {
            char cell = cells[row * columns + i];

            at[i] = is_bar(cell) ? (char)(cell - (char)TXTAP_TOP_CELL_BAR + '0') : cell;
            cr_assert((styles[row * columns + i] & ~ATTRIBUTES) == 0, "every cell has attributes");
        }
        for (at += columns; at > text && at[-1] == ' ';)
            at--;
        *at++ = '\n';
    }
    *at = '\0';
    cr_assert(memchr(text, 1, (size_t)(at - text)) == NULL, "every cell is written");
    cr_assert(cells[rows * columns] == 1 && styles[rows * columns] == 0xff, "and none outside of the screen");
    return screen;
}

/* Returns the attributes of the first cell of `part`, and checks that all its cells have them. */
static uint8_t style_of(const struct txtap_top_screen *screen, const char *part)
{
    const char *at = memmem(cells, screen->rows * screen->columns, part, strlen(part));
    const uint8_t *style;

    cr_assert(at != NULL, "%s is not in\n%s", part, text);
    style = styles + (at - cells);
    for (size_t i = 0; i < strlen(part); i++)
        cr_assert_eq(style[i], style[0], "%s", part);
    return style[0];
}

static bool is_reversed(const struct txtap_top_screen *screen, size_t row)
{
    for (size_t i = 0; i < screen->columns; i++)
        if ((styles[row * screen->columns + i] & TXTAP_TOP_REVERSE) == 0)
            return false;
    return true;
}

static void looks_like(const char *name)
{
    char path[256];
    static char expected[sizeof text];
    FILE *file;
    size_t length;

    snprintf(path, sizeof path, "%s/top.%s.expect", TXTAP_TEST_DATA, name);
    if (getenv("TXTAP_UPDATE")) {
        file = fopen(path, "w");
        cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    }
    file = fopen(path, "r");
    cr_assert(file != NULL, "%s", path);
    length = fread(expected, 1, sizeof expected - 1, file);
    fclose(file);
    expected[length] = '\0';
    cr_assert(strcmp(text, expected) == 0, "%s: got\n%swant\n%s", path, text, expected);
}

Test(top_screen, eighty_columns)
{
    draw(24, 80);
    looks_like("80x24");
}

Test(top_screen, wider_screens_have_more_columns)
{
    draw(40, 140);
    looks_like("140x40");
}

Test(top_screen, narrower_screens_have_fewer_columns)
{
    draw(20, 60);
    looks_like("60x20");
}

Test(top_screen, a_tiny_screen_has_the_load_and_a_thread)
{
    draw(5, 20);
    looks_like("20x5");
}

Test(top_screen, a_tall_and_wide_screen_has_histories_and_a_thread)
{
    draw(50, 160);
    looks_like("160x50");
}

Test(top_screen, a_history_shows_the_smallest_share_and_only_a_full_queue_as_full)
{
    static const float cpu[] = {0, 0.05f, 0.2f, 0.5f, 2, 5, 20, 50, 80, -1};
    static const float queue[] = {0, 0, 0, 0, 0, 0, 0.1f, 50, 99.9f, 100};

    state.history_count = 10;
    memcpy(state.threads[1].history + TXTAP_TOP_HISTORY - 10, cpu, sizeof cpu);
    memcpy(state.objects[0].history + TXTAP_TOP_HISTORY - 10, queue, sizeof queue);
    draw(50, 160);
    cr_assert(strstr(text, "  12345678? "), "%s", text);
    cr_assert(strstr(text, "  1478 "), "%s", text);
}

Test(top_screen, a_history_of_the_load_has_a_scale_that_fits)
{
    static const struct {
        float load;
        const char *scale;
    } cases[] = {{0.5, "\n  1%"}, {4, "\n  5%"}, {20, "\n 20%"}, {21, "\n 50%"}, {100, "\n100%"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t at = 0; at < TXTAP_TOP_HISTORY; at++)
            state.load_history[at] = cases[i].load;
        draw(60, 80);
        cr_assert(strstr(text, cases[i].scale) != NULL, "%s\n%s", cases[i].scale, text);
    }
}

Test(top_screen, a_huge_screen_stays_a_table)
{
    draw(100, 300);
    looks_like("300x100");
}

Test(top_screen, any_size_is_filled)
{
    for (size_t rows = 1; rows < 40; rows++)
        for (size_t columns = 1; columns < 170; columns++)
            for (int page = 0; page <= TXTAP_TOP_PAGE_HELP; page++) {
                view.page = (enum txtap_top_page)page;
                draw(rows, columns);
            }
}

Test(top_screen, lost_events_turn_figures_into_bounds)
{
    state.window_gap = state.gap = true;
    state.window_lost = state.lost = 17;
    state.gap_at = 168e6 * 12;
    draw(24, 80);
    looks_like("lost");
}

Test(top_screen, an_older_loss_turns_only_maxima_into_bounds)
{
    state.gap = true;
    state.lost = 17;
    draw(24, 80);
    cr_assert(strstr(text, "[LIVE]") && strstr(text, "lost 17"));
    cr_assert(strstr(text, " 1.5     10  >=300us"));
}

Test(top_screen, items_that_did_not_fit_into_the_monitor_are_reported)
{
    state.incomplete = true;
    draw(24, 80);
    cr_assert(strstr(text, "[LIVE, NOT ALL]"));
}

Test(top_screen, without_a_rate_times_are_in_ticks)
{
    state.tick_hz = 0;
    state.seconds = state.event_rate = state.switch_rate = TXTAP_TOP_UNKNOWN;
    state.window = 0;
    draw(24, 80);
    looks_like("ticks");
}

Test(top_screen, one_thread_has_a_page)
{
    view.page = TXTAP_TOP_PAGE_THREAD;
    view.selected = state.threads[2].id;
    draw(24, 80);
    looks_like("thread");
}

static void add_checks(void)
{
    static const struct txtap_top_check checks[] = {
        {"cpu(sampler) < 60%", TXTAP_VERDICT_OK, "sampler"},
        {"stack(*) < 90%", TXTAP_VERDICT_UNDECIDED, ""},
        {"wake(logger) < 1ms", TXTAP_VERDICT_FAILED, "logger"},
    };

    memcpy(state.checks, checks, sizeof checks);
    state.check_count = 3;
    state.inversions = 2;
    state.inversion_max = 4200;
}

Test(top_screen, findings_have_their_own_row)
{
    add_checks();
    draw(24, 140);
    looks_like("findings");
}

Test(top_screen, checks_have_a_page)
{
    add_checks();
    view.page = TXTAP_TOP_PAGE_CHECKS;
    draw(24, 80);
    looks_like("checks");
}

Test(top_screen, threads_are_sorted_as_requested)
{
    static const char *const first[] = {
        [TXTAP_TOP_SORT_PRIORITY] = "\n0    System Timer Thr", [TXTAP_TOP_SORT_CPU] = "STACK\n20   housekeeper",
        [TXTAP_TOP_SORT_RUN] = "STACK\n20   housekeeper",      [TXTAP_TOP_SORT_WAKE] = "STACK\n0    System Timer Thr",
        [TXTAP_TOP_SORT_STACK] = "STACK\n20   housekeeper",
    };

    for (int sort = 0; sort < TXTAP_TOP_SORTS; sort++) {
        view.sort = (enum txtap_top_sort)sort;
        draw(24, 80);
        cr_assert(strstr(text, first[sort]), "%d\n%s", sort, text);
    }
}

Test(top_screen, rows_that_do_not_fit_are_counted)
{
    state.threads_more = 5;
    draw(12, 80);
    cr_assert(strstr(text, "and 9 more"), "%s", text);
}

Test(top_screen, the_selected_thread_is_always_on_the_screen)
{
    struct txtap_top_screen screen;
    size_t row;

    for (size_t rows = 8; rows < 30; rows++)
        for (size_t i = 0; i < state.thread_count; i++) {
            view.selected = state.threads[i].id;
            screen = draw(rows, 80);
            for (row = 0; row < rows && !is_reversed(&screen, row);)
                row++;
            cr_assert(row < rows, "thread %zu of %zu rows\n%s", i, rows, text);
            cr_assert(memmem(cells + row * 80, 80, state.threads[i].name, strlen(state.threads[i].name)));
        }
}

Test(top_screen, arrows_walk_through_the_sorted_threads)
{
    size_t steps = 0;

    view.sort = TXTAP_TOP_SORT_CPU;
    view.selected = txtap_top_neighbour(&state, &view, 1);
    for (uint32_t next; (next = txtap_top_neighbour(&state, &view, 1)) != view.selected; steps++)
        view.selected = next;
    cr_assert_eq(steps, state.thread_count - 1);
    view.selected = txtap_top_neighbour(&state, &view, -100);
    cr_assert_str_eq(state.threads[5].name, "housekeeper");
    cr_assert_eq(view.selected, state.threads[5].id);
    state.thread_count = 0;
    cr_assert_eq(txtap_top_neighbour(&state, &view, 1), 0);
}

Test(top_screen, the_title_of_the_sort_column_is_reversed)
{
    static const char *const titles[] = {
        [TXTAP_TOP_SORT_PRIORITY] = "PRIO", [TXTAP_TOP_SORT_CPU] = "CPU%",    [TXTAP_TOP_SORT_RUN] = "RUN max",
        [TXTAP_TOP_SORT_WAKE] = "WAKE p99", [TXTAP_TOP_SORT_STACK] = "STACK",
    };
    struct txtap_top_screen screen;
    char key[32];

    for (int sort = 0; sort < TXTAP_TOP_SORTS; sort++) {
        view.sort = (enum txtap_top_sort)sort;
        screen = draw(24, 80);
        for (int other = 0; other < TXTAP_TOP_SORTS; other++)
            cr_assert_eq(style_of(&screen, titles[other]),
                         other == sort ? TXTAP_TOP_BOLD | TXTAP_TOP_REVERSE : TXTAP_TOP_BOLD);
        snprintf(key, sizeof key, "[s]ort: %s [", titles[sort]);
        cr_assert(strstr(text, key) != NULL, "%s", text);
    }
}

Test(top_screen, a_running_thread_is_bold)
{
    struct txtap_top_screen screen = draw(24, 80);

    cr_assert_eq(style_of(&screen, "logger"), TXTAP_TOP_BOLD);
    cr_assert_eq(style_of(&screen, "RUNNING"), TXTAP_TOP_BOLD);
    cr_assert_eq(style_of(&screen, "ready"), 0);
}

Test(top_screen, a_late_thread_is_yellow)
{
    struct txtap_top_screen screen = draw(24, 80);

    cr_assert_eq(style_of(&screen, "mutex model *"), TXTAP_TOP_YELLOW);
    cr_assert_eq(style_of(&screen, "semaphore sample"), 0);
}

Test(top_screen, a_stack_with_little_room_has_a_colour)
{
    struct txtap_top_screen screen = draw(24, 80);

    cr_assert_eq(style_of(&screen, "60%"), TXTAP_TOP_BOLD); /* of the running thread */
    cr_assert_eq(style_of(&screen, "77%"), TXTAP_TOP_YELLOW);
    cr_assert_eq(style_of(&screen, "94%!"), TXTAP_TOP_RED);
    view.page = TXTAP_TOP_PAGE_THREAD;
    view.selected = state.threads[5].id;
    screen = draw(24, 80);
    cr_assert_eq(style_of(&screen, "94% used"), TXTAP_TOP_RED);
}

Test(top_screen, a_loss_is_red)
{
    struct txtap_top_screen screen = draw(24, 80);

    cr_assert_eq(style_of(&screen, "[LIVE]"), 0);
    cr_assert_eq(style_of(&screen, "lost 0"), 0);
    state.window_gap = true;
    state.window_lost = state.lost = 17;
    state.ring_used = 302;
    screen = draw(24, 120);
    cr_assert_eq(style_of(&screen, "[LOST 17]"), TXTAP_TOP_RED);
    cr_assert_eq(style_of(&screen, "lost 17"), TXTAP_TOP_RED);
    cr_assert_eq(style_of(&screen, "ring full"), TXTAP_TOP_RED);
}

Test(top_screen, failures_are_red)
{
    struct txtap_top_screen screen;

    add_checks();
    state.deadlocks = 1;
    screen = draw(24, 120);
    cr_assert_eq(style_of(&screen, "1 FAIL"), TXTAP_TOP_RED);
    cr_assert_eq(style_of(&screen, "1 ok"), 0);
    cr_assert_eq(style_of(&screen, "DEADLOCKS 1"), TXTAP_TOP_RED);
    cr_assert_eq(style_of(&screen, "0 unbounded"), 0);
    cr_assert_eq(style_of(&screen, "FAILED"), TXTAP_TOP_BOLD);
    state.objects[0].failed = 987;
    screen = draw(24, 120);
    cr_assert_eq(style_of(&screen, "987"), TXTAP_TOP_RED);
    view.page = TXTAP_TOP_PAGE_CHECKS;
    screen = draw(24, 120);
    cr_assert_eq(style_of(&screen, "FAIL  wake(logger) < 1ms"), TXTAP_TOP_RED);
}

Test(top_screen, a_target_that_is_not_read_is_yellow)
{
    struct txtap_top_screen screen;

    snprintf(state.condition, sizeof state.condition, "DETACHED");
    screen = draw(24, 80);
    cr_assert_eq(style_of(&screen, "[DETACHED]"), TXTAP_TOP_YELLOW);
}

Test(top_screen, a_window_that_is_not_yet_full_shows_both_lengths)
{
    state.window = 1.25;
    draw(24, 80);
    cr_assert(strstr(text, "window 1.2/2 s "), "%s", text);
}

Test(top_screen, pages_that_fit_need_no_styles)
{
    struct txtap_top_screen screen = {24, 80, cells, NULL, 0};

    txtap_top_draw(&state, &view, &screen);
    cr_assert(screen.used == 24);
}
