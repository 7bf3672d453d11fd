/* SPDX-License-Identifier: MIT */
/* Takes the description of a firmware from its ELF file. */
#include "attach/firmware_identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locate/functions.h"
#include "locate/vectors.h"

#define BUILD_ID_BYTES 32 /* a GNU build ID usually has 20 bytes */

static void describe(struct identity *identity, const struct elf_file *elf)
{
    char text[2 * BUILD_ID_BYTES + 1] = "", name[256];
    const char *slash = strrchr(elf_path(elf), '/');
    uint64_t checksum = elf_symbols_checksum(elf);
    const uint8_t *id;
    size_t length = elf_build_id(elf, &id);

    /* A recording must not contain the path of the folder. */
    snprintf(name, sizeof name, "%.255s", slash != NULL ? slash + 1 : elf_path(elf));
    identity_add_about(identity, "firmware", name);
    for (size_t i = 0; i < length && i < BUILD_ID_BYTES; i++)
        snprintf(text + 2 * i, sizeof text - 2 * i, "%02x", id[i]);
    identity_add_about(identity, "build-id", text);
    if (checksum == 0)
        return;
    snprintf(text, sizeof text, "%016" PRIx64, checksum);
    identity_add_about(identity, "symbols", text);
}

void firmware_identity(struct identity *identity, const struct elf_file *elf)
{
    char *vectors = vectors_text(elf);

    if (identity->about == NULL) /* a recording knows its firmware better than the user's file */
        describe(identity, elf);
    if (vectors != NULL)
        identity_add_text(identity, false, vectors, strlen(vectors));
    free(vectors);
    free(identity->functions);
    identity->functions = functions_text(elf);
}

enum txtap_status firmware_identity_read(struct identity *identity, const char *path, struct error *error)
{
    struct elf_file *elf = NULL;
    enum txtap_status status = elf_open(&elf, path, error);

    if (status != TXTAP_OK)
        return status;
    firmware_identity(identity, elf);
    elf_close(elf);
    return TXTAP_OK;
}
