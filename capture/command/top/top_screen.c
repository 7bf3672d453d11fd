/* SPDX-License-Identifier: MIT */
/* Shows the library's monitor on a terminal, or as rows for a pipe. */
#include "command/top/top_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/runtime.h"
#include "command/top/terminal.h"
#include "file/definitions_file.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/interrupts.h"

#define DELAY_SCREEN_US 250000
#define DELAY_ROWS_US   2000000
#define FINDINGS_US     1000000 /* time between two updates of the findings, which are expensive to compute */
#define ROWS_COLUMNS    100     /* width of rows for a pipe */

_Static_assert(FRAME_ROWS_MAX >= TXTAP_TOP_ROWS_MAX && FRAME_COLUMNS_MAX >= TXTAP_TOP_COLUMNS_MAX, "any screen fits");

/* ---- opening and closing ---- */

enum txtap_status top_screen_open(struct top_screen *screen, const struct options *options,
                                  const struct identity *identity, const char *source, struct error *error)
{
    const struct txtap_rate rate = options_known_rate(options);
    enum txtap_status status;
    void *memory;

    screen->options = options;
    screen->view.rows_only = options->top.rows;
    screen->view.window = 1;
    screen->state.ring_used = TXTAP_TOP_UNKNOWN;
    screen->state.lost_exact = true;
    snprintf(screen->state.source, sizeof screen->state.source, "%s", source);
    status = top_findings_open(&screen->findings, options, error);
    if (status != TXTAP_OK)
        return status;
    memory = malloc(txtap_top_bytes(screen->findings.analysis));
    if (memory == NULL) {
        top_findings_close(&screen->findings);
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the screen");
    }
    screen->findings.interrupts = &screen->interrupts;
    screen->monitor = txtap_top_open(memory, screen->findings.analysis);
    status = top_screen_definitions(screen, identity, error);
    if (status != TXTAP_OK) {
        top_findings_close(&screen->findings);
        free(memory);
        return status;
    }
    top_screen_rate(screen, &rate);
    if (!options->top.rows)
        status = terminal_open(error);
    screen->frame.colours = terminal_has_colours();
    screen->frame.utf8 = terminal_is_utf8();
    if (status != TXTAP_OK)
        top_screen_close(screen);
    return status;
}

enum txtap_status top_screen_definitions(struct top_screen *screen, const struct identity *identity,
                                         struct error *error)
{
    txtap_interrupts_init(&screen->interrupts, NULL); /* it refers to the definitions */
    txtap_top_values_forget(&screen->values);         /* they refer to the definitions, too */
    definitions_free(screen->definitions);
    screen->definitions = NULL;
    return definitions_load(&screen->definitions, NULL, identity, NULL, 0, true, error);
}

void top_screen_close(struct top_screen *screen)
{
    if (!screen->options->top.rows)
        terminal_close();
    top_findings_close(&screen->findings);
    definitions_free(screen->definitions);
    screen->definitions = NULL;
    free(screen->monitor);
    screen->monitor = NULL;
}

enum exit_code top_screen_verdict(struct top_screen *screen, struct error *error)
{
    return top_findings_end(&screen->findings, screen->names, &screen->state, error);
}

/* ---- items ---- */

static void take_mark(struct top_screen *screen, enum txtap_mark_kind kind)
{
    static const char *const exceptions[TXTAP_MARK_KINDS] = {
        [TXTAP_MARK_DETACHED] = "DETACHED",
        [TXTAP_MARK_DISABLED] = "TRACE OFF",
        [TXTAP_MARK_HALTED] = "HALTED",
        [TXTAP_MARK_FAULT] = "FAULT",
    };

    if (kind < TXTAP_MARK_KINDS && kind != TXTAP_MARK_TRIGGER && kind != TXTAP_MARK_UNSURE && kind != TXTAP_MARK_CHECK)
        screen->exception = exceptions[kind];
}

static void learn(struct top_screen *screen)
{
    if (screen->names == NULL || (screen->learnt && screen->generation == screen->names->generation))
        return;
    screen->learnt = true;
    screen->generation = screen->names->generation;
    txtap_analysis_names(screen->findings.analysis, screen->names);
    txtap_analysis_objects(screen->findings.analysis, screen->names);
}

enum txtap_status top_screen_take(void *self, const struct txtap_item *item)
{
    struct top_screen *screen = self;

    if (item->kind == TXTAP_ITEM_EVENT)
        learn(screen);
    if (item->kind == TXTAP_ITEM_MARK)
        take_mark(screen, item->mark.kind);
    txtap_top_values_take(&screen->values, screen->definitions, item);
    return txtap_analysis_take(screen->findings.analysis, item);
}

