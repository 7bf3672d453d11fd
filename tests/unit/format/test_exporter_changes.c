/* SPDX-License-Identifier: MIT */
/* What formats with changes have in common: they get changes in order, and choose which events they show. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "format/exporter.h"
#include "format/notices.h"
#include "memory_sink.h"
#include "txtap/inner/change.h"

#define SLEEP 6

static char told[8192];
static uint64_t next_seq;
static const struct txtap_change_limits limits = {.threads = 4, .objects = 4};

struct state {
    unsigned events, changes;
};

static void tell(char letter)
{
    size_t length = strlen(told);

    if (length + 1 < sizeof told)
        told[length] = letter;
}

static enum txtap_status take_change(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct state *state = self->changes.state;

    state->changes++;
    if (change->kind != TXTAP_CHANGE_EVENT)
        return TXTAP_OK;
    state->events++;
    tell(exporter_wants(self, change->event) ? 'E' : '-');
    return TXTAP_OK;
}

static enum txtap_status take_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    (void)self;
    (void)mark;
    tell('M');
    return TXTAP_OK;
}

static enum txtap_status take_sample(struct txtap_exporter *self, const struct txtap_sample *sample)
{
    (void)self;
    tell(sample->text[0]);
    return TXTAP_OK;
}

static size_t state_bytes(const struct txtap_change_limits *of)
{
    return sizeof(struct state) * of->threads;
}

static const struct txtap_exporter_ops ops = {
    .name = "changes",
    .begin = exporter_changes_begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .mark = take_mark,
    .sample = take_sample,
    .end = exporter_changes_end,
    .change = take_change,
    .state_bytes = state_bytes,
};

static void open_changes(void)
{
    open_exporter("text", 0);
    memset(told, 0, sizeof told);
    exporter.ops = &ops;
    exporter.changes.limits = limits;
    exporter.changes.memory = malloc(txtap_exporter_changes_bytes(&ops, &limits));
    cr_assert_not_null(exporter.changes.memory);
    cr_assert_eq(ops.begin(&exporter), TXTAP_OK);
}

static void close_changes(const char *expected)
{
    cr_assert_eq(ops.end(&exporter), TXTAP_OK);
    cr_assert_str_eq(told, expected);
    free(exporter.changes.memory);
}

static void take_item(enum txtap_item_kind kind, uint32_t id)
{
    struct txtap_item item = {.kind = kind};

    if (kind == TXTAP_ITEM_EVENT)
        item.event = (struct txtap_event){.seq = next_seq, .ticks = next_seq, .thread = 0x100, .id = id};
    if (kind == TXTAP_ITEM_MARK)
        item.mark = (struct txtap_mark){.kind = TXTAP_MARK_RESET, .text = ""};
    next_seq++;
    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
}

/* A reset makes a gap. Events that still wait must come before it. */
Test(exporter_changes, have_the_order_of_the_items)
{
    open_changes();
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_MARK, 0);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    close_changes("EEME");
}

