/* SPDX-License-Identifier: MIT */
/* Finding the words with the half-laps that the recorder keeps beside its buffer, in scripted RAM. */
#include "ring/txtb.h"

#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "locate/elf_maker.h"
#include "txtb_bytes.h"

#define HEADER_AT (MADE_BSS + 0x100)
#define WORDS_AT  (MADE_BSS + 0x40)
#define ENTRIES   10u

/* RAM in which only a header and the words with the half-laps are readable. */
static struct {
    uint8_t header[TXTB_HEADER_BYTES], words[TXTAP_RING_HALF_LAPS_BYTES];
    unsigned exchanges, begins_again; /* in each of the first begins_again exchanges, a trace is enabled again */
    bool faults;
} ram;

static void begin_again(void)
{
    uint32_t life;

    memcpy(&life, ram.words + 8, sizeof life);
    put_u32(ram.words + 8, TXTAP_LITTLE, life + 1);
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    (void)self;
    ram.exchanges++;
    for (size_t i = 0; i < count; i++) {
        if (ram.faults)
            return TXTAP_ERROR_SYSTEM;
        if (reads[i].address == HEADER_AT) {
            memcpy(reads[i].buffer, ram.header, reads[i].length);
            if (ram.exchanges <= ram.begins_again)
                begin_again();
            continue;
        }
        cr_assert_eq(reads[i].address, WORDS_AT);
        memcpy(reads[i].buffer, ram.words, reads[i].length);
    }
    return TXTAP_OK;
}

static void put_words(uint32_t slot, uint32_t half_laps, uint32_t life)
{
    put_u32(ram.words, TXTAP_LITTLE, HEADER_AT + TXTB_HEADER_BYTES + slot * TXTB_ENTRY_BYTES);
    put_u32(ram.words + 4, TXTAP_LITTLE, half_laps);
    put_u32(ram.words + 8, TXTAP_LITTLE, life);
}

/* Sets up a buffer in its 40th lap, and the words beside it. */
static void set_up(void)
{
    memset(&ram, 0, sizeof ram);
    put_header(ram.header, TXTAP_LITTLE, HEADER_AT, 32, 0, ENTRIES);
    put_u16(ram.header + TXTB_HEADER_LAPS, TXTAP_LITTLE, 40);
    put_u32(ram.header + TXTB_HEADER_CURRENT, TXTAP_LITTLE, HEADER_AT + TXTB_HEADER_BYTES + 2 * TXTB_ENTRY_BYTES);
    put_words(7, 81, 5);
}

static struct txtap_ring_half_laps find_by(const struct made_symbol *symbol)
{
    static const struct txtap_source_ops ops = {
        .name = "ram", .read_bytes_max = 4096, .reads_max = 4, .read = read_ram};
    struct poller_place place = {.address = HEADER_AT};
    struct txtap_ring_half_laps found;
    uint8_t bytes[ELF_MAKER_BYTES];
    struct elf_file *elf;
    struct error error;
    char path[32];
    int fd = elf_make_file(bytes, elf_make(&(struct elf_recipe){.symbols = symbol, .symbol_count = 1}, bytes), path);

    cr_assert_eq(elf_open(&elf, path, &error), TXTAP_OK);
    cr_assert_eq(txtap_header_parse(ram.header, &place.header), TXTAP_OK);
    place.header.laps = 0; /* the laps at the time when the buffer was found */
    found = half_laps_find((struct txtap_source){&ops, NULL}, half_laps_address(elf), &place);
    cr_expect_eq(place.header.laps, found.address != 0 ? 40 : 0, "the header is that of the words");
    elf_close(elf);
    close(fd);
    return found;
}

static struct txtap_ring_half_laps find(void)
{
    return find_by(&(struct made_symbol){.name = HALF_LAPS_SYMBOL, .value = WORDS_AT, .size = 24});
}

Test(half_laps, are_found_by_their_symbol)
{
    struct txtap_ring_half_laps found;

    set_up();
    found = find();
    cr_expect_eq(found.address, WORDS_AT);
    cr_expect_eq(found.current, HEADER_AT + TXTB_HEADER_BYTES + 7 * TXTB_ENTRY_BYTES);
    cr_expect_eq(found.half_laps, 81);
    cr_expect_eq(found.life, 5);
    cr_expect_eq(ram.exchanges, 1);
}

Test(half_laps, are_not_used_at_impossible_addresses)
{
    static const struct made_symbol symbols[] = {
        {.name = "_tx_trace_header_ptr", .value = WORDS_AT, .size = 4},
        {.name = HALF_LAPS_SYMBOL, .value = MADE_TEXT, .size = 24},        /* not in RAM */
        {.name = HALF_LAPS_SYMBOL, .value = WORDS_AT, .size = 8},          /* too small */
        {.name = HALF_LAPS_SYMBOL, .value = WORDS_AT + 2, .size = 24},     /* not aligned to words */
        {.name = HALF_LAPS_SYMBOL, .value = HEADER_AT + 0x400, .size = 24} /* somewhere after the buffer */
    };

    for (unsigned i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        set_up();
        cr_expect_eq(find_by(&symbols[i]).address, 0, "symbol %u", i);
        cr_expect_eq(ram.exchanges, 0);
    }
}

Test(half_laps, must_belong_to_this_buffer)
{
    static const struct {
        uint32_t slot, half_laps, life;
        bool good;
    } rows[] = {
        {7, 81, 5, true},
        {0, 82, 5, true},  /* at the ring's start: the half-lap is already counted, the lap is not */
        {2, 80, 5, true},  /* the same position as in the header */
        {1, 80, 5, false}, /* the header was read first, but is ahead */
        {7, 80, 5, false}, /* the header is ahead by half a lap */
        {7, 81, 0, false}, /* laps are not counted */
        {10, 81, 5, false},
        {0x1000, 81, 5, false}, /* a position after the ring's end */
        {7, 79, 5, false},
        {7, 83, 5, false},            /* a wrong lap */
        {7, 81 + 2 * 65536, 5, true}, /* right, because the header's lap count has only 16 bits */
    };

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_up();
        put_words(rows[i].slot, rows[i].half_laps, rows[i].life);
        cr_expect_eq(find().address != 0, rows[i].good, "row %u", i);
    }
}

Test(half_laps, must_be_of_the_same_life_as_the_header)
{
    set_up();
    ram.begins_again = 2;
    cr_expect_eq(find().life, 7, "the third exchange shows one trace");
    cr_expect_eq(ram.exchanges, 3);
    set_up();
    ram.begins_again = 100;
    cr_expect_eq(find().address, 0);
    cr_expect_eq(ram.exchanges, 3);
}

Test(half_laps, are_not_needed_if_they_cannot_be_read)
{
    set_up();
    ram.faults = true;
    cr_expect_eq(find().address, 0);
}
