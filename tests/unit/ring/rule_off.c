/* SPDX-License-Identifier: MIT */
#include "ring/rule_off.h"

#include <stdlib.h>

int rule_off;

__attribute__((constructor)) static void choose_rule(void)
{
    const char *text = getenv("TXTAP_RULE_OFF");

    rule_off = text ? atoi(text) : 0;
}
