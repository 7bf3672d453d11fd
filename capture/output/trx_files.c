/* SPDX-License-Identifier: MIT */
/* The events of a recording as files for TraceX. */
#include "output/trx_files.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/output.h"
#include "stream/file_names.h"
#include "txtap/logger_ring.h"
#include "txtap/registry.h"

bool recording_trx_init(struct recording_trx *trx, const char *path)
{
    memset(trx, 0, sizeof *trx);
    trx->path = path;
    trx->entries = calloc(RECORDING_TRX_EVENTS, TXTB_ENTRY_BYTES);
    trx->seqs = calloc(RECORDING_TRX_EVENTS, sizeof *trx->seqs);
    if (trx->entries != NULL && trx->seqs != NULL)
        return true;
    recording_trx_free(trx);
    return false;
}

void recording_trx_free(struct recording_trx *trx)
{
    free(trx->entries);
    free(trx->seqs);
    trx->entries = NULL;
    trx->seqs = NULL;
}

enum txtap_status recording_trx_open_printer(struct recording_trx *trx, struct printer *printer,
                                             const struct options *options, struct error *error)
{
    struct options choosing = *options;
    enum txtap_status status;

    if (!txtap_exporter_find(options->format)->whole_buffer)
        return printer_open(printer, options, error);
    if (output_is_standard(options->output) && isatty(STDOUT_FILENO))
        return failure(error, TXTAP_ERROR_USAGE,
                       "--format trx: refusing to write binary data to a terminal\nuse -o FILE");
    if (!recording_trx_init(trx, options->output))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for a file of %u events", RECORDING_TRX_EVENTS);
    trx->overwrite = options->force;
    choosing.format = "text";
    choosing.output = NULL;
    status = printer_open(printer, &choosing, error);
    printer->choice.filter = &options->filter.filter;
    printer->exporter.ops = &recording_trx_ops;
    printer->exporter.writer.self = trx;
    return status;
}

/* ---- one file ---- */

static bool note_names(const struct recording_trx *trx, const struct txtap_registry *registry, struct file_names *names)
{
    if (!file_names_init(names, registry))
        return false;
    for (uint32_t i = 0; i < trx->count; i++) {
        struct txtap_event event;

        txtap_event_parse(trx->entries + (size_t)i * TXTB_ENTRY_BYTES, &trx->header, &event);
        event.seq = trx->seqs[i];
        file_names_note(names, &event);
    }
    return true;
}

static uint64_t last_seq(const struct recording_trx *trx)
{
    return trx->seqs[trx->count - 1];
}

/* Of each address the object that the events mean; if none does, the one that it has after the last of them. */
static const struct txtap_object *object_of_file(const struct recording_trx *trx, const struct file_names *names,
                                                 size_t i)
{
    const struct txtap_registry *registry = names->registry;
    uint32_t pointer = registry->objects[i].pointer;

    if (i > 0 && registry->objects[i - 1].pointer == pointer)
        return NULL;
    if (names->names[i].several)
        return NULL;
    if (names->names[i].object != NULL)
        return names->names[i].object;
    return txtap_registry_find_at(registry, pointer, TXTAP_OBJECT_NONE, last_seq(trx));
}

/* Readers hold that against the create and delete events that they find. */
static bool is_free(const struct recording_trx *trx, const struct txtap_object *object)
{
    if (object->created || object->deleted)
        return txtap_registry_deleted_at(object, last_seq(trx));
    return !object->live;
}

static void put_object(uint8_t *at, const struct txtap_object *object, bool free, enum txtap_endian endian)
{
    const uint32_t words[] = {object->pointer, object->parameter[0], object->parameter[1]};

    at[TXTB_OBJECT_AVAILABLE] = free;
    at[TXTB_OBJECT_TYPE] = object->type;
    at[TXTB_OBJECT_RESERVED1] = object->reserved[0];
    at[TXTB_OBJECT_RESERVED2] = object->reserved[1];
    for (unsigned i = 0; i < 12; i++) {
        unsigned shift = endian == TXTAP_BIG ? 24 - 8 * (i % 4) : 8 * (i % 4);

        at[TXTB_OBJECT_POINTER + i] = (uint8_t)(words[i / 4] >> shift & 0xFF);
    }
    memcpy(at + TXTB_OBJECT_NAME, object->name, strnlen(object->name, RECORDING_TRX_NAME_BYTES - 1));
}

/* The geometry that the objects and events need; TraceX refuses a registry without an entry. */
static struct txtap_header geometry(const struct recording_trx *trx, size_t objects)
{
    const uint32_t object_bytes = TXTB_OBJECT_FIXED_BYTES + RECORDING_TRX_NAME_BYTES;
    uint32_t registry = (uint32_t)(objects > 0 ? objects : 1) * object_bytes, ring = trx->count * TXTB_ENTRY_BYTES;
    uint32_t total = TXTB_HEADER_BYTES + registry + ring;
    struct txtap_header header = trx->header;

    if (header.base > UINT32_MAX - total)
        header.base = (UINT32_MAX - total) & ~3u;
    header.registry_start = header.base + TXTB_HEADER_BYTES;
    header.registry_end = header.ring_start = header.registry_start + registry;
    header.ring_end = header.ring_start + ring;
    header.current = header.ring_start; /* full: the oldest event is the first */
    header.laps = 0;
    header.name_bytes = RECORDING_TRX_NAME_BYTES;
    return header;
}

