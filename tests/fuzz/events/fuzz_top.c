/* SPDX-License-Identifier: MIT */
/*
 * Draws any state of the target on screens of any size, after any keys. Names may contain any bytes, and numbers may be
 * as large as a double. The result must be printable, stay on the screen, and depend on nothing but state and keys.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "txtap/inner/top.h"

#define ROWS_MAX 100
#define FEW      4
#define MANY     40 /* more than most screens have rows */

struct input {
    const uint8_t *at;
    size_t left;
};

static struct txtap_top_state state;

static unsigned byte(struct input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

/* Returns a number: usually unknown, 0, or from 10^-31 to 10^31; rarely larger. */
static double number(struct input *input)
{
    unsigned exponent = byte(input);

    if (exponent < 32)
        return TXTAP_TOP_UNKNOWN;
    if (exponent < 64)
        return 0;
    if (exponent == 255)
        return 1e308;
    return (double)byte(input) / 16 * pow(10, ((double)exponent - 160) / 3);
}

/* Writes a text of any bytes except NUL. size: maximum number of bytes, including the NUL at the end. */
static void text(struct input *input, char *out, size_t size)
{
    size_t length = byte(input) % (2 * size);

    if (length >= size)
        length = size - 1;
    if (length > input->left)
        length = input->left;
    memcpy(out, input->at, length);
    out[length] = '\0';
    input->at += length;
    input->left -= length;
}

static struct txtap_top_durations durations(struct input *input)
{
    return (struct txtap_top_durations){(uint64_t)byte(input) << byte(input) % 56,
                                        number(input),
                                        number(input),
                                        number(input),
                                        number(input),
                                        number(input)};
}

static void history(struct input *input, float out[TXTAP_TOP_HISTORY])
{
    for (size_t i = 0; i < TXTAP_TOP_HISTORY; i++)
        out[i] = i < 4 ? (float)number(input) : out[i % 4];
}

static void thread(struct input *input, struct txtap_top_thread *out)
{
    unsigned flags = byte(input);

    *out = (struct txtap_top_thread){
        .id = byte(input) & 15u,
        .priority = number(input),
        .base = number(input),
        .state = (enum txtap_top_thread_state)(flags & 3u),
        .late = flags & 4u,
        .waiting = number(input),
        .cpu = number(input),
        .ready = number(input),
        .activations = number(input),
        .preemptions = number(input),
        .run = durations(input),
        .wake = durations(input),
        .response = durations(input),
        .stack = number(input),
        .stack_bytes = byte(input),
        .stack_free = byte(input) << 24,
    };
    text(input, out->name, sizeof out->name);
    text(input, out->waits, sizeof out->waits);
    for (unsigned i = 0; i < TXTAP_TOP_REASONS; i++)
        out->waits_for[i] = number(input);
    history(input, out->history);
}

static void object(struct input *input, struct txtap_top_object *out)
{
    *out = (struct txtap_top_object){.type = (uint8_t)byte(input),
                                     .extreme_is_low = byte(input) & 1u,
                                     .waiters = byte(input),
                                     .wait = durations(input),
                                     .uses = (uint64_t)byte(input) << byte(input) % 56,
                                     .failed = byte(input)};
    text(input, out->name, sizeof out->name);
    text(input, out->now, sizeof out->now);
    text(input, out->extreme, sizeof out->extreme);
    text(input, out->waiter, sizeof out->waiter);
    history(input, out->history);
}

static void check(struct input *input, struct txtap_top_check *out)
{
    out->verdict = (enum txtap_verdict)(byte(input) % 3);
    text(input, out->text, sizeof out->text);
    text(input, out->subject, sizeof out->subject);
}

/*
 * Returns the number of elements: few, many, or rarely `limit`. Only the first few elements are read from the input;
 * the others become copies of them.
 */
static size_t count(struct input *input, size_t limit)
{
    unsigned few = byte(input);

    return few == 255 ? limit : few >= 248 ? MANY : few % (FEW + 1);
}

static void interrupt(struct input *input, struct txtap_top_interrupt *out)
{
    *out = (struct txtap_top_interrupt){.number = byte(input),
                                        .rate = number(input),
                                        .cpu = number(input),
                                        .run_max = number(input),
                                        .gap_min = number(input)};
    text(input, out->name, sizeof out->name);
}

static void value(struct input *input, struct txtap_top_value *out)
{
    *out = (struct txtap_top_value){.rate = number(input), .n = (uint64_t)byte(input) << byte(input) % 56};
    text(input, out->name, sizeof out->name);
    text(input, out->now, sizeof out->now);
    text(input, out->least, sizeof out->least);
    text(input, out->most, sizeof out->most);
}

static void fill_tables(struct input *input)
{
    state.thread_count = count(input, TXTAP_TOP_THREADS);
    for (size_t i = 0; i < state.thread_count; i++)
        if (i < FEW)
            thread(input, &state.threads[i]);
        else
            state.threads[i] = state.threads[i % FEW];
    state.interrupt_count = count(input, TXTAP_TOP_INTERRUPTS);
    for (size_t i = 0; i < state.interrupt_count; i++)
        interrupt(input, &state.interrupts[i]);
    state.object_count = count(input, TXTAP_TOP_OBJECTS);
    for (size_t i = 0; i < state.object_count; i++)
        if (i < FEW)
            object(input, &state.objects[i]);
        else
            state.objects[i] = state.objects[i % FEW];
    state.check_count = count(input, TXTAP_TOP_CHECKS);
    for (size_t i = 0; i < state.check_count; i++)
        check(input, &state.checks[i]);
    state.value_count = count(input, TXTAP_TOP_VALUES);
    for (size_t i = 0; i < state.value_count; i++)
        if (i < FEW)
            value(input, &state.values[i]);
        else
            state.values[i] = state.values[i % FEW];
}

static void fill(struct input *input)
{
    unsigned flags = byte(input);

    text(input, state.source, sizeof state.source);
    text(input, state.condition, sizeof state.condition);
    state.tick_hz = flags & 1u ? number(input) : 0;
    state.tick_hz_measured = flags & 2u;
    state.window_gap = flags & 4u;
    state.gap = flags & 8u;
    state.lost_exact = flags & 16u;
    state.incomplete = flags & 32u;
    state.seconds = number(input);
    state.window = number(input);
    state.window_lost = (uint64_t)byte(input) << byte(input) % 56;
    state.lost = state.window_lost;
    state.event_rate = number(input);
    state.switch_rate = number(input);
    state.load = number(input);
    state.load_max = number(input);
    state.idle = number(input);
    state.interrupt_cpu = number(input);
    state.interrupt_rate = number(input);
    state.nesting = byte(input);
    state.ring_used = number(input);
    state.inversions = number(input);
    state.inversion_max = number(input);
    state.inversion_lasts = byte(input) & 1u;
    state.unbounded = number(input);
    state.deadlocks = number(input);
    state.threads_more = state.objects_more = state.interrupts_more = byte(input);
    state.checks_more = byte(input);
    state.window_full = number(input);
    state.gap_at = number(input);
    state.history_count = byte(input) % (TXTAP_TOP_HISTORY + 1);
    history(input, state.load_history);
    fill_tables(input);
}

/* Selects an existing thread, or no thread. */
static void choose(struct txtap_top_view *view, int by)
{
    size_t at = 0;

    view->selected = txtap_top_neighbour(&state, view, by);
    while (at < state.thread_count && state.threads[at].id != view->selected)
        at++;
    REQUIRE(at < state.thread_count || (state.thread_count == 0 && view->selected == 0));
}

static void press(struct txtap_top_view *view, unsigned key)
{
    switch (key & 7u) {
    case 0:
        view->sort = (view->sort + 1) % TXTAP_TOP_SORTS;
        break;
    case 1:
        view->window = (view->window + 1) % TXTAP_TOP_WINDOWS;
        break;
    case 2:
        choose(view, 1 + (int)(key >> 3));
        break;
    case 3:
        choose(view, -1 - (int)(key >> 3));
        break;
    case 4:
        view->scroll += key;
        break;
    case 5:
        view->scroll -= view->scroll < key ? view->scroll : key;
        break;
    default:
        view->page = (enum txtap_top_page)((key >> 3) % (TXTAP_TOP_PAGE_HELP + 1));
        break;
    }
}

#define ATTRIBUTES (TXTAP_TOP_BOLD | TXTAP_TOP_REVERSE | TXTAP_TOP_RED | TXTAP_TOP_YELLOW)

static bool is_shown(char cell)
{
    unsigned height = (unsigned char)cell - TXTAP_TOP_CELL_BAR;

    return ((cell >= ' ') & (cell <= '~')) | ((height >= 1) & (height <= 8));
}

static void draw(const struct txtap_top_view *view, size_t rows, size_t columns, bool twice)
{
    size_t cells = rows * columns;
    struct txtap_top_screen screen = {.rows = rows, .columns = columns}, again = screen;
    bool printable = true, blank = true;

    screen.cells = malloc(cells);
    screen.styles = malloc(cells);

    REQUIRE(screen.cells != NULL && screen.styles != NULL);
    txtap_top_draw(&state, view, &screen);
    REQUIRE(screen.used <= rows);
    for (size_t i = 0; i < cells; i++)
        printable &= is_shown(screen.cells[i]) & (screen.styles[i] <= ATTRIBUTES);
    for (size_t i = screen.used * columns; i < cells; i++)
        blank &= (screen.cells[i] == ' ') & (screen.styles[i] == 0);
    REQUIRE(printable && blank);
    if (twice) {
        REQUIRE((again.cells = calloc(cells, 1)) != NULL);
        txtap_top_draw(&state, view, &again);
        REQUIRE(memcmp(screen.cells, again.cells, cells) == 0);
        free(again.cells);
    }
    free(screen.cells);
    free(screen.styles);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    struct input input = {data, length};
    struct txtap_top_view view = {0};
    uint8_t pressed[7];
    unsigned flags = byte(&input), keys = flags & 7u;
    size_t rows = 1 + byte(&input) % (flags & 8u ? ROWS_MAX : 30), columns = 1 + byte(&input);

    columns += flags & 16u ? 44 : 0; /* up to 300 columns */
    view.rows_only = flags & 32u;
    for (unsigned i = 0; i < keys; i++)
        pressed[i] = (uint8_t)byte(&input);
    fill(&input);
    for (unsigned i = 0; i < keys; i++)
        press(&view, pressed[i]);
    draw(&view, rows, columns, flags >= 192);
    return 0;
}
