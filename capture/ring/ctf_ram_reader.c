/* SPDX-License-Identifier: MIT */
/* Reads Zephyr's CTF in RAM for a poller: as bytes. */
#include "ring/ctf_ram_reader.h"

#include <stdlib.h>
#include <string.h>

#define RECORD_BYTES   32    /* about the size of a record */
#define EXCHANGE_BYTES 16384 /* large enough to be fast, and on a slow probe not too slow */
#define SAMPLE_BYTES   256   /* of an exchange, for what is read besides the records */

struct ram_reader {
    struct txtap_ctf_ram ram;
    struct txtap_ctf_ram_plan plan;
    uint8_t *buffer;
    const uint8_t *bytes; /* not delivered yet */
    uint32_t count;
    bool seen;          /* there was an exchange */
    bool reported_full; /* the gap behind the last record was delivered */
};

static void ram_close(void *self)
{
    struct ram_reader *reader = self;

    free(reader->buffer);
    free(reader);
}

static enum txtap_status ram_open(void **self, const struct reader_setup *setup, struct error *error)
{
    struct ram_reader *reader = calloc(1, sizeof *reader);
    uint32_t room = (setup->read_bytes_max - SAMPLE_BYTES) & ~3u;
    struct txtap_ctf_ram_place place;

    room = room < EXCHANGE_BYTES ? room : EXCHANGE_BYTES;
    if (reader != NULL)
        reader->buffer = malloc(room);
    if (reader == NULL || reader->buffer == NULL) {
        free(reader);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory to read ram_tracing");
    }
    memcpy(&place, setup->place->own, sizeof place);
    txtap_ctf_ram_init(&reader->ram, &place, reader->buffer, room);
    *self = reader;
    return TXTAP_OK;
}

const struct txtap_ctf_ram *zephyr_ram_of(const struct poller *poller)
{
    const struct ram_reader *reader = poller->reader_self;

    return &reader->ram;
}

/* ---- the reader's operations ---- */

static size_t ram_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    struct ram_reader *reader = self;

    (void)now_us;
    txtap_ctf_ram_plan(&reader->ram, &reader->plan);
    *reads = reader->plan.reads;
    return reader->plan.count;
}

static enum txtap_status ram_commit(void *self, uint64_t begin_us, uint64_t end_us,
                                    struct reader_write_time *write_time)
{
    struct ram_reader *reader = self;

    (void)begin_us;
    (void)end_us;
    (void)write_time;
    reader->seen = true;
    return txtap_ctf_ram_commit(&reader->ram, &reader->plan, &reader->bytes, &reader->count);
}

static bool ram_next(void *self, struct reader_batch *batch)
{
    struct ram_reader *reader = self;
    const struct txtap_ctf_ram *ram = &reader->ram;

    *batch = (struct reader_batch){.bytes = reader->bytes, .byte_count = reader->count};
    if (reader->count == 0 && ram->full && ram->next >= ram->head && !reader->reported_full) {
        reader->reported_full = true;
        batch->ring.lost = 1; /* the record that did not fit; the target does not count those after it */
        return true;
    }
    reader->count = 0;
    return batch->byte_count > 0;
}

static struct reader_state ram_state(const void *self)
{
    const struct ram_reader *reader = self;
    const struct txtap_ctf_ram *ram = &reader->ram;

    return (struct reader_state){
        .head = ram->head,
        .next = ram->next,
        .unread = ram->cleared ? 0 : (ram->head - ram->next + RECORD_BYTES - 1) / RECORD_BYTES,
        .capacity = ram->place.size / RECORD_BYTES + 1,
        .bytes = ram->place.size,
        .head_known = reader->seen,
        .idle = reader->plan.first == reader->plan.end,
    };
}

/* Nothing is ever held back, and nothing is overwritten. */
const struct reader_ops ram_reader_ops = {
    .name = "ram_tracing",
    .bad_pointer =
        "the position is beyond its end: was the target reset, or is this another firmware's ELF file? start "
        "txtap again",
    .restarted = "the target restarted: start txtap again",
    .unit_bytes = 1,
    .open = ram_open,
    .close = ram_close,
    .plan = ram_plan,
    .commit = ram_commit,
    .next = ram_next,
    .state = ram_state,
};
