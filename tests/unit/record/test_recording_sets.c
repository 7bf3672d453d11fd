/* SPDX-License-Identifier: MIT */
/*
 * The files of a recording in any order. Some are missing, given twice, truncated, or from another recording. Either
 * all events are read once and in order, and missing events are in a gap at their place; or the files are refused.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "error_line.h"
#include "record/recorder_fixture.h"
#include "seeds.h"
#include "txtap/inner/recording.h"

enum { FILES_MAX = 40, GIVEN_MAX = 3 * FILES_MAX, ITEMS_MAX = 6000, SETS = 10, FILE_BYTES_MAX = 1 << 20 };

struct thing {
    enum txtap_item_kind kind;
    uint64_t seq;
    uint64_t value; /* an event's stamp, a gap's number of lost events, or a mark's kind */
    bool exact;     /* for a GAP */
};

struct list {
    size_t count;
    struct thing at[ITEMS_MAX];
};

/* A file that the recorder wrote. */
struct written {
    char path[160];
    struct list list;
    uint64_t seq;
    uint64_t events, doubts; /* counts as between files */
    bool goes_on;
};

static struct {
    uint64_t seed, random;
    struct written files[FILES_MAX];
    size_t count;
    size_t before; /* number of files that the recorder has already overwritten */
    char foreign[160];
    bool older, triggered; /* older: the files are of a version without file numbers */

    const char *given[GIVEN_MAX];
    char names[GIVEN_MAX][160]; /* names of copies */
    size_t given_count, copies;
    size_t present[FILES_MAX];     /* how often the file is given */
    const char *cut_to[FILES_MAX]; /* the longest truncated copy, if the complete file is not given */
    size_t cut_bytes[FILES_MAX];
    bool foreign_given, short_given;
    struct list wanted, got;
    struct txtap_recording_player player;
    uint8_t bytes[FILE_BYTES_MAX];
} sets;

static uint32_t chance(uint32_t below)
{
    sets.random = sets.random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((sets.random >> 33) % below);
}

/* ---- recordings ---- */

static void give_anything(void)
{
    uint32_t dice = chance(100);

    fixture.now_us += chance(20) == 0 ? chance(2 * RECORDING_BLOCK_US) : chance(100);
    if (dice < 90) {
        cr_assert_eq(event(dice < 3 ? 4097 : 4096), TXTAP_OK);
    } else if (dice < 93) {
        uint64_t lost = chance(3) == 0 ? 0 : chance(100), seq = fixture.seq;

        fixture.seq += lost;
        cr_assert_eq(gap(seq, lost, lost > 0 && chance(2)), TXTAP_OK);
    } else if (dice < 95) {
        enum txtap_mark_kind kind = (enum txtap_mark_kind)chance(TXTAP_MARK_KINDS);

        if (kind != TXTAP_MARK_TRIGGER || !sets.older) /* a trigger in an older file would mean that numbers may jump */
            cr_assert_eq(mark(kind, fixture.seq), TXTAP_OK);
    } else if (dice < 96) {
        cr_assert_eq(restart(), TXTAP_OK);
    }
    if (chance(10) == 0)
        cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
}

static void choose(void)
{
    struct record_config *config = &fixture.setup.config;

    config->trigger_count = 0;
    if (sets.triggered)
        wait_for("4097", chance(50000), chance(50000));
    config->file_bytes = 2500 + chance(6000);
    config->file_seconds = chance(4) == 0 ? 1 : 0;
    config->file_count = config->file_seconds == 0 && chance(3) == 0 ? 2 + chance(9) : 0;
    config->compress = chance(3) == 0;
    fixture.setup.config.force = true;
    fixture.setup.config.definitions = chance(2) == 0 ? NULL : "event 4096 \"own\"\n";
    fixture.now_us = 10000000;
    fixture.seq = chance(2) ? SEQ : 0;
}

/* ---- reading ---- */

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct list *list = self;
    struct thing *thing = &list->at[list->count];

    if (item->kind == TXTAP_ITEM_RESTART)
        return TXTAP_OK;
    cr_assert_lt(list->count, ITEMS_MAX, "seed %" PRIu64, sets.seed);
    *thing = (struct thing){.kind = item->kind};
    list->count++;
    if (item->kind == TXTAP_ITEM_EVENT) {
        thing->seq = item->event.seq;
        thing->value = item->event.stamp;
    } else if (item->kind == TXTAP_ITEM_GAP) {
        *thing = (struct thing){item->kind, item->gap.seq, item->gap.lost, item->gap.exact};
    } else {
        thing->seq = item->mark.seq;
        thing->value = item->mark.kind;
    }
    return TXTAP_OK;
}

