/* SPDX-License-Identifier: MIT */
/*
 * The data that readers get become a line of text. For example, "B O* 100-119 gap120+5 mark 125-129 E25 " is a buffer,
 * all objects, events, a gap, a mark, events, and the end of 25 events. "gap120+5? " is a gap that is not exact,
 * "gap120+5~9 " a gap with an estimate, "M " a piece of metadata, "c120 " records of CTF, "C:speed " a channel, and "s2
 * " two samples.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/recording.h"
#include "txtb_bytes.h"
#include "view/block_ring.h"

enum { EVENTS = 100, CAPACITY = BLOCK_RING_BYTES_MIN, TRANSCRIPT = 65536 };

static struct block_ring ring;
static uint64_t seq;
static uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];

static struct txtap_header make_header(void)
{
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_header header;

    put_header(bytes, TXTAP_LITTLE, 0x20000000, 32, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    return header;
}

/* ---- the writer ---- */

static void put_buffer(const char *name)
{
    struct txtap_header header = make_header();
    size_t length = txtap_recording_put_buffer(payload, &header, 1, name);

    block_ring_put(&ring, &(struct ring_block){.type = TXTAP_RECORDING_BUFFER, .payload = payload, .bytes = length});
}

static void put_name(bool fresh, uint32_t pointer, const char *name)
{
    struct txtap_object object = {.pointer = pointer, .type = TXTAP_OBJECT_THREAD, .live = true};
    size_t length = txtap_recording_put_objects(payload, fresh);

    strcpy(object.name, name);
    cr_assert(txtap_recording_add_object(payload, &length, &object));
    block_ring_put(&ring, &(struct ring_block){.type = TXTAP_RECORDING_OBJECTS, .payload = payload, .bytes = length});
}

static void put_definitions(const char *text)
{
    size_t length = txtap_recording_put_definitions(payload, text);

    block_ring_put(&ring,
                   &(struct ring_block){.type = TXTAP_RECORDING_DEFINITIONS, .payload = payload, .bytes = length});
}

static void put_events(uint32_t count)
{
    size_t length = txtap_recording_put_events(payload, seq, 10 * seq, 1, 0, count);

    memset(payload + TXTAP_RECORDING_EVENTS_HEAD, 0x55, length - TXTAP_RECORDING_EVENTS_HEAD);
    block_ring_put(&ring,
                   &(struct ring_block){
                       .type = TXTAP_RECORDING_EVENTS, .payload = payload, .bytes = length, .seq = seq, .lost = count});
    seq += count;
}

static void put_gap(uint64_t lost, bool exact, uint64_t estimate)
{
    const struct txtap_gap gap = {.seq = seq, .lost = lost, .exact = exact, .estimate = estimate};
    size_t length = txtap_recording_put_gap(payload, &gap);

    block_ring_put(&ring, &(struct ring_block){.type = TXTAP_RECORDING_GAP,
                                               .payload = payload,
                                               .bytes = length,
                                               .seq = seq,
                                               .lost = lost,
                                               .inexact = !exact,
                                               .estimate = estimate});
    seq += lost;
}

static void put_mark(void)
{
    const struct txtap_mark mark = {.kind = TXTAP_MARK_RESET, .seq = seq, .text = ""};
    size_t length = txtap_recording_put_mark(payload, &mark);

    block_ring_put(&ring, &(struct ring_block){.type = TXTAP_RECORDING_MARK, .payload = payload, .bytes = length});
}

static void put_ctf(void)
{
    size_t length = txtap_recording_put_ctf(payload, false, seq, 10 * seq);

    memset(payload + length, 0x55, 1000);
    block_ring_put(
        &ring,
        &(struct ring_block){
            .type = TXTAP_RECORDING_CTF, .payload = payload, .bytes = length + 1000, .seq = seq, .lost = EVENTS});
    seq += EVENTS;
}

