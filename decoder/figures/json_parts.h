/* SPDX-License-Identifier: MIT */
/* Parts of a report in JSON, which figures and findings share. */
#ifndef TXTAP_DECODER_FIGURES_JSON_PARTS_H
#define TXTAP_DECODER_FIGURES_JSON_PARTS_H

#include "txtap/inner/figure_json.h"
#include "txtap/inner/json_head.h"

/* Writes text as it is, unless the writer failed before. */
void figure_json_put(struct txtap_figure_json *json, const char *text);

/* Writes the first members of the JSON: its schema, and the properties of the trace. */
void figure_json_head(struct txtap_figure_json *json, enum txtap_schema schema,
                      const struct txtap_figure_json_head *head);

/* Writes a JSON string. string: any bytes, at most 1 KiB. */
void figure_json_string(struct txtap_figure_json *json, const char *string);

/* Writes the member `key` with a number and its bounds. comma: "," or "", written before it. is_time: the unit is
 * ticks. */
void figure_json_measure(struct txtap_figure_json *json, const char *comma, const char *key,
                         const struct txtap_measure *of, bool is_time);

/* Writes the member `key` with a subject. name: any bytes; "": unknown. */
void figure_json_subject(struct txtap_figure_json *json, const char *key, const struct txtap_subject *of,
                         const char *name);

/* Writes ,"span":{...}, if the span is known. */
void figure_json_span(struct txtap_figure_json *json, const struct txtap_span *of);

/* Writes ,"KEY":{...}, if the place is known. */
void figure_json_place(struct txtap_figure_json *json, const char *key, const struct txtap_place *of);

#endif
