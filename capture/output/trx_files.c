/* SPDX-License-Identifier: MIT */
/* Writes events to files that TraceX can open. */
#include "output/trx_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/event_view.h"
#include "output/output.h"
#include "output/report.h"
#include "stream/file_names.h"
#include "txtap/event_logger.h"
#include "txtap/inner/header.h"
#include "txtap/inner/registry.h"

enum txtap_status trx_files_open(struct trx_files *files, const char *path, bool overwrite, struct error *error)
{
    *files = (struct trx_files){.path = path, .overwrite = overwrite};
    if (output_is_standard(path) && isatty(STDOUT_FILENO))
        return failure(error, TXTAP_ERROR_USAGE,
                       "--format trx: refusing to write binary data to a terminal\nuse -o FILE");
    files->entries = calloc(TRX_FILES_EVENTS, TXTB_ENTRY_BYTES);
    files->seqs = calloc(TRX_FILES_EVENTS, sizeof *files->seqs);
    if (files->entries != NULL && files->seqs != NULL)
        return TXTAP_OK;
    trx_files_free(files);
    return failure(error, TXTAP_ERROR_SYSTEM, "no memory for a file of %u events", TRX_FILES_EVENTS);
}

void trx_files_begin(struct trx_files *files, const struct txtap_header *header, const struct txtap_registry *registry)
{
    files->newest = header;
    files->registry = registry;
}

void trx_files_free(struct trx_files *files)
{
    free(files->entries);
    free(files->seqs);
    files->entries = NULL;
    files->seqs = NULL;
}

/* ---- one file ---- */

static bool note_names(const struct trx_files *files, struct file_names *names)
{
    if (!file_names_init(names, files->registry))
        return false;
    for (uint32_t i = 0; i < files->count; i++) {
        struct txtap_event event;

        txtap_event_parse(files->entries + (size_t)i * TXTB_ENTRY_BYTES, &files->header, &event);
        event.seq = files->seqs[i];
        file_names_note(names, &event);
    }
    return true;
}

static uint64_t last_seq(const struct trx_files *files)
{
    return files->seqs[files->count - 1];
}

/* Returns the object for an address in the file: the object to which the file's events refer, or else the object that
 * is there after the last event. NULL: no object, or several. */
static const struct txtap_object *object_of_file(const struct trx_files *files, const struct file_names *names,
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
    return txtap_registry_find_at(registry, pointer, TXTAP_OBJECT_NONE, last_seq(files));
}

/* Returns true if the object is deleted when the last event is written. Readers compare this with the create and delete
 * events.
 */
static bool is_free(const struct trx_files *files, const struct txtap_object *object)
{
    if (object->created || object->deleted)
        return txtap_registry_deleted_at(object, last_seq(files));
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
    memcpy(at + TXTB_OBJECT_NAME, object->name, strnlen(object->name, TRX_FILES_NAME_BYTES - 1));
}

/* Returns a header with room for the objects and events. TraceX refuses a registry without an entry. */
static struct txtap_header geometry(const struct trx_files *files, size_t objects)
{
    const uint32_t object_bytes = TXTB_OBJECT_FIXED_BYTES + TRX_FILES_NAME_BYTES;
    uint32_t registry = (uint32_t)(objects > 0 ? objects : 1) * object_bytes, ring = files->count * TXTB_ENTRY_BYTES;
    uint32_t total = TXTB_HEADER_BYTES + registry + ring;
    struct txtap_header header = files->header;

    if (header.base > UINT32_MAX - total)
        header.base = (UINT32_MAX - total) & ~3u;
    header.registry_start = header.base + TXTB_HEADER_BYTES;
    header.registry_end = header.ring_start = header.registry_start + registry;
    header.ring_end = header.ring_start + ring;
    header.current = header.ring_start; /* the ring is full: the oldest event comes first */
    header.laps = 0;
    header.name_bytes = TRX_FILES_NAME_BYTES;
    return header;
}

/* Changes "trace.trx" to "trace-0001.trx". */
static enum txtap_status numbered(struct trx_files *files, char out[static PATH_MAX])
{
    const char *slash = strrchr(files->path, '/'), *dot = strrchr(files->path, '.');
    size_t stem = dot && dot > (slash ? slash + 1 : files->path) ? (size_t)(dot - files->path) : strlen(files->path);

    if (snprintf(out, PATH_MAX, "%.*s-%04u%s", (int)stem, files->path, files->files + 1, files->path + stem) < PATH_MAX)
        return TXTAP_OK;
    return failure(&files->error, TXTAP_ERROR_SYSTEM, "%.160s: the name is too long\nchoose another with -o",
                   files->path);
}

static size_t count_objects(const struct trx_files *files, const struct file_names *names)
{
    size_t count = 0;

    for (size_t i = 0; i < names->registry->count; i++)
        count += object_of_file(files, names, i) != NULL;
    return count;
}

static enum txtap_status write_named(struct trx_files *files, const struct file_names *names, const char *path)
{
    struct txtap_header header = geometry(files, count_objects(files, names));
    size_t total = txtap_header_total_bytes(&header);
    uint8_t *bytes = calloc(1, total), *at = bytes + TXTB_HEADER_BYTES;
    enum txtap_status status;

    if (!bytes)
        return failure(&files->error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to write it", path ? path : "-");
    txtap_header_build(&header, bytes);
    for (size_t i = 0; i < names->registry->count; i++) {
        const struct txtap_object *object = object_of_file(files, names, i);

        if (object == NULL)
            continue;
        put_object(at, object, is_free(files, object), header.endian);
        at += txtap_header_object_bytes(&header);
    }
    memcpy(bytes + (header.ring_start - header.base), files->entries, (size_t)files->count * TXTB_ENTRY_BYTES);
    status = output_whole_file(path, bytes, total, files->overwrite, &files->error);
    free(bytes);
    return status;
}

static enum txtap_status write_file(struct trx_files *files, const char *path)
{
    struct file_names names;
    enum txtap_status status;