static const struct txtap_channel_word mode_words[] = {{0, "IDLE"}, {1, "RUNNING"}};
static const struct txtap_channel channel = {
    .number = 3, .form = TXTAP_FORM_STATE, .name = "mode", .words = mode_words, .word_count = 2};

static void put_channel(void)
{
    size_t length = txtap_recording_put_channel(payload, &channel);

    block_ring_put(&ring, &(struct ring_block){.type = TXTAP_RECORDING_CHANNEL, .payload = payload, .bytes = length});
}

static void put_sample(void)
{
    const struct txtap_sample sample = {.channel = &channel, .seq = seq, .ticks = 10 * seq, .bits = 1, .text = ""};
    size_t length = txtap_recording_put_samples(payload);

    cr_assert(txtap_recording_add_sample(payload, &length, &sample));
    block_ring_put(&ring, &(struct ring_block){.type = TXTAP_RECORDING_SAMPLES, .payload = payload, .bytes = length});
}

/* Puts blocks until the ring no longer has the block that was the oldest. */
static void put_until_gone(void)
{
    uint64_t oldest = ring.oldest;

    while (ring.oldest == oldest)
        put_events(EVENTS);
}

/* ---- a reader ---- */

struct client {
    struct block_reader *reader;
    struct txtap_recording recording;
    uint8_t *bytes;
    size_t used, at;
    bool begun, ended;
    uint64_t events, lost;
    uint64_t next_seq;
    struct txtap_object objects[64];
    struct txtap_registry registry;
    char text[TRANSCRIPT];
};

static struct client *new_client(void)
{
    struct client *client = calloc(1, sizeof *client);

    client->reader = block_reader_new(&ring);
    client->bytes = malloc(4 * CAPACITY);
    txtap_registry_init(&client->registry, client->objects, 64);
    return client;
}

static void free_client(struct client *client)
{
    block_reader_free(client->reader);
    free(client->bytes);
    free(client);
}

static void say(struct client *client, const char *format, ...)
{
    size_t length = strlen(client->text);
    va_list values;

    va_start(values, format);
    vsnprintf(client->text + length, sizeof client->text - length, format, values);
    va_end(values);
}

static void note(struct client *client, const struct txtap_recording_item *item)
{
    switch (item->type) {
    case TXTAP_RECORDING_BUFFER:
        say(client, *item->name != '\0' ? "B:%s " : "B ", item->name);
        break;
    case TXTAP_RECORDING_OBJECTS:
        say(client, item->fresh ? "O* " : "O ");
        txtap_recording_objects(item, &client->registry);
        break;
    case TXTAP_RECORDING_EVENTS:
        cr_assert(client->events + client->lost == 0 || item->seq == client->next_seq, "no event is lost in silence");
        cr_assert_eq(item->ticks, 10 * item->seq);
        say(client, "%" PRIu64 "-%" PRIu64 " ", item->seq, item->seq + item->count - 1);
        client->events += item->count;
        client->next_seq = item->seq + item->count;
        break;
    case TXTAP_RECORDING_GAP:
        say(client, "gap%" PRIu64 "+%" PRIu64 "%s", item->gap.seq, item->gap.lost, item->gap.exact ? "" : "?");
        cr_assert(client->events + client->lost == 0 || item->gap.seq == client->next_seq);
        say(client, item->gap.estimate > 0 ? "~%" PRIu64 " " : " ", item->gap.estimate);
        client->lost += item->gap.lost;
        client->next_seq = item->gap.seq + item->gap.lost;
        break;
    case TXTAP_RECORDING_MARK:
        say(client, "mark ");
        break;
    case TXTAP_RECORDING_END:
        say(client, "E%" PRIu64 " ", item->events);
        break;
    case TXTAP_RECORDING_WORDS:
        say(client, "W%" PRIu32 " ", item->count);
        break;
    case TXTAP_RECORDING_DEFINITIONS:
        say(client, "D ");
        break;
    case TXTAP_RECORDING_RATE: /* a live page gets the description in another way */
    case TXTAP_RECORDING_ABOUT:
    case TXTAP_RECORDING_MEANING:
    case TXTAP_RECORDING_STACKS:
    case TXTAP_RECORDING_FILE:
    case TXTAP_RECORDING_METADATA:
        say(client, "M ");
        break;
    case TXTAP_RECORDING_CHANNEL:
        say(client, "C:%s ", item->channel.name);
        break;
    case TXTAP_RECORDING_SAMPLES:
        say(client, "s%" PRIu32 " ", item->count);
        break;
    case TXTAP_RECORDING_CTF:
        cr_assert(client->events + client->lost == 0 || item->seq == client->next_seq, "no record is lost in silence");
        say(client, "c%" PRIu64 " ", item->seq);
        client->events += EVENTS;
        client->next_seq = item->seq + EVENTS;
        break;
    }
}