void top_screen_rate(struct top_screen *screen, const struct txtap_rate *rate)
{
    if (rate->how == TXTAP_RATE_UNKNOWN)
        return;
    screen->findings.checks.rate = *rate;
    screen->state.tick_hz_measured = rate->how == TXTAP_RATE_MEASURED;
    txtap_top_rate(screen->monitor, rate->hz);
}

/* ---- keys ---- */

static void open_page(struct top_screen *screen, enum txtap_top_page page)
{
    screen->view.page = screen->view.page == page ? TXTAP_TOP_PAGE_ALL : page;
    screen->view.scroll = 0;
}

static void move(struct top_screen *screen, int by)
{
    struct txtap_top_view *view = &screen->view;

    if (view->page == TXTAP_TOP_PAGE_ALL || view->page == TXTAP_TOP_PAGE_THREAD)
        view->selected = txtap_top_neighbour(&screen->state, view, view->selected == 0 ? 0 : by);
    else if (by < 0)
        view->scroll -= view->scroll < (size_t)-by ? view->scroll : (size_t)-by;
    else if (view->scroll + (size_t)by < TXTAP_TOP_OBJECTS)
        view->scroll += (size_t)by;
}

static void open_thread(struct top_screen *screen)
{
    if (screen->view.selected == 0)
        screen->view.selected = txtap_top_neighbour(&screen->state, &screen->view, 0);
    open_page(screen, TXTAP_TOP_PAGE_THREAD);
}

/* Sorts by the column of the key, if there is a column. */
static void sort_by(struct txtap_top_view *view, enum terminal_key key)
{
    static const char keys[] = {
        [TXTAP_TOP_SORT_PRIORITY] = 'P', [TXTAP_TOP_SORT_CPU] = 'C',   [TXTAP_TOP_SORT_RUN] = 'R',
        [TXTAP_TOP_SORT_WAKE] = 'W',     [TXTAP_TOP_SORT_STACK] = 'S',
    };

    for (size_t i = 0; i < sizeof keys; i++)
        if ((int)key == keys[i])
            view->sort = (enum txtap_top_sort)i;
}

static void press(struct top_screen *screen, enum terminal_key key)
{
    struct txtap_top_view *view = &screen->view;

    switch ((int)key) {
    case 'q':
    case TERMINAL_GONE:
        screen->quit = true;
        break;
    case 's':
        view->sort = (view->sort + 1) % TXTAP_TOP_SORTS;
        break;
    case 'w':
        view->window = (view->window + 1) % TXTAP_TOP_WINDOWS;
        break;
    case 'o':
        open_page(screen, TXTAP_TOP_PAGE_OBJECTS);
        break;
    case 'i':
        open_page(screen, TXTAP_TOP_PAGE_INTERRUPTS);
        break;
    case 'c':
        open_page(screen, TXTAP_TOP_PAGE_CHECKS);
        break;
    case '?':
    case 'h':
        open_page(screen, TXTAP_TOP_PAGE_HELP);
        break;
    case 't':
    case '\r':
    case '\n':
        open_thread(screen);
        break;
    case TERMINAL_ESCAPE:
        view->page = TXTAP_TOP_PAGE_ALL;
        break;
    case 'p':
    case ' ':
        screen->paused = !screen->paused;
        break;
    case 'r':
        txtap_top_reset(screen->monitor);
        txtap_top_values_reset(&screen->values);
        break;
    case 'k':
    case TERMINAL_UP:
        move(screen, -1);
        break;
    case 'j':
    case TERMINAL_DOWN:
        move(screen, 1);
        break;
    case TERMINAL_PAGE_UP:
        move(screen, -10);
        break;
    case TERMINAL_PAGE_DOWN:
        move(screen, 10);
        break;
    default:
        sort_by(view, key);
        break;
    }
}

/* Handles all pressed keys. Returns true if there was a key, because its effect must be shown at once. */
static bool take_keys(struct top_screen *screen)
{
    enum terminal_key key;
    bool any = false;

    while (!screen->quit && (key = terminal_key()) != TERMINAL_NONE) {
        press(screen, key);
        any = true;
    }
    return any;
}

/* ---- drawing ---- */

