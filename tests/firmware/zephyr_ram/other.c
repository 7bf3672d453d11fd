/* SPDX-License-Identifier: MIT */
/* A variable that has the same name as the backend's variable, but does not belong to the backend. */
#include "backend.h"

static volatile uint32_t pos = 0x7FFFFFFFu;

void other_turn(void)
{
    pos = pos - 1u;
}
