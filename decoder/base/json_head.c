/* SPDX-License-Identifier: MIT */
/* The first members of JSON documents. */
#include "txtap/inner/json_head.h"

#include <assert.h>
#include <stdio.h>

#include "txtap/version.h"

static const struct {
    const char *name;
    unsigned version;
} schemas[] = {
#define SCHEMA(symbol, name, version) [TXTAP_SCHEMA_##symbol] = {name, version},
#include "txtap/inner/json_schemas.def"
#undef SCHEMA
};

const char *txtap_schema_name(enum txtap_schema schema)
{
    assert((unsigned)schema < TXTAP_SCHEMAS);
    return schemas[schema].name;
}

unsigned txtap_schema_version(enum txtap_schema schema)
{
    assert((unsigned)schema < TXTAP_SCHEMAS);
    return schemas[schema].version;
}

const char *txtap_json_head(char text[static TXTAP_JSON_HEAD_BYTES], enum txtap_schema schema)
{
    snprintf(text, TXTAP_JSON_HEAD_BYTES,
             "\"tool\":\"txtap\",\"version\":\"" TXTAP_VERSION "\",\"schema\":\"%s\",\"schema_version\":%u",
             txtap_schema_name(schema), txtap_schema_version(schema));
    return text;
}
