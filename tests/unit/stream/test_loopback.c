/* SPDX-License-Identifier: MIT */
/*
 * The recorder writes, the reader reads. Between any two stores of the recorder the reader reads any number of words.
 * Every event, gap, context and name is compared with the recorder's input, so writer and reader always agree on the
 * format.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ring/txtb.h"
#include "seeds.h"
#include "stream/fixtures/memory_image.h"
#include "stream/poller.h"
#include "stream/fixtures/stepped_target.h"

enum {
    OBJECTS = 8,
    ENTRIES_MAX = (RAM_BYTES - TXTB_HEADER_BYTES - OBJECTS * OBJECT_BYTES) / TXTB_ENTRY_BYTES,
    EVENTS_MAX = 50000,
    IMAGES = 8, /* memory images that are checked per run */
};

/* Kinds of objects. Several objects use an address, one after the other. */
static const struct kind {
    uint8_t type;
    uint32_t create, delete, use;
} kinds[] = {
    {TXTAP_TRACE_OBJECT_QUEUE, 60, 61, 68},
    {TXTAP_TRACE_OBJECT_SEMAPHORE, 81, 82, 83},
    {TXTAP_TRACE_OBJECT_MUTEX, 50, 51, 52},
    {TXTAP_TRACE_OBJECT_EVENT_FLAGS, 30, 31, 36},
};

struct truth {
    uint32_t words[8];
    bool patched;            /* info 4 was written late */
    const struct kind *kind; /* kind of the object that the event names; NULL: no object */
    unsigned generation;     /* number of this object among the objects at its address */
};

static struct {
    struct truth truth[EVENTS_MAX];
    uint32_t events;
    unsigned generation[THINGS];
    const struct kind *kind[THINGS];
    bool live[THINGS];
} writer;

static struct {
    struct poller poller;
    bool started;
    uint64_t next_seq, delivered, lost, held, named, unnamed;
    const char *violation;
} run;

static void violated(const char *what)
{
    if (!run.violation)
        run.violation = what;
}

/* ---- the writer ---- */

static struct truth *note_event(uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4)
{
    struct truth *truth = &writer.truth[writer.events++];
    bool isr = txtap_trace_system_state != 0;
    uint32_t thread = THINGS_BASE + (uint32_t)((uint8_t *)txtap_trace_thread - things);
    uint32_t words[8] = {isr ? TXTB_THREAD_ISR : thread,
                         isr ? thread : 0x80000000u | txtap_trace_thread_priority,
                         id,
                         ++tick,
                         info1,
                         info2,
                         info3,
                         info4};

    *truth = (struct truth){.patched = false};
    memcpy(truth->words, words, sizeof words);
    return truth;
}

static void write_ledger_event(void)
{
    uint32_t n = writer.events;

    note_event(4096, n, ~n, 3 * n, 0x1ED6E2A5u);
    txtap_trace_user_event_insert(4096, n, ~n, 3 * n, 0x1ED6E2A5u);
}

/* Writes an event as the kernel's resume service does: its next thread is stored only later. */
static void write_patched_event(void)
{
    uint32_t next = 0x20000000u + chance(1000);
    uint32_t n = writer.events;
    struct truth *truth = note_event(TXTAP_TRACE_EVENT_THREAD_RESUME, n, 0, 3 * n, next);
    struct txtap_trace_entry *entry;

    truth->patched = true;
    entry = txtap_trace_event_insert(TXTAP_TRACE_EVENT_THREAD_RESUME, n, 0, 3 * n, 0, TXTAP_TRACE_CLASS_INTERNAL);
    txtap_trace_event_patch(entry, truth->words[3], 3, next);
}

/* Makes the name of an object. Consecutive objects at an address may have the same name. */
static void object_name(char name[static 32], unsigned i, unsigned generation)
{
    snprintf(name, 32, "thing %u #%u", i, generation / 2);
}

