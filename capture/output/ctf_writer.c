/* SPDX-License-Identifier: MIT */
/* The outlet for bytes: CTF traces for babeltrace2. Each trace is a directory with the stream and the metadata; a line
 * on standard error shows its size. This outlet does not know the origin of the bytes. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "input/input.h"
#include "file/ctf_directory.h"
#include "output/outlet.h"
#include "output/output.h"
#include "txtap/inner/ctf_layout.h"

struct ctf_writer {
    struct outlet_config config;
    unsigned number;     /* number of this trace, from 0 */
    char name[PATH_MAX]; /* directory of a trace whose number is above 0: "DIRECTORY.NUMBER" */
    uint8_t *metadata;
    size_t metadata_bytes;
    bool knows_layout; /* the layout is known; if not, records cannot be counted */
    struct txtap_ctf_layout layout;
    struct txtap_ctf_counter counter; /* of this trace */
    uint64_t bytes;                   /* bytes of this trace's stream */
    int fd;                           /* file of this trace's stream, or -1 */
    uint64_t records;                 /* records of all traces */
    bool cut;                         /* a trace ended within a record */
    struct error error;               /* why the sink failed */
};

static const char *name_of(const struct ctf_writer *writer)
{
    return writer->number == 0 ? writer->config.path : writer->name;
}

/* ---- metadata ---- */

static enum txtap_status read_metadata(struct ctf_writer *writer, const char *path, struct error *error)
{
    enum txtap_status status = input_read_file(path, TXTAP_CTF_METADATA_MAX, CTF_RIGHT_METADATA, &writer->metadata,
                                               &writer->metadata_bytes, error);

    if (status == TXTAP_OK && writer->metadata_bytes == 0)
        return failure(error, TXTAP_ERROR_FORMAT, "%.120s: empty\n" CTF_RIGHT_METADATA, path);
    return status;
}

static void learn_layout(struct ctf_writer *writer, const char *path)
{
    struct txtap_ctf_layout *layout = &writer->layout;
    enum txtap_status status = txtap_ctf_layout_parse(layout, (const char *)writer->metadata, writer->metadata_bytes);

    writer->knows_layout = status == TXTAP_OK;
    if (status != TXTAP_OK)
        fprintf(stderr,
                "txtap: %s: line %zu: %s: records are not counted, and an end without a record is not cut off\n", path,
                layout->error_line, layout->complaint);
}

/* ---- one trace ---- */

static enum txtap_status begin(struct ctf_writer *writer, struct error *error)
{
    char path[PATH_MAX];
    enum txtap_status status;

    writer->counter = (struct txtap_ctf_counter){.records = 0};
    writer->bytes = 0;
    status = ctf_directory_make(name_of(writer), error);
    if (status == TXTAP_OK)
        status = ctf_directory_join(path, name_of(writer), CTF_STREAM_NAME, error);
    if (status != TXTAP_OK)
        return status;
    writer->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (writer->config.force ? O_TRUNC : O_EXCL), 0666);
    if (writer->fd < 0 && errno == EEXIST)
        return failure(error, ERROR_EXISTS,
                       "%.160s: has a trace already\nchoose another directory with -o, or use --force",
                       name_of(writer));
    if (writer->fd < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\nchoose another directory with -o", path,
                       strerror(errno));
    status = ctf_directory_join(path, name_of(writer), CTF_METADATA_NAME, error);
    if (status == TXTAP_OK)
        status = output_whole_file(path, writer->metadata, writer->metadata_bytes, true, error);
    return status;
}

static enum txtap_status cannot_be_written(const struct ctf_writer *writer, struct error *error)
{
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s/%s: cannot be written: %s: what was written before is whole",
                   name_of(writer), CTF_STREAM_NAME, strerror(errno));
}

/* Returns true if the stream has only zeros from the offset `from` on. */
static bool is_zero_from(const struct ctf_writer *writer, uint64_t from)
{
    uint8_t bytes[4096];
    bool zero = true;

    while (zero && from < writer->bytes) {
        ssize_t got = pread(writer->fd, bytes, sizeof bytes, (off_t)from);

        for (ssize_t i = 0; i < got; i++)
            zero = zero && bytes[i] == 0;
        zero = zero && got > 0;
        from += got > 0 ? (uint64_t)got : 0;
    }
    return zero;
}

static void say_trace(struct ctf_writer *writer, uint64_t rest, bool all_zero)
{
    const struct txtap_ctf_counter *counter = &writer->counter;
    const char *name = name_of(writer);

    writer->cut = writer->cut || (rest > 0 && !all_zero);
    if (counter->stopped && !all_zero)
        fprintf(stderr,
                "txtap: %s: at byte %" PRIu64 " the record 0x%" PRIx32
                ", which is not in the metadata: the rest is left out: is this the metadata of this build?\n",
                name, counter->bytes, counter->id);
    if (!counter->stopped && rest > 0 && !all_zero)
        fprintf(stderr, "txtap: %s: the last %" PRIu64 " bytes are an incomplete record, and are left out\n", name,
                rest);
    if (writer->config.quiet)
        return;
    if (writer->knows_layout)
        fprintf(stderr, "txtap: %s: %" PRIu64 " records, %" PRIu64 " bytes\n", name, counter->records, writer->bytes);
    else
        fprintf(stderr, "txtap: %s: %" PRIu64 " bytes\n", name, writer->bytes);
}

