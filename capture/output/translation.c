/* SPDX-License-Identifier: MIT */
/* Which translator of the library takes the items. */
#include "output/translation.h"

#include <stdlib.h>

static enum txtap_status no_memory(struct error *error)
{
    return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the events of another kernel");
}

enum txtap_status translation_from_logger(struct translation *translation, struct error *error)
{
    if (translation->logger != NULL)
        return TXTAP_OK;
    translation->logger = calloc(1, sizeof *translation->logger);
    if (translation->logger == NULL)
        return no_memory(error);
    translation->logger->next = translation->next;
    return TXTAP_OK;
}

enum txtap_status translation_take(void *self, const struct txtap_item *item)
{
    struct translation *translation = self;

    if (translation->logger != NULL)
        return txtap_zephyr_logger_take(translation->logger, item);
    return txtap_sink_take(translation->next, item);
}

enum txtap_status translation_end(struct translation *translation)
{
    return translation->logger != NULL ? txtap_zephyr_logger_end(translation->logger) : TXTAP_OK;
}

const char *translation_lacks(const struct translation *translation)
{
    return translation->logger != NULL ? txtap_zephyr_logger_lacks() : NULL;
}

void translation_free(struct translation *translation)
{
    free(translation->logger);
    translation->logger = NULL;
}