    if (!note_names(files, &names))
        return failure(&files->error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to write it", path ? path : "-");
    status = write_named(files, &names, path);
    files->several += names.several;
    files->files++;
    files->count = 0;
    file_names_free(&names);
    return status;
}

/* Writes the next file. more: further files follow, so the name needs a number. */
static enum txtap_status write_next(struct trx_files *files, bool more)
{
    char path[PATH_MAX];
    enum txtap_status status;

    if (files->files == 0 && !more)
        return write_file(files, files->path);
    if (output_is_standard(files->path))
        return failure(&files->error, TXTAP_ERROR_SPACE,
                       "more events than fit into one file for TraceX (%u), or of two buffers\ngive -o FILE, or choose "
                       "fewer",
                       TRX_FILES_EVENTS);
    status = numbered(files, path);
    return status == TXTAP_OK ? write_file(files, path) : status;
}

/* ---- the sink ---- */

static enum txtap_status put_entry(struct trx_files *files, const uint8_t *entry, uint64_t seq)
{
    enum txtap_status status = TXTAP_OK;
    bool other = files->header.endian != files->newest->endian || files->header.timer_mask != files->newest->timer_mask;

    if (files->count == TRX_FILES_EVENTS || (other && files->count > 0))
        status = write_next(files, true);
    files->header = *files->newest;
    if (status != TXTAP_OK)
        return status;
    memcpy(files->entries + (size_t)files->count * TXTB_ENTRY_BYTES, entry, TXTB_ENTRY_BYTES);
    files->seqs[files->count++] = seq;
    return TXTAP_OK;
}

/* Writes an event. An event of the event logger may have more than four words. The additional words follow the event,
 * in separate entries. */
static enum txtap_status put_event(struct trx_files *files, const struct txtap_event *event)
{
    enum txtap_status status = put_entry(files, event->entry, event->seq);
    size_t count = event->words != NULL ? event->word_count : 0;

    for (size_t i = 4; i < count && status == TXTAP_OK; i += 4) {
        uint8_t more[TXTB_ENTRY_BYTES];

        txtap_logger_more(event->entry, event->words + i, (uint32_t)(count - i), more);
        status = put_entry(files, more, event->seq);
    }
    return status;
}

/* Takes an item, except gaps and marks, which a buffer cannot contain. */
enum txtap_status trx_files_take(void *self, const struct txtap_item *item)
{
    return item->kind == TXTAP_ITEM_EVENT ? put_event(self, &item->event) : TXTAP_OK;
}

enum txtap_status trx_files_close(struct trx_files *files, enum txtap_status earlier, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    if (earlier >= TXTAP_OK && files->count > 0)
        status = write_next(files, false);
    else if (earlier >= TXTAP_OK)
        status = failure(&files->error, TXTAP_ERROR_FORMAT, "no event was chosen: there is nothing for TraceX to show");
    if (!error_is_set(error))
        *error = files->error;
    trx_files_free(files);
    return status == TXTAP_OK ? earlier : status;
}

/* ---- the outlet ---- */

struct trx_outlet {
    struct trx_files files;
    struct event_view view; /* the sinks that choose the events for the files */
};

/* Returns false if the items' buffer can be copied: another outlet does this. */
static bool takes(const struct outlet_config *config)
{
    return config->format->whole_buffer && config->buffer == NULL;
}

static enum txtap_status open_outlet(void **self, const struct outlet_config *config, struct error *error)
{
    struct trx_outlet *outlet = malloc(sizeof *outlet);
    enum txtap_status status;

    if (outlet == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the output");
    status = trx_files_open(&outlet->files, config->path, config->force, error);
    if (status == TXTAP_OK) {
        status = event_view_open(&outlet->view, config, (struct txtap_sink){trx_files_take, &outlet->files}, error);
        if (status != TXTAP_OK)
            trx_files_free(&outlet->files);
    }
    if (status != TXTAP_OK)
        free(outlet);
    *self = outlet;
    return status;
}

static struct txtap_sink sink_of(void *self)
{
    struct trx_outlet *outlet = self;

    return event_view_sink(&outlet->view);
}

static enum txtap_status begin(void *self, const struct txtap_header *header, const struct txtap_registry *registry)
{
    struct trx_outlet *outlet = self;

    trx_files_begin(&outlet->files, header, registry);
    event_view_begin(&outlet->view, registry);
    return TXTAP_OK;
}

static void count(const void *self, struct outlet_counts *counts)
{
    const struct trx_outlet *outlet = self;

    counts->undecided = outlet->view.choice.undecided;
}

static enum txtap_status close_outlet(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                                      struct outlet_counts *counts, struct error *error)
{
    struct trx_outlet *outlet = self;
    enum txtap_status status = trx_files_close(&outlet->files, earlier, error);

    count(outlet, counts);
    if (maker != NULL)
        event_view_warn(&outlet->view, maker);
    if (status >= TXTAP_OK && !outlet->view.quiet)
        report_without_names(outlet->files.several);
    event_view_close(&outlet->view);
    free(outlet);
    return status;
}

extern const struct outlet_kind outlet_trx;
const struct outlet_kind outlet_trx = {
    .lacks_samples = true,
    .takes = takes,
    .open = open_outlet,
    .sink = sink_of,
    .begin = begin,
    .count = count,
    .close = close_outlet,
};
