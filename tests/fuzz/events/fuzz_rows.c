/* SPDX-License-Identifier: MIT */
/*
 * Feeds any changes to the rows of a timeline, even changes that no model would make. 8 bytes are a change, which is
 * repeated with other numbers, or a mark, or a drop. The number of pages may be small. For any input, a row's sums must
 * equal the time that passed, its columns must be adjacent, and its steps must go forwards. Each event must be in one
 * column, and all pages must be given back. The events may be counters and slices of definitions.
 */
#include <string.h>

#include "fuzz.h"
#include "txtap/registry.h"
#include "txtap/inner/rows_samples.h"

#define CHANGE_BYTES 8u
#define CHANGES_MOST 110u /* each of them is repeated up to 32 times */
#define COLUMNS      37u
#define ASKED_MOST   3u /* few, because queries take longer than changes */

/* ---- memory ---- */

struct memory {
    unsigned used, most;
};

static void *take_page(void *self)
{
    struct memory *memory = self;

    if (memory->used >= memory->most)
        return NULL;
    memory->used++;
    return malloc(TXTAP_ROWS_PAGE_BYTES);
}

static void give_page(void *self, void *page)
{
    struct memory *memory = self;

    REQUIRE(page != NULL && memory->used > 0);
    memory->used--;
    free(page);
}

/* ---- changes ---- */

/* Returns a number: usually small, sometimes far above the limits. */
static uint32_t number_of(uint8_t byte)
{
    static const uint32_t far[] = {TXTAP_CHANGE_NONE, 65535, 65536, 0x7FFFFFFF, 1024, 300};

    return byte < 0xF8 ? byte % 7u : far[byte % (sizeof far / sizeof *far)];
}

static struct txtap_change_party party_of(uint8_t number, uint8_t type)
{
    return (struct txtap_change_party){number_of(number), 0x1000u + number, type};
}

static uint64_t other_ticks(uint64_t ticks, uint8_t byte)
{
    return byte < 0xF0 ? ticks - byte : byte < 0xF8 ? UINT64_MAX - byte : byte;
}

static uint64_t next_ticks(uint64_t ticks, uint8_t byte)
{
    return byte < 0xE0 ? ticks + byte % 16u : byte < 0xF0 ? ticks - byte : ticks + (1ull << byte % 63u);
}

static struct txtap_change change_of(const uint8_t *at, unsigned salt, uint64_t ticks, const struct txtap_event *event)
{
    struct txtap_change change = {.kind = (enum txtap_change_kind)(at[0] % TXTAP_CHANGE_KINDS),
                                  .core = at[1] < 0xFC ? at[1] & 3u : number_of(at[1]),
                                  .ticks = ticks,
                                  .seq = ticks % 4096,
                                  .event = at[1] & 0x80u ? event : NULL};
    struct txtap_change_party thread = party_of((uint8_t)(at[2] + salt), TXTAP_OBJECT_THREAD),
                              object = party_of(at[3], at[4] % 16u);

    if (change.kind == TXTAP_CHANGE_EVENT)
        change.recorded.thread = thread;
    else if (change.kind == TXTAP_CHANGE_RUN)
        change.run = (struct txtap_change_run){(enum txtap_running)(at[5] % 6u), thread};
    else if (change.kind == TXTAP_CHANGE_STATE || change.kind == TXTAP_CHANGE_PAST)
        change.state = (struct txtap_change_state){.thread = thread,
                                                   .state = (enum txtap_thread_state)((at[5] + salt) % 6u),
                                                   .reason = (enum txtap_wait)at[6],
                                                   .object = object,
                                                   .since = other_ticks(ticks, at[7])};
    else if (change.kind == TXTAP_CHANGE_WAKE)
        change.wake = (struct txtap_change_wake){.thread = thread,
                                                 .object = object,
                                                 .since = other_ticks(ticks, at[7]),
                                                 .since_known = at[6] & 1u,
                                                 .waker = (enum txtap_running)(at[5] % 6u),
                                                 .waker_thread = thread,
                                                 .interrupt = number_of(at[6])};
    else if (change.kind == TXTAP_CHANGE_ISR_ENTER || change.kind == TXTAP_CHANGE_ISR_EXIT)
        change.isr = (struct txtap_change_isr){number_of(at[2]), number_of(at[3]), ticks, true};
    else if (change.kind == TXTAP_CHANGE_COUNTER)
        change.counter = (struct txtap_change_counter){object, at[5] & 1u, number_of((uint8_t)(at[6] + salt)), thread};
    else if (change.kind == TXTAP_CHANGE_GAP_END)
        change.gap = (struct txtap_change_gap){other_ticks(ticks, at[7]), number_of(at[6]), at[5] & 1u};
    return change;
}

/* ---- definitions ---- */

