/* SPDX-License-Identifier: MIT */
/*
 * The recorder writes, the reader reads, and between any two stores of the one any number of words is read by the
 * other: the recorder runs as a coroutine that gives way after each store. What the recorder was told is the truth that
 * every event, gap, context and name is compared with. Writer and reader can not drift apart unnoticed.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "memory_image.h"
#include "recorder_target.h"
#include "session.h"

enum {
    OBJECTS = 8,
    ENTRIES_MAX = (RAM_BYTES - TXTB_HEADER_BYTES - OBJECTS * OBJECT_BYTES) / TXTB_ENTRY_BYTES,
    EVENTS_MAX = 50000,
    STACK_BYTES = 64 * 1024,
    IMAGES = 8, /* of a run */
};

/* Objects take turns at an address. */
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
    const struct kind *kind; /* of the object that it is about; NULL: of none */
    unsigned generation;     /* of the same */
};

static struct {
    ucontext_t reader, writer;
    char stack[STACK_BYTES];
    bool inside, stop, gone;
    bool idle; /* between two services: nothing half written, nothing to be patched */
    uint64_t busy_since_us;

    struct truth truth[EVENTS_MAX];
    uint32_t events;
    unsigned generation[THINGS];
    const struct kind *kind[THINGS];
    bool live[THINGS];
} writer;

static struct {
    struct session session;
    uint64_t now_us, random;
    uint32_t entries, eagerness;
    bool calm; /* the writer does not move while words are read */
    bool started;
    uint64_t next_seq, delivered, lost, held, named, unnamed;
    const char *violation;
} run;

static uint32_t chance(uint32_t below)
{
    run.random ^= run.random >> 12;
    run.random ^= run.random << 25;
    run.random ^= run.random >> 27;
    return (uint32_t)((run.random * 2685821657736338717ull) >> 33) % below;
}

static void violated(const char *what)
{
    if (!run.violation)
        run.violation = what;
}

/* ---- the writer ---- */

static void give_way(int step_done)
{
    (void)step_done;
    if (!writer.inside || writer.stop)
        return;
    writer.inside = false;
    swapcontext(&writer.writer, &writer.reader);
    writer.inside = true;
}

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

/* As the kernel's resume service: what runs next is known only later. */
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

/* Two in a row may have one name. */
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
            return; /* all slots hold live objects */
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

static void writer_main(void)
{
    writer.inside = true;
    while (!writer.stop && writer.events < EVENTS_MAX - 2) {
        writer.idle = false;
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
        writer.idle = true;
        give_way(0);
    }
    writer.inside = false;
    writer.gone = true;
}

/* Goes on until its next store, or the end of what it was about. */
static void let_writer_go_on(void)
{
    if (writer.gone)
        return;
    if (writer.idle)
        writer.busy_since_us = run.now_us;
    swapcontext(&writer.reader, &writer.writer);
}

static void start_writer(uint32_t entries)
{
    memset(&writer.generation, 0, sizeof writer.generation);
    memset(&writer.live, 0, sizeof writer.live);
    writer.events = 0;
    writer.stop = writer.gone = writer.inside = false;
    writer.idle = true;
    txtap_trace_disable();
    on_step = NULL;
    enable(OBJECTS, entries);
    run_thread(1, 5);
    on_step = give_way;
    getcontext(&writer.writer);
    writer.writer.uc_stack.ss_sp = writer.stack;
    writer.writer.uc_stack.ss_size = sizeof writer.stack;
    writer.writer.uc_link = &writer.reader;
    makecontext(&writer.writer, writer_main, 0);
}

/* Its stack must not be left in the middle of a function. */
static void end_writer(void)
{
    writer.stop = true;
    let_writer_go_on();
    cr_assert(writer.gone);
}

/* ---- the memory source ---- */

static void let_writer_interfere(void)
{
    uint32_t stores = 0;

    switch (chance(16)) {
    case 0:
        stores = chance(3 * run.eagerness + 1);
        break;
    case 1:
        if (chance(64) == 0) /* a burst, of laps if eager */
            stores = chance(30 * run.entries);
        break;
    case 2:
    case 3:
        stores = chance(run.eagerness + 1);
        break;
    default:
        break;
    }
    while (stores-- > 0)
        let_writer_go_on();
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    (void)self;
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = reads[i].address - RAM_BASE;

        cr_assert(reads[i].address % 4 == 0 && reads[i].length % 4 == 0);
        cr_assert(offset < RAM_BYTES && reads[i].length <= RAM_BYTES - offset);
        for (uint32_t done = 0; done < reads[i].length; done += 4) {
            bool registry = offset >= TXTB_HEADER_BYTES && offset < entry_at(OBJECTS, 0);

            /* The registry is long: at the same pace the ring would be lapped many times while it is read. */
            if (!run.calm && (!registry || chance(16) == 0))
                let_writer_interfere();
            memcpy(reads[i].buffer + done, ram + offset + done, 4);
        }
    }
    return TXTAP_OK;
}

