/* SPDX-License-Identifier: MIT */
/* Exchanges commands and answers with a CMSIS-DAP probe, and keeps them in step. */
#include "probe/dap/dap_link.h"

#include <stdio.h>
#include <string.h>

#include "base/failure.h"

/* ---- commands under way ---- */

void dap_flight_init(struct dap_flight *flight, unsigned most)
{
    *flight = (struct dap_flight){.now = 1, .most = most};
}

void dap_flight_good(struct dap_flight *flight)
{
    if (flight->good < UINT32_MAX)
        flight->good++;
}

bool dap_flight_is_due(const struct dap_flight *flight)
{
    return flight->now < flight->most && flight->good >= flight->pause;
}

void dap_flight_begin(struct dap_flight *flight)
{
    flight->now = flight->most;
    flight->good = 0;
}

void dap_flight_fall_back(struct dap_flight *flight)
{
    bool soon = flight->good / DAP_FLIGHT_SOON < flight->pause;

    if (flight->now > 1)
        flight->pause = soon ? 2 * flight->pause : DAP_FLIGHT_PAUSE;
    if (flight->pause > DAP_FLIGHT_PAUSE_MAX)
        flight->pause = DAP_FLIGHT_PAUSE_MAX;
    flight->now = 1;
    flight->good = 0;
}

/* ---- patience ---- */

#define MULTIPLE 4
#define SINKS_BY 1024 /* longest_us halves in 700 answers: within a second of reading */

unsigned dap_patience_ms(const struct dap_patience *patience, unsigned most_ms)
{
    uint64_t ms = (MULTIPLE * patience->longest_us + 999) / 1000;

    if (patience->longest_us == 0)
        return most_ms;
    if (ms < DAP_PATIENCE_MS_MIN)
        ms = DAP_PATIENCE_MS_MIN;
    return ms < most_ms ? (unsigned)ms : most_ms;
}

void dap_patience_answered(struct dap_patience *patience, uint64_t us)
{
    uint64_t sunk = patience->longest_us - patience->longest_us / SINKS_BY;

    patience->longest_us = us > sunk ? us : sunk;
    if (patience->longest_us == 0)
        patience->longest_us = 1;
}

void dap_patience_ended(struct dap_patience *patience, unsigned ms)
{
    dap_patience_answered(patience, UINT64_C(1000) * ms);
}

/* ---- answers in step with commands ---- */

#define STALE_MAX        64 /* answers that may be left from an earlier run or a fault */
#define STEPS_MAX        2  /* tries to get in step */
#define OPEN_MAX         3
#define WAIT_RETRIES     100 /* number of retries that the probe itself makes after WAIT */
#define SWD_CAPABILITY   1
#define DRAIN_MS         20
#define TEST_ROUNDS      2
#define PACKET_BYTES_MIN 64

/* ---- one command ---- */

static enum dap_result send(struct dap_link *link, const struct dap_packet *packet)
{
    if (!dap_is_permitted(packet->bytes, packet->length))
        return DAP_REFUSED;
    link->last_command = packet->bytes[0];
    link->last_requests = packet->requests;
    return link->pipe.ops->send(link->pipe.self, packet->bytes, packet->length);
}

static enum dap_result receive(struct dap_link *link, const struct dap_packet *packet, size_t *length,
                               unsigned timeout_ms)
{
    enum dap_result result = link->pipe.ops->receive(link->pipe.self, link->answer, length, timeout_ms);

    if (result == DAP_OK && link->pipe.is_padded)
        *length = dap_unpadded(packet, link->answer, *length);
    return result;
}

/* Waits for the answer to a transfer, with the timeout of transfers. */
static enum dap_result receive_transfer(struct dap_link *link, const struct dap_packet *packet, size_t *length)
{
    unsigned timeout_ms = dap_patience_ms(&link->patience, link->timeout_ms);
    uint64_t begin_us = link->pipe.ops->now_us(link->pipe.self);
    enum dap_result result = receive(link, packet, length, timeout_ms);

    if (result == DAP_OK)
        dap_patience_answered(&link->patience, link->pipe.ops->now_us(link->pipe.self) - begin_us);
    if (result == DAP_TIMEOUT)
        dap_patience_ended(&link->patience, timeout_ms);
    return result;
}