static void parse(struct client *client)
{
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t needed;

    if (!client->begun && client->used >= TXTAP_RECORDING_HEAD_BYTES) {
        cr_assert_eq(txtap_recording_open(&client->recording, client->bytes), TXTAP_OK);
        client->at = TXTAP_RECORDING_HEAD_BYTES;
        client->begun = true;
    }
    while (client->begun && txtap_recording_block(&client->recording, client->bytes + client->at,
                                                  client->used - client->at, &block, &needed) == TXTAP_OK) {
        cr_assert_eq(txtap_recording_item(&block, block.stored, block.stored_bytes, &item), TXTAP_OK);
        note(client, &item);
        client->at += needed;
    }
}

/* Reads at most `most` bytes, in pieces of `piece` bytes. Returns the data since the last call. */
static const char *read_some(struct client *client, size_t piece, size_t most)
{
    size_t before = strlen(client->text);
    ssize_t got = 0;

    for (size_t all = 0; all < most; all += (size_t)got) {
        cr_assert(client->used + piece <= 4 * CAPACITY);
        got = block_reader_read(client->reader, client->bytes + client->used, piece);
        if (got <= 0)
            break;
        client->used += (size_t)got;
        parse(client);
    }
    client->ended = got < 0;
    memmove(client->bytes, client->bytes + client->at, client->used - client->at);
    client->used -= client->at;
    client->at = 0;
    return client->text + before;
}

static const char *read_all(struct client *client)
{
    return read_some(client, 65536, SIZE_MAX);
}

static void set_up(void)
{
    cr_assert(block_ring_init(&ring, CAPACITY));
    seq = 100;
}

static void tear_down(void)
{
    block_ring_free(&ring);
}

TestSuite(block_ring, .init = set_up, .fini = tear_down);

Test(block_ring, returns_all_items_and_then_waits)
{
    struct client *client = new_client();

    put_buffer("");
    put_name(true, 0x20001000, "one");
    put_events(20);
    put_gap(5, true, 0);
    put_mark();
    cr_assert_str_eq(read_all(client), "B O* 100-119 gap120+5 mark ");
    cr_assert_not(client->ended);
    put_events(5);
    cr_assert_str_eq(read_all(client), "125-129 ");
    block_ring_end(&ring, 7);
    cr_assert_str_eq(read_all(client), "E25 ");
    cr_assert(client->ended);
    free_client(client);
}

Test(block_ring, gives_every_reader_everything_in_pieces_of_any_size)
{
    static const size_t pieces[] = {1, 7, 20, 4096, 65536};

    put_buffer("");
    put_name(true, 0x20001000, "one");
    for (unsigned i = 0; i < 20; i++)
        put_events(EVENTS);
    block_ring_end(&ring, 7);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct client *client = new_client();

        read_some(client, pieces[i], SIZE_MAX);
        cr_assert(client->ended);
        cr_assert_eq(client->events, 20 * EVENTS);
        cr_assert_eq(client->lost, 0);
        free_client(client);
    }
}

