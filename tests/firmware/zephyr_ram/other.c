/* SPDX-License-Identifier: MIT */
/* A variable with the same name as the backend's that does not belong to it. */
#include "backend.h"

static volatile uint32_t pos = 0x7FFFFFFFu;

void other_turn(void)
{
    pos = pos - 1u;
}