/* Does one command. On success link->answer is its answer, and *length is the answer's length. */
static enum dap_result dap_link_ask(struct dap_link *link, const struct dap_packet *packet, size_t *length)
{
    enum dap_result result = send(link, packet);

    return result == DAP_OK ? receive(link, packet, length, link->timeout_ms) : result;
}

static enum dap_result transfer(struct dap_link *link, const struct dap_packet *packet, const uint8_t **words)
{
    const uint8_t *none;
    size_t length;
    enum dap_result result = send(link, packet);

    if (result == DAP_OK)
        result = receive_transfer(link, packet, &length);
    return result == DAP_OK ? dap_take_transfer(packet, link->answer, length, words != NULL ? words : &none) : result;
}

/* ---- transfers that could be confused ---- */

/*
 * Returns true if the answer to the command before this packet could be taken for the answer to this packet. The length
 * of an answer with padding is unknown, so only the number of requests tells it from another answer to the same
 * command.
 */
static bool is_confusable(const struct dap_link *link, const struct dap_packet *packet)
{
    return link->pipe.is_padded && packet->requests > 0 && packet->bytes[0] == link->last_command &&
           packet->requests == link->last_requests;
}

/* Makes a transfer that fits between two confusable transfers. Its number of requests differs from theirs. It reads
 * DPIDR, which is possible in every state of the debug port. */
static void make_separator(const struct dap_link *link, struct dap_packet *packet)
{
    dap_make_transfer(packet);
    dap_add_read(packet, DAP_DPIDR, link->last_requests == 1 ? 2 : 1);
    packet->separates = true;
}

/* Does a separating transfer before the packet, if necessary. */
static enum dap_result distinguish(struct dap_link *link, const struct dap_packet *packet)
{
    struct dap_packet separator;

    if (!is_confusable(link, packet))
        return DAP_OK;
    make_separator(link, &separator);
    return transfer(link, &separator, NULL);
}

enum dap_result dap_link_transfer(struct dap_link *link, const struct dap_packet *packet, const uint8_t **words)
{
    enum dap_result result = distinguish(link, packet);

    return result == DAP_OK ? transfer(link, packet, words) : result;
}

enum dap_result dap_link_do(struct dap_link *link, const struct dap_packet *packet, bool *done)
{
    size_t length;
    enum dap_result result = dap_link_ask(link, packet, &length);

    return result == DAP_OK ? dap_take_status(packet, link->answer, length, done) : result;
}

/* ---- several commands under way ---- */

struct window {
    unsigned oldest, count;
    bool ended;    /* nothing more will be sent */
    bool has_next; /* link->next is the packet to send next */
};

/* Makes the packet to send next: a separating transfer, or the row's next packet. False: no more packets. */
static bool make_next(struct dap_link *link, const struct dap_row *row, struct window *window,
                      struct dap_packet *packet)
{
    if (!window->has_next && !row->next(row->self, packet))
        return false;
    if (window->has_next) {
        *packet = link->next;
        window->has_next = false;
    } else if (is_confusable(link, packet)) {
        link->next = *packet;
        make_separator(link, packet);
        window->has_next = true;
    }
    return true;
}

static enum dap_result fill(struct dap_link *link, const struct dap_row *row, struct window *window)
{
    enum dap_result result = DAP_OK;

    while (!window->ended && window->count < link->flight.now && result == DAP_OK) {
        struct dap_packet *packet = &link->packets[(window->oldest + window->count) % DAP_IN_FLIGHT_MAX];

        if (!make_next(link, row, window, packet)) {
            window->ended = true;
        } else {
            result = send(link, packet);
            window->count++;
        }
    }
    return result;
}

enum dap_result dap_link_row(struct dap_link *link, const struct dap_row *row)
{
    struct window window = {0};
    enum dap_result first = fill(link, row, &window);

    if (first != DAP_OK)
        return first;
    while (window.count > 0) {
        const struct dap_packet *packet = &link->packets[window.oldest];
        size_t length;
        enum dap_result result = receive_transfer(link, packet, &length), taken;

        if (result != DAP_OK)
            return result;
        window.oldest = (window.oldest + 1) % DAP_IN_FLIGHT_MAX;
        window.count--;
        if (first == DAP_OK && !packet->separates)
            taken = row->take(row->self, packet, link->answer, length);
        else
            taken = dap_take_transfer(packet, link->answer, length, &(const uint8_t *){NULL});
        if (dap_out_of_step(taken))
            return DAP_CONFUSED;
        if (first == DAP_OK)
            first = taken;
        if (first == DAP_OK)
            dap_flight_good(&link->flight);
        else
            window.ended = true;
        result = fill(link, row, &window);
        if (result != DAP_OK)
            return result;
    }
    return first;
}