Test(block_ring, tells_a_slow_reader_how_many_events_it_missed)
{
    struct client *client = new_client();
    const char *text;
    char gap[64];

    put_buffer("");
    put_name(true, 0x20001000, "one");
    put_events(10);
    cr_assert_str_eq(read_all(client), "B O* 100-109 ");
    for (unsigned i = 0; i < 500; i++)
        put_events(EVENTS);
    text = read_all(client);
    snprintf(gap, sizeof gap, "gap110+%" PRIu64 " O* ", client->lost);
    cr_assert_eq(strncmp(text, gap, strlen(gap)), 0, "%.80s", text);
    cr_assert_eq(client->lost % EVENTS, 0);
    cr_assert_gt(client->lost, 0);
    cr_assert_eq(client->events + client->lost, seq - 100);
    free_client(client);
}

Test(block_ring, tells_a_late_reader_which_events_are_gone)
{
    struct client *client;
    const char *text;
    char begin[64];

    put_buffer("firmware");
    put_name(true, 0x20001000, "one");
    put_name(false, 0x20002000, "two");
    for (unsigned i = 0; i < 500; i++)
        put_events(EVENTS);
    client = new_client();
    text = read_all(client);
    snprintf(begin, sizeof begin, "B:firmware gap100+%" PRIu64 " O* ", client->lost);
    cr_assert_eq(strncmp(text, begin, strlen(begin)), 0, "%.80s", text);
    cr_assert_eq(client->events + client->lost, seq - 100);
    cr_assert_eq(client->registry.count, 2);
    cr_assert_str_eq(txtap_registry_find(&client->registry, 0x20002000)->name, "two");
    free_client(client);
}

Test(block_ring, reports_no_loss_if_only_names_are_gone)
{
    struct client *client;

    put_buffer("");
    put_name(true, 0x20001000, "one");
    for (unsigned i = 0; ring.oldest == 0; i++)
        put_name(false, 0x20001000 + 4 * i, "many");
    put_events(5);
    client = new_client();
    read_all(client);
    cr_assert_null(strstr(client->text, "gap"), "%s", client->text);
    cr_assert_eq(client->events, 5);
    free_client(client);
}

Test(block_ring, adds_gaps_that_a_reader_missed_to_its_own)
{
    struct client *client = new_client();
    const char *text;
    char gap[64];

    put_buffer("");
    put_name(true, 0x20001000, "one");
    read_all(client);
    put_gap(5, true, 0);
    put_gap(7, false, 50);
    put_until_gone();
    while (ring.gone.inexact == 0)
        put_events(EVENTS);
    text = read_all(client);
    cr_assert_eq(client->lost % EVENTS, 12);
    snprintf(gap, sizeof gap, "gap100+%" PRIu64 "?~%" PRIu64 " ", client->lost, client->lost - 12 + 55);
    cr_assert_eq(strncmp(text, gap, strlen(gap)), 0, "%.40s", text);
    free_client(client);

    client = new_client();
    read_all(client);
    put_gap(1, false, 0);
    while (ring.gone.unestimated == 0)
        put_events(EVENTS);
    text = read_all(client);
    cr_assert_not_null(strstr(text, "? O* "), "a gap without an estimate has none in the sum: %.40s", text);
    free_client(client);
}

Test(block_ring, tells_a_slow_reader_of_another_buffer)
{
    struct client *client = new_client(), *late;
    const char *text;

    put_buffer("");
    put_name(true, 0x20001000, "one");
    put_events(10);
    read_all(client);
    put_mark();
    put_buffer("other");
    put_name(true, 0x20002000, "two");
    while (ring.gone.buffers < 2)
        put_events(EVENTS);
    put_until_gone();
    text = read_all(client);
    cr_assert_eq(strncmp(text, "gap110+", 7), 0, "%.40s", text);
    cr_assert_not_null(strstr(text, " B:other O* "), "%.40s", text);
    cr_assert_eq(client->registry.count, 1);
    cr_assert_not_null(txtap_registry_find(&client->registry, 0x20002000));
    late = new_client();
    text = read_all(late);
    cr_assert_eq(strncmp(text, "B:other gap100+", 15), 0, "%.40s", text);
    cr_assert_eq(late->events + late->lost, seq - 100);
    free_client(client);
    free_client(late);
}

