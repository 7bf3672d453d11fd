/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The members with which every JSON document of txtap begins: the tool, its version, and the schema of the document.
 * docs/reference/json.md lists the schemas.
 */
#ifndef TXTAP_INNER_JSON_HEAD_H
#define TXTAP_INNER_JSON_HEAD_H

enum txtap_schema {
#define SCHEMA(symbol, name, version) TXTAP_SCHEMA_##symbol,
#include "txtap/inner/json_schemas.def"
#undef SCHEMA
    TXTAP_SCHEMAS
};

/* Returns the name of the schema, such as "txtap-report"; static. */
const char *txtap_schema_name(enum txtap_schema schema);

/* Returns the version of the schema, above 0. */
unsigned txtap_schema_version(enum txtap_schema schema);

#define TXTAP_JSON_HEAD_BYTES 112

/* Writes "tool":"txtap","version":"0.4.0","schema":"txtap-report","schema_version":2, without braces. Returns text. */
const char *txtap_json_head(char text[static TXTAP_JSON_HEAD_BYTES], enum txtap_schema schema);

#endif
