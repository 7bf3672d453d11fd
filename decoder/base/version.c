/* SPDX-License-Identifier: MIT */
#include "txtap/version.h"

const char *txtap_version(void)
{
    return TXTAP_VERSION;
}