Test(block_ring, keeps_the_definitions_of_a_buffer_and_forgets_them_with_it)
{
    struct client *client;

    put_buffer("");
    put_definitions("event 5000 mine");
    put_name(true, 0x20001000, "one");
    put_until_gone();
    while (ring.definitions_bytes == 0)
        put_events(EVENTS);
    client = new_client();
    read_all(client);
    cr_assert_eq(strncmp(client->text, "B D gap100+", 11), 0, "%.40s", client->text);
    free_client(client);

    put_buffer("other");
    while (ring.gone.buffers < 2)
        put_events(EVENTS);
    client = new_client();
    read_all(client);
    cr_assert_eq(strncmp(client->text, "B:other gap100+", 15), 0, "%.40s", client->text);
    free_client(client);
}

/* The names fill a whole piece. So the reader is late again before it gets an event. */
Test(block_ring, continues_after_a_gap_without_later_events)
{
    struct client *client = new_client();
    char name[TXTAP_OBJECT_NAME_BYTES];

    put_buffer("");
    put_name(true, 0x20001000, "one");
    for (uint32_t i = 1; i < 600; i++) {
        snprintf(name, sizeof name, "a long name, so that many objects need much room: %u", i);
        put_name(false, 0x20001000 + 4 * i, name);
    }
    for (unsigned i = 0; i < 200; i++)
        put_events(EVENTS);
    read_some(client, 65536, 1);
    cr_assert_eq(client->events, 0, "%.80s", client->text);
    cr_assert_gt(client->lost, 0);
    for (unsigned i = 0; i < 200; i++)
        put_events(EVENTS);
    read_all(client); /* checks that the second gap begins where the first ends */
    cr_assert_eq(client->events + client->lost, seq - 100);
    free_client(client);
}

/* Before the first event a gap may mean that an unknown number of events is missing. */
Test(block_ring, numbers_lost_events_after_gaps_of_unknown_size)
{
    struct client *client = new_client();
    const char *text;
    char gap[64];

    put_buffer("");
    put_gap(0, false, 0);
    cr_assert_str_eq(read_all(client), "B gap100+0? ");
    put_until_gone();
    for (unsigned i = 0; i < 200; i++)
        put_events(EVENTS);
    text = read_all(client);
    snprintf(gap, sizeof gap, "gap100+%" PRIu64 " O* ", client->lost);
    cr_assert_eq(strncmp(text, gap, strlen(gap)), 0, "%.80s", text);
    cr_assert_eq(client->events + client->lost, seq - 100);
    free_client(client);
}

/* A reader that starts after the channel's block was dropped needs the channel for its samples. */
Test(block_ring, keeps_channels)
{
    struct client *client;
    const char *text;

    put_buffer("");
    put_channel();
    put_sample();
    for (unsigned i = 0; i < 500; i++)
        put_events(EVENTS);
    put_sample();
    put_events(1);
    client = new_client();
    text = read_all(client);
    cr_assert_eq(strncmp(text, "B gap100+", 9), 0, "%.80s", text);
    cr_assert_not_null(strstr(text, "O* C:mode "), "%.80s", text);
    cr_assert_null(strstr(strstr(text, "C:mode") + 1, "C:mode"), "the channel comes once");
    cr_assert_not_null(strstr(text, " s1 "));
    free_client(client);
}

