/* SPDX-License-Identifier: MIT */
/* Replaces figures_parse.c in a build without jansson. */
#include "figures/figures_parse.h"

bool figures_can_parse(void)
{
    return false;
}

enum txtap_status figures_parse(struct figures *figures, const char *text, size_t length, const char *name,
                                struct error *error)
{
    (void)text;
    (void)length;
    *figures = (struct figures){0};
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "%.120s: this txtap was built without jansson and cannot read JSON\n"
                   "install libjansson-dev and build it again",
                   name);
}
