/* SPDX-License-Identifier: MIT */
/* The bytes of a ring as CTF traces. Does not know where they come from. */
#include "output/ctf_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum txtap_status ctf_writer_open(struct ctf_writer *writer, const struct options *options, const char *gap_means,
                                  struct error *error)
{
    memset(writer, 0, sizeof *writer);
    writer->options = options;
    writer->gap_means = gap_means;
    return ctf_directory_open(&writer->directory, options->output, options->ring.ctf_metadata, options->force, error);
}

/* ---- the end of a trace ---- */

static void say_trace(struct ctf_writer *writer, uint64_t rest, bool all_zero)
{
    const struct ctf_directory *directory = &writer->directory;
    const struct txtap_ctf_counter *counter = &directory->counter;
    const char *name = ctf_directory_name(directory);

    writer->cut = writer->cut || (rest > 0 && !all_zero);
    if (counter->stopped && !all_zero)
        fprintf(stderr,
                "txtap: %s: at byte %" PRIu64 " the record 0x%" PRIx32
                ", which the metadata does not have: what follows is left out: is it the metadata of this build?\n",
                name, counter->bytes, counter->id);
    if (!counter->stopped && rest > 0 && !all_zero)
        fprintf(stderr, "txtap: %s: the last %" PRIu64 " bytes are no whole record, and are left out\n", name, rest);
    if (writer->options->quiet)
        return;
    if (directory->knows_layout)
        fprintf(stderr, "txtap: %s: %" PRIu64 " records, %" PRIu64 " bytes\n", name, counter->records,
                directory->bytes);
    else
        fprintf(stderr, "txtap: %s: %" PRIu64 " bytes\n", name, directory->bytes);
}

static enum txtap_status end_trace(struct ctf_writer *writer, struct error *error)
{
    uint64_t rest;
    bool all_zero;
    enum txtap_status status = ctf_directory_end(&writer->directory, &rest, &all_zero, error);

    if (status == TXTAP_OK)
        say_trace(writer, rest, all_zero);
    return status;
}

/* ---- the sink ---- */

static enum txtap_status take_bytes(struct ctf_writer *writer, const struct txtap_bytes *bytes)
{
    uint64_t before = writer->directory.counter.records;
    enum txtap_status status = ctf_directory_write(&writer->directory, bytes->at, bytes->length, &writer->error);

    writer->records += writer->directory.counter.records - before;
    return status;
}

static enum txtap_status begin_next(struct ctf_writer *writer)
{
    enum txtap_status status = end_trace(writer, &writer->error);

    return status == TXTAP_OK ? ctf_directory_next(&writer->directory, writer->options->force, &writer->error) : status;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct ctf_writer *writer = self;

    switch (item->kind) {
    case TXTAP_ITEM_BYTES:
        return take_bytes(writer, &item->bytes);
    case TXTAP_ITEM_RESTART:
        return begin_next(writer);
    case TXTAP_ITEM_GAP:
        fprintf(stderr, "txtap: %s: %s\n", ctf_directory_name(&writer->directory), writer->gap_means);
        return TXTAP_OK;
    default:
        return TXTAP_OK;
    }
}

struct txtap_sink ctf_writer_sink(struct ctf_writer *writer)
{
    return (struct txtap_sink){take, writer};
}

enum txtap_status ctf_writer_close(struct ctf_writer *writer, enum txtap_status earlier, struct error *error)
{
    enum txtap_status status;

    if (earlier < TXTAP_OK && !error_is_set(error))
        *error = writer->error;
    status = end_trace(writer, earlier < TXTAP_OK ? &writer->error : error);
    ctf_directory_close(&writer->directory);
    return earlier < TXTAP_OK || status == TXTAP_OK ? earlier : status;
}
