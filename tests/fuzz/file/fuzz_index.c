/* SPDX-License-Identifier: MIT */
/* Gives any bytes to the parser of a folder's index. Its rows must be safe to use, and must be the same after they were
 * written and read again. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "store/store_index.h"

static void check(const struct store_file *file)
{
    REQUIRE(file->name[0] != '\0' && file->name[0] != '.' && strchr(file->name, '/') == NULL);
    REQUIRE(file->since_us <= file->until_us && file->until_us <= INT64_MAX);
    REQUIRE(file->events <= INT64_MAX && file->lost <= INT64_MAX);
    REQUIRE(strspn(file->build, "0123456789abcdef") == strlen(file->build));
    REQUIRE(strlen(file->build) < sizeof file->build && strlen(file->firmware) < sizeof file->firmware);
    for (const char *at = file->firmware; *at != '\0'; at++)
        REQUIRE(*at >= ' ' && *at <= '~');
}

/* Not store_index_free(), which is in a file that also reads folders. */
static void release(struct store_index *index)
{
    for (size_t i = 0; i < index->count; i++)
        store_file_free(&index->files[i]);
    free(index->files);
}

static void check_written(const struct store_index *index)
{
    struct store_index again = {0};
    size_t length;
    char *text = store_index_text(index, &length);

    REQUIRE(text != NULL && store_index_parse(&again, text, length));
    REQUIRE(again.count == index->count);
    for (size_t i = 0; i < index->count; i++) {
        const struct store_file *one = &index->files[i], *other = &again.files[i];

        REQUIRE(strcmp(one->name, other->name) == 0 && strcmp(one->build, other->build) == 0);
        REQUIRE(strcmp(one->firmware, other->firmware) == 0 && one->recording == other->recording);
        REQUIRE(one->bytes == other->bytes && one->since_us == other->since_us && one->until_us == other->until_us);
        REQUIRE(one->events == other->events && one->lost == other->lost && one->ended == other->ended);
    }
    release(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    struct store_index index = {0};
    char *text = malloc(length + 1);

    REQUIRE(text != NULL);
    memcpy(text, data, length);
    text[length] = '\0';
    if (store_index_parse(&index, text, length)) {
        for (size_t i = 0; i < index.count; i++)
            check(&index.files[i]);
        check_written(&index);
    }
    REQUIRE(index.count <= STORE_FILES_MAX);
    release(&index);
    free(text);
    return 0;
}
