/* SPDX-License-Identifier: MIT */
/* The formats, for the table in exporter.c, and what they share: collected lines and remembered texts. */
#ifndef TXTAP_DECODER_FORMAT_EXPORTER_H
#define TXTAP_DECODER_FORMAT_EXPORTER_H

#include "format/line.h"
#include "txtap/exporter.h"

/* The row for an id, by the definitions, the options and by what the target has; NULL if there is none. */
const struct txtap_event_info *exporter_event_info(const struct txtap_exporter *self, uint32_t id);

/* The same, remembered, with room for its texts. Valid until the next call. */
struct txtap_exporter_words *exporter_words(struct txtap_exporter *self, uint32_t id);

/* Forgets what was remembered and collected. */
void exporter_reset(struct txtap_exporter *self);

/* Ticks since the event given before; of the first one 0. */
uint64_t exporter_delta(struct txtap_exporter *self, const struct txtap_event *event);

/* A line in the chunk, which is handed over first if it may be too full. */
enum txtap_status exporter_line_start(struct txtap_exporter *self, struct line *line);

/* ending: at most LINE_ENDING_BYTES. */
static inline enum txtap_status exporter_line_end(struct txtap_exporter *self, struct line *line, const char *ending)
{
    size_t length = strlen(ending);

    memcpy(line->at, ending, length);
    self->memory->used = (size_t)(line->at + length - self->memory->chunk);
    return TXTAP_OK;
}

/* Writes a text with the format's escapes around it and in it. */
typedef void cached_text_writer(struct line *line, const char *text);

void cached_text_render(struct txtap_exporter_cached_text *piece, const char *text, uint32_t generation,
                        cached_text_writer *writer);

/* writer(line, text), but as a copy where the piece has it already. The bytes at text must not have changed since. */
static inline void piece_write(struct txtap_exporter_cached_text *piece, struct line *line, const char *text,
                               uint32_t generation, cached_text_writer *writer)
{
    if (piece->source != text || piece->generation != generation)
        cached_text_render(piece, text, generation, writer);
    if (piece->length <= TXTAP_EXPORTER_CACHED_BYTES)
        line_padded(line, piece->bytes, piece->length, piece->columns);
    else
        writer(line, text);
}

enum name_place { NAME_OF_CONTEXT, NAME_IN_FIELD };

/* An object's name, text being the object's own bytes. */
static inline void exporter_name(struct txtap_exporter *self, struct line *line, enum name_place place,
                                 const char *text, cached_text_writer *writer)
{
    /* Neighbours in the registry's array get neighbouring slots: no two of 256 objects share one. */
    size_t slot = (uintptr_t)text / sizeof(struct txtap_object) % TXTAP_EXPORTER_NAMES;

    piece_write(&self->memory->names[place][slot], line, text, self->registry->generation, writer);
}

/* Is that column wanted? by_itself: those that the format shows when nobody says which. */
static inline bool exporter_shows(const struct txtap_exporter *self, unsigned by_itself, enum txtap_column column)
{
    return ((self->options.columns != 0 ? self->options.columns : by_itself) & (unsigned)column) != 0;
}

extern const struct txtap_exporter_ops text_ops;
extern const struct txtap_exporter_ops jsonl_ops;
extern const struct txtap_exporter_ops csv_ops;
extern const struct txtap_exporter_ops trx_ops;

#endif
