/* SPDX-License-Identifier: MIT */
/* Arranges the lines, tables and pages on the screen. */
#include "txtap/inner/top.h"

#include <string.h>

#include "top/history.h"
#include "top/parts.h"
#include "top/tables.h"

/* Rows with their rule. */
#define THREAD_ROWS     14
#define LOAD_ROWS_LEAST 5
#define LOAD_ROWS_MOST  11

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
    grid_head(&grid, screen, row, order != NULL ? sort_column(section->kind, view->sort) : GRID_UNSORTED);
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
            screen_style(screen, row + 1 + i, 0, screen->columns, TXTAP_TOP_REVERSE);
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

/* Draws a thread and the history of the load below the tables, if there is room: the chosen thread, or the first. */
static void fill_room(const struct txtap_top_state *state, const struct txtap_top_view *view, const uint16_t *order,
                      struct txtap_top_screen *screen, size_t row, size_t to)
{
    struct txtap_top_view chosen = *view;

    if (state->thread_count == 0 || row + THREAD_ROWS > to)
        return;
    if (view->selected == 0)
        chosen.selected = state->threads[order[0]].id;
    screen_rule(screen, row);
    page_thread(state, &chosen, screen, row + 1, row + THREAD_ROWS);
    row += THREAD_ROWS;
    if (row + LOAD_ROWS_LEAST > to)
        return;
    screen_rule(screen, row);
    screen_append(screen, row, 3, 0, " CPU of the last %.0f seconds ", TXTAP_TOP_HISTORY / 4.);
    draw_load_history(state, screen, row + 1, to < row + LOAD_ROWS_MOST ? to : row + LOAD_ROWS_MOST);
}

static bool has_trace(const struct txtap_top_state *state)
{
    return *state->kernel == '\0';
}

static void page_all(const struct txtap_top_state *state, const struct txtap_top_view *view,
                     struct txtap_top_screen *screen, size_t from, size_t to)
{
    struct section sections[] = {
        {has_trace(state) ? &thread_grid : &kernel_thread_grid, state->thread_count, state->threads_more, 4, 0},
        {&interrupt_grid, state->interrupt_count, state->interrupts_more, 3, 0},
        {has_trace(state) ? &object_grid : &kernel_object_grid, state->object_count, state->objects_more, 3, 0},
        {&value_grid, state->value_count, 0, 3, 0},
    };
    const size_t count = state->value_count > 0 ? 4 : 3;
    bool rules = screen->rows >= 16;
    uint16_t order[TXTAP_TOP_THREADS];
    size_t room = to - from, row = from;

    if (rules)
        room -= room > count ? count : room;
    share_rows(sections, count, room);
    sort_threads(state, view->sort, order);
    for (size_t i = 0; i < count; i++) {
        size_t scroll =
            i > 0 || sections[i].rows < 3 ? 0 : scroll_to_selected(state, view, order, sections[i].rows - 1);

        if (sections[i].rows == 0)
            continue;
        if (rules)
            screen_rule(screen, row++);
        draw_section(state, view, &sections[i], i == 0 ? order : NULL, scroll, screen, row);
        row += sections[i].rows;
    }
    if (rules)
        draw_bounds_note(state, !view->rows_only, screen, from);
    if (!view->rows_only && has_trace(state))
        fill_room(state, view, order, screen, row, to);
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
    const struct section objects = {has_trace(state) ? &object_grid : &kernel_object_grid, state->object_count,
                                    state->objects_more, 0, 0};
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
    draw_head(state, screen);
    if (from < to) {
        for (size_t row = from; row < HEAD_ROWS; row++) /* a screen with few rows does not show the rates */
            screen_erase(screen, row);
        if (has_findings(state) && to - from > 4)
            draw_findings(state, screen, from++);
        draw_page(state, view, screen, from, to);
    }
    if (rule)
        screen_rule(screen, to);
    if (keys && view->page == TXTAP_TOP_PAGE_ALL)
        screen_print(screen, screen->rows - 1,
                     "[q]uit [s]ort: %s [o]bjects [i]sr [t]hread [p]ause [w]indow [r]eset [?]", sort_title(view->sort));
    else if (keys)
        screen_print(screen, screen->rows - 1, "[q]uit [esc] back [up] [down] [p]ause [w]indow [r]eset [?]");
}