/* Reads the files as a command does. */
static enum txtap_status play(const char *const *paths, size_t count, struct list *list)
{
    struct txtap_recording_item item;
    struct input input;
    enum txtap_status status;

    list->count = 0;
    error_clear(&fixture.error);
    txtap_registry_init(&fixture.read_registry, fixture.read_objects, OBJECTS);
    txtap_recording_player_init(&sets.player, &fixture.read_registry);
    cr_assert_eq(input_open(&input, paths, count, &fixture.error), TXTAP_OK, "%s", error_line(&fixture.error));
    status = recording_reader_open(&fixture.reader, &input, &fixture.error);
    if (status == TXTAP_OK) {
        while ((status = recording_reader_next(&fixture.reader, &item, &fixture.error)) == TXTAP_OK)
            cr_assert_eq(txtap_recording_play(&sets.player, &item, (struct txtap_sink){take, list}), TXTAP_OK);
        recording_reader_close(&fixture.reader);
    }
    input_close(&input);
    return status;
}

static void count_file(struct written *file)
{
    const char *path = file->path;

    cr_assert_eq(play(&path, 1, &file->list), TXTAP_END);
    file->goes_on = fixture.reader.joint.goes_on;
    file->seq = fixture.reader.joint.file.seq;
    file->events = file->doubts = 0;
    for (size_t i = 0; i < file->list.count; i++) {
        const struct thing *thing = &file->list.at[i];

        file->events += thing->kind == TXTAP_ITEM_EVENT ? 1 : thing->kind == TXTAP_ITEM_GAP ? thing->value : 0;
        file->doubts += thing->kind == TXTAP_ITEM_MARK || (thing->kind == TXTAP_ITEM_GAP && !thing->exact);
    }
}

/* ---- files ---- */

static size_t load(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t length;

    cr_assert_not_null(file, "%s", path);
    length = fread(sets.bytes, 1, sizeof sets.bytes, file);
    fclose(file);
    cr_assert_lt(length, sizeof sets.bytes);
    return length;
}

static void save(const char *path, size_t length, const char *how)
{
    FILE *file = fopen(path, how);

    cr_assert_not_null(file);
    cr_assert_eq(fwrite(sets.bytes, 1, length, file), length);
    fclose(file);
}

/* Rewrites the file in the form of versions without file numbers. */
static void make_older(const char *path)
{
    size_t length = load(path), at = TXTAP_RECORDING_HEAD_BYTES, to = at, needed;
    struct txtap_recording recording;
    struct txtap_recording_block block;

    cr_assert_eq(txtap_recording_open(&recording, sets.bytes), TXTAP_OK);
    for (uint32_t number = 0; at < length; at += needed) {
        cr_assert_eq(txtap_recording_block(&recording, sets.bytes + at, length - at, &block, &needed), TXTAP_OK);
        if (block.type == TXTAP_RECORDING_FILE)
            continue;
        memmove(sets.bytes + to, sets.bytes + at, needed);
        block.stored = sets.bytes + to + TXTAP_RECORDING_BLOCK_BYTES;
        txtap_recording_seal(sets.bytes + to, &block, number++);
        to += needed;
    }
    save(path, to, "wb");
}

/* Notes the file that was just finished. */
static void note_file(struct written *file, const char *path)
{
    snprintf(file->path, sizeof file->path, "%s", path);
    if (sets.older)
        make_older(file->path);
}

static void name_file(char name[160])
{
    cr_assert_lt(strlen(fixture.recording.rotation.name), 160);
    strcpy(name, fixture.recording.rotation.name);
}

/* Writes a recording, of which only the latest files remain. Returns false if two files were begun at once, so that the
 * first file's name is unknown. */
static bool record(const char *path)
{
    char name[160];
    bool seen = true;
    uint32_t kept, last, more = 100 + chance(1500);

    fixture.setup.config.path = path;
    choose();
    kept = fixture.setup.config.file_count;
    start();
    sets.count = 0;
    name_file(name);
    for (uint32_t i = 0; i < more && seen && sets.count < FILES_MAX - 1; i++) {
        uint64_t files = fixture.recording.part.number;

        give_anything();
        if (fixture.recording.part.number == files)
            continue;
        seen = fixture.recording.part.number == files + 1;
        note_file(&sets.files[sets.count++], name);
        name_file(name);
    }
    last = fixture.recording.part.number;
    stop();
    seen = seen && fixture.recording.part.number == last;
    note_file(&sets.files[sets.count++], name);
    sets.before = kept > 0 && sets.count > kept ? sets.count - kept : 0;
    memmove(sets.files, sets.files + sets.before, (sets.count - sets.before) * sizeof *sets.files);
    sets.count -= sets.before;
    for (size_t i = 0; i < sets.count; i++)
        count_file(&sets.files[i]);
    return seen;
}