static const char *no_error(void *self)
{
    (void)self;
    return "";
}

static const struct txtap_source_ops ram_ops = {"ram", 4096, TXTAP_RING_READS_MAX, read_ram, no_error, NULL};

/* ---- the reader ---- */

static uint64_t run_clock(void)
{
    return run.now_us;
}

static uint32_t word_of(const uint8_t *entry, unsigned word)
{
    uint32_t value;

    memcpy(&value, entry + 4 * word, 4);
    return value;
}

static bool is_as_told(const uint8_t *entry, const struct truth *truth, bool unsettled)
{
    for (unsigned word = 0; word < 7; word++)
        if (word_of(entry, word) != truth->words[word])
            return false;
    return word_of(entry, 7) == truth->words[7] || (unsettled && truth->patched && word_of(entry, 7) == 0);
}

static bool is_parsed_as_told(const uint8_t *entry, const struct truth *truth)
{
    struct txtap_event event;
    bool isr = truth->words[0] == TXTB_THREAD_ISR;

    txtap_event_parse(entry, &run.session.header, &event);
    if (event.id != truth->words[2] || event.stamp != truth->words[3] ||
        event.thread != (isr ? truth->words[1] : truth->words[0]))
        return false;
    if (isr)
        return event.context == TXTAP_CONTEXT_ISR;
    return event.context == TXTAP_CONTEXT_THREAD && event.priority == (truth->words[1] & 0x3FF) &&
           event.threshold == event.priority;
}

/* The right name or none: never the one of another object that has, had or will have the address. */
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

static enum txtap_status take_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, bool unsettled)
{
    const uint8_t *flushed = run.session.ring.flushed[0];
    bool held = entry >= flushed && entry < flushed + sizeof run.session.ring.flushed;
    const struct truth *truth;

    (void)self;
    if (run.started && seq != run.next_seq)
        violated("a sequence number does not follow");
    if (seq >= writer.events) {
        violated("an event that was never written");
        return TXTAP_OK;
    }
    truth = &writer.truth[seq];
    if (!is_as_told(entry, truth, unsettled))
        violated("an entry is not what was recorded");
    if (!is_parsed_as_told(entry, truth))
        violated("an event is parsed as something else");
    if (truth->kind != NULL)
        check_name(&run.session.registry, truth, seq);
    run.started = true;
    run.next_seq = seq + 1;
    run.delivered++;
    run.held += held;
    return TXTAP_OK;
}

static enum txtap_status take_gap(void *self, const struct txtap_gap *gap)
{
    (void)self;
    if (run.started && gap->seq != run.next_seq)
        violated("a gap is not at its place");
    if (!gap->exact)
        violated("counted laps gave an inexact gap");
    run.next_seq = gap->seq + gap->lost;
    run.lost += gap->lost;
    return TXTAP_OK;
}

static void check_header(const struct txtap_header *header)
{
    cr_assert_eq(header->endian, TXTAP_LITTLE);
    cr_assert_eq(header->base, RAM_BASE);
    cr_assert_eq(header->timer_mask, TXTAP_TRACE_STAMP_MASK);
    cr_assert_eq(header->name_bytes, TXTAP_TRACE_NAME_BYTES);
    cr_assert_eq(txtap_header_registry_entries(header), OBJECTS);
    cr_assert_eq(txtap_header_ring_entries(header), run.entries);
    cr_assert_eq(txtap_header_total_bytes(header), TXTAP_TRACE_BUFFER_BYTES(OBJECTS, run.entries));
}

static void attach(void)
{
    struct session_taker taker = {.entry = take_entry, .gap = take_gap, .waits_for_names = chance(8) != 0};
    struct txtap_source source = {&ram_ops, NULL};
    struct txtap_header header;
    uint8_t bytes[TXTB_HEADER_BYTES];
    char error[ERROR_TEXT_BYTES];

    read_ram(NULL, &(struct txtap_read){RAM_BASE, sizeof bytes, bytes}, 1);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    check_header(&header);
    cr_assert_eq(session_init(&run.session,
                              &(struct session_place){.source = source, .address = RAM_BASE, .header = header},
                              chance(2) ? TXTAP_RING_FROM_OLDEST : TXTAP_RING_FROM_NOW, taker, run_clock, error),
                 TXTAP_OK);
}

