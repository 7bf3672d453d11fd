/* SPDX-License-Identifier: MIT */
/* Replaces baseline_json.c in a build without jansson. */
#include "compare/baseline.h"

bool baseline_can_read(void)
{
    return false;
}

enum txtap_status baseline_parse(struct baseline *baseline, const char *text, size_t length, const char *name,
                                 struct error *error)
{
    (void)text;
    (void)length;
    *baseline = (struct baseline){0};
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "%.120s: this txtap was built without jansson and cannot read JSON\n"
                   "install libjansson-dev and build it again",
                   name);
}