static void write_object_event(uint32_t id, unsigned i)
{
    struct truth *truth = note_event(id, thing(i), 7, 8, 9);

    truth->generation = writer.generation[i];
    truth->kind = writer.kind[i];
    txtap_trace_event_insert(id, thing(i), 7, 8, 9, TXTAP_TRACE_CLASS_QUEUE);
}

static void create_or_delete(unsigned i)
{
    if (writer.live[i]) {
        txtap_trace_object_unregister(&things[i]);
        writer.live[i] = false;
        write_object_event(writer.kind[i]->delete, i);
    } else {
        char name[32];

        writer.kind[i] = &kinds[chance(sizeof kinds / sizeof kinds[0])];
        object_name(name, i, ++writer.generation[i]);
        if (txtap_trace_object_register(writer.kind[i]->type, &things[i], name, 0, 0) != TXTAP_TRACE_OK)
            return; /* all slots are in use by live objects */
        writer.live[i] = true;
        write_object_event(writer.kind[i]->create, i);
    }
}

static void use(unsigned i)
{
    if (writer.live[i])
        write_object_event(writer.kind[i]->use, i);
}

static void write_in_interrupt(void)
{
    txtap_trace_system_state = 1;
    write_ledger_event();
    if (chance(2))
        write_patched_event();
    txtap_trace_system_state = 0;
}

static void serve(void)
{
    if (writer.events >= EVENTS_MAX - 2)
        return;
    switch (chance(12)) {
    case 0:
    case 1:
        write_patched_event();
        break;
    case 2:
        create_or_delete(chance(THINGS));
        break;
    case 3:
        run_thread(chance(THINGS), chance(32));
        break;
    case 4:
        write_in_interrupt();
        break;
    case 5:
    case 6:
        use(chance(THINGS));
        break;
    default:
        write_ledger_event();
        break;
    }
}

static void start_writer(void)
{
    memset(&writer.generation, 0, sizeof writer.generation);
    memset(&writer.live, 0, sizeof writer.live);
    writer.events = 0;
    target.service = serve;
    target_enable();
    run_thread(1, 5);
}

/* ---- the reader ---- */

static uint32_t word_of(const uint8_t *entry, unsigned word)
{
    uint32_t value;

    memcpy(&value, entry + 4 * word, 4);
    return value;
}

static bool is_as_recorded(const uint8_t *entry, const struct truth *truth, bool unsettled)
{
    for (unsigned word = 0; word < 7; word++)
        if (word_of(entry, word) != truth->words[word])
            return false;
    return word_of(entry, 7) == truth->words[7] || (unsettled && truth->patched && word_of(entry, 7) == 0);
}

static bool is_parsed_as_recorded(const struct txtap_event *event, const struct truth *truth)
{
    bool isr = truth->words[0] == TXTB_THREAD_ISR;

    if (event->id != truth->words[2] || event->stamp != truth->words[3] ||
        event->thread != (isr ? truth->words[1] : truth->words[0]))
        return false;
    if (isr)
        return event->context == TXTAP_CONTEXT_ISR;
    return event->context == TXTAP_CONTEXT_THREAD && event->priority == (truth->words[1] & 0x3FF) &&
           event->threshold == event->priority;
}

/*
 * Checks that the right name or no name is shown. Other objects at the same address, earlier or later, have names that
 * would be wrong.
 */
static void check_name(const struct txtap_registry *registry, const struct truth *truth, uint64_t seq)
{
    uint32_t pointer = truth->words[4];
    const struct txtap_object *object = txtap_registry_find_at(registry, pointer, TXTAP_OBJECT_NONE, seq);
    char name[32];

    run.named += object != NULL;
    run.unnamed += object == NULL;
    object_name(name, pointer - THINGS_BASE, truth->generation);
    if (object != NULL && (object->type != truth->kind->type || strcmp(object->name, name) != 0))
        violated("an event shows another object's name");
}

static enum txtap_status take_event(const struct txtap_event *event)
{
    const uint8_t *entry = event->entry;
    uint64_t seq = event->seq;
    const struct txtap_ring_batch *batch = &txtb_reader_of(&run.poller)->batch;
    bool held =
        batch->held_count > 0 && entry >= batch->held && entry < batch->held + batch->held_count * TXTB_ENTRY_BYTES;
    const struct truth *truth;

