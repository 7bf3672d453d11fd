/* SPDX-License-Identifier: MIT */
/* Reads the figures of a report in JSON. */
#include <stdlib.h>

#include "input/input.h"
#include "compare/baseline.h"
#include "figures/figures_parse.h"

#define FILE_BYTES_MAX ((size_t)16 << 20)

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

enum txtap_status baseline_parse(struct baseline *baseline, const char *text, size_t length, const char *name,
                                 struct error *error)
{
    struct figures figures;
    enum txtap_status status = figures_parse(&figures, text, length, name, error);

    *baseline = (struct baseline){0};
    if (status == TXTAP_OK)
        status = baseline_take(baseline, &figures, error);
    figures_free(&figures);
    return status;
}
