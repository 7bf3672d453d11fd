/* SPDX-License-Identifier: MIT */
/* The structures of rows; private to this room. */
#ifndef TXTAP_DECODER_ROWS_ROWS_PARTS_H
#define TXTAP_DECODER_ROWS_ROWS_PARTS_H

#include "rows/paged.h"
#include "txtap/inner/next_context.h"

#define NO_ROW        TXTAP_ROW_NONE
#define ROWS_MAX      0xFFFEu
#define NUMBERS_MAX   0x10000u /* upper limit for the number of threads, and for the number of objects */
#define UNKNOWN_VALUE UINT32_MAX

/* ---- lists: the content of a page ---- */

#define MOMENTS 1024u

/* Moments: events, and moments without an event. */
struct moments {
    uint64_t ticks[MOMENTS];
    uint16_t row[MOMENTS]; /* the row that recorded the event */
    uint8_t event_class[MOMENTS];
};

#define STEPS       1024u
#define GROUP_STEPS 16u
#define SLOTS       4u /* number of states with a sum, per kind of row; the remaining time is UNKNOWN */

struct step {
    uint32_t index;
    uint16_t object;
    uint8_t state, reason;
};

/* ticks: tick at which the group's first step begins. sums: time in each state before this tick. */
struct group {
    uint64_t ticks, sums[SLOTS];
    struct step steps[GROUP_STEPS];
};

struct value {
    uint32_t index, value;
};

/* The smallest and the largest of some values; min above max: no value. */
struct extremes {
    uint32_t min, max;
};

#define NO_EXTREMES ((struct extremes){UINT32_MAX, 0})

static inline void extremes_add(struct extremes *of, uint32_t min, uint32_t max)
{
    if (min > max)
        return;
    of->min = min < of->min ? min : of->min;
    of->max = max > of->max ? max : of->max;
}

#define VALUE_UNKNOWN 1u /* the value is UNKNOWN_VALUE */
#define VALUE_OFF_SCALE                                                                                                \
    2u                    /* a word that is no number, or an infinite number: it has no place among the other values   \
                           */
#define VALUE_INFERRED 4u /* a later event shows that the row had this value here */

struct value_group {
    struct extremes known; /* of the values that are known and on the scale */
    struct value values[GROUP_STEPS];
    uint8_t flags[GROUP_STEPS]; /* VALUE_* bits of each value */
    uint8_t any;                /* VALUE_* bits of at least one value */
};

struct value_page {
    struct value_group groups[STEPS / GROUP_STEPS];
    struct extremes known;
};

#define RECORDED (TXTAP_ROWS_PAGE_BYTES / sizeof(uint32_t)) /* event indexes in a page of a row */

/* A series of events without a missing number: from `index` on, seq grows by 1 with the index. */
struct stretch {
    uint64_t seq;
    uint32_t index;
};

struct wake {
    uint32_t index, since;
    uint16_t from, to, object;
    uint8_t reason, ending;
};

struct gap {
    uint64_t from, to, lost;
    uint32_t index;
    bool exact, ended;
};

struct mark {
    uint64_t seq, unix_us;
    uint32_t index; /* UINT32_MAX: the event after the mark has not arrived yet */
    uint8_t kind;
    char text[TXTAP_ROW_MARK_TEXT_BYTES];
};

#define SAMPLE_GROUPS 36u
#define SAMPLES       (SAMPLE_GROUPS * GROUP_STEPS)

/* The values of some samples. */
struct sample_sum {
    double min, max; /* of the values that are known and on the scale; min above max: no value */
    bool partly;     /* a value is not known or off the scale */
};

/* Samples of a channel. The sums of all groups are side by side, so that a column with many samples reads little
 * memory.
 */
struct sample_page {
    struct sample_sum whole, groups[SAMPLE_GROUPS]; /* of the page, and of each 16 samples */
    uint64_t ticks[SAMPLES];
    uint64_t bits[SAMPLES];  /* the value; PC: the thread in the upper half; LOG: offset of the text */
    uint8_t state[SAMPLES];  /* enum txtap_sample_state; TXTAP_SAMPLE_STATES: the target restarted */
    uint8_t window[SAMPLES]; /* code of the window: rows_samples.c */
};

/* The samples of a channel. */
struct sampled {
    const struct txtap_channel *channel; /* NULL: the row has no channel */
    struct paged list, texts;            /* samples; LOG: bytes of texts */
    uint64_t until;                      /* ticks of the newest sample that was taken */
    uint32_t taken;                      /* number of samples that were taken */
};

#define PER_PAGE(type) ((uint32_t)(TXTAP_ROWS_PAGE_BYTES / sizeof(type)))

