/* SPDX-License-Identifier: MIT */
/* Zephyr's CTF in RAM for a session: bytes. */
#include "stream/ctf_ram_reader.h"

#include <inttypes.h>
#include <stdlib.h>

#define RECORD_BYTES   32    /* about: what a record has */
#define EXCHANGE_BYTES 16384 /* long enough, and on a slow probe not too long */
#define SAMPLE_BYTES   256   /* of an exchange, what is read beside the records */

struct ram_reader {
    struct txtap_zephyr_ram ram;
    struct txtap_zephyr_ram_plan plan;
    uint8_t *buffer;
    const uint8_t *bytes; /* not given out yet */
    uint32_t count;
};

struct ram_reader *ram_reader_new(const struct reader_place *place, uint32_t read_bytes_max)
{
    struct ram_reader *reader = calloc(1, sizeof *reader);
    uint32_t room = (read_bytes_max - SAMPLE_BYTES) & ~3u;

    if (reader == NULL)
        return NULL;
    room = room < EXCHANGE_BYTES ? room : EXCHANGE_BYTES;
    reader->buffer = malloc(room);
    if (reader->buffer == NULL) {
        free(reader);
        return NULL;
    }
    txtap_zephyr_ram_init(&reader->ram, &place->ram, reader->buffer, room);
    return reader;
}

void ram_reader_free(struct ram_reader *reader)
{
    if (reader == NULL)
        return;
    free(reader->buffer);
    free(reader);
}

const struct txtap_zephyr_ram *ram_reader_ram(const struct ram_reader *reader)
{
    return &reader->ram;
}

/* ---- as a session wants it ---- */

static size_t ram_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    struct ram_reader *reader = self;

    (void)now_us;
    txtap_zephyr_ram_plan(&reader->ram, &reader->plan);
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
    return txtap_zephyr_ram_commit(&reader->ram, &reader->plan, &reader->bytes, &reader->count);
}

static bool ram_next(void *self, struct reader_batch *batch)
{
    struct ram_reader *reader = self;

    *batch = (struct reader_batch){.bytes = reader->bytes, .byte_count = reader->count};
    reader->count = 0;
    return batch->byte_count > 0;
}

/* Nothing is ever held back, and nothing is overwritten. */
static void ram_finish(void *self, uint64_t until)
{
    (void)self;
    (void)until;
}

static struct reader_state ram_state(const void *self)
{
    const struct ram_reader *reader = self;
    const struct txtap_zephyr_ram *ram = &reader->ram;

    return (struct reader_state){
        .head = ram->head,
        .next = ram->next,
        .unread = ram->cleared ? 0 : (ram->head - ram->next + RECORD_BYTES - 1) / RECORD_BYTES,
        .capacity = ram->place.size / RECORD_BYTES + 1,
        .idle = reader->plan.first == reader->plan.end,
    };
}

static void ram_doubt(void *self)
{
    (void)self;
}

static enum txtap_status ram_refused(const void *self, enum txtap_status status, char error[static ERROR_TEXT_BYTES])
{
    const struct ram_reader *reader = self;

    if (status == TXTAP_ERROR_POINTER)
        return failure(error, status,
                       "ram_tracing at 0x%08" PRIx32
                       ": the position is beyond its end: was the target reset, or is this another firmware's ELF "
                       "file? start txtap again",
                       reader->ram.place.buffer);
    return failure(error, status, "ram_tracing at 0x%08" PRIx32 ": the target restarted: start txtap again",
                   reader->ram.place.buffer);
}

const struct reader_ops ram_reader_ops = {
    ram_plan, ram_commit, ram_next, ram_finish, ram_state, ram_doubt, ram_refused,
};