/* Words that are in a block of their own must not be joined with the events of another block. */
Test(block_ring, keeps_words_and_their_events_together)
{
    static const uint8_t counts[2] = {3, 5};
    static const uint32_t more[1] = {42};
    uint8_t words[TXTAP_RECORDING_PAYLOAD_MAX];
    struct ring_block block = {
        .type = TXTAP_RECORDING_EVENTS, .payload = payload, .words = words, .seq = seq, .lost = 2};
    struct client *client = new_client();

    put_buffer("");
    block.bytes = txtap_recording_put_events(payload, seq, 10 * seq, 1, 0, 2);
    block.words_bytes = txtap_recording_put_words(words, counts, 2, more, 1);
    block_ring_put(&ring, &block);
    seq += 2;
    put_events(3);
    cr_assert_str_eq(read_all(client), "B W2 100-101 102-104 ");
    free_client(client);
}

/* Readers of any pace and blocks of any size, chosen by seed. Each reader must account for every event. */
Test(block_ring, accounts_for_every_event_at_any_pace)
{
    enum { CLIENTS = 5, TURNS = 3000 };
    unsigned seed = 4711;
    struct client *clients[CLIENTS] = {NULL};

    put_buffer("");
    put_name(true, 0x20001000, "one");
    for (unsigned turn = 0; turn < TURNS; turn++) {
        unsigned which = (unsigned)rand_r(&seed) % CLIENTS;

        if (rand_r(&seed) % 20 == 0)
            put_gap(1 + (uint64_t)rand_r(&seed) % 100, true, 0);
        put_events(1 + (unsigned)rand_r(&seed) % 300);
        if (clients[which] == NULL)
            clients[which] = new_client();
        else if (rand_r(&seed) % 100 == 0) {
            free_client(clients[which]);
            clients[which] = NULL;
        }
        if (clients[which] != NULL)
            read_some(clients[which], 1 + (size_t)rand_r(&seed) % 70000, (size_t)rand_r(&seed) % 100000 * which);
        if (clients[which] != NULL)
            clients[which]->text[0] = '\0';
    }
    block_ring_end(&ring, 7);
    for (unsigned i = 0; i < CLIENTS; i++) {
        if (clients[i] == NULL)
            continue;
        read_all(clients[i]);
        cr_assert(clients[i]->ended);
        cr_assert_eq(clients[i]->events + clients[i]->lost, seq - 100);
        free_client(clients[i]);
    }
}

/* ---- CTF ---- */

static char metadata[TXTAP_RECORDING_PAYLOAD_MAX + 1];

static void set_up_ctf(void)
{
    memset(metadata, ' ', sizeof metadata);
    block_ring_set_metadata(&ring, metadata, sizeof metadata);
}

Test(block_ring, gives_metadata_to_each_reader_of_ctf, .init = set_up_ctf)
{
    for (unsigned i = 0; i < 2; i++) {
        struct client *client = new_client();

        cr_assert_str_eq(read_all(client), i == 0 ? "M M " : "M M c100 ");
        if (i == 0)
            put_ctf();
        else
            block_ring_end(&ring, 7);
        cr_assert_str_eq(read_all(client), i == 0 ? "c100 " : "E100 ");
        free_client(client);
    }
}

Test(block_ring, tells_readers_of_ctf_which_records_are_gone, .init = set_up_ctf)
{
    struct client *early = new_client(), *late;
    const char *text;
    char begin[64];

    put_ctf();
    cr_assert_str_eq(read_all(early), "M M c100 ");
    for (unsigned i = 0; i < 500; i++)
        put_ctf();
    late = new_client();
    text = read_all(late);
    snprintf(begin, sizeof begin, "M M gap100+%" PRIu64 " c", late->lost);
    cr_assert_eq(strncmp(text, begin, strlen(begin)), 0, "%.80s", text);
    cr_assert_eq(late->events + late->lost, seq - 100);
    text = read_all(early);
    snprintf(begin, sizeof begin, "gap200+%" PRIu64 " c", early->lost);
    cr_assert_eq(strncmp(text, begin, strlen(begin)), 0, "%.80s", text);
    cr_assert_eq(early->events + early->lost, seq - 100);
    free_client(early);
    free_client(late);
}