_Static_assert(sizeof(struct moments) <= TXTAP_ROWS_PAGE_BYTES, "fits into a page");
_Static_assert(STEPS / GROUP_STEPS * sizeof(struct group) <= TXTAP_ROWS_PAGE_BYTES, "fits into a page");
_Static_assert(sizeof(struct value_page) <= TXTAP_ROWS_PAGE_BYTES, "fits into a page");
_Static_assert(sizeof(struct sample_page) <= TXTAP_ROWS_PAGE_BYTES, "fits into a page");

/* ---- rows ---- */

struct row {
    uint8_t kind, type; /* enum txtap_row_kind, enum txtap_object_type */
    bool priority_known;
    bool ends;          /* interrupts: the ends of this interrupt are recorded */
    uint8_t form, word; /* user value: enum txtap_value_form; the word of the event */
    uint16_t id, end;   /* user value: id of its event; slice: ids of the events that begin and end it */
    uint32_t unpaired;  /* slice: number of ends without a begin */
    uint32_t open;      /* slice: number of open slices whose begin is known */
    uint32_t deepest;   /* slice: the largest number of open slices */
    uint32_t number, address, priority;
    uint32_t on_top, below; /* interrupt; on_top: cores that run it now; below: how often it is interrupted now */
    struct paged steps;     /* steps or values */
    struct paged recorded;
    struct sampled sampled;
    struct step last;     /* the newest step */
    uint64_t since;       /* tick at which the newest step began */
    uint64_t sums[SLOTS]; /* time in each state before the newest step */
};

#define ISR_DEPTH 16u

struct core_rows {
    uint16_t core, idle; /* 1 + row of the core, 1 + row of the core's idle time; 0: no row yet */
    uint8_t what;        /* enum txtap_running */
    uint8_t depth;
    uint16_t isr[ISR_DEPTH]; /* rows of the entered interrupts */
};

#define INTERRUPT_SLOTS 2048u
#define INTERRUPTS_MAX  1024u

struct interrupt_slot {
    uint32_t number;
    uint16_t row; /* 1 + number of the row; 0: this slot is free */
};

struct txtap_rows {
    struct page_source source;
    struct txtap_rows_options options;
    struct paged moments, stretches, wakes, gaps, marks;
    struct paged rows;
    struct paged thread_rows, object_rows; /* index: number in the model; value: 1 + row; 0: no row yet */
    struct core_rows cores[TXTAP_CORES_MAX];
    struct interrupt_slot interrupts[INTERRUPT_SLOTS];
    uint32_t interrupt_count;
    const struct txtap_definitions *definitions;   /* or NULL */
    uint16_t user_rows[TXTAP_DEFINITION_ROWS_MAX]; /* index: number of a line of definitions; value: 1 + row */
    uint32_t user_row_count;
    uint16_t channel_rows[TXTAP_CHANNELS_MAX]; /* index: number of a channel; value: 1 + row */
    uint32_t samples;                          /* number of kept samples */
    uint64_t samples_dropped;
    uint32_t lost_until;  /* index of the first moment after the newest gap */
    uint64_t newest;      /* ticks of the newest moment */
    uint64_t last_seq;    /* seq of the newest event */
    uint32_t last_event;  /* index of the newest event; TXTAP_ROWS_NO_INDEX: no event yet */
    uint32_t marks_ready; /* marks below this number have an index */
    uint32_t known_from;  /* index of the first moment after the last gap */
    bool in_gap, behind_gap, ended, full;
    bool bare; /* the list contains a moment without an event */
    uint32_t version, rows_version;
    uint64_t gap_count, lost, resets, left_out;
    bool lost_exact;
};

/* ---- rows.c ---- */

static inline struct row *row_at(const struct txtap_rows *rows, uint32_t number)
{
    return (struct row *)paged_page(&rows->rows, number / PER_PAGE(struct row)) + number % PER_PAGE(struct row);
}

static inline bool row_is_user(const struct row *row)
{
    return row->kind >= TXTAP_ROW_USER_VALUE && row->kind <= TXTAP_ROW_SLICE;
}

static inline bool row_is_counter(const struct row *row)
{
    return row->kind == TXTAP_ROW_QUEUE || row->kind == TXTAP_ROW_SEMAPHORE || row->kind == TXTAP_ROW_BLOCK_POOL ||
           row->kind == TXTAP_ROW_BYTE_POOL || row_is_user(row);
}

static inline bool row_is_sampled(const struct row *row)
{
    return row->kind >= TXTAP_ROW_SAMPLED_VALUE;
}

