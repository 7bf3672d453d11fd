/* SPDX-License-Identifier: MIT */
/* A variable that has the name of the backend's, but does not belong to it. */
#include "backend.h"

static volatile uint32_t pos = 0x7FFFFFFFu;

void other_turn(void)
{
    pos = pos - 1u;
}
