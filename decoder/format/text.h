/* SPDX-License-Identifier: MIT */
/* The last part of a line of the text format: the event's fields. */
#ifndef TXTAP_DECODER_FORMAT_TEXT_H
#define TXTAP_DECODER_FORMAT_TEXT_H

#include "format/exporter.h"

/*
 * Writes "label=value ..." or a definition's text. If the line would be longer than options.width, leaves out the least
 * important fields: addresses before other fields, but never the first field. Returns false if the line is still too
 * long.
 */
bool text_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                 struct txtap_exporter_words *words);

/* Writes the target's text in quotes. */
void text_quoted(struct line *line, const char *text);

#endif
