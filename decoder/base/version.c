/* SPDX-License-Identifier: MIT */
/* The version as text. CMakeLists.txt has the number; version.h.in carries it here. */
#include "txtap/version.h"

const char *txtap_version(void)
{
    return TXTAP_VERSION;
}
