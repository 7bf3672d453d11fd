/* SPDX-License-Identifier: MIT */
/* The fields of an event's line in text, behind the event's name. */
#ifndef TXTAP_DECODER_FORMAT_TEXT_FIELDS_H
#define TXTAP_DECODER_FORMAT_TEXT_FIELDS_H

#include "format/exporter.h"

/* The target's text between quotes. */
void text_quoted(struct line *line, const char *text);

/*
 * Writes "label=value ..." or a definition's text. If the line would be longer than options.width, leaves out the least
 * important fields: addresses first, the first field last; " +2" shows that two are missing.
 */
void text_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                 struct txtap_exporter_words *words);

#endif