/* Names the interrupts in the state. The numbers of all interrupts decide what their numbers mean. */
static void name_interrupts(struct top_screen *screen)
{
    struct txtap_top_state *state = &screen->state;

    txtap_interrupts_init(&screen->interrupts, state->interrupts_more == 0 ? screen->definitions : NULL);
    for (size_t i = 0; i < state->interrupt_count; i++)
        txtap_interrupts_see(&screen->interrupts, state->interrupts[i].number);
    for (size_t i = 0; i < state->interrupt_count; i++) {
        const char *name = txtap_interrupts_name(&screen->interrupts, state->interrupts[i].number);

        (void)txtap_escape_terminal(state->interrupts[i].name, sizeof state->interrupts[i].name,
                                    name != NULL ? name : "");
    }
}

static void look(struct top_screen *screen)
{
    struct txtap_top_state *state = &screen->state;
    const char *condition = screen->paused ? "PAUSED" : screen->exception ? screen->exception : screen->condition;

    if (!screen->paused) {
        uint64_t now = now_us();

        txtap_top_look(screen->monitor, screen->names, screen->view.window, state);
        txtap_top_values_look(&screen->values, screen->names, state);
        name_interrupts(screen);
        if (screen->kernel != NULL)
            txtap_top_add_kernel(state, screen->kernel);
        if (screen->found_us == 0 || screen->options->top.rows || now - screen->found_us >= FINDINGS_US) {
            screen->found_us = now;
            top_findings_look(&screen->findings, screen->names, state);
        }
    }
    snprintf(state->condition, sizeof state->condition, "%s", condition);
}

static void draw(struct top_screen *screen)
{
    struct txtap_top_screen drawn = {.cells = screen->cells, .styles = screen->styles};

    look(screen);
    if (terminal_is_blank())
        screen->frame.rows = 0;
    terminal_size(&drawn.rows, &drawn.columns, TXTAP_TOP_ROWS_MAX, TXTAP_TOP_COLUMNS_MAX);
    txtap_top_draw(&screen->state, &screen->view, &drawn);
    frame_change(&screen->frame, screen->cells, screen->styles, drawn.rows, drawn.columns);
    if (terminal_write(screen->frame.bytes, screen->frame.used) < screen->frame.used)
        screen->quit = true;
}

static enum txtap_status print(struct top_screen *screen, struct error *error)
{
    struct txtap_top_screen drawn = {.columns = ROWS_COLUMNS, .cells = screen->cells};
    size_t wanted;

    look(screen);
    wanted = screen->state.thread_count + screen->state.interrupt_count + screen->state.object_count +
             screen->state.value_count + 18;
    drawn.rows = wanted < TXTAP_TOP_ROWS_MAX ? wanted : TXTAP_TOP_ROWS_MAX;
    txtap_top_draw(&screen->state, &screen->view, &drawn);
    if (screen->drawn > 0)
        putchar('\n');
    for (size_t row = 0; row < drawn.used; row++) {
        const char *line = screen->cells + row * drawn.columns;
        size_t length = drawn.columns;

        while (length > 0 && line[length - 1] == ' ')
            length--;
        printf("%.*s\n", (int)length, line);
    }
    return standard_output_flush(error);
}

static uint64_t delay_us(const struct top_options *options)
{
    if (options->seconds > 0)
        return (uint64_t)(options->seconds * 1e6);
    return options->rows ? DELAY_ROWS_US : DELAY_SCREEN_US;
}

static enum txtap_status show(struct top_screen *screen, struct error *error)
{
    const struct top_options *options = &screen->options->top;
    enum txtap_status status = TXTAP_OK;

    if (options->rows)
        status = print(screen, error);
    else
        draw(screen);
    screen->drawn++;
    return status == TXTAP_OK && screen->drawn == options->count ? TXTAP_END : status;
}

enum txtap_status top_screen_step(struct top_screen *screen, uint64_t now_us, struct error *error)
{
    const struct top_options *options = &screen->options->top;
    bool pressed = !options->rows && take_keys(screen), first = screen->due_us == 0;

    if (screen->quit)
        return TXTAP_END;
    if (!first && now_us < screen->due_us && !pressed)
        return TXTAP_OK;
    if (!options->rows && !terminal_is_ready()) /* the terminal is too slow: the next screen shows the change */
        return TXTAP_OK;
    if (first || now_us >= screen->due_us)
        screen->due_us = now_us + delay_us(options);
    if (first && options->rows) /* nothing is known yet */
        return TXTAP_OK;
    return show(screen, error);
}

enum txtap_status top_screen_last(struct top_screen *screen, struct error *error)
{
    const struct top_options *options = &screen->options->top;
    enum txtap_status status = TXTAP_OK;

    if (screen->quit || (options->count > 0 && screen->drawn >= options->count))
        return TXTAP_END;
    screen->due_us = UINT64_MAX;
    screen->found_us = 0;
    status = show(screen, error);
    return status;
}
