/* SPDX-License-Identifier: MIT */
/* Any recording returns everything that was written, in files of any size. It is read as txtap decode reads it. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "error_line.h"
#include "record/recorder_fixture.h"
#include "seeds.h"
#include "txtap/inner/registry.h"

enum { ITEMS_MAX = 2000, NAMES_MAX = 12 };

/* The properties of an item that are compared. */
struct trace {
    enum txtap_item_kind kind;
    uint64_t seq;
    uint64_t value; /* an event's stamp, a gap's number of lost events, or a mark's kind */
    size_t words, names;
};

static struct {
    uint64_t seed, random;
    struct trace given[ITEMS_MAX];
    size_t count, read, names;
    struct txtap_recording_player player;
} any;

static struct txtap_channels channels;

static uint32_t chance(uint32_t below)
{
    any.random = any.random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((any.random >> 33) % below);
}

static void give(struct trace item, enum txtap_status status)
{
    cr_assert_eq(status, TXTAP_OK, "seed %" PRIu64, any.seed);
    item.names = any.names;
    any.given[any.count++] = item;
}

static void give_event(bool words)
{
    uint8_t count = words ? (uint8_t)chance(chance(8) == 0 ? 256 : 12) : 0;
    uint64_t seq = fixture.seq;
    enum txtap_status status = words ? event_of_words(4096, count) : event(4096);

    give((struct trace){.kind = TXTAP_ITEM_EVENT, .seq = seq, .value = (uint32_t)seq, .words = count}, status);
}

static void give_gap(void)
{
    uint64_t lost = chance(3) == 0 ? 0 : chance(1000), seq = fixture.seq;

    fixture.seq += lost;
    give((struct trace){.kind = TXTAP_ITEM_GAP, .seq = seq, .value = lost}, gap(seq, lost, lost > 0 && chance(2)));
}

static void give_mark(void)
{
    enum txtap_mark_kind kind = (enum txtap_mark_kind)chance(TXTAP_MARK_KINDS);

    give((struct trace){.kind = TXTAP_ITEM_MARK, .seq = fixture.seq, .value = kind}, mark(kind, fixture.seq));
}

static void give_sample(void)
{
    uint32_t bits = chance(1000);
    uint64_t seq = fixture.seq;

    give((struct trace){.kind = TXTAP_ITEM_SAMPLE, .seq = seq, .value = bits},
         sample_of(chance(2), bits, chance(4) == 0 ? "a line of text" : ""));
}

static void give_name(void)
{
    char name[24];

    if (any.names == NAMES_MAX)
        return;
    snprintf(name, sizeof name, "object %zu", any.names);
    add_object(0x1000 + 16 * (uint32_t)any.names++, name);
}

static void give_anything(bool words, bool restarts, bool samples)
{
    uint32_t dice = chance(samples ? 140 : 100);

    fixture.now_us += chance(20) == 0 ? chance(2 * RECORDING_BLOCK_US) : chance(100);
    if (dice < 85)
        give_event(words);
    else if (dice < 90)
        give_gap();
    else if (dice < 95)
        give_mark();
    else if (dice < 97)
        give_name();
    else if (dice >= 100)
        give_sample();
    else if (restarts)
        cr_assert_eq(restart(), TXTAP_OK);
    if (chance(10) == 0)
        cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
}

/* ---- reading ---- */

static enum txtap_status compare(void *self, const struct txtap_item *item)
{
    const struct trace *want = &any.given[any.read];
    struct trace got = {.kind = item->kind};

