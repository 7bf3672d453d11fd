/* SPDX-License-Identifier: MIT */
/* Older reports as files, and the keys by which their figures are found. */
#include "figures/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "txtap/inner/escape.h"

#define FILE_BYTES_MAX ((size_t)16 << 20)

/* Names of any bytes: a report in JSON has U+FFFD for those that are not UTF-8, and so has the key. */
static void put_subject(char *out, size_t size, const struct baseline_subject *subject)
{
    char name[512];

    txtap_escape_xml(name, sizeof name, *subject->name != '\0' ? subject->name : subject->number);
    snprintf(out, size, "%s %s", subject->kind, name);
}

char *baseline_key(char out[static BASELINE_KEY_BYTES], const char *section, const char *name,
                   const struct baseline_subject *subject, const struct baseline_subject *other, const char *detail)
{
    char texts[2][640];

    put_subject(texts[0], sizeof texts[0], subject);
    put_subject(texts[1], sizeof texts[1], other);
    snprintf(out, BASELINE_KEY_BYTES, "%.120s%c%.120s%c%s%c%s%c%.120s", section, BASELINE_KEY_MARK, name,
             BASELINE_KEY_MARK, texts[0], BASELINE_KEY_MARK, texts[1], BASELINE_KEY_MARK, detail);
    return out;
}

enum txtap_status baseline_read(struct baseline *baseline, const char *path, struct error *error)
{
    uint8_t *bytes;
    size_t length;
    enum txtap_status status;

    *baseline = (struct baseline){0};
    status = input_read_file(path, FILE_BYTES_MAX, "that is no report", &bytes, &length, error);
    if (status != TXTAP_OK)
        return status;
    status = baseline_parse(baseline, (const char *)bytes, length, path, error);
    free(bytes);
    return status;
}

void baseline_free(struct baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++)
        free(baseline->figures[i].key);
    free(baseline->figures);
    *baseline = (struct baseline){0};
}