/* The ids are ids of take(). */
static const char lines[] = "enum mode 0=idle 1=running\n"
                            "event 1 \"a\"\nevent 18 \"b\" \"{1:d/10 C}\"\nevent 35 \"c\" \"{2:f}\"\n"
                            "event 52 \"d\" \"{3:enum mode}\"\nevent 69 \"e\"\nevent 86 \"f\"\n"
                            "counter 1 0 \"a\"\ncounter 18 1 \"b\"\ncounter 35 2 \"c\"\ncounter 52 3 \"d\"\n"
                            "slice 69 86 \"e\"\n";

/* Returns definitions; the second ones number their lines otherwise. */
static const struct txtap_definitions *definitions_of(bool second)
{
    static struct txtap_definition events[2][8];
    static struct txtap_word words[2][4];
    static char strings[2][512];
    static struct txtap_definitions definitions[2];
    struct txtap_definitions_problem problem;
    const char *first = "event 35 \"c\" \"{2:d}\"\ncounter 35 1 \"c\"\n";

    if (definitions[second].event_count > 0)
        return &definitions[second];
    txtap_definitions_init(&definitions[second], (struct txtap_definitions_memory){events[second], 8, words[second], 4,
                                                                                   strings[second], 512});
    if (second)
        REQUIRE(txtap_definitions_parse(&definitions[1], first, strlen(first), &problem) == TXTAP_OK);
    REQUIRE(txtap_definitions_parse(&definitions[second], lines, sizeof lines - 1, &problem) == TXTAP_OK);
    return &definitions[second];
}

/* ---- questions ---- */

static void check_row(const struct txtap_rows *rows, uint32_t number, const struct txtap_row *row,
                      const struct txtap_rows_edge *edges)
{
    static struct txtap_row_columns columns[COLUMNS];
    static struct txtap_row_values values[COLUMNS];
    static struct txtap_row_events events[COLUMNS];
    static uint16_t shares[COLUMNS];
    struct txtap_rows_peak peak = {0};
    size_t count = txtap_rows_columns(rows, number, edges, COLUMNS, columns);

    REQUIRE(count <= COLUMNS);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(columns[i].x0 < columns[i].x1 && columns[i].x1 <= COLUMNS && columns[i].state < TXTAP_ROW_STATES);
        REQUIRE(i == 0 || columns[i].x0 == columns[i - 1].x1);
        REQUIRE((columns[i].flags & TXTAP_COLUMNS_DENSE) != 0 || columns[i].run % UINT16_MAX == 0);
    }
    count = txtap_rows_values(rows, number, edges, COLUMNS, values);
    REQUIRE(count == 0 || row->counter);
    for (size_t i = 1; i < count; i++)
        REQUIRE(values[i].x0 == values[i - 1].x1 && values[i].x0 < values[i].x1);
    for (size_t i = 0; i < count; i++)
        REQUIRE((values[i].flags & TXTAP_VALUES_LAST) == 0 ||
                (values[i].min <= values[i].last && values[i].last <= values[i].max));
    txtap_rows_events(rows, number, edges, COLUMNS, events);
    (void)txtap_rows_shares(rows, number, count % 2, edges, COLUMNS, shares);
    (void)txtap_rows_peak(rows, number, 1 + edges[COLUMNS].ticks % 1000, 50, &peak);
    REQUIRE(peak.busy <= 1 + edges[COLUMNS].ticks % 1000);
}

static void check_sums(const struct txtap_rows *rows, uint32_t number, const struct txtap_row *row, uint64_t from,
                       uint64_t to)
{
    uint64_t sums[TXTAP_ROW_STATES], all = 0;
    bool has_states = row->kind <= TXTAP_ROW_IDLE || row->kind == TXTAP_ROW_MUTEX;

    txtap_rows_sums(rows, number, from, to, sums);
    for (unsigned i = 0; i < TXTAP_ROW_STATES; i++) {
        REQUIRE(sums[i] <= to - from);
        all += sums[i];
    }
    REQUIRE(all == (has_states ? to - from : 0));
}

static void check_steps(const struct txtap_rows *rows, uint32_t number, const struct txtap_rows_summary *held)
{
    struct txtap_row_step step;
    uint32_t at = held->first;

    for (unsigned i = 0; i < 300 && at != TXTAP_ROWS_NO_INDEX; i++) {
        uint32_t next = txtap_rows_next_step(rows, number, at, true);

        if (!txtap_rows_step(rows, number, at, &step))
            return;
        REQUIRE(step.from_ticks <= step.to_ticks && step.index >= held->first && step.index < step.next);
        REQUIRE(step.next == (next == TXTAP_ROWS_NO_INDEX ? held->end : next));
        at = next;
    }
}

