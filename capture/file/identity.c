/* SPDX-License-Identifier: MIT */
/* Collects the description of a recording from its blocks. In a file, it reads the head of each block, and
 * the content of only these blocks. */
#include "file/identity.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/recording.h"

#define ABOUT_BYTES_MAX 4096

void identity_free(struct identity *identity)
{
    for (size_t i = 0; i < identity->text_count; i++)
        free(identity->texts[i].text);
    free(identity->stacks);
    free(identity->about);
    free(identity->functions);
    free(identity->piece);
    *identity = (struct identity){.about = NULL};
}

/* ---- texts ---- */

static bool is_known(const struct identity *identity, const char *text, size_t length)
{
    for (size_t i = 0; i < identity->text_count; i++)
        if (identity->texts[i].length == length && memcmp(identity->texts[i].text, text, length) == 0)
            return true;
    return false;
}

/* Returns the place of a text: the place of its beginning if the firmware's text has grown, otherwise a new place.
 * NULL: there is no place. */
static struct identity_text *place_of(struct identity *identity, bool of_user, const char *text, size_t length)
{
    for (size_t i = 0; i < identity->text_count && !of_user; i++) {
        struct identity_text *earlier = &identity->texts[i];

        if (!earlier->of_user && earlier->length < length && memcmp(earlier->text, text, earlier->length) == 0)
            return earlier;
    }
    return identity->text_count < IDENTITY_TEXTS_MAX ? &identity->texts[identity->text_count] : NULL;
}

void identity_add_text(struct identity *identity, bool of_user, const char *text, size_t length)
{
    struct identity_text *place = place_of(identity, of_user, text, length);
    char *copy = length > 0 && place != NULL && !is_known(identity, text, length) ? malloc(length + 1) : NULL;

    if (copy == NULL)
        return;
    memcpy(copy, text, length);
    copy[length] = '\0';
    free(place->text); /* NULL in a new place */
    identity->text_count += place->text == NULL;
    *place = (struct identity_text){of_user, copy, length};
}

enum txtap_status identity_add_files(struct identity *identity, const char *const *paths, size_t count,
                                     struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < count && status == TXTAP_OK; i++) {
        size_t length;
        uint8_t *bytes;

        status = input_read_file(paths[i], (size_t)4 << 20, "is it a file of definitions?", &bytes, &length, error);
        if (status == TXTAP_OK)
            identity_add_text(identity, true, (const char *)bytes, length);
        free(bytes);
    }
    return status;
}

void identity_add_about(struct identity *identity, const char *key, const char *value)
{
    size_t used = identity->about != NULL ? strlen(identity->about) : 0;
    size_t length = used + strlen(key) + strlen(value) + 3;
    char *about = NULL;

    if (*value != '\0' && strchr(value, '\n') == NULL && length <= ABOUT_BYTES_MAX)
        about = realloc(identity->about, length);
    if (about == NULL)
        return;
    snprintf(about + used, length - used, "%s %s\n", key, value);
    identity->about = about;
}

/* ---- blocks ---- */

static void take_piece(struct identity *identity, const struct txtap_recording_item *block)
{
    if (block->at == 0) {
        free(identity->piece);
        identity->piece = malloc(block->total);
    }
    if (!txtap_recording_piece(&identity->pieces, block) || identity->piece == NULL)
        return;
    memcpy(identity->piece + block->at, block->bytes, block->length);
    if (identity->pieces.length < identity->pieces.total)
        return;
    identity_add_text(identity, block->of_user, identity->piece, identity->pieces.length);
    free(identity->piece);
    identity->piece = NULL;
}

void identity_take(struct identity *identity, const struct txtap_recording_item *block)
{
    if (block->type == TXTAP_RECORDING_RATE) {
        identity->rate = block->rate;
    } else if (block->type == TXTAP_RECORDING_ABOUT) {
        free(identity->about);
        identity->about = strdup(block->about);
    } else if (block->type == TXTAP_RECORDING_MEANING) {
        take_piece(identity, block);
    } else if (block->type == TXTAP_RECORDING_STACKS) {
        free(identity->stacks);
        identity->stacks = strdup(block->stacks);
    }
}

/* ---- files ---- */

struct scan {
    int fd;
    uint64_t at;
    uint8_t bytes[TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX];
};

static bool read_at(struct scan *scan, size_t length)
{
    return pread(scan->fd, scan->bytes, length, (off_t)scan->at) == (ssize_t)length;
}

