/* SPDX-License-Identifier: MIT */
/*
 * Texts of a file for Perfetto, which are written once and then are numbers. A number means its text to the end of the
 * file, also when the text is not remembered here any more, and is written again with another number.
 */
#include <string.h>

#include "base/utf8.h"
#include "format/perfetto.h"

enum { PACKET_TEXTS = 12, TEXT_NUMBER = 1, TEXT_BYTES = 2 };

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static void write_text(struct txtap_exporter *self, const struct interned *slot)
{
    struct packet packet;
    uint8_t *texts, *entry;

    packet_begin(self, &packet);
    texts = protobuf_open(&packet.message, PACKET_TEXTS);
    entry = protobuf_open(&packet.message, slot->kind);
    protobuf_number(&packet.message, TEXT_NUMBER, slot->number);
    protobuf_text(&packet.message, TEXT_BYTES, slot->text);
    protobuf_close(&packet.message, entry);
    protobuf_close(&packet.message, texts);
    (void)packet_end(self, &packet); /* the packet that uses it fails, too */
}

/* Copies what fits, cut between two characters. Bytes that are no characters are cut anywhere. */
static void copy_text(char room[static INTERNED_BYTES], const char *text)
{
    size_t used = 0, bytes;

    for (; text[used] != '\0'; used += bytes) {
        bytes = utf8_length(text + used);
        bytes = bytes > 0 ? bytes : 1;
        if (used + bytes >= INTERNED_BYTES)
            break;
    }
    memcpy(room, text, used);
    room[used] = '\0';
}

uint64_t perfetto_text(struct txtap_exporter *self, enum interned_kind kind, const char *text)
{
    struct perfetto *perfetto = self->changes.state;
    char cut[INTERNED_BYTES];
    struct interned *slot;
    uint32_t hash;

    if (strlen(text) >= INTERNED_BYTES) {
        copy_text(cut, text);
        text = cut;
    }
    hash = hash_of(text) + (uint32_t)kind;
    slot = &perfetto->interned[(hash ^ hash >> 16) % INTERNED];
    if (slot->number != 0 && slot->hash == hash && slot->kind == kind && strcmp(slot->text, text) == 0)
        return slot->number;
    *slot = (struct interned){.number = ++perfetto->texts, .hash = hash, .kind = (uint8_t)kind};
    memcpy(slot->text, text, strlen(text) + 1);
    write_text(self, slot);
    return slot->number;
}

uint64_t perfetto_placed_text(struct txtap_exporter *self, enum interned_kind kind, const char *text)
{
    struct perfetto *perfetto = self->changes.state;
    uintptr_t address = (uintptr_t)text;
    struct placed *slot = &perfetto->placed[(address ^ address >> 10) % PLACED];

    if (slot->text != text || slot->kind != kind || slot->generation != self->registry->generation)
        *slot = (struct placed){.text = text,
                                .number = perfetto_text(self, kind, text),
                                .generation = self->registry->generation,
                                .kind = (uint8_t)kind};
    return slot->number;
}
