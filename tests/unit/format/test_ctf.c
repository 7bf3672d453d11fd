/* SPDX-License-Identifier: MIT */
/* CTF: the complete metadata, each byte of a packet, and hostile names. */
#include <stdlib.h>

#include "format/ctf.h"
#include "format/memory_sink.h"

#define A          0x100u
#define HEAD       52u
#define EVENT_HEAD 10u

static const struct txtap_change_limits limits = {.threads = 4, .objects = 4};
static struct {
    char text[262144];
    size_t length;
} metadata;

static enum txtap_status collect(void *self, const char *bytes, size_t length)
{
    (void)self;
    cr_assert_lt(metadata.length + length, sizeof metadata.text);
    memcpy(metadata.text + metadata.length, bytes, length);
    metadata.length += length;
    return TXTAP_OK;
}

static void open_trace(double tick_hz)
{
    open_exporter("ctf", tick_hz);
    exporter.changes.limits = limits;
    exporter.changes.memory = malloc(txtap_exporter_changes_bytes(exporter.ops, &limits));
    cr_assert_not_null(exporter.changes.memory);
}

static void event(uint64_t ticks, uint8_t core)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};
    static uint64_t seq;

    item.event = event_of(6, 0, 0, 0, 0);
    item.event.ticks = ticks;
    item.event.core = core;
    item.event.thread += 0x100u * core; /* each core runs its own thread */
    item.event.seq = seq++;
    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
}

static void gap(uint64_t lost)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = {.lost = lost, .exact = true}};

    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
}

static void end(void)
{
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
    free(exporter.changes.memory);
}

static uint64_t number_at(size_t at, size_t bytes)
{
    uint64_t value = 0;

    cr_assert_leq(at + bytes, captured.length);
    while (bytes-- > 0)
        value = value << 8 | (unsigned char)captured.text[at + bytes];
    return value;
}

struct packet {
    uint64_t begin, end, bytes, discarded;
    uint32_t core;
};

/* Returns the number of packets. Stores up to `most` of them in `list`. */
static size_t packets(struct packet *list, size_t most)
{
    size_t count = 0;

    for (size_t at = 0; at < captured.length; count++) {
        struct packet packet = {number_at(at + 8, 8), number_at(at + 16, 8), number_at(at + 32, 8) / 8,
                                number_at(at + 40, 8), (uint32_t)number_at(at + 48, 4)};

        cr_assert_eq(number_at(at, 4), CTF_MAGIC);
        cr_assert_eq(number_at(at + 24, 8), number_at(at + 32, 8));
        cr_assert_geq(packet.bytes, HEAD);
        if (count < most)
            list[count] = packet;
        at += packet.bytes;
    }
    return count;
}

