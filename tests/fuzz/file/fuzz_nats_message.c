/* SPDX-License-Identifier: MIT */
/*
 * Takes any bytes as messages of a subject, as a subscriber gets them, and reads the files in them as recordings. The
 * first line is the name of a place. Each message then has the length of its mark, the mark, the length of its payload
 * in two bytes, and the payload. A payload that begins a file also comes with corrected blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "nats/message.h"
#include "nats/place.h"
#include "recording_repair.h"
#include "txtap/recording.h"

static struct txtap_recording_player player;
static struct txtap_registry registry;
static struct txtap_object objects[16];

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    (void)self;
    REQUIRE(item->kind != TXTAP_ITEM_GAP || item->gap.lost > 0 || !item->gap.exact);
    return TXTAP_OK;
}

/* Reads the file so far. */
static void play(const uint8_t *bytes, size_t length)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, taken;

    if (length < at || txtap_recording_open(&recording, bytes) != TXTAP_OK)
        return;
    txtap_registry_init(&registry, objects, sizeof objects / sizeof *objects);
    txtap_recording_player_init(&player, &registry);
    while (txtap_recording_block(&recording, bytes + at, length - at, &block, &taken) == TXTAP_OK) {
        REQUIRE(taken <= length - at);
        if (txtap_recording_item(&block, block.stored, block.stored_bytes, &item) == TXTAP_OK)
            REQUIRE(txtap_recording_play(&player, &item, (struct txtap_sink){take, NULL}) == TXTAP_OK);
        at += taken;
    }
}

/* The file that the messages so far make. */
struct file {
    uint8_t *bytes;
    size_t length;
};

static void end_file(struct file *file)
{
    play(file->bytes, file->length);
    recording_repair(file->bytes, file->length);
    play(file->bytes, file->length);
    file->length = 0;
}

static void check_place(const uint8_t *bytes, size_t length)
{
    struct nats_place place;
    struct error error = {0};
    size_t fixed = 0;
    char *name = malloc(length + 1);

    REQUIRE(name != NULL);
    memcpy(name, bytes, length);
    name[length] = '\0';
    if (nats_place_parse(&place, name, &error) == TXTAP_OK) {
        REQUIRE(nats_is_place(name) && place.count > 0 && place.count <= NATS_SERVERS_MAX);
        REQUIRE(strpbrk(place.subject, " *>/\\@$\t\n") == NULL && *place.subject != '\0');
        REQUIRE(strchr(place.text, '@') == NULL && strncmp(place.subject, "../", 3) != 0);
        REQUIRE(strstr(place.subject, "..") == NULL);
    } else {
        REQUIRE(error.status == TXTAP_ERROR_USAGE && *error.what != '\0' && *error.hint != '\0');
    }
    error_clear(&error);
    if (nats_pattern_parse(&place, name, &fixed, &error) == TXTAP_OK) {
        REQUIRE(nats_is_place(name) && fixed <= strlen(place.subject));
        REQUIRE(strpbrk(place.subject, " /\\@$\t\n") == NULL && *place.subject != '\0');
        REQUIRE(strspn(place.subject + fixed, "*>.") == strlen(place.subject + fixed));
        REQUIRE(strcspn(place.subject, "*>") == fixed && strchr(place.text, '@') == NULL);
    }
    free(name);
}

/* Gives a message to the order of a subscriber, and checks the verdict. */
static enum nats_verdict judge(struct nats_order *order, const char *text, size_t length)
{
    const struct nats_order before = *order;
    enum nats_verdict verdict = nats_order_take(order, text, length);
    struct nats_mark mark;

    REQUIRE(order->missing >= before.missing && order->foreign - before.foreign <= 1);
    if (verdict == NATS_SKIP)
        return verdict;
    REQUIRE(nats_mark_parse(&mark, text) && length > 0 && length <= NATS_MESSAGE_BYTES);
    REQUIRE(mark.begins == (verdict == NATS_BEGINS) && order->number == mark.number && !order->broken);
    if (verdict == NATS_TAKE)
        REQUIRE(before.begun && mark.session == before.session && mark.number == before.number + 1);
    return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const uint8_t *line = memchr(bytes, '\n', length);
    struct nats_order order = {0};
    struct file file = {.bytes = malloc(length + 1)};
    size_t at = line != NULL ? (size_t)(line - bytes) + 1 : length;

    REQUIRE(file.bytes != NULL);
    check_place(bytes, line != NULL ? at - 1 : length);
    while (at + 3 <= length) {
        size_t mark_length = bytes[at], payload;
        char text[256];
        enum nats_verdict verdict;

        if (length - at < 3 + mark_length)
            break;
        memcpy(text, bytes + at + 1, mark_length);
        text[mark_length] = '\0';
        at += 1 + mark_length;
        payload = bytes[at] | (size_t)bytes[at + 1] << 8;
        at += 2;
        payload = payload < length - at ? payload : length - at;
        verdict = judge(&order, mark_length > 0 ? text : NULL, payload);
        if (verdict == NATS_BEGINS)
            end_file(&file);
        if (verdict != NATS_SKIP) {
            memcpy(file.bytes + file.length, bytes + at, payload);
            file.length += payload;
        }
        at += payload;
    }
    end_file(&file);
    free(file.bytes);
    return 0;
}