/* ---- sets of files ---- */

static void give(const char *path)
{
    size_t at = chance((uint32_t)sets.given_count + 1);

    memmove(sets.given + at + 1, sets.given + at, (sets.given_count - at) * sizeof *sets.given);
    sets.given[at] = path;
    sets.given_count++;
}

static const char *copy_of(const char *path, size_t most)
{
    char *name = sets.names[sets.copies];
    size_t length = load(path);

    snprintf(name, sizeof sets.names[0], "%s/copy%zu", fixture.directory, sets.copies++);
    save(name, length < most ? length : most, "wb");
    return name;
}

static void choose_files(void)
{
    uint32_t missing = chance(3), doubled = chance(3), cut = chance(3);

    memset(sets.present, 0, sizeof sets.present);
    memset(sets.cut_to, 0, sizeof sets.cut_to);
    memset(sets.cut_bytes, 0, sizeof sets.cut_bytes);
    sets.given_count = sets.copies = 0;
    sets.short_given = false;
    for (size_t i = 0; i < sets.count; i++) {
        bool whole = missing == 0 || chance(5) > 0, again = doubled > 0 && chance(5) == 0;

        if (whole)
            give(sets.files[i].path);
        if (whole && again)
            give(chance(2) ? sets.files[i].path : copy_of(sets.files[i].path, SIZE_MAX));
        sets.present[i] = whole;
        if (cut > 0 && chance(4) == 0) {
            size_t length = load(sets.files[i].path), most = chance(2) || length < 400 ? length : 400;
            size_t bytes = TXTAP_RECORDING_HEAD_BYTES + chance((uint32_t)most - TXTAP_RECORDING_HEAD_BYTES);

            give(sets.cut_to[i] = copy_of(sets.files[i].path, bytes));
            sets.cut_bytes[i] = bytes;
        }
    }
    sets.foreign_given = chance(5) == 0 && !sets.older; /* an older file can look like a part of any recording */
    if (sets.foreign_given)
        give(sets.foreign);
}

/* ---- expected items ---- */

static bool is_cut, none, idle; /* idle: a file of an older version without events and marks */

static void want_gap(uint64_t seq, uint64_t lost, bool exact)
{
    if (lost > 0 || !exact)
        sets.wanted.at[sets.wanted.count++] = (struct thing){TXTAP_ITEM_GAP, seq, lost, exact};
}

static uint64_t next_seq(const struct thing *last)
{
    return last->kind == TXTAP_ITEM_GAP ? last->seq + last->value : last->seq + 1;
}

/* Adds the expected events of a file. If the file has no number, the numbers of its events show what is missing. */
static void want_all(const struct list *list, struct thing *last)
{
    bool first = sets.older && last->kind != TXTAP_ITEM_RESTART;

    for (size_t i = 0; i < list->count; i++) {
        const struct thing *thing = &list->at[i];

        if (first && thing->kind != TXTAP_ITEM_MARK) {
            want_gap(next_seq(last), thing->seq - next_seq(last), true);
            first = false;
        }
        sets.wanted.at[sets.wanted.count++] = *thing;
        if (thing->kind != TXTAP_ITEM_MARK)
            *last = *thing;
    }
}

/* Lists all items that are expected, with gaps for the files that are not given. */
static void want(void)
{
    static struct list part;
    uint64_t lost = 0, doubts = 0;
    size_t files = 0, first = 0, newest = 0;
    struct thing last = {.kind = TXTAP_ITEM_RESTART};

    sets.wanted.count = 0;
    is_cut = idle = false;
    for (size_t i = 0; i < sets.count; i++) {
        const struct written *file = &sets.files[i];
        const struct list *list = sets.present[i] ? &file->list : &part;
        bool placed;

        if (!sets.present[i] && sets.cut_to[i] == NULL) {
            lost += file->events;
            doubts += file->doubts;
            continue;
        }
        if (sets.cut_to[i] != NULL) {
            (void)play(&sets.cut_to[i], 1, &part);
            placed = sets.older ? part.count > 0 : fixture.reader.joint.has_file;
            is_cut = is_cut || !sets.present[i] || !placed;
            if (!sets.present[i] && !placed) { /* this file does not state its place in the recording */
                lost += file->events;
                doubts += file->doubts;
                continue;
            }
        }
        if (files++ == 0)
            first = i;
        else if (!sets.older)
            want_gap(last.kind != TXTAP_ITEM_RESTART ? next_seq(&last) : file->seq - lost, lost, doubts == 0);
        newest = i;
        idle = idle || (sets.older && list->count == 0);
        lost = file->events;
        doubts = file->doubts;
        for (size_t k = 0; k < list->count; k++) {
            const struct thing *thing = &list->at[k];

            lost -= thing->kind == TXTAP_ITEM_EVENT ? 1 : thing->kind == TXTAP_ITEM_GAP ? thing->value : 0;
            doubts -= thing->kind == TXTAP_ITEM_MARK || (thing->kind == TXTAP_ITEM_GAP && !thing->exact);
        }
        want_all(list, &last);
    }
    none = files == 0;
    if (files > 1)
        is_cut = is_cut || (first > 0 && !sets.older) || (sets.present[newest] && sets.files[newest].goes_on);
}