static void check_slices(const struct txtap_rows *rows, uint32_t number, uint64_t ticks)
{
    struct txtap_row_slice outer, inner;

    for (uint32_t depth = 1; depth < 5 && txtap_rows_slice(rows, number, ticks, depth, &outer); depth++) {
        REQUIRE(outer.from_ticks <= ticks && ticks <= outer.to_ticks && outer.index < outer.next);
        if (txtap_rows_slice(rows, number, ticks, depth + 1, &inner))
            REQUIRE(inner.index >= outer.index && inner.next <= outer.next);
    }
}

static void check_lists(const struct txtap_rows *rows, const struct txtap_rows_summary *held)
{
    struct txtap_row_wake wake;
    struct txtap_row_gap gap;
    struct txtap_row_mark mark;
    struct txtap_row_event event;
    uint32_t number = txtap_rows_first_wake(rows, held->first);

    for (unsigned i = 0; i < 100 && txtap_rows_wake(rows, number + i, &wake); i++)
        REQUIRE(wake.index < held->end && (wake.run == TXTAP_ROWS_NO_INDEX || wake.run >= wake.index));
    number = txtap_rows_first_gap(rows, 0);
    for (unsigned i = 0; i < 100 && txtap_rows_gap(rows, number + i, &gap); i++)
        REQUIRE(gap.from_ticks <= gap.to_ticks);
    number = txtap_rows_first_mark(rows, 0);
    for (unsigned i = 0; i < 100 && txtap_rows_mark(rows, number + i, &mark); i++)
        REQUIRE(mark.index <= held->end && strlen(mark.text) < TXTAP_ROW_MARK_TEXT_BYTES);
    if (txtap_rows_event(rows, held->end - 1, &event) && event.event_class != TXTAP_CLASS_NONE)
        REQUIRE(txtap_rows_event_of_seq(rows, event.seq) <= held->end);
}

/* Checks that each event is in exactly one column. */
static void check_events(const struct txtap_rows *rows, const struct txtap_rows_edge *edges, uint32_t rows_most)
{
    static struct txtap_row_events all[COLUMNS], events[COLUMNS];
    uint32_t sum[COLUMNS] = {0};

    txtap_rows_events(rows, TXTAP_ROW_NONE, edges, COLUMNS, all);
    for (uint32_t i = 0; i < rows_most; i++) {
        txtap_rows_events(rows, i, edges, COLUMNS, events);
        for (uint32_t x = 0; x < COLUMNS; x++)
            sum[x] += events[x].count;
    }
    for (uint32_t x = 0; x < COLUMNS; x++)
        REQUIRE(sum[x] <= all[x].count);
}

/* Checks that pieces and single samples of a row agree. */
static void check_samples(const struct txtap_rows *rows, uint32_t row, const struct txtap_row *what,
                          const struct txtap_rows_edge *edges)
{
    static struct txtap_row_samples pieces[COLUMNS];
    size_t count = txtap_rows_samples(rows, row, edges, COLUMNS, pieces);
    uint32_t first = txtap_rows_first_sample(rows, row, 0), end = txtap_rows_first_sample(rows, row, UINT64_MAX);
    struct txtap_row_sample sample;
    uint64_t ticks = 0;

    REQUIRE(what->channel != NULL || (count == 0 && first == end));
    for (size_t i = 0; i < count; i++)
        REQUIRE(pieces[i].x0 < pieces[i].x1 && pieces[i].x1 <= COLUMNS && (i == 0 || pieces[i - 1].x1 <= pieces[i].x0));
    for (uint32_t i = first; i < end && i - first < 100; i++) {
        REQUIRE(txtap_rows_sample(rows, row, i, &sample));
        REQUIRE(sample.sample.ticks >= ticks && sample.to_ticks >= sample.sample.ticks);
        REQUIRE(what->kind != TXTAP_ROW_LOG || strspn(sample.sample.text, "0123456789") == strlen(sample.sample.text));
        ticks = sample.sample.ticks;
    }
}

static void ask(const struct txtap_rows *rows, uint64_t choice)
{
    static struct txtap_rows_edge edges[COLUMNS + 1];
    struct txtap_rows_summary held;
    struct txtap_rows_range range = {.count = COLUMNS, .by_event = choice & 1u};
    uint64_t whole;
    struct txtap_row row;

    txtap_rows_summary(rows, &held);
    if (held.first == held.end)
        return;
    whole = range.by_event ? held.end - held.first : held.to_ticks - held.from_ticks;
    range.from = (range.by_event ? held.first : held.from_ticks) + (choice & 2u ? whole / 3 : 0);
    range.to = range.from < UINT64_MAX - whole ? range.from + 1 + (choice & 4u ? whole / 5 : whole) : UINT64_MAX;
    if (txtap_rows_edges(rows, &range, edges) != TXTAP_OK)
        return;
    for (uint32_t i = 0; i < 40 && txtap_rows_row(rows, i, &row); i++) {
        check_row(rows, i, &row, edges);
        check_sums(rows, i, &row, held.from_ticks + (held.to_ticks - held.from_ticks) / 3, held.to_ticks);
        check_steps(rows, i, &held);
        check_samples(rows, i, &row, edges);
        check_slices(rows, i, held.from_ticks + (held.to_ticks - held.from_ticks) / 3);
    }
    check_lists(rows, &held);
    check_events(rows, edges, held.rows);
}

