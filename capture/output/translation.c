/* SPDX-License-Identifier: MIT */
/* Chooses the translator of the library that fits the kernel which wrote the items. */
#include "output/translation.h"

#include <stdlib.h>

#include "file/ctf_directory.h"

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

static struct translated_ctf *new_ctf(struct error *error)
{
    struct translated_ctf *ctf = malloc(sizeof *ctf);

    if (ctf == NULL)
        (void)no_memory(error);
    return ctf;
}

static enum txtap_status begin_ctf(struct translation *translation, struct translated_ctf *ctf,
                                   struct txtap_registry *registry, enum txtap_status status)
{
    if (status != TXTAP_OK) {
        free(ctf);
        return status;
    }
    txtap_zephyr_ctf_init(&ctf->ctf, &ctf->layout, registry, translation->next);
    translation->ctf = ctf;
    return TXTAP_OK;
}

enum txtap_status translation_from_ctf(struct translation *translation, const char *metadata,
                                       struct txtap_registry *registry, struct error *error)
{
    struct translated_ctf *ctf = new_ctf(error);

    if (ctf == NULL)
        return TXTAP_ERROR_SYSTEM;
    return begin_ctf(translation, ctf, registry, ctf_metadata_read(metadata, &ctf->layout, NULL, error));
}

enum txtap_status translation_from_directory(struct translation *translation, const char *path,
                                             struct txtap_registry *registry, uint8_t **stream, size_t *length,
                                             struct error *error)
{
    struct translated_ctf *ctf = new_ctf(error);

    if (ctf == NULL)
        return TXTAP_ERROR_SYSTEM;
    return begin_ctf(translation, ctf, registry, ctf_directory_read(path, &ctf->layout, stream, length, error));
}

size_t translation_filled(const struct translation *translation, const uint8_t *bytes, size_t length)
{
    struct txtap_ctf_counter counter = {.records = 0};
    size_t filled = length;

    if (translation->ctf == NULL)
        return length;
    txtap_ctf_count(&translation->ctf->layout, &counter, bytes, length);
    while (filled > counter.bytes && bytes[filled - 1] == 0)
        filled--;
    return filled > counter.bytes ? length : (size_t)counter.bytes;
}

enum txtap_status translation_take(void *self, const struct txtap_item *item)
{
    struct translation *translation = self;

    if (item->kind == TXTAP_ITEM_SAMPLE)
        return txtap_sink_take(translation->next, item);
    if (translation->logger != NULL)
        return txtap_zephyr_logger_take(translation->logger, item);
    if (translation->ctf != NULL)
        return txtap_zephyr_ctf_take(&translation->ctf->ctf, item);
    return txtap_sink_take(translation->next, item);
}

enum txtap_status translation_end(struct translation *translation)
{
    if (translation->ctf != NULL)
        return txtap_zephyr_ctf_end(&translation->ctf->ctf);
    return translation->logger != NULL ? txtap_zephyr_logger_end(translation->logger) : TXTAP_OK;
}

const char *translation_lacks(const struct translation *translation)
{
    if (translation->ctf != NULL)
        return txtap_zephyr_ctf_lacks(&translation->ctf->ctf);
    return translation->logger != NULL ? txtap_zephyr_logger_lacks() : NULL;
}

void translation_free(struct translation *translation)
{
    free(translation->logger);
    free(translation->ctf);
    translation->logger = NULL;
    translation->ctf = NULL;
}