static double width_of(const struct txtap_rate *rate)
{
    return rate->how == TXTAP_RATE_UNKNOWN ? 2 : (rate->high - rate->low) / rate->hz;
}

/* Takes a block that describes the recording. number: its number in the file. False: the block is damaged. */
static bool take_block(struct identity *identity, struct scan *scan, uint32_t number)
{
    struct txtap_recording recording = {.number = number, .begun = true};
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t needed = TXTAP_RECORDING_BLOCK_BYTES;
    enum txtap_status status = TXTAP_AGAIN;

    for (size_t have = 0; status == TXTAP_AGAIN && have < needed;) {
        if (!read_at(scan, needed))
            return false;
        have = needed;
        status = txtap_recording_block(&recording, scan->bytes, have, &block, &needed);
    }
    if (status != TXTAP_OK || block.compressed ||
        txtap_recording_item(&block, block.stored, block.stored_bytes, &item) != TXTAP_OK)
        return false;
    identity_take(identity, &item);
    return true;
}

static void scan_file(struct identity *identity, struct scan *scan)
{
    struct txtap_recording recording;
    uint32_t number = 0;

    if (!read_at(scan, TXTAP_RECORDING_HEAD_BYTES) || txtap_recording_open(&recording, scan->bytes) != TXTAP_OK)
        return;
    scan->at = TXTAP_RECORDING_HEAD_BYTES;
    while (read_at(scan, TXTAP_RECORDING_BLOCK_BYTES)) {
        struct txtap_recording_outline outline;

        if (!txtap_recording_outline(scan->bytes, number, &outline))
            return;
        if (outline.type >= TXTAP_RECORDING_RATE && outline.type <= TXTAP_RECORDING_STACKS &&
            !take_block(identity, scan, number))
            return;
        scan->at += TXTAP_RECORDING_BLOCK_BYTES + outline.stored_bytes;
        number++;
        if (outline.type == TXTAP_RECORDING_END) { /* another file of the recording may follow in this file */
            if (!read_at(scan, TXTAP_RECORDING_HEAD_BYTES) || txtap_recording_open(&recording, scan->bytes) != TXTAP_OK)
                return;
            scan->at += TXTAP_RECORDING_HEAD_BYTES;
            number = 0;
        }
    }
}

void identity_scan(struct identity *identity, const char *const *paths, size_t count)
{
    struct scan *scan = malloc(sizeof *scan);
    struct txtap_rate before;
    struct stat about;

    for (size_t i = 0; scan != NULL && i < count; i++) {
        const char *path = strcmp(paths[i], "-") == 0 ? "/dev/stdin" : paths[i];

        if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        scan->fd = open(path, O_RDONLY | O_CLOEXEC);
        scan->at = 0;
        if (scan->fd < 0)
            continue;
        identity->scanned = true;
        before = identity->rate;
        identity->rate = (struct txtap_rate){.how = TXTAP_RATE_UNKNOWN};
        scan_file(identity, scan);
        close(scan->fd);
        if (width_of(&before) < width_of(&identity->rate)) /* the files may be in any order */
            identity->rate = before;
    }
    free(scan);
}

/* ---- in words ---- */

/* Adds `words` and the value of a key. Adds nothing if the key is missing. */
static void add_value(const struct identity *identity, const char *key, const char *words,
                      char out[static IDENTITY_TEXT_BYTES])
{
    char value[128], shown[TXTAP_ESCAPED_BYTES(sizeof value)];
    size_t length, used = strlen(out);
    const char *at = identity->about != NULL ? txtap_recording_about(identity->about, key, &length) : NULL;

    if (at == NULL)
        return;
    snprintf(value, sizeof value, "%.*s", (int)(length < sizeof value ? length : sizeof value - 1), at);
    snprintf(out + used, IDENTITY_TEXT_BYTES - used, "%s%s%s", used > 0 ? ", " : "", words,
             txtap_escape_terminal(shown, sizeof shown, value));
}

const char *identity_text(const struct identity *identity, char out[static IDENTITY_TEXT_BYTES])
{
    out[0] = '\0';
    add_value(identity, "firmware", "firmware ", out);
    add_value(identity, "build-id", "build id ", out);
    add_value(identity, "symbols", "symbols ", out);
    add_value(identity, "txtap", "recorded by txtap ", out);
    return out;
}