/* ---- in step ---- */

static enum dap_result listen(struct dap_link *link)
{
    return link->pipe.ops->listen(link->pipe.self);
}

/* Drops all late answers, until no answer arrives within DRAIN_MS. */
static enum dap_result drain(struct dap_link *link)
{
    enum dap_result result = link->pipe.ops->reset(link->pipe.self);

    for (unsigned i = 0; i < STALE_MAX && result == DAP_OK; i++) {
        size_t length;

        result = listen(link);
        if (result == DAP_OK)
            result = link->pipe.ops->receive(link->pipe.self, link->answer, &length, DRAIN_MS);
    }
    return result == DAP_OK || dap_out_of_step(result) ? link->pipe.ops->reset(link->pipe.self) : result;
}

/* Sends DAP_Info for information of this length, and skips all answers until an answer of this length arrives. */
static enum dap_result ask_marker(struct dap_link *link, enum dap_info what, size_t expected_bytes)
{
    struct dap_packet packet;
    enum dap_result result;

    dap_make_info(&packet, what);
    result = send(link, &packet);
    for (unsigned i = 0; i < STALE_MAX && result == DAP_OK; i++) {
        const uint8_t *payload;
        size_t length, payload_bytes;

        result = receive(link, &packet, &length, link->timeout_ms);
        if (result != DAP_OK)
            return i > 0 && result == DAP_TIMEOUT ? DAP_CONFUSED : result;
        if (dap_take_info(link->answer, length, &payload, &payload_bytes) == DAP_OK && payload_bytes == expected_bytes)
            return DAP_OK;
        result = listen(link);
    }
    return result == DAP_OK ? DAP_CONFUSED : result;
}

/*
 * Uses two markers of different lengths, so that a late answer to one marker is not taken for the answer to the other.
 */
enum dap_result dap_link_step(struct dap_link *link, bool confused)
{
    enum dap_result result = DAP_CONFUSED;

    if (confused)
        dap_flight_fall_back(&link->flight);
    for (unsigned i = 0; i < STEPS_MAX && dap_out_of_step(result); i++) {
        result = drain(link);
        if (result == DAP_OK)
            result = ask_marker(link, DAP_PACKET_SIZE, 2);
        if (result == DAP_OK)
            result = ask_marker(link, DAP_PACKET_COUNT, 1);
    }
    return result;
}

/* ---- opening ---- */

static enum dap_result ask_info(struct dap_link *link, enum dap_info what, const uint8_t **payload, size_t *bytes)
{
    struct dap_packet packet;
    size_t length;
    enum dap_result result;

    dap_make_info(&packet, what);
    result = dap_link_ask(link, &packet, &length);
    return result == DAP_OK ? dap_take_info(link->answer, length, payload, bytes) : result;
}

static enum dap_result take_limits(struct dap_link *link)
{
    const uint8_t *payload;
    size_t bytes;
    enum dap_result result = ask_info(link, DAP_PACKET_SIZE, &payload, &bytes);

    if (result != DAP_OK || bytes != 2)
        return result != DAP_OK ? result : DAP_CONFUSED;
    link->packet_bytes = (size_t)payload[0] | (size_t)payload[1] << 8;
    if (link->packet_bytes > link->pipe.packet_bytes)
        link->packet_bytes = link->pipe.packet_bytes;
    if (link->packet_bytes > DAP_PACKET_BYTES_MAX)
        link->packet_bytes = DAP_PACKET_BYTES_MAX;
    result = ask_info(link, DAP_PACKET_COUNT, &payload, &bytes);
    if (result != DAP_OK || bytes != 1)
        return result != DAP_OK ? result : DAP_CONFUSED;
    dap_flight_init(&link->flight, payload[0] < DAP_IN_FLIGHT_MAX ? payload[0] : DAP_IN_FLIGHT_MAX);
    return link->packet_bytes >= PACKET_BYTES_MIN ? DAP_OK : DAP_CONFUSED;
}