static inline bool row_has_states(const struct row *row)
{
    return row->kind <= TXTAP_ROW_IDLE || row->kind == TXTAP_ROW_MUTEX;
}

/*
 * Returns the row of a thread, object, interrupt or core. Adds a row if the party has no row yet. Returns NO_ROW if
 * there is no party or no room. Sets full if pages are missing.
 */
uint32_t rows_of_party(struct txtap_rows *rows, const struct txtap_change_party *party);
uint32_t rows_of_interrupt(struct txtap_rows *rows, uint32_t number);

/* Adds a row. Returns NO_ROW if there is no room. */
uint32_t rows_add(struct txtap_rows *rows, const struct row *row);
struct core_rows *rows_of_core(struct txtap_rows *rows, uint32_t core);

/*
 * Returns a page with room for one more element of a list. Drops the oldest events to make room, if the options allow
 * this. Returns NULL and sets full if there is no room.
 */
void *rows_room(struct txtap_rows *rows, struct paged *list, uint32_t per_page);

/* ---- rows_moments.c ---- */

static inline uint32_t moments_end(const struct txtap_rows *rows)
{
    return rows->moments.count;
}

/* Remembers the page of a moment, because the next moment is usually in the same page. */
struct moment_page {
    const struct moments *page;
    uint32_t number; /* number of the page plus one; 0: no page */
};

static inline const struct moments *moment_page(const struct txtap_rows *rows, uint32_t index, struct moment_page *last)
{
    if (index / MOMENTS + 1 != last->number)
        *last = (struct moment_page){paged_page(&rows->moments, index / MOMENTS), index / MOMENTS + 1};
    return last->page;
}

/* Returns the ticks of a moment. For an index after the newest moment, returns the ticks of the newest moment. */
static inline uint64_t moment_ticks(const struct txtap_rows *rows, uint32_t index)
{
    const struct moments *page;

    if (index >= moments_end(rows))
        return rows->newest;
    page = paged_page(&rows->moments, index / MOMENTS);
    return page->ticks[index % MOMENTS];
}

static inline uint64_t moments_begin_ticks(const struct txtap_rows *rows)
{
    return rows->moments.first < moments_end(rows) ? moment_ticks(rows, rows->moments.first) : 0;
}

/* Returns the first moment at or after the time `ticks`. from: an earlier moment. */
uint32_t moments_find(const struct txtap_rows *rows, uint32_t from, uint64_t ticks);

/* Returns the number of the row's first recorded event at or after `index`. from: number at which the search begins. */
uint32_t recorded_find(const struct row *row, uint32_t from, uint32_t index);

static inline const struct stretch *stretch_at(const struct txtap_rows *rows, uint32_t number)
{
    const struct stretch *page = paged_page(&rows->stretches, number / PER_PAGE(struct stretch));

    return &page[number % PER_PAGE(struct stretch)];
}

static inline uint32_t recorded_index(const struct row *row, uint32_t number)
{
    return ((const uint32_t *)paged_page(&row->recorded, number / RECORDED))[number % RECORDED];
}

static inline struct wake *wake_at(const struct txtap_rows *rows, uint32_t number)
{
    return (struct wake *)paged_page(&rows->wakes, number / PER_PAGE(struct wake)) + number % PER_PAGE(struct wake);
}

static inline struct gap *gap_at(const struct txtap_rows *rows, uint32_t number)
{
    return (struct gap *)paged_page(&rows->gaps, number / PER_PAGE(struct gap)) + number % PER_PAGE(struct gap);
}

static inline struct mark *mark_at(const struct txtap_rows *rows, uint32_t number)
{
    return (struct mark *)paged_page(&rows->marks, number / PER_PAGE(struct mark)) + number % PER_PAGE(struct mark);
}

/* ---- rows_steps.c ---- */

struct totals {
    uint64_t slot[SLOTS];
};

static inline const struct group *group_of(const struct row *row, uint32_t number)
{
    return (const struct group *)paged_page(&row->steps, number / STEPS) + number % STEPS / GROUP_STEPS;
}

static inline const struct step *step_at(const struct row *row, uint32_t number)
{
    return &group_of(row, number)->steps[number % GROUP_STEPS];
}

/*
 * Index: kind of row, and state. Value: 1 + number of the state's sum; 0: the state has no sum. Columns show the first
 * two sums as shares.
 */
