/* SPDX-License-Identifier: MIT */
/* Which outputs are compressed: those whose names say so. gzip_zlib.c does it. */
#include "output/gzip.h"

#include <string.h>

bool gzip_is_named(const char *path)
{
    size_t length = path != NULL ? strlen(path) : 0;

    return length > strlen(".gz") && strcmp(path + length - strlen(".gz"), ".gz") == 0;
}
