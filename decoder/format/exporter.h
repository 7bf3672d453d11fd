/* SPDX-License-Identifier: MIT */
/* The formats, for the table in exporter.c, and their common functions: collected lines and cached texts. */
#ifndef TXTAP_DECODER_FORMAT_EXPORTER_H
#define TXTAP_DECODER_FORMAT_EXPORTER_H

#include <limits.h>

#include "format/line.h"
#include "format/value.h"
#include "txtap/exporter.h"
#include "txtap/inner/functions.h"
#include "txtap/inner/interrupts.h"

/*
 * Returns the cached texts of the row for an id. The definitions, the options and the target's components select the
 * row. If there is no row, the member info is NULL. The result is valid until the next call.
 */
struct txtap_exporter_words *exporter_words(struct txtap_exporter *self, uint32_t id);

/*
 * Returns the row with which the exporter shows events of this id. The row is from the definitions, or from the table
 * according to the profile. NULL: there is no row.
 */
const struct txtap_event_info *txtap_exporter_row(struct txtap_exporter *exporter, uint32_t id);

/* Empties caches and collected lines. */
void exporter_reset(struct txtap_exporter *self);

/* Returns the ticks since the event or sample of the previous call; 0 for the first call. */
uint64_t exporter_delta(struct txtap_exporter *self, const struct txtap_event *event);

/* Returns "value", "pc" or "log". */
const char *exporter_channel_kind(const struct txtap_channel *channel);

/* Returns an event with the seq, the times and the thread of a sample, for functions that write these. The stamp
 * follows from the last event's stamp. */
struct txtap_event exporter_event_of_sample(const struct txtap_exporter *self, const struct txtap_sample *sample);

/* Starts a line in the chunk. If the chunk may be too full, first passes the chunk to the writer. */
void exporter_line_start(struct txtap_exporter *self, struct line *line);

/*
 * Ends a line. ending: at most LINE_ENDING_BYTES. If the writer failed when the line was started, this function drops
 * the line and returns the writer's status.
 */
static inline enum txtap_status exporter_line_end(struct txtap_exporter *self, struct line *line, const char *ending)
{
    size_t length = strlen(ending);

    if (line->status != TXTAP_OK)
        return line->status;
    memcpy(line->at, ending, length);
    self->memory->used = (size_t)(line->at + length - self->memory->chunk);
    return TXTAP_OK;
}

/* Writes a text with the format's escapes and quotes. */
typedef void cached_text_writer(struct line *line, const char *text);

void cached_text_render(struct txtap_exporter_cached_text *cached, const char *text, uint32_t generation,
                        cached_text_writer *writer);

/*
 * Like writer(line, text), but copies the cached text if text is in the cache. The bytes at text must not have changed
 * since they were cached.
 */
static inline void cached_text_write(struct txtap_exporter_cached_text *cached, struct line *line, const char *text,
                                     uint32_t generation, cached_text_writer *writer)
{
    if (cached->source != text || cached->generation != generation)
        cached_text_render(cached, text, generation, writer);
    if (cached->length <= TXTAP_EXPORTER_CACHED_BYTES)
        line_padded(line, cached->bytes, cached->length, cached->columns);
    else
        writer(line, text);
}

#define NUMBER_OF_ISR 1 /* the word of an event "ISR enter" or "ISR exit" with the interrupt's number */

/* Returns the name of the interrupt that an event enters or leaves; NULL: no name, or another event. */
static inline const char *exporter_interrupt(struct txtap_exporter *self, const struct txtap_event *event,
                                             const struct txtap_event_info *info)
{
    return txtap_interrupts_shown(&self->interrupts, event, info);
}

/* Replaces the address of a function by its name, if the definitions have the name. */
static inline void exporter_name_function(const struct txtap_exporter *self, struct value *value)
{
    const char *name = NULL;

    if (value->form == VALUE_ADDRESS && value->field->kind == TXTAP_FIELD_FUNCTION && value->number != 0)
        name = txtap_function_name(self->definitions, value->number);
    if (name == NULL)
        return;
    value->form = VALUE_WORD;
    value->text = name;
}

enum name_place { NAME_OF_CONTEXT, NAME_IN_FIELD };

/* Writes an object's name. text: pointer to the name in the object itself, because this address selects the slot in the
 * cache. */
static inline void exporter_name(struct txtap_exporter *self, struct line *line, enum name_place place,
                                 const char *text, cached_text_writer *writer)
{
    /* Objects that are adjacent in the registry get adjacent slots, so no two of 256 objects share a slot. */
    size_t slot = (uintptr_t)text / sizeof(struct txtap_object) % TXTAP_EXPORTER_NAMES;

    cached_text_write(&self->memory->names[place][slot], line, text, self->registry->generation, writer);
}

/* Returns true if the column is shown. defaults: the columns that the format shows without --fields. */
static inline bool exporter_shows(const struct txtap_exporter *self, unsigned defaults, enum txtap_column column)
{
    return ((self->options.columns != 0 ? self->options.columns : defaults) & (unsigned)column) != 0;
}

/* Like exporter_shows(), for a format that shows all columns without --fields. */
static inline bool exporter_shows_all(const struct txtap_exporter *self, enum txtap_column column)
{
    return exporter_shows(self, UINT_MAX, column);
}

/* ---- formats that take changes ---- */

/* Starts the conversion of items to changes for ops->change, and zeroes the format's state. ops->begin calls it. */
enum txtap_status exporter_changes_begin(struct txtap_exporter *self);

/* Converts an event or a gap to changes, for ops->event and ops->gap. */
enum txtap_status exporter_changes_event(struct txtap_exporter *self, const struct txtap_event *event);
enum txtap_status exporter_changes_gap(struct txtap_exporter *self, const struct txtap_gap *gap);

/* Makes the last changes. ops->end calls it. */
enum txtap_status exporter_changes_end(struct txtap_exporter *self);

/* Returns true if the event passes the filter. */
bool exporter_wants(struct txtap_exporter *self, const struct txtap_event *event);

extern const struct txtap_exporter_ops text_ops;
extern const struct txtap_exporter_ops jsonl_ops;
extern const struct txtap_exporter_ops csv_ops;
extern const struct txtap_exporter_ops trx_ops;
extern const struct txtap_exporter_ops vcd_ops;
extern const struct txtap_exporter_ops vcd_wires_ops;
extern const struct txtap_exporter_ops ctf_ops;
extern const struct txtap_exporter_ops perfetto_ops;

#endif