static const uint8_t state_slots[][TXTAP_ROW_STATES] = {
    [TXTAP_ROW_CORE] =
        {[TXTAP_ROW_RUNNING] = 1, [TXTAP_ROW_IN_ISR] = 2, [TXTAP_ROW_IS_IDLE] = 3, [TXTAP_ROW_IN_INIT] = 4},
    [TXTAP_ROW_INTERRUPT] = {[TXTAP_ROW_IN_ISR] = 1, [TXTAP_ROW_INTERRUPTED] = 2, [TXTAP_ROW_OFF] = 3},
    [TXTAP_ROW_THREAD] =
        {[TXTAP_ROW_RUNNING] = 1, [TXTAP_ROW_READY] = 2, [TXTAP_ROW_INTERRUPTED] = 3, [TXTAP_ROW_BLOCKED] = 4},
    [TXTAP_ROW_IDLE] = {[TXTAP_ROW_IS_IDLE] = 1, [TXTAP_ROW_OFF] = 3},
    [TXTAP_ROW_MUTEX] = {[TXTAP_ROW_HELD] = 1, [TXTAP_ROW_OFF] = 3},
};

/* Returns the number of the state's sum; SLOTS: the state has no sum. */
static inline unsigned slot_of_state(uint8_t kind, uint8_t state)
{
    return state_slots[kind][state] > 0 ? state_slots[kind][state] - 1u : SLOTS;
}

/* Returns the state that has the sum `slot`; UNKNOWN: no state has this sum. */
enum txtap_row_state state_of_slot(uint8_t kind, unsigned slot);

/* Sets the row's state from moment `index` on. Replaces a step that began at the same moment. False: no room. */
bool steps_set(struct txtap_rows *rows, struct row *row, uint32_t index, struct step step);

/* Like steps_set() at the newest moment, but only if the row is in another state. False: no room. */
bool steps_change(struct txtap_rows *rows, struct row *row, enum txtap_row_state state, uint8_t reason,
                  uint32_t object);

/* Returns the number of the first step that begins at or after `index`. from: number at which the search begins. */
uint32_t steps_find(const struct row *row, uint32_t from, uint32_t index);

/* Like steps_find(), but faster if guess is near the result. */
uint32_t steps_find_near(const struct row *row, uint32_t from, uint32_t guess, uint32_t index);

/* Computes the time in each state before the time `ticks`. number: the current step at this time. */
void steps_totals(const struct txtap_rows *rows, const struct row *row, uint32_t number, uint64_t ticks,
                  struct totals *totals);

void steps_cut(struct txtap_rows *rows, struct row *row, uint32_t index);

#define SHARE_WHOLE UINT16_MAX /* the share of a column in which the row has a single state */

/* Returns the share of a part of a column: at least 1 if `any` is true. */
static inline uint16_t share_of(uint64_t part, uint64_t whole, bool any)
{
    double share = whole > 0 ? (double)part * SHARE_WHOLE / (double)whole + 0.5 : 0;

    return share >= SHARE_WHOLE ? SHARE_WHOLE : share < 1 && any ? 1 : (uint16_t)share;
}

/* ---- a counter's values ---- */

static inline const struct value_page *value_page_of(const struct row *row, uint32_t number)
{
    return paged_page(&row->steps, number / STEPS);
}

static inline const struct value_group *value_group_of(const struct row *row, uint32_t number)
{
    return &value_page_of(row, number)->groups[number % STEPS / GROUP_STEPS];
}

static inline const struct value *value_at(const struct row *row, uint32_t number)
{
    return &value_group_of(row, number)->values[number % GROUP_STEPS];
}

static inline unsigned value_flags(const struct row *row, uint32_t number)
{
    return value_group_of(row, number)->flags[number % GROUP_STEPS];
}

/* Adds a value with its flags. */
static inline void extremes_add_value(struct extremes *of, uint32_t value, unsigned flags)
{
    if ((flags & (VALUE_UNKNOWN | VALUE_OFF_SCALE)) == 0)
        extremes_add(of, value, value);
}

/* Sets a counter's value from moment `index` on, if the value differs from the preceding value. False: no room. flags:
 * VALUE_* bits. */
bool values_set(struct txtap_rows *rows, struct row *row, uint32_t index, uint32_t value, unsigned flags);
uint32_t values_find(const struct row *row, uint32_t from, uint32_t index);
void values_cut(struct txtap_rows *rows, struct row *row, uint32_t index);

/* ---- user values ---- */

/* Takes an event that the newest moment recorded. False: no room. */
bool user_take(struct txtap_rows *rows, const struct txtap_event *event);

/* Notes that events were lost, so the row's value is unknown from now on. False: no room. */
bool user_forget(struct txtap_rows *rows, struct row *row);

/* ---- samples ---- */

/* Drops the samples of a row that ended before the time `ticks`. */
void samples_cut(struct txtap_rows *rows, struct row *row, uint64_t ticks);

#endif