    (void)self;
    if (item->kind == TXTAP_ITEM_RESTART)
        return TXTAP_OK;
    cr_assert_lt(any.read, any.count, "seed %" PRIu64 ": more than was recorded", any.seed);
    if (item->kind == TXTAP_ITEM_EVENT)
        got = (struct trace){item->kind, item->event.seq, item->event.stamp, item->event.word_count, 0};
    else if (item->kind == TXTAP_ITEM_GAP)
        got = (struct trace){item->kind, item->gap.seq, item->gap.lost, 0, 0};
    else if (item->kind == TXTAP_ITEM_SAMPLE)
        got = (struct trace){item->kind, item->sample.seq, item->sample.bits, 0, 0};
    else
        got = (struct trace){item->kind, item->mark.seq, item->mark.kind, 0, 0};
    cr_assert(got.kind == want->kind && got.seq == want->seq && got.value == want->value && got.words == want->words,
              "seed %" PRIu64 ", item %zu of %zu: kind %d, number %" PRIu64 ", %" PRIu64
              ", %zu words; given: %d, %" PRIu64 ", %" PRIu64 ", %zu",
              any.seed, any.read, any.count, got.kind, got.seq, got.value, got.words, want->kind, want->seq,
              want->value, want->words);
    for (size_t i = 0; i < got.words && i < TXTAP_RECORDING_WORDS_MAX; i++)
        cr_assert_eq(item->event.words[i], 1000 * got.words + i, "seed %" PRIu64, any.seed);
    for (size_t i = 0; i < want->names && item->kind == TXTAP_ITEM_EVENT; i++)
        cr_assert_not_null(txtap_registry_find(&fixture.read_registry, 0x1000 + 16 * (uint32_t)i),
                           "seed %" PRIu64 ", item %zu: the name %zu is not known yet", any.seed, any.read, i);
    any.read++;
    return TXTAP_OK;
}

static void read_part(int part)
{
    char path[140];
    const char *name = path;
    struct txtap_recording_item item;
    struct input input;

    snprintf(path, sizeof path, part ? "%s%d" : "%s", fixture.path, part);
    cr_assert_eq(input_open(&input, &name, 1, &fixture.error), TXTAP_OK, "%s", error_line(&fixture.error));
    cr_assert_eq(recording_reader_open(&fixture.reader, &input, &fixture.error), TXTAP_OK);
    while (recording_reader_next(&fixture.reader, &item, &fixture.error) == TXTAP_OK)
        cr_assert_eq(txtap_recording_play(&any.player, &item, (struct txtap_sink){compare, NULL}), TXTAP_OK);
    cr_assert_not(fixture.reader.cut, "seed %" PRIu64 ", file %d: %s", any.seed, part,
                  error_line(&fixture.reader.notes.at[0]));
    recording_reader_close(&fixture.reader);
    input_close(&input);
}

static void run(uint64_t seed)
{
    bool words, restarts, samples;
    size_t count;

    any.seed = any.random = seed;
    any.count = any.read = any.names = 0;
    (void)chance(2);
    words = chance(2) == 0;
    restarts = chance(2) == 0;
    samples = chance(2) == 0;
    count = chance(ITEMS_MAX);
    fixture.setup.config.file_bytes = chance(4) == 0 ? 0 : 2500 + chance(chance(2) ? 2000 : 100000);
    fixture.setup.config.compress = chance(2) == 0 ? 0 : 1;
    fixture.setup.config.force = true;
    fixture.setup.config.definitions = chance(2) == 0 ? NULL : "event 4096 \"own\"\n";
    fixture.now_us = 10000000;
    fixture.seq = SEQ;
    txtap_registry_clear(&fixture.registry);
    start();
    while (any.count < count)
        give_anything(words, restarts, samples);
    stop();
    txtap_registry_init(&fixture.read_registry, fixture.read_objects, OBJECTS);
    txtap_recording_player_init(&any.player, &fixture.read_registry);
    memset(&channels, 0, sizeof channels);
    any.player.channels = &channels;
    for (uint32_t part = 0; part < fixture.recording.file.disk.files; part++) {
        if (fixture.setup.config.file_bytes > 0)
            cr_assert_leq(part_bytes((int)part), fixture.setup.config.file_bytes,
                          "seed %" PRIu64 ", file %u of %zu bytes, want %zu: %s", seed, part, part_bytes((int)part),
                          (size_t)fixture.setup.config.file_bytes, transcript_of_part((int)part));
        read_part((int)part);
    }
    cr_assert_eq(any.read, any.count, "seed %" PRIu64 ": %zu of %zu", seed, any.read, any.count);
}

Test(recorder_any, returns_everything_that_was_recorded, .init = recording_set_up, .fini = recording_tear_down)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 60);

    for (uint64_t i = 0; i < runs; i++)
        run(seed + i);
}