/* Cuts off the bytes after the last whole record, if the layout of records is known. */
static enum txtap_status end_trace(struct ctf_writer *writer, struct error *error)
{
    uint64_t rest = writer->knows_layout && writer->fd >= 0 ? writer->counter.partial : 0;
    bool all_zero = rest > 0 && is_zero_from(writer, writer->counter.bytes);

    if (rest > 0) {
        if (ftruncate(writer->fd, (off_t)writer->counter.bytes) != 0)
            return cannot_be_written(writer, error);
        writer->bytes = writer->counter.bytes;
        writer->counter.partial = 0;
        writer->counter.missing = 0;
    }
    say_trace(writer, rest, all_zero);
    if (writer->fd >= 0)
        close(writer->fd);
    writer->fd = -1;
    return TXTAP_OK;
}

/* ---- the sink ---- */

static enum txtap_status take_bytes(struct ctf_writer *writer, const struct txtap_bytes *bytes)
{
    uint64_t before = writer->counter.records;
    size_t done;

    if (writer->knows_layout)
        txtap_ctf_count(&writer->layout, &writer->counter, bytes->at, bytes->length);
    writer->records += writer->counter.records - before;
    done = write_bytes(writer->fd, bytes->at, bytes->length);
    writer->bytes += done;
    return done == bytes->length ? TXTAP_OK : cannot_be_written(writer, &writer->error);
}

static enum txtap_status begin_next(struct ctf_writer *writer)
{
    enum txtap_status status = end_trace(writer, &writer->error);

    writer->number++;
    snprintf(writer->name, sizeof writer->name, "%s.%u", writer->config.path, writer->number);
    return status == TXTAP_OK ? begin(writer, &writer->error) : status;
}

/* Takes an item. A trace that restarts gets its own directory, because its time starts again. */
static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct ctf_writer *writer = self;

    switch (item->kind) {
    case TXTAP_ITEM_BYTES:
        return take_bytes(writer, &item->bytes);
    case TXTAP_ITEM_RESTART:
        return begin_next(writer);
    case TXTAP_ITEM_GAP:
        fprintf(stderr, "txtap: %s: %s\n", name_of(writer), writer->config.items.gap_means);
        return TXTAP_OK;
    default:
        return TXTAP_OK;
    }
}

/* ---- opening and closing ---- */

static void release(struct ctf_writer *writer)
{
    if (writer->fd >= 0)
        close(writer->fd);
    free(writer->metadata);
    free(writer);
}

static bool takes(const struct outlet_config *config)
{
    return config->items.bytes && config->format->change == NULL;
}

/* Begins a trace in the directory, which may exist. An existing stream is overwritten only with --force. */
static enum txtap_status open_writer(void **self, const struct outlet_config *config, struct error *error)
{
    struct ctf_writer *writer = calloc(1, sizeof *writer);
    enum txtap_status status;

    if (writer == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the output");
    writer->config = *config;
    writer->fd = -1;
    status = read_metadata(writer, config->items.ctf_metadata, error);
    if (status == TXTAP_OK) {
        learn_layout(writer, config->items.ctf_metadata);
        status = begin(writer, error);
    }
    if (status != TXTAP_OK)
        release(writer);
    *self = writer;
    return status;
}

static struct txtap_sink sink_of(void *self)
{
    return (struct txtap_sink){take, self};
}

static enum txtap_status begin_nothing(void *self, const struct txtap_header *header,
                                       const struct txtap_registry *registry)
{
    (void)self, (void)header, (void)registry;
    return TXTAP_OK;
}

static void count(const void *self, struct outlet_counts *counts)
{
    const struct ctf_writer *writer = self;

    counts->records = writer->records;
    counts->cut = writer->cut;
}

/* Prints the size of the trace. */
static enum txtap_status close_writer(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                                      struct outlet_counts *counts, struct error *error)
{
    struct ctf_writer *writer = self;
    enum txtap_status status;

    (void)maker;
    if (earlier < TXTAP_OK && !error_is_set(error))
        *error = writer->error;
    status = end_trace(writer, earlier < TXTAP_OK ? &writer->error : error);
    count(writer, counts);
    release(writer);
    return earlier < TXTAP_OK || status == TXTAP_OK ? earlier : status;
}

extern const struct outlet_kind outlet_ctf_bytes;
const struct outlet_kind outlet_ctf_bytes = {
    .lacks_samples = true,
    .takes = takes,
    .open = open_writer,
    .sink = sink_of,
    .begin = begin_nothing,
    .count = count,
    .close = close_writer,
};