    if (run.started && seq != run.next_seq)
        violated("a sequence number is not the next");
    if (seq >= writer.events) {
        violated("an event that was never written");
        return TXTAP_OK;
    }
    truth = &writer.truth[seq];
    if (!is_as_recorded(entry, truth, event->unsettled))
        violated("an entry is not what was recorded");
    if (!is_parsed_as_recorded(event, truth))
        violated("an event is parsed as something else");
    if (truth->kind != NULL)
        check_name(&run.poller.registry, truth, seq);
    run.started = true;
    run.next_seq = seq + 1;
    run.delivered++;
    run.held += held;
    return TXTAP_OK;
}

static enum txtap_status take_gap(const struct txtap_gap *gap)
{
    if (run.started && gap->seq != run.next_seq)
        violated("a gap is not at its place");
    if (!gap->exact)
        violated("counted laps gave an inexact gap");
    run.next_seq = gap->seq + gap->lost;
    run.lost += gap->lost;
    return TXTAP_OK;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    (void)self;
    return item->kind == TXTAP_ITEM_EVENT ? take_event(&item->event) : take_gap(&item->gap);
}

static void check_header(const struct txtap_header *header)
{
    cr_assert_eq(header->endian, TXTAP_LITTLE);
    cr_assert_eq(header->base, RAM_BASE);
    cr_assert_eq(header->timer_mask, TXTAP_TRACE_STAMP_MASK);
    cr_assert_eq(header->name_bytes, TXTAP_TRACE_NAME_BYTES);
    cr_assert_eq(txtap_header_registry_entries(header), OBJECTS);
    cr_assert_eq(txtap_header_ring_entries(header), target.entries);
    cr_assert_eq(txtap_header_total_bytes(header), TXTAP_TRACE_BUFFER_BYTES(OBJECTS, target.entries));
}

/* Attaches the reader. half_laps: the reader finds the words beside the buffer; otherwise it does not know of them. */
static void attach(bool half_laps)
{
    struct poller_settings settings = {.now_us = target_clock, .names_wait_us = chance(8) != 0 ? 1000000 : 0};
    struct txtap_source source = target_source();
    struct txtap_header header;
    struct txtb_place own = {.how = LOCATE_BY_ADDRESS};
    struct poller_place place = {.source = source, .address = RAM_BASE, .reader.ops = &txtb_reader_ops};
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct error error;

    source.ops->read(source.self, &(struct txtap_read){RAM_BASE, sizeof bytes, bytes}, 1);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    check_header(&header);
    if (half_laps)
        own.half_laps = target_half_laps();
    settings.from = chance(2) ? TXTAP_RING_FROM_OLDEST : TXTAP_RING_FROM_NOW;
    place.header = header;
    memcpy(place.reader.own, &own, sizeof own);
    cr_assert_eq(poller_init(&run.poller, &place, &settings, (struct txtap_sink){.take = take}, &error), TXTAP_OK);
}

/* Returns true if a used slot has the address and the name; name NULL: any name. */
static bool registry_holds(uint32_t pointer, const char *name)
{
    for (uint32_t slot = 0; slot < OBJECTS; slot++) {
        const uint8_t *at = ram + object_at(slot);

        if (at[TXTB_OBJECT_AVAILABLE] == 0 && load32(object_at(slot) + TXTB_OBJECT_POINTER) == pointer &&
            (!name || strcmp((const char *)at + TXTB_OBJECT_NAME, name) == 0))
            return true;
    }
    return false;
}

static void check_registry_at_rest(void)
{
    for (unsigned i = 0; i < THINGS; i++) {
        const struct txtap_object *object = txtap_registry_find(&run.poller.registry, thing(i));
        bool live = object && object->live;

        if (writer.live[i] && !live)
            violated("a live object is not known");
        if (live != registry_holds(thing(i), NULL))
            violated("an object's life is recorded wrong");
        if (live && !object->unknown && !registry_holds(thing(i), object->name))
            violated("a live object is known by another name");
    }
}