/* ---- all ---- */

static void take(struct txtap_rows *rows, const uint8_t *at, unsigned times, uint64_t *ticks)
{
    for (unsigned i = 0; i < times; i++) {
        struct txtap_event event = {.id = 1u + at[6] * 17u, .info = {at[5], at[5] * 0x01010101u, at[7] << 23, i}};
        struct txtap_change change;

        *ticks = next_ticks(*ticks, at[7]);
        change = change_of(at, i, *ticks, &event);
        (void)txtap_rows_take(rows, &change);
        change.kind = TXTAP_CHANGE_EVENT;
        change.recorded.thread.number = TXTAP_CHANGE_NONE;
        if (at[1] & 0x40u)
            (void)txtap_rows_take(rows, &change);
    }
}

static void take_samples(struct txtap_rows *rows, const uint8_t *at, unsigned times, uint64_t ticks)
{
    static const struct txtap_channel channels[] = {
        {.number = 0, .form = TXTAP_FORM_FLOAT, .name = "float"},
        {.number = 1, .form = TXTAP_FORM_STATE, .name = "state"},
        {.number = 254, .kind = TXTAP_CHANNEL_LOG, .name = "log"},
        {.number = 255, .kind = TXTAP_CHANNEL_PC, .name = "pc"},
    };
    char text[TXTAP_SAMPLE_TEXT_BYTES] = "";

    memset(text, '7', at[5] * 4u);
    for (unsigned i = 0; i < times * 8; i++) {
        const struct txtap_sample sample = {.channel = &channels[at[1] % 4u],
                                            .state = (enum txtap_sample_state)(at[2] % TXTAP_SAMPLE_STATES),
                                            .ticks = other_ticks(ticks, at[3]) + (uint64_t)i * at[4],
                                            .from_ticks = other_ticks(ticks, at[6]),
                                            .to_ticks = other_ticks(ticks, at[7]),
                                            .bits = at[7] * i * 0x0101010101010101u,
                                            .text = text};

        (void)txtap_rows_take_sample(rows, &sample);
    }
    if (at[1] & 0x80u)
        (void)txtap_rows_forget_samples(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static void *memory;
    struct memory pages = {.most = length > 0 && data[0] < 0x80 ? data[0] : UINT32_MAX};
    struct txtap_rows_options options = {.keep = length > 1 ? data[1] * 16u : 0, .samples = 3000};
    unsigned times = length > 2 ? 1u + data[2] % 32u : 1, asked = 0;
    uint64_t ticks = length > 2 && data[2] & 0x80u ? UINT64_MAX / 2 : 100;
    struct txtap_rows *rows;

    if (memory == NULL)
        memory = malloc(txtap_rows_bytes());
    REQUIRE(memory != NULL);
    rows = txtap_rows_open(memory, (struct txtap_rows_pages){take_page, give_page, &pages}, &options);
    if (length > 2 && data[2] & 0x40u)
        txtap_rows_define(rows, definitions_of(false));
    if (length > 3 + CHANGES_MOST * CHANGE_BYTES)
        length = 3 + CHANGES_MOST * CHANGE_BYTES;
    for (size_t i = 3; i + CHANGE_BYTES <= length; i += CHANGE_BYTES) {
        struct txtap_mark mark = {(enum txtap_mark_kind)(data[i + 1] % TXTAP_MARK_KINDS), data[i + 2], 0, "a mark"};

        if (data[i] < 0xF0)
            take(rows, data + i, times, &ticks);
        else if (data[i] < 0xF4)
            (void)txtap_rows_take_mark(rows, &mark);
        else if (data[i] < 0xF8)
            txtap_rows_drop(rows, data[i + 1] * 64u);
        else if (data[i] < 0xFA)
            txtap_rows_define(rows, data[i + 1] < 0x40 ? NULL : definitions_of(data[i + 1] & 1u));
        else if (data[i] < 0xFD)
            take_samples(rows, data + i, times, ticks);
        else if (asked++ < ASKED_MOST)
            ask(rows, data[i + 1]);
    }
    ask(rows, length);
    txtap_rows_close(rows);
    REQUIRE(pages.used == 0);
    return 0;
}
