/* SPDX-License-Identifier: MIT */
/* Part of ctf_layout: the types in the metadata. After a failure of the parser nothing that they return holds. */
#ifndef TXTAP_DECODER_FILE_CTF_LAYOUT_TYPES_H
#define TXTAP_DECODER_FILE_CTF_LAYOUT_TYPES_H

#include "file/ctf_layout_tokens.h"

/* What a field is made of. */
struct ctf_element {
    uint32_t bytes;
    enum txtap_ctf_kind kind;
};

/* NULL: there is none of that name. */
const struct txtap_ctf_type *ctf_find_type(const struct ctf_parser *parser, const char *name, bool is_struct);
void ctf_add_type(struct ctf_parser *parser, struct txtap_ctf_type type);

/* From behind "integer" on: { size = 32; align = 8; ... } */
struct ctf_element ctf_parse_integer(struct ctf_parser *parser);

/* From behind "enum" on: its words do not matter, only the integer that they stand for. */
struct ctf_element ctf_parse_enum(struct ctf_parser *parser);

/* From its brace on, and returns its size. of_event: its members are the fields of an event. */
uint32_t ctf_parse_struct(struct ctf_parser *parser, struct txtap_ctf_type *type, bool of_event);

#endif