/* The second event waits for the third, which shows the thread that ran. The mark stays between them. */
Test(exporter_changes, marks_keep_their_place)
{
    struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {.kind = TXTAP_MARK_HALTED, .text = "why"}};

    open_changes();
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    mark.mark.seq = next_seq;
    cr_assert_eq(txtap_exporter_take(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(told, "E");
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    mark.mark.seq = next_seq;
    for (unsigned i = 0; i < 4; i++)
        cr_assert_eq(txtap_exporter_take(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(told, "EEME");
    close_changes("EEMEEMMMM");
}

static void take_sample_before(uint64_t seq, const char *text)
{
    const struct txtap_item sample = {.kind = TXTAP_ITEM_SAMPLE, .sample = {.seq = seq, .ticks = seq, .text = text}};

    cr_assert_eq(txtap_exporter_take(&exporter, &sample), TXTAP_OK);
}

/* Samples wait for their events, as marks do, and keep their texts. */
Test(exporter_changes, samples_keep_their_place)
{
    struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {.kind = TXTAP_MARK_HALTED, .text = ""}};
    char text[] = "a";

    open_changes();
    take_sample_before(0, text);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_sample_before(next_seq, text);
    text[0] = 'b';
    mark.mark.seq = next_seq;
    cr_assert_eq(txtap_exporter_take(&exporter, &mark), TXTAP_OK);
    take_sample_before(next_seq, text);
    text[0] = 'c';
    cr_assert_str_eq(told, "aE");
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    close_changes("aEEaMbEE");
}

/* Notices whose texts do not fit any more come too early, but all of them come, in their order. */
Test(exporter_changes, no_sample_is_lost_if_too_many_wait)
{
    static char text[TXTAP_SAMPLE_TEXT_BYTES + 100];
    const unsigned count = 150, waiting = NOTICES_TEXT_BYTES / TXTAP_SAMPLE_TEXT_BYTES;

    open_changes();
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    memset(text, 'x', sizeof text - 1);
    for (unsigned i = 0; i < count; i++) {
        text[0] = (char)('a' + i % 26);
        take_sample_before(next_seq, text);
    }
    cr_assert_eq(strlen(told), 1 + count - waiting);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
    cr_assert_eq(strlen(told), count + 4);
    for (unsigned i = 0; i < count; i++) {
        const char *at = told + 1 + i + (i >= count - waiting);

        cr_assert_eq(*at, 'a' + (int)(i % 26), "%u: %s", i, told);
    }
    free(exporter.changes.memory);
}

Test(exporter_changes, no_mark_is_lost_if_too_many_wait)
{
    struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {.kind = TXTAP_MARK_HALTED, .text = ""}};

    open_changes();
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    mark.mark.seq = next_seq;
    for (unsigned i = 0; i < NOTICES_MAX + 3; i++)
        cr_assert_eq(txtap_exporter_take(&exporter, &mark), TXTAP_OK);
    cr_assert_str_eq(told, "EMMM");
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
    free(exporter.changes.memory);
}

/* The times of changes continue after a trace that began again, and the times of samples do so, too. */
Test(exporter_changes, samples_have_the_times_of_the_changes)
{
    struct txtap_filter filter = {.from_ticks = 5, .to_ticks = 5};
    struct txtap_item event = {.kind = TXTAP_ITEM_EVENT, .event = {.ticks = 3, .thread = 0x100, .id = SLEEP}};

    open_changes();
    exporter.changes.filter = &filter;
    cr_assert_eq(txtap_exporter_take(&exporter, &event), TXTAP_OK);
    event.event.ticks = 0;
    event.event.seq = 1;
    cr_assert_eq(txtap_exporter_take(&exporter, &event), TXTAP_OK);
    take_sample_before(2, "s");
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
    cr_assert_not_null(strchr(told, 's'), "%s", told);
    free(exporter.changes.memory);
}

Test(exporter_changes, of_hidden_events_are_included)
{
    struct txtap_filter filter = {0};

    open_changes();
    filter.contexts = 1u << TXTAP_CONTEXT_ISR;
    exporter.changes.filter = &filter;
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    take_item(TXTAP_ITEM_EVENT, SLEEP);
    cr_assert_eq(ops.end(&exporter), TXTAP_OK);
    cr_assert_eq(((struct state *)exporter.changes.state)->events, 2);
    cr_assert_gt(((struct state *)exporter.changes.state)->changes, 2);
    cr_assert_str_eq(told, "--");
    free(exporter.changes.memory);
}

Test(exporter_changes, need_memory)
{
    open_exporter("text", 0);
    exporter.ops = &ops;
    exporter.changes.limits = limits;
    cr_assert_eq(ops.begin(&exporter), TXTAP_ERROR_USAGE);
}

Test(exporter_changes, need_as_much_memory_as_the_limits_state)
{
    struct txtap_change_limits more = {.threads = 8, .objects = 4}, outside = {.threads = 65536, .objects = 4};

    cr_assert_gt(txtap_exporter_changes_bytes(&ops, &more), txtap_exporter_changes_bytes(&ops, &limits));
    cr_assert_eq(txtap_exporter_changes_bytes(&ops, &outside), 0);
    cr_assert_eq(txtap_exporter_changes_bytes(txtap_exporter_find("text"), &limits), 0);
}