/* ---- actual items ---- */

static bool same(const struct thing *a, const struct thing *b)
{
    return a->kind == b->kind && a->seq == b->seq && a->value == b->value && a->exact == b->exact;
}

static void compare(size_t set)
{
    const struct list *got = &sets.got, *wanted = &sets.wanted;

    for (size_t i = 0; i < got->count && i < wanted->count; i++)
        cr_assert(same(&got->at[i], &wanted->at[i]),
                  "seed %" PRIu64 ", set %zu, item %zu: kind %d, number %" PRIu64 ", %" PRIu64
                  ", %d; wanted: %d, %" PRIu64 ", %" PRIu64 ", %d",
                  sets.seed, set, i, got->at[i].kind, got->at[i].seq, got->at[i].value, got->at[i].exact,
                  wanted->at[i].kind, wanted->at[i].seq, wanted->at[i].value, wanted->at[i].exact);
    cr_assert_eq(got->count, wanted->count, "seed %" PRIu64 ", set %zu: %zu of %zu items", sets.seed, set, got->count,
                 wanted->count);
}

static void read_set(size_t set)
{
    enum txtap_status status;
    bool foreign;

    choose_files();
    if (sets.given_count == 0)
        return;
    want();
    foreign = sets.foreign_given && !none;
    status = play(sets.given, sets.given_count, &sets.got);
    if (foreign) {
        cr_assert_eq(status, TXTAP_ERROR_USAGE, "seed %" PRIu64 ", set %zu: another recording is not noticed",
                     sets.seed, set);
        cr_assert_not_null(strstr(fixture.error.what, sets.foreign), "%s", error_line(&fixture.error));
        cr_assert_eq(sets.got.count, 0);
        return;
    }
    if (none)
        return;
    cr_assert_eq(status, TXTAP_END, "seed %" PRIu64 ", set %zu: %s", sets.seed, set, error_line(&fixture.error));
    compare(set);
    if (!idle) /* a file whose place is unknown is read last */
        cr_assert_eq(fixture.reader.cut, is_cut, "seed %" PRIu64 ", set %zu: cut %d: %s", sets.seed, set,
                     fixture.reader.cut, fixture.reader.notes.at[0].what);
}

/* Reads the files one after the other from a stream, which cannot be sorted. */
static void read_stream(void)
{
    char path[160];
    const char *stream = path;
    size_t a = chance((uint32_t)sets.count), b = chance((uint32_t)sets.count);
    enum txtap_status status;

    memset(sets.present, 0, sizeof sets.present);
    memset(sets.cut_to, 0, sizeof sets.cut_to);
    sets.present[a] = sets.present[b] = 1;
    snprintf(path, sizeof path, "%s/stream", fixture.directory);
    save(path, load(sets.files[a].path), "wb");
    save(path, load(sets.files[b].path), "ab");
    status = play(&stream, 1, &sets.got);
    if (a >= b) {
        cr_assert_eq(status, TXTAP_ERROR_USAGE, "seed %" PRIu64 ": file %zu after %zu is not noticed", sets.seed, b, a);
        return;
    }
    cr_assert_eq(status, TXTAP_END, "seed %" PRIu64 ": %s", sets.seed, error_line(&fixture.error));
    want();
    compare(SETS);
}

static void run(uint64_t seed)
{
    char path[100];

    sets.seed = sets.random = seed;
    (void)chance(2);
    sets.triggered = chance(3) == 0;
    sets.older = !sets.triggered && chance(3) == 0;
    snprintf(path, sizeof path, "%s/f%%s-", fixture.directory);
    if (!record(path))
        return;
    snprintf(sets.foreign, sizeof sets.foreign, "%s", sets.files[chance((uint32_t)sets.count)].path);
    snprintf(path, sizeof path, "%s/r%%s-", fixture.directory);
    if (!record(path))
        return;
    for (size_t set = 0; set < SETS; set++)
        read_set(set);
    read_stream();
}

Test(recording_sets, each_event_is_read_once_or_is_in_a_gap, .init = recording_set_up, .fini = recording_tear_down)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 40);

    for (uint64_t i = 0; i < runs; i++)
        run(seed + i);
}
