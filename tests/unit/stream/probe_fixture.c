/* SPDX-License-Identifier: MIT */
#include "stream/probe_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

#include "ring/txtb.h"

#define PIECE_BYTES 4096u

struct probe_fixture probe_fixture;

/* A piece takes two commands and two transfers of 46 clocks in addition to its words: see the virtual board's wire. */
const struct probe_model stlink_v2 = {"stlink-v2", 500, 1153, 76667}, stlink_v3 = {"stlink-v3", 500, 2210, 5111};

uint64_t probe_fixture_now_us(void)
{
    return probe_fixture.now_ns / 1000;
}

/* Writes what is due by now. */
static void pass(uint64_t ns)
{
    struct probe_fixture *fixture = &probe_fixture;
    uint64_t due;

    fixture->now_ns += ns;
    due = fixture->paced + (fixture->now_ns - fixture->paced_ns) * fixture->rate_per_s / 1000000000;
    if (due > fixture->target.written)
        target_write(&fixture->target, due - fixture->target.written);
    fixture->target.now_us = fixture->now_ns / 1000;
}

static void before_word(struct ring_target *target, uint32_t address)
{
    (void)target;
    (void)address;
    pass(probe_fixture.probe.word_ns);
}

static enum txtap_status read_target(void *self, const struct txtap_read *reads, size_t count)
{
    struct probe_fixture *fixture = self;

    pass(fixture->probe.exchange_us * 1000);
    for (size_t i = 0; i < count; i++)
        for (uint32_t done = 0; done < reads[i].length; done += PIECE_BYTES) {
            uint32_t left = reads[i].length - done;
            struct txtap_read piece = {reads[i].address + done, left < PIECE_BYTES ? left : PIECE_BYTES,
                                       reads[i].buffer + done};

            pass(fixture->probe.piece_us * 1000);
            target_read(&fixture->target, &piece);
        }
    return TXTAP_OK;
}

static const char *no_error(void *self)
{
    (void)self;
    return "";
}

static const struct txtap_source_ops probe_ops = {"probe", 65536, TXTAP_RING_READS_MAX, read_target, no_error,
                                                  NULL,    NULL};

void probe_fixture_set_up(const struct probe_model *probe, uint32_t entries, bool counts_laps, uint64_t written,
                          uint64_t rate_per_s)
{
    memset(&probe_fixture, 0, sizeof probe_fixture);
    target_init(&probe_fixture.target, entries, counts_laps, 1);
    probe_fixture.target.before_word = before_word;
    target_write(&probe_fixture.target, written);
    probe_fixture.probe = *probe;
    probe_fixture.now_ns = probe_fixture.paced_ns = 1000000000;
    probe_fixture.paced = written;
    probe_fixture.rate_per_s = rate_per_s;
}

void probe_fixture_wait(uint64_t us)
{
    pass(us * 1000);
}

void probe_fixture_open(enum txtap_ring_from from)
{
    const struct poller_settings settings = {.from = from, .now_us = probe_fixture_now_us};
    struct poller_place place = {
        .source = {&probe_ops, &probe_fixture}, .address = TARGET_BASE, .reader.ops = &txtb_reader_ops};
    uint8_t header[TXTB_HEADER_BYTES];
    const struct txtap_read read = {TARGET_BASE, sizeof header, header};

    cr_assert_eq(read_target(&probe_fixture, &read, 1), TXTAP_OK);
    cr_assert_eq(txtap_header_parse(header, &place.header), TXTAP_OK);
    cr_assert_eq(
        poller_init(&probe_fixture.poller, &place, &settings, (struct txtap_sink){.take = NULL}, &probe_fixture.error),
        TXTAP_OK);
}

void probe_fixture_run(uint64_t us)
{
    uint64_t end = probe_fixture_now_us() + us;

    while (probe_fixture_now_us() < end) {
        cr_assert_eq(poller_step(&probe_fixture.poller, &probe_fixture.error), TXTAP_OK);
        probe_fixture_wait(poller_delay_us(&probe_fixture.poller) + 1);
    }
}
