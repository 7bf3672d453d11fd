/* SPDX-License-Identifier: MIT */
/* A variable that is called as the backend's is, and is none of it. */
#include "backend.h"

static volatile uint32_t pos = 0x7FFFFFFFu;

void other_turn(void)
{
    pos = pos - 1u;
}