/* "trace.trx" becomes "trace-0001.trx". */
static enum txtap_status numbered(struct recording_trx *trx, char out[static PATH_MAX])
{
    const char *slash = strrchr(trx->path, '/'), *dot = strrchr(trx->path, '.');
    size_t stem = dot && dot > (slash ? slash + 1 : trx->path) ? (size_t)(dot - trx->path) : strlen(trx->path);

    if (snprintf(out, PATH_MAX, "%.*s-%04u%s", (int)stem, trx->path, trx->files + 1, trx->path + stem) < PATH_MAX)
        return TXTAP_OK;
    return failure(&trx->error, TXTAP_ERROR_SYSTEM, "%.160s: too long a name\nchoose another with -o", trx->path);
}

static size_t count_objects(const struct recording_trx *trx, const struct file_names *names)
{
    size_t count = 0;

    for (size_t i = 0; i < names->registry->count; i++)
        count += object_of_file(trx, names, i) != NULL;
    return count;
}

static enum txtap_status write_named(struct recording_trx *trx, const struct file_names *names, const char *path)
{
    struct txtap_header header = geometry(trx, count_objects(trx, names));
    size_t total = txtap_header_total_bytes(&header);
    uint8_t *bytes = calloc(1, total), *at = bytes + TXTB_HEADER_BYTES;
    enum txtap_status status;

    if (!bytes)
        return failure(&trx->error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to write it", path ? path : "-");
    txtap_header_build(&header, bytes);
    for (size_t i = 0; i < names->registry->count; i++) {
        const struct txtap_object *object = object_of_file(trx, names, i);

        if (object == NULL)
            continue;
        put_object(at, object, is_free(trx, object), header.endian);
        at += txtap_header_object_bytes(&header);
    }
    memcpy(bytes + (header.ring_start - header.base), trx->entries, (size_t)trx->count * TXTB_ENTRY_BYTES);
    status = output_whole_file(path, bytes, total, trx->overwrite, &trx->error);
    free(bytes);
    return status;
}

static enum txtap_status write_file(struct recording_trx *trx, const struct txtap_registry *registry, const char *path)
{
    struct file_names names;
    enum txtap_status status;

    if (!note_names(trx, registry, &names))
        return failure(&trx->error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to write it", path ? path : "-");
    status = write_named(trx, &names, path);
    trx->several += names.several;
    trx->files++;
    trx->count = 0;
    file_names_free(&names);
    return status;
}

/* more: others follow, so that the name needs a number. */
static enum txtap_status write_next(struct recording_trx *trx, const struct txtap_registry *registry, bool more)
{
    char path[PATH_MAX];
    enum txtap_status status;

    if (trx->files == 0 && !more)
        return write_file(trx, registry, trx->path);
    if (output_is_standard(trx->path))
        return failure(&trx->error, TXTAP_ERROR_SPACE,
                       "more events than fit into one file for TraceX (%u), or of two buffers\ngive -o FILE, or choose "
                       "fewer",
                       RECORDING_TRX_EVENTS);
    status = numbered(trx, path);
    return status == TXTAP_OK ? write_file(trx, registry, path) : status;
}

/* ---- the exporter ---- */

static enum txtap_status trx_begin(struct txtap_exporter *self)
{
    struct recording_trx *trx = self->writer.self;

    assert(trx->entries);
    trx->header = *self->header;
    return TXTAP_OK;
}

static enum txtap_status put_entry(struct txtap_exporter *self, const uint8_t *entry, uint64_t seq)
{
    struct recording_trx *trx = self->writer.self;
    enum txtap_status status = TXTAP_OK;
    bool other = trx->header.endian != self->header->endian || trx->header.timer_mask != self->header->timer_mask;

    if (trx->count == RECORDING_TRX_EVENTS || (other && trx->count > 0))
        status = write_next(trx, self->registry, true);
    trx->header = *self->header;
    if (status != TXTAP_OK)
        return status;
    memcpy(trx->entries + (size_t)trx->count * TXTB_ENTRY_BYTES, entry, TXTB_ENTRY_BYTES);
    trx->seqs[trx->count++] = seq;
    return TXTAP_OK;
}

/* What an event logger's event has beyond four words stands in entries of its own, behind it. */
static enum txtap_status trx_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    enum txtap_status status = put_entry(self, event->entry, event->seq);
    size_t count = event->words != NULL ? event->word_count : 0;

    for (size_t i = 4; i < count && status == TXTAP_OK; i += 4) {
        uint8_t more[TXTB_ENTRY_BYTES];

        txtap_logger_more(event->entry, event->words + i, (uint32_t)(count - i), more);
        status = put_entry(self, more, event->seq);
    }
    return status;
}

/* A buffer has no place to say that something is missing, or that something happened. */
static enum txtap_status trx_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    (void)self;
    (void)gap;
    return TXTAP_OK;
}

static enum txtap_status trx_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    (void)self;
    (void)mark;
    return TXTAP_OK;
}

static enum txtap_status trx_end(struct txtap_exporter *self)
{
    struct recording_trx *trx = self->writer.self;

    if (trx->count == 0)
        return failure(&trx->error, TXTAP_ERROR_FORMAT, "no event was chosen: there is nothing for TraceX to show");
    return write_next(trx, self->registry, false);
}

const struct txtap_exporter_ops recording_trx_ops = {"trx", trx_begin, trx_event, trx_gap, trx_mark, trx_end, true};