static enum dap_result take_identity(struct dap_link *link)
{
    const uint8_t *payload;
    size_t bytes;
    enum dap_result result = ask_info(link, DAP_CAPABILITIES, &payload, &bytes);

    if (result != DAP_OK)
        return result;
    if (bytes == 0 || !(payload[0] & SWD_CAPABILITY))
        return DAP_CONFUSED;
    result = ask_info(link, DAP_FIRMWARE, &payload, &bytes);
    if (result == DAP_OK)
        printable(link->firmware, sizeof link->firmware, (const char *)payload, strnlen((const char *)payload, bytes));
    return result;
}

/* Prepares the probe. Each command must succeed, except setting the clock: a probe may have a fixed clock. */
static enum dap_result prepare(struct dap_link *link, unsigned khz)
{
    struct dap_packet packet;
    bool done = false, clocked = false;
    enum dap_result result;

    dap_make_connect(&packet);
    result = dap_link_do(link, &packet, &done);
    if (result == DAP_OK && !done)
        return DAP_CONFUSED;
    dap_make_clock(&packet, khz * 1000);
    if (result == DAP_OK)
        result = dap_link_do(link, &packet, &clocked);
    link->khz = clocked ? khz : 0;
    dap_make_transfer_configure(&packet, WAIT_RETRIES);
    if (result == DAP_OK)
        result = dap_link_do(link, &packet, &done);
    if (result == DAP_OK && !done)
        return DAP_CONFUSED;
    dap_make_swd_configure(&packet);
    if (result == DAP_OK)
        result = dap_link_do(link, &packet, &done);
    return result == DAP_OK && !done ? DAP_CONFUSED : result;
}

enum dap_result dap_link_open(struct dap_link *link, struct dap_pipe pipe, unsigned khz, unsigned timeout_ms)
{
    enum dap_result result = DAP_CONFUSED;

    memset(link, 0, sizeof *link);
    link->pipe = pipe;
    link->timeout_ms = timeout_ms;
    dap_flight_init(&link->flight, 1);
    for (unsigned i = 0; i < OPEN_MAX && dap_out_of_step(result); i++) {
        result = dap_link_step(link, false); /* skips answers that are left from an earlier run */
        if (result != DAP_OK)
            return result;
        result = take_limits(link);
        if (result == DAP_OK)
            result = take_identity(link);
        if (result == DAP_OK)
            result = prepare(link, khz);
    }
    return result;
}

/* ---- self-test ---- */

/* Sends packets of different lengths, so that each answer fits only its own packet. The first packet is as long as the
 * longest packet of a read. */
struct self_test {
    unsigned sent, total;
    size_t words;
    uint32_t dpidr;
    bool known;
};

static bool test_next(void *self, struct dap_packet *packet)
{
    struct self_test *test = self;

    if (test->sent == test->total)
        return false;
    dap_make_transfer(packet);
    dap_add_read(packet, DAP_DPIDR, test->words - test->sent++ % (DAP_IN_FLIGHT_MAX + 1));
    return true;
}

static enum dap_result test_take(void *self, const struct dap_packet *packet, const uint8_t *bytes, size_t length)
{
    struct self_test *test = self;
    const uint8_t *words;
    enum dap_result result = dap_take_transfer(packet, bytes, length, &words);

    if (result != DAP_OK)
        return result;
    if (!test->known)
        test->dpidr = dap_word(words);
    test->known = true;
    for (size_t i = 0; i < packet->words; i++)
        if (dap_word(words + 4 * i) != test->dpidr)
            return DAP_CONFUSED;
    return DAP_OK;
}

enum dap_result dap_link_self_test(struct dap_link *link)
{
    struct self_test test = {.total = TEST_ROUNDS * (DAP_IN_FLIGHT_MAX + 1), .words = (link->packet_bytes - 4) / 4 - 1};
    const struct dap_row row = {&test, test_next, test_take};
    const struct dap_flight before = link->flight;
    enum dap_result result;

    if (!dap_flight_is_due(&link->flight))
        return DAP_OK;
    dap_flight_begin(&link->flight);
    result = dap_link_row(link, &row);
    if (dap_out_of_step(result))
        return dap_link_step(link, true);
    if (result != DAP_OK)
        link->flight = before; /* the target did not answer, which proves nothing about the probe */
    return result;
}
