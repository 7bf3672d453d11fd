/* SPDX-License-Identifier: MIT */
/* Compares a sample of code with the target's memory. Works with any memory source. */
#include "locate/firmware_check.h"

#include <stdbool.h>

#define SECTIONS_MAX    16
#define PIECES_MAX      24u
#define PIECE_BYTES_MIN 16u
#define PIECE_BYTES_MAX 128u
#define ENOUGH          6u /* the firmware is different if at least two pieces differ, and at least one in six */

struct sample {
    const uint8_t *bytes[PIECES_MAX]; /* for each piece: its bytes in the ELF file */
    struct txtap_read reads[PIECES_MAX];
    uint8_t target[PIECES_MAX][PIECE_BYTES_MAX];
    size_t count;
};

/* Adds a piece of at most `length` bytes, which ends with its section. offset: counts the bytes of all sections,
 * without the gaps between sections. */
static void add_piece(struct sample *sample, const struct elf_code *sections, size_t count, uint32_t offset,
                      uint32_t length)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t left = sections[i].length;

        if (offset >= left) {
            offset -= left;
            continue;
        }
        left -= offset;
        sample->bytes[sample->count] = sections[i].bytes + offset;
        sample->reads[sample->count] = (struct txtap_read){
            .address = sections[i].address + offset,
            .length = length < left ? length : left,
            .buffer = sample->target[sample->count],
        };
        sample->count++;
        return;
    }
}

/* Spreads the pieces evenly over all code. This sample is enough: even a small change in a program moves code and
 * changes addresses everywhere. */
static void choose(struct sample *sample, const struct elf_file *elf)
{
    struct elf_code sections[SECTIONS_MAX];
    size_t count = elf_code(elf, sections, SECTIONS_MAX);
    uint64_t total = 0;
    uint32_t pieces, length;

    sample->count = 0;
    for (size_t i = 0; i < count; i++)
        total += sections[i].length;
    if (total > UINT32_MAX || total < 2 * PIECE_BYTES_MIN)
        return;
    pieces = total / PIECE_BYTES_MIN < PIECES_MAX ? (uint32_t)total / PIECE_BYTES_MIN : PIECES_MAX;
    length = total / pieces < PIECE_BYTES_MAX ? (uint32_t)(total / pieces) & ~3u : PIECE_BYTES_MAX;
    for (uint32_t i = 0; i < pieces; i++)
        add_piece(sample, sections, count, (uint32_t)((total - length) * i / (pieces - 1)) & ~3u, length);
}

/*
 * Returns the offset of the first difference in a piece; without a difference, the length of the piece. A Thumb
 * breakpoint (BKPT) in the target is not a difference.
 */
static uint32_t first_difference(const struct sample *sample, size_t piece)
{
    const uint8_t *file = sample->bytes[piece], *target = sample->target[piece];
    uint32_t length = sample->reads[piece].length, at = 0;

    while (at < length && ((file[at] == target[at] && file[at + 1] == target[at + 1]) || target[at + 1] == 0xBE))
        at += 2;
    return at;
}

/* Returns true if all bytes in the target are the same, as in erased or protected flash. */
static bool is_blank(const struct sample *sample)
{
    uint8_t first = sample->target[0][0];

    for (size_t i = 0; i < sample->count; i++)
        for (uint32_t at = 0; at < sample->reads[i].length; at++)
            if (sample->target[i][at] != first)
                return false;
    return true;
}

static void judge(const struct sample *sample, struct firmware_check *check)
{
    size_t differ = 0;

    for (size_t i = 0; i < sample->count; i++) {
        uint32_t at = first_difference(sample, i);

        if (at < sample->reads[i].length && differ++ == 0)
            check->where = sample->reads[i].address + at;
    }
    if (differ == 0)
        check->firmware = FIRMWARE_SAME;
    else if (differ >= 2 && differ * ENOUGH >= sample->count)
        check->firmware = FIRMWARE_OTHER;
}

enum txtap_status firmware_check(struct txtap_source source, const struct elf_file *elf, struct firmware_check *check)
{
    struct sample sample;
    enum txtap_status status;

    *check = (struct firmware_check){.firmware = FIRMWARE_UNKNOWN};
    choose(&sample, elf);
    if (sample.count == 0)
        return TXTAP_OK;
    status = source.ops->read(source.self, sample.reads, sample.count);
    if (status == TXTAP_OK && !is_blank(&sample))
        judge(&sample, check);
    return status == ERROR_FAULT ? TXTAP_OK : status;
}