Test(ctf, metadata_has_a_class_for_each_row_of_the_table)
{
    size_t count, classes = 0;
    const struct txtap_event_info *table = txtap_event_table(&count);

    open_exporter("ctf", 168e6);
    cr_assert_eq(exporter.ops->metadata(&exporter, (struct txtap_writer){collect, NULL}), TXTAP_OK);
    metadata.text[metadata.length] = '\0';
    cr_assert_eq(strncmp(metadata.text, "/* CTF 1.8 */\n", 14), 0);
    cr_assert_not_null(strstr(metadata.text, "freq = 168000000;"));
    for (const char *at = metadata.text; (at = strstr(at, "event { id = ")) != NULL; at++)
        classes++;
    cr_assert_eq(classes, CTF_ROWS + count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(ctf_class_of(NULL, &table[i]), CTF_ROWS + i);
    cr_assert_eq(ctf_class_of(NULL, NULL), CTF_OTHER);
}

Test(ctf, events_of_a_core_share_a_packet)
{
    struct packet packet;

    open_trace(0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    event(0, 0);
    event(7, 0);
    end();
    cr_assert_eq(packets(&packet, 1), 1);
    cr_assert_eq(packet.begin, 0);
    cr_assert_eq(packet.end, 7);
    cr_assert_eq(packet.discarded, 0);
}

Test(ctf, another_core_gets_another_packet)
{
    struct packet list[4];

    open_trace(0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    event(0, 0);
    event(1, 1);
    event(2, 0);
    end();
    cr_assert_eq(packets(list, 4), 4);
    cr_assert_eq(list[1].core, 1);
    cr_assert_eq(list[2].core, 0);
    cr_assert_eq(list[3].core, 1); /* the end makes the thread leave its core */
}

Test(ctf, the_packet_after_a_gap_has_one_event)
{
    struct packet list[4];

    open_trace(0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    event(0, 0);
    gap(5);
    event(10, 0);
    event(20, 0);
    end();
    cr_assert_eq(packets(list, 4), 3);
    cr_assert_eq(list[0].discarded, 0);
    cr_assert_eq(list[1].discarded, 5);
    cr_assert_eq(list[1].begin, 10);
    cr_assert_eq(list[1].end, 10);
    cr_assert_eq(list[2].discarded, 5);
}

Test(ctf, a_gap_at_the_end_has_a_packet)
{
    struct packet list[2];

    open_trace(0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    event(0, 0);
    gap(5);
    end();
    cr_assert_eq(packets(list, 2), 2);
    cr_assert_eq(list[1].discarded, 5);
    cr_assert_eq(list[1].bytes, HEAD + EVENT_HEAD + 8 + 1);
}

Test(ctf, a_gap_of_unknown_size_counts_as_one)
{
    const struct txtap_item unknown = {.kind = TXTAP_ITEM_GAP, .gap = {.lost = 0, .exact = false}};
    struct packet list[3];

    open_trace(0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    event(0, 0);
    cr_assert_eq(txtap_exporter_take(&exporter, &unknown), TXTAP_OK);
    event(10, 0);
    end();
    cr_assert_eq(packets(list, 3), 3);
    cr_assert_eq(list[1].discarded, 1);
    cr_assert_eq(number_at(list[0].bytes + HEAD, 2), CTF_GAP);
    cr_assert_eq(number_at(list[0].bytes + HEAD + EVENT_HEAD, 8), 0);
    cr_assert_eq(number_at(list[0].bytes + HEAD + EVENT_HEAD + 8, 1), false);
}

Test(ctf, a_flush_writes_the_open_packet)
{
    struct packet list[2];

    open_trace(0);
    cr_assert_eq(txtap_exporter_flush(&exporter), TXTAP_OK); /* flush comes before begin */
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    event(0, 0);
    event(1, 0);
    cr_assert_eq(packets(list, 2), 0);
    cr_assert_eq(txtap_exporter_flush(&exporter), TXTAP_OK);
    cr_assert_eq(packets(list, 2), 1);
    cr_assert_eq(txtap_exporter_flush(&exporter), TXTAP_OK);
    cr_assert_eq(packets(list, 2), 1);
    end();
}

Test(ctf, a_mark_is_an_event)
{
    const struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {.kind = TXTAP_MARK_HALTED, .text = "by \x1b"}};

    open_trace(0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    event(3, 0);
    cr_assert_eq(txtap_exporter_take(&exporter, &mark), TXTAP_OK);
    end();
    cr_assert_not_null(memmem(captured.text, captured.length, "halted\0by \\x1b", 15));
}

/* Checks the bytes of a value and of a line, and their times. */
Test(ctf, a_sample_is_an_event)
{
    static const struct txtap_channel speed = {.form = TXTAP_FORM_SIGNED, .name = "speed", .unit = "rpm"},
                                      uart = {.number = 1, .kind = TXTAP_CHANNEL_LOG, .name = "ttyACM0"};
    struct txtap_item item = {
        .kind = TXTAP_ITEM_SAMPLE,
        .sample = {.channel = &speed, .ticks = 5, .from_ticks = 4, .to_ticks = 6, .bits = (uint64_t)-3, .text = ""}};
    const char *at;
    struct packet packet;

    open_trace(0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
    item.sample.state = TXTAP_SAMPLE_UNREADABLE;
    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
    item.sample = (struct txtap_sample){.channel = &uart, .ticks = 9, .to_ticks = UINT64_MAX, .text = "on \x1b"};
    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
    end();
    cr_assert_eq(packets(&packet, 1), 1);
    cr_assert_eq(packet.begin, 5);
    cr_assert_eq(packet.end, 9);
    at = captured.text + HEAD;
    cr_assert_eq(number_at(HEAD, 2), CTF_SAMPLE);
    cr_assert_eq(number_at(HEAD + 2, 8), 5);
    cr_assert_str_eq(at + EVENT_HEAD, "speed");
    cr_assert_eq(number_at(HEAD + EVENT_HEAD + 6, 8), txtap_sample_bits(-3));
    cr_assert_str_eq(at + EVENT_HEAD + 14, "-3 rpm");
    cr_assert_str_eq(at + EVENT_HEAD + 21, "");
    cr_assert_eq(number_at(HEAD + EVENT_HEAD + 22, 8), 4);
    cr_assert_eq(number_at(HEAD + EVENT_HEAD + 30, 8), 6);
    cr_assert_not_null(memmem(captured.text, captured.length, "unreadable", 11));
    cr_assert_not_null(memmem(captured.text, captured.length, "ttyACM0\0on \\x1b", 16));
    cr_assert_eq(number_at(captured.length - 8, 8), UINT64_MAX);
}

Test(ctf, each_thread_is_announced_once)
{
    size_t count = 0;

    open_trace(0);
    add_object(TXTAP_OBJECT_THREAD, A, "reader");
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    for (uint64_t i = 0; i < 5; i++)
        event(i, 0);
    end();
    for (size_t at = 0; at + 8 < captured.length; at++)
        count += number_at(at, 2) == CTF_THREAD && number_at(at + 2, 8) <= 5 && number_at(at + 10, 4) == 1 &&
                 number_at(at + 14, 4) == 1 && memcmp(captured.text + at + 34, "reader", 7) == 0;
    cr_assert_eq(count, 1);
}

static bool metadata_has(const char *text)
{
    return strstr(metadata.text, text) != NULL;
}

Test(ctf, definitions_are_classes_with_their_labels)
{
    static const char text[] = "event 5000 \"sample ready\" \"{0=channel} {1=info2:d} {2=ch__n:f} {3=ch_n}\"\n"
                               "event 5001 \"plain\"\n";
    static struct txtap_definition events[4];
    static struct txtap_word words[4];
    static char strings[512];
    static struct txtap_definitions definitions;
    struct txtap_definitions_problem problem;
    size_t rows;

    (void)txtap_event_table(&rows);
    txtap_definitions_init(&definitions, (struct txtap_definitions_memory){events, 4, words, 4, strings, 512});
    cr_assert_eq(txtap_definitions_parse(&definitions, text, sizeof text - 1, &problem), TXTAP_OK, "%s", problem.text);
    open_exporter("ctf", 0);
    exporter.definitions = &definitions;
    cr_assert_eq(exporter.ops->metadata(&exporter, (struct txtap_writer){collect, NULL}), TXTAP_OK);
    metadata.text[metadata.length] = '\0';
    cr_assert(metadata_has("name = \"user:sample ready\"; fields := struct { int32_t _tid; uint8_t _context; uint32_t "
                           "_channel; int32_t _info2; float32_t _ch_n; uint32_t _ch_n__2;"));
    cr_assert(metadata_has("name = \"user:plain\"; fields := struct { int32_t _tid; uint8_t _context; hex32_t _info1; "
                           "hex32_t _info2; hex32_t _info3; hex32_t _info4;"));
    cr_assert_eq(ctf_class_of(&definitions, txtap_definitions_event(&definitions, 5001, 0)), CTF_ROWS + rows + 1);
}

Test(ctf, hostile_names_stay_inert)
{
    static const char name[] = "a\n\x1b[31m\xff\"};";

    open_trace(0);
    add_object(TXTAP_OBJECT_THREAD, A, name);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    event(0, 0);
    event(1, 0);
    end();
    cr_assert_not_null(memmem(captured.text, captured.length, "a\\x0a\\x1b[31m\\xff\\\"};", 21));
    cr_assert_null(memmem(captured.text, captured.length, "\x1b", 1));
}

Test(ctf, a_large_trace_has_packets_of_16_KiB_at_most)
{
    struct packet list[8];
    size_t count;

    open_trace(0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    for (uint64_t i = 0; i < 1500; i++)
        event(i, 0);
    end();
    count = packets(list, 8);
    cr_assert_gt(count, 1);
    cr_assert_leq(count, 8);
    for (size_t i = 0; i < count; i++)
        cr_assert_leq(list[i].bytes, 16384);
}

Test(ctf, needs_memory_for_changes)
{
    open_exporter("ctf", 0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_ERROR_USAGE);
}