/* No service of a kernel lasts as long as the reader holds an event back. */
static void pass_time(void)
{
    run.now_us += chance(900);
    while (!writer.idle && !writer.gone && run.now_us - writer.busy_since_us > TXTAP_RING_HOLD_US / 2)
        let_writer_go_on();
}

/* Is that what one of the slots says that are in use? name: NULL for any. */
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
        const struct txtap_object *object = txtap_registry_find(&run.session.registry, thing(i));
        bool live = object && object->live;

        if (writer.live[i] && !live)
            violated("a live object is not known");
        if (live != registry_holds(thing(i), NULL))
            violated("an object's life is told wrong");
        if (live && !object->unknown && !registry_holds(thing(i), object->name))
            violated("a live object is known by another name");
    }
}

static void check_image_entry(const struct txtap_registry *registry, const uint8_t *entry, uint64_t seq)
{
    const struct truth *truth = &writer.truth[seq];

    if (seq < writer.events && truth->kind != NULL && is_as_told(entry, truth, false))
        check_name(registry, truth, seq);
}

/* Memory as it is between two services, as a file. */
static void check_image(void)
{
    static uint8_t image[RAM_BYTES];

    if (!writer.idle)
        return;
    memcpy(image, ram, sizeof image);
    image_events(image, TXTAP_TRACE_BUFFER_BYTES(OBJECTS, run.entries), check_image_entry);
}

static void rest_and_drain(void)
{
    char error[ERROR_TEXT_BYTES];

    end_writer();
    run.calm = true;
    for (int i = 0; i < 60 && !run.violation; i++) {
        if (session_step(&run.session, error) != TXTAP_OK)
            violated("a sound header was refused");
        run.now_us += 2500;
    }
    session_finish(&run.session, run.session.ring.head);
    check_registry_at_rest();
    if (run.started && run.next_seq != writer.events)
        violated("the newest event is missing");
    if (run.session.stats.events != run.delivered || run.session.stats.lost != run.lost)
        violated("the statistics are wrong");
    if (load16(TXTB_HEADER_LAPS) != (uint16_t)(writer.events / run.entries) ||
        load32(TXTB_HEADER_CURRENT) != RAM_BASE + entry_at(OBJECTS, writer.events % run.entries))
        violated("the recorder's own count is wrong");
}

static void run_one(uint64_t seed)
{
    unsigned exchanges;
    char error[ERROR_TEXT_BYTES];

    memset(&run, 0, sizeof run);
    run.random = 2 * seed + 1;
    run.now_us = 1000;
    chance(2);
    run.entries = 2 + chance(chance(4) ? 12 : ENTRIES_MAX - 2);
    run.eagerness = (uint32_t[]){1, 4, 20, 100}[chance(4)];
    start_writer(run.entries);
    for (uint32_t stores = chance(30 * run.entries); stores > 0; stores--)
        let_writer_go_on();
    attach();
    exchanges = 10 + chance(60);
    for (unsigned i = 0; i < exchanges && !run.violation; i++) {
        if (session_step(&run.session, error) != TXTAP_OK)
            violated("a sound header was refused");
        if (i % (exchanges / IMAGES) == 0)
            check_image();
        pass_time();
    }
    rest_and_drain();
    session_free(&run.session);
}

static uint64_t setting(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 0) : fallback;
}

Test(loopback, what_the_recorder_was_told_is_delivered_or_counted)
{
    uint64_t seed = setting("TXTAP_SEED", 1);
    uint64_t runs = setting("TXTAP_RUNS", 800);
    uint64_t delivered = 0, lost = 0, held = 0, named = 0, unnamed = 0;

    for (uint64_t i = 0; i < runs; i++) {
        run_one(seed + i);
        delivered += run.delivered;
        lost += run.lost;
        held += run.held;
        named += run.named;
        unnamed += run.unnamed;
        cr_assert_null(run.violation, "seed %" PRIu64 ": %s (ring of %u, before event %" PRIu64 " of %u)", seed + i,
                       run.violation, run.entries, run.next_seq, writer.events);
    }
    fprintf(stderr,
            "loopback: seeds %" PRIu64 "..%" PRIu64 ": %" PRIu64 " events delivered (%" PRIu64
            " as they were read first), %" PRIu64 " counted as lost, %" PRIu64 " show an object's name, %" PRIu64
            " its address\n",
            seed, seed + runs - 1, delivered, held, lost, named, unnamed);
    cr_assert(delivered > 10 * runs && lost > runs && held > 0 && named > runs, "the runs did not exercise the reader");
}
