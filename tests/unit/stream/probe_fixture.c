/* SPDX-License-Identifier: MIT */
#include "stream/probe_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring/txtb.h"

struct probe_fixture probe_fixture;

static uint64_t now_ns(void)
{
    return probe_fixture.now_ns;
}

uint64_t probe_fixture_now_us(void)
{
    return (probe_fixture.probe.direct != NULL ? direct_probe_now_ns() : now_ns()) / 1000;
}

/* Writes what is due by now. Of several laps only the last one is made: nobody read in between. */
static void pass(uint64_t ns)
{
    struct probe_fixture *fixture = &probe_fixture;
    struct ring_target *target = &fixture->target;
    uint64_t due, passed;

    fixture->now_ns += ns;
    target->now_us = fixture->now_ns / 1000;
    if (fixture->write != NULL) {
        fixture->write(fixture->now_ns);
        return;
    }
    passed = fixture->now_ns - fixture->paced_ns;
    if (fixture->disturbance.tick_us > 0)
        passed -= passed % (fixture->disturbance.tick_us * 1000);
    due = fixture->paced + passed * fixture->rate_per_s / 1000000000;
    if (due > target->written + 2 * target->entries)
        target_skip_laps(target, (due - target->written) / target->entries - 1);
    if (due > target->written)
        target_write(target, due - target->written);
    target->now_us = fixture->now_ns / 1000;
}

/* Nothing is under way: the target's clock is the host's again. */
static void catch_up(void)
{
    uint64_t host_ns = probe_fixture.probe.direct != NULL ? direct_probe_now_ns() : 0;

    if (host_ns > probe_fixture.now_ns)
        pass(host_ns - probe_fixture.now_ns);
}

static void before_word(struct ring_target *target, uint32_t address)
{
    (void)target;
    (void)address;
    pass(probe_fixture.probe.word_ns);
}

/* What the direct source reads: its words take their time in before_word(). */
static void read_memory(uint32_t address, uint32_t length, uint8_t *bytes)
{
    target_read(&probe_fixture.target, &(struct txtap_read){address, length, bytes});
}

static uint64_t roll(uint64_t most)
{
    probe_fixture.dice = probe_fixture.dice * 1664525 + 1013904223;
    return most > 0 ? (probe_fixture.dice >> 8) % most : 0;
}

static uint64_t disturbed_us(const struct disturbance *disturbance)
{
    uint64_t late_us = roll(disturbance->late_us);

    return late_us + (roll(32) == 0 ? roll(disturbance->stall_us) : 0);
}

/* What one command reads, from the byte `done` of a piece on. */
static struct txtap_read command_at(const struct probe_model *probe, const struct txtap_read *piece, uint32_t done)
{
    uint32_t most = probe->command_bytes - done % probe->command_bytes, left = piece->length - done;
    uint32_t address = piece->address + done;

    if (probe->block_bytes > 0 && most > probe->block_bytes - address % probe->block_bytes)
        most = probe->block_bytes - address % probe->block_bytes;
    return (struct txtap_read){address, left < most ? left : most, piece->buffer + done};
}

static enum txtap_status read_target(void *self, const struct txtap_read *reads, size_t count)
{
    struct probe_fixture *fixture = self;

    pass(fixture->probe.exchange_us * 1000);
    for (size_t i = 0; i < count; i++) {
        pass(fixture->probe.piece_us * 1000);
        for (uint32_t done = 0; done < reads[i].length;) {
            struct txtap_read part = command_at(&fixture->probe, &reads[i], done);

            pass((fixture->probe.command_us + disturbed_us(&fixture->disturbance)) * 1000);
            target_read(&fixture->target, &part);
            done += part.length;
        }
    }
    pass(roll(fixture->disturbance.end_us) * 1000);
    return TXTAP_OK;
}

static const char *no_error(void *self)
{
    (void)self;
    return "";
}

static const struct txtap_source_ops probe_ops = {"probe", 65536, TXTAP_RING_READS_MAX, read_target, no_error,
                                                  NULL,    NULL};

void probe_fixture_set_up(const struct probe_model *probe, struct probe_ring ring, uint64_t written,
                          uint64_t rate_per_s)
{
    memset(&probe_fixture, 0, sizeof probe_fixture);
    target_init(&probe_fixture.target, ring.entries, ring.laps != PROBE_NO_LAPS, 1);
    target_set_objects(&probe_fixture.target, ring.objects);
    probe_fixture.target.counts_half_laps = ring.laps == PROBE_HALF_LAPS;
    probe_fixture.target.before_word = before_word;
    target_write(&probe_fixture.target, written);
    probe_fixture.probe = *probe;
    probe_fixture.now_ns = probe_fixture.paced_ns = 1000000000;
    probe_fixture.paced = written;
    probe_fixture.source = (struct txtap_source){&probe_ops, &probe_fixture};
    if (probe->direct != NULL) {
        static const struct direct_target target = {now_ns, pass, read_memory};

        probe_fixture.probe.word_ns = probe->direct->transfer_ns;
        probe_fixture.source = direct_probe_open(probe->direct, &target);
        catch_up();
        probe_fixture.paced_ns = probe_fixture.now_ns;
    }
    probe_fixture.rate_per_s = rate_per_s;
}

enum txtap_status probe_fixture_read(const struct txtap_read *reads, size_t count)
{
    enum txtap_status status = probe_fixture.source.ops->read(probe_fixture.source.self, reads, count);

    catch_up();
    return status;
}

void probe_fixture_wait(uint64_t us)
{
    catch_up();
    pass(us * 1000);
}

/* A poller that fails here is a defect of the fixture or of the reader: the test cannot go on. */
static void must(enum txtap_status status)
{
    if (status == TXTAP_OK)
        return;
    fprintf(stderr, "probe_fixture: %s\n", probe_fixture.error.what);
    abort();
}

void probe_fixture_open(enum txtap_ring_from from)
{
    probe_fixture_open_to(from, (struct txtap_sink){.take = NULL});
}

void probe_fixture_open_to(enum txtap_ring_from from, struct txtap_sink sink)
{
    const struct poller_settings settings = {.from = from, .now_us = probe_fixture_now_us};
    struct poller_place place = {
        .source = probe_fixture.source, .address = TARGET_BASE, .reader.ops = &txtb_reader_ops};
    uint8_t header[TXTB_HEADER_BYTES];
    const struct txtap_read read = {TARGET_BASE, sizeof header, header};
    struct txtb_place own = {.how = LOCATE_BY_ADDRESS};

    must(probe_fixture_read(&read, 1));
    must(txtap_header_parse(header, &place.header));
    own.half_laps = target_half_laps(&probe_fixture.target);
    memcpy(place.reader.own, &own, sizeof own);
    must(poller_init(&probe_fixture.poller, &place, &settings, sink, &probe_fixture.error));
}

void probe_fixture_run(uint64_t us)
{
    uint64_t end = probe_fixture_now_us() + us;

    while (probe_fixture_now_us() < end) {
        must(poller_step(&probe_fixture.poller, &probe_fixture.error));
        probe_fixture_wait(poller_delay_us(&probe_fixture.poller) + 1);
    }
}
