/* SPDX-License-Identifier: MIT */
/* The kept form of an index, in JSON. Numbers that JSON cannot hold exactly are hexadecimal texts. */
#include "store/store_index.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA 2

/* ---- writing ---- */

static json_t *row_json(const struct store_file *file)
{
    char recording[20];

    snprintf(recording, sizeof recording, "%016llx", (unsigned long long)file->recording);
    return json_pack("{s:s, s:I, s:[I, I], s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:I, s:I, s:I, s:I, s:s, s:s}",
                     "name", file->name, "bytes", (json_int_t)file->bytes, "modified", (json_int_t)file->modified_s,
                     (json_int_t)file->modified_ns, "recording", recording, "number", (json_int_t)file->number,
                     "since_us", (json_int_t)file->since_us, "until_us", (json_int_t)file->until_us, "events",
                     (json_int_t)file->events, "lost", (json_int_t)file->lost, "lost_exact", (int)file->exact, "ended",
                     (int)file->ended, "resets", (json_int_t)file->resets, "triggers", (json_int_t)file->triggers,
                     "checks", (json_int_t)file->checks, "faults", (json_int_t)file->faults, "build_id", file->build,
                     "firmware", file->firmware);
}

char *store_index_text(const struct store_index *index, size_t *length)
{
    json_t *files = json_array(),
           *all = json_pack("{s:s, s:i, s:o}", "tool", "txtap", "schema", SCHEMA, "files", files);
    char *text;

    /* A name that is not UTF-8 gives no row: its file is read each time. */
    for (size_t i = 0; all != NULL && i < index->count; i++) {
        json_t *row = row_json(&index->files[i]);

        if (row != NULL)
            (void)json_array_append_new(files, row);
    }
    text = all != NULL ? json_dumps(all, JSON_INDENT(0)) : NULL;
    json_decref(all);
    if (text != NULL)
        *length = strlen(text);
    return text;
}

/* ---- reading ---- */

/* Takes an integer from 0 to `most`. */
static bool take_number(const json_t *row, const char *key, uint64_t most, uint64_t *number)
{
    const json_t *value = json_object_get(row, key);
    json_int_t integer = json_integer_value(value);

    *number = (uint64_t)integer;
    return json_is_integer(value) && integer >= 0 && (uint64_t)integer <= most;
}

static bool take_count(const json_t *row, const char *key, uint32_t *count)
{
    uint64_t number;
    bool taken = take_number(row, key, UINT32_MAX, &number);

    *count = (uint32_t)number;
    return taken;
}

static bool take_modified(const json_t *row, struct store_file *file)
{
    const json_t *modified = json_object_get(row, "modified");
    const json_t *seconds = json_array_get(modified, 0), *part = json_array_get(modified, 1);

    file->modified_s = json_integer_value(seconds);
    file->modified_ns = json_integer_value(part);
    return json_is_integer(seconds) && json_is_integer(part);
}

static bool take_texts(const json_t *row, struct store_file *file)
{
    const char *name = json_string_value(json_object_get(row, "name"));
    const char *recording = json_string_value(json_object_get(row, "recording"));
    const char *build = json_string_value(json_object_get(row, "build_id"));
    const char *firmware = json_string_value(json_object_get(row, "firmware"));
    char *end;

    if (name == NULL || recording == NULL || build == NULL || firmware == NULL || strlen(recording) != 16 ||
        strlen(build) >= sizeof file->build || strspn(build, "0123456789abcdef") != strlen(build))
        return false;
    if (*name == '\0' || *name == '.' || strlen(name) > NAME_MAX || strchr(name, '/') != NULL)
        return false;
    if (strlen(firmware) >= sizeof file->firmware)
        return false;
    for (const char *at = firmware; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            return false;
    memcpy(file->firmware, firmware, strlen(firmware) + 1);
    file->recording = strtoull(recording, &end, 16);
    memcpy(file->build, build, strlen(build) + 1);
    file->name = *end == '\0' ? strdup(name) : NULL;
    return file->name != NULL;
}

static bool take_row(const json_t *row, struct store_file *file)
{
    const json_t *exact = json_object_get(row, "lost_exact"), *ended = json_object_get(row, "ended");

    *file = (struct store_file){.exact = json_is_true(exact), .ended = json_is_true(ended)};
    return json_is_boolean(exact) && json_is_boolean(ended) && take_modified(row, file) &&
           take_number(row, "bytes", INT64_MAX, &file->bytes) && take_count(row, "number", &file->number) &&
           take_number(row, "since_us", INT64_MAX, &file->since_us) &&
           take_number(row, "until_us", INT64_MAX, &file->until_us) && file->since_us <= file->until_us &&
           take_number(row, "events", INT64_MAX, &file->events) && take_number(row, "lost", INT64_MAX, &file->lost) &&
           take_count(row, "resets", &file->resets) && take_count(row, "triggers", &file->triggers) &&
           take_count(row, "checks", &file->checks) && take_count(row, "faults", &file->faults) &&
           take_texts(row, file);
}

bool store_index_parse(struct store_index *index, const char *text, size_t length)
{
    json_t *all = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL), *files = json_object_get(all, "files");
    size_t count = json_array_size(files), i = 0;
    struct store_file *rows = NULL;

    if (json_integer_value(json_object_get(all, "schema")) == SCHEMA && json_is_array(files) &&
        count <= STORE_FILES_MAX && index->count == 0)
        rows = calloc(count > 0 ? count : 1, sizeof *rows);
    while (rows != NULL && i < count && take_row(json_array_get(files, i), &rows[i]))
        i++;
    json_decref(all);
    if (rows != NULL && i == count) {
        free(index->files);
        index->files = rows;
        index->count = index->room = count;
        return true;
    }
    for (size_t row = 0; rows != NULL && row < i; row++)
        store_file_free(&rows[row]);
    free(rows);
    return false;
}
