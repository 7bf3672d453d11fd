/* SPDX-License-Identifier: MIT */
/* Believes the words only if the header that was read between two readings of them suits both. */
#include "ring/txtb_half_laps.h"

#include "probe/source_base.h"
#include "txtap/inner/header.h"

#define TRIES 3 /* a trace may be enabled again just now */

enum { WORD_CURRENT, WORD_HALF_LAPS, WORD_LIFE, WORDS };

uint32_t half_laps_address(const struct elf_file *elf)
{
    struct elf_symbol symbol;

    if (elf == NULL || elf_symbol_find(elf, HALF_LAPS_SYMBOL, &symbol) != TXTAP_OK || !symbol.in_ram ||
        symbol.address % 4 != 0 || (symbol.size != 0 && symbol.size < TXTAP_RING_HALF_LAPS_BYTES))
        return 0;
    return symbol.address;
}

static void take_words(const uint8_t *bytes, enum txtap_endian endian, uint32_t words[WORDS])
{
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = memory_word(bytes + 4 * i, endian);
}

/*
 * Was the header, read between the two, that of the trace that the words are about? Its lap, counted last, is not below
 * the half-laps read before it, but for the one that is counted first. Its position, stored last, is not above the one
 * that the words behind it show.
 */
static bool agree(const struct txtap_header *header, const uint32_t before[WORDS], const uint32_t after[WORDS])
{
    uint32_t current = after[WORD_CURRENT], half_laps = after[WORD_HALF_LAPS];
    uint32_t middle = txtap_header_ring_entries(header) / 2;
    uint32_t least = before[WORD_HALF_LAPS] > 0 ? (before[WORD_HALF_LAPS] - 1) / 2 : 0, most, since;
    bool second_half = middle > 0 && txtap_header_slot(header, current) >= middle;

    if (after[WORD_LIFE] == 0 || before[WORD_LIFE] != after[WORD_LIFE] || !txtap_header_is_slot(header, current) ||
        half_laps < second_half)
        return false;
    most = (half_laps - second_half) / 2;
    since = (uint16_t)(header->laps - least);
    if (most - least > UINT16_MAX || since > most - least)
        return false;
    return since < most - least || txtap_header_slot(header, header->current) <= txtap_header_slot(header, current);
}

struct txtap_ring_half_laps half_laps_find(struct txtap_source source, uint32_t address, struct poller_place *place)
{
    uint32_t before[WORDS], after[WORDS];
    uint8_t first[TXTAP_RING_HALF_LAPS_BYTES], second[TXTAP_RING_HALF_LAPS_BYTES], bytes[TXTB_HEADER_BYTES];
    const struct txtap_read reads[] = {
        {address, sizeof first, first}, {place->address, sizeof bytes, bytes}, {address, sizeof second, second}};
    struct txtap_header header;

    for (unsigned i = 0; address != 0 && address < place->address && i < TRIES; i++) {
        if (source.ops->read(source.self, reads, sizeof reads / sizeof *reads) != TXTAP_OK)
            break;
        take_words(first, place->header.endian, before);
        take_words(second, place->header.endian, after);
        if (txtap_header_parse(bytes, &header) == TXTAP_OK && txtap_header_same_buffer(&header, &place->header) &&
            agree(&header, before, after)) {
            place->header = header;
            return (struct txtap_ring_half_laps){address, after[WORD_CURRENT], after[WORD_HALF_LAPS], after[WORD_LIFE]};
        }
    }
    return (struct txtap_ring_half_laps){.address = 0};
}
