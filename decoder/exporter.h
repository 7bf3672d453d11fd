/* SPDX-License-Identifier: MIT */
/* The formats, for the table in exporter.c. */
#ifndef TXTAP_DECODER_EXPORTER_H
#define TXTAP_DECODER_EXPORTER_H

#include "txtap/exporter.h"

/* The row for an id, by the definitions, the options and by what the target has; NULL if there is none. */
const struct txtap_event_info *exporter_event_info(const struct txtap_exporter *self, uint32_t id);

/* Is that column wanted? by_itself: those that the format shows when nobody says which. */
bool exporter_shows(const struct txtap_exporter *self, unsigned by_itself, enum txtap_column column);

extern const struct txtap_exporter_ops text_ops;
extern const struct txtap_exporter_ops jsonl_ops;

#endif