static void check_image_entry(const struct txtap_registry *registry, const uint8_t *entry, uint64_t seq)
{
    const struct truth *truth = &writer.truth[seq];

    if (seq < writer.events && truth->kind != NULL && is_as_recorded(entry, truth, false))
        check_name(registry, truth, seq);
}

/* Checks the memory between two services, as if it were a file. */
static void check_image(void)
{
    static uint8_t image[RAM_BYTES];

    if (!target_is_idle())
        return;
    memcpy(image, seen_ram, sizeof image);
    image_events(image, TXTAP_TRACE_BUFFER_BYTES(OBJECTS, target.entries), check_image_entry);
}

static void rest_and_drain(void)
{
    struct error error;

    target_stop();
    target.calm = true;
    for (int i = 0; i < 60 && !run.violation; i++) {
        if (poller_step(&run.poller, &error) != TXTAP_OK)
            violated("a sound header was refused");
        target.now_us += 2500;
    }
    poller_finish(&run.poller, txtb_ring_of(&run.poller).head);
    check_registry_at_rest();
    if (run.started && run.next_seq != writer.events)
        violated("the newest event is missing");
    if (run.poller.stats.events != run.delivered || run.poller.stats.lost != run.lost)
        violated("the statistics are wrong");
    if (load16(TXTB_HEADER_LAPS) != (uint16_t)(writer.events / target.entries) ||
        load32(TXTB_HEADER_CURRENT) != RAM_BASE + entry_at(OBJECTS, writer.events % target.entries))
        violated("the recorder's own count is wrong");
}

static void run_one(uint64_t seed, bool half_laps)
{
    unsigned exchanges;
    struct error error;

    memset(&run, 0, sizeof run);
    target_reset(seed);
    target.objects = OBJECTS;
    target.entries = 2 + chance(chance(4) ? 12 : ENTRIES_MAX - 2);
    target.eagerness = (uint32_t[]){1, 4, 20, 100}[chance(4)];
    start_writer();
    for (uint32_t stores = chance(30 * target.entries); stores > 0; stores--)
        target_step();
    attach(half_laps);
    exchanges = 10 + chance(60);
    for (unsigned i = 0; i < exchanges && !run.violation; i++) {
        if (poller_step(&run.poller, &error) != TXTAP_OK)
            violated("a sound header was refused");
        if (i % (exchanges / IMAGES) == 0)
            check_image();
        target_pass_time(chance(900));
    }
    rest_and_drain();
    poller_free(&run.poller);
}

static void run_many(bool half_laps)
{
    uint64_t seed = setting("TXTAP_SEED", 1);
    uint64_t runs = setting("TXTAP_RUNS", 500);
    uint64_t delivered = 0, lost = 0, held = 0, named = 0, unnamed = 0;

    for (uint64_t i = 0; i < runs; i++) {
        run_one(seed + i, half_laps);
        delivered += run.delivered;
        lost += run.lost;
        held += run.held;
        named += run.named;
        unnamed += run.unnamed;
        cr_assert_null(run.violation, "seed %" PRIu64 ": %s (ring of %u, before event %" PRIu64 " of %u)", seed + i,
                       run.violation, target.entries, run.next_seq, writer.events);
    }
    fprintf(stderr,
            "loopback: seeds %" PRIu64 "..%" PRIu64 ": %" PRIu64 " events delivered (%" PRIu64
            " as they were read first), %" PRIu64 " counted as lost, %" PRIu64 " show an object's name, %" PRIu64
            " its address\n",
            seed, seed + runs - 1, delivered, held, lost, named, unnamed);
    cr_assert(delivered > 10 * runs && lost > runs && held > 0 && named > runs, "the runs did not exercise the reader");
}

Test(loopback, everything_that_was_recorded_is_delivered_or_counted)
{
    run_many(false);
}

Test(loopback, everything_that_was_recorded_is_delivered_or_counted_by_half_laps)
{
    run_many(true);
}
