/* SPDX-License-Identifier: MIT */
/* Replaces gzip_zlib.c in a build without zlib. */
#include "output/gzip.h"

enum txtap_status gzip_open(struct gzip **out, struct output *output, struct error *error)
{
    *out = NULL;
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "%.120s: this txtap was built without zlib and cannot compress\n"
                   "choose a name without .gz, or install zlib1g-dev and build it again",
                   output->name);
}

struct txtap_writer gzip_writer(struct gzip *gzip)
{
    (void)gzip;
    return (struct txtap_writer){NULL, NULL};
}

enum txtap_status gzip_flush(struct gzip *gzip)
{
    (void)gzip;
    return TXTAP_OK;
}

enum txtap_status gzip_end(struct gzip *gzip)
{
    (void)gzip;
    return TXTAP_OK;
}

void gzip_free(struct gzip *gzip)
{
    (void)gzip;
}
