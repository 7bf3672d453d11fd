/* SPDX-License-Identifier: MIT */
#include "file/container_maker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "txtb_bytes.h"

void make_text(struct made *file, const char *text)
{
    size_t length = strlen(text);

    cr_assert_leq(file->length + length, sizeof file->bytes);
    memcpy(file->bytes + file->length, text, length);
    file->length += length;
}

static unsigned make_byte(struct made *file, unsigned byte)
{
    char text[3];

    snprintf(text, sizeof text, "%02X", byte & 0xFF);
    make_text(file, text);
    return byte & 0xFF;
}

void make_ihex(struct made *file, unsigned type, unsigned address, const uint8_t *bytes, size_t count)
{
    unsigned sum = 0;

    make_text(file, ":");
    sum += make_byte(file, (unsigned)count);
    sum += make_byte(file, address >> 8);
    sum += make_byte(file, address);
    sum += make_byte(file, type);
    for (size_t i = 0; i < count; i++)
        sum += make_byte(file, bytes[i]);
    make_byte(file, 0u - sum);
    make_text(file, "\r\n");
}

void make_ihex_memory(struct made *file, uint32_t address, const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t here = address + (uint32_t)at;
        size_t count = length - at < 16 ? length - at : 16;
        const uint8_t base[2] = {(uint8_t)(here >> 24), (uint8_t)(here >> 16)};

        if (at == 0 || (here & 0xFFFF) < 16)
            make_ihex(file, 4, 0, base, 2);
        if (count > 0x10000 - (here & 0xFFFF))
            count = 0x10000 - (here & 0xFFFF);
        make_ihex(file, 0, here & 0xFFFF, bytes + at, count);
        at += count;
    }
}

void make_srec(struct made *file, char type, uint32_t address, const uint8_t *bytes, size_t count)
{
    static const unsigned address_bytes[] = {2, 2, 3, 4, 0, 2, 3, 4, 3, 2};
    const char start[3] = {'S', type, '\0'};
    unsigned size = address_bytes[type - '0'], sum = 0;

    make_text(file, start);
    sum += make_byte(file, size + (unsigned)count + 1);
    for (unsigned i = size; i > 0; i--)
        sum += make_byte(file, address >> 8 * (i - 1));
    for (size_t i = 0; i < count; i++)
        sum += make_byte(file, bytes[i]);
    make_byte(file, ~sum);
    make_text(file, "\n");
}

void make_srec_memory(struct made *file, uint32_t address, const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; at < length; at += 16)
        make_srec(file, '3', address + (uint32_t)at, bytes + at, length - at < 16 ? length - at : 16);
}

static void put_word(uint8_t *at, bool wide, enum txtap_endian endian, uint64_t value)
{
    if (wide)
        put_u32(at + (endian == TXTAP_BIG ? 0 : 4), endian, (uint32_t)(value >> 32));
    put_u32(at + (wide && endian == TXTAP_BIG ? 4 : 0), endian, (uint32_t)value);
}

void make_elf(struct made *file, bool wide, enum txtap_endian endian, const struct made_load *loads, size_t count)
{
    size_t header = wide ? 64 : 52, each = wide ? 56 : 32, data = header + (count + 1) * each;
    uint8_t *at = file->bytes;

    memset(at, 0, data);
    memcpy(at, "\177ELF", 4);
    at[4] = wide ? 2 : 1;
    at[5] = endian == TXTAP_BIG ? 2 : 1;
    at[6] = 1;
    put_u16(at + 16, endian, 4); /* ET_CORE */
    put_word(at + (wide ? 32 : 28), wide, endian, header);
    put_u16(at + (wide ? 54 : 42), endian, (uint16_t)each);
    put_u16(at + (wide ? 56 : 44), endian, (uint16_t)(count + 1));
    put_u32(at + header, endian, 4); /* PT_NOTE */
    put_word(at + header + (wide ? 32 : 16), wide, endian, 12);
    for (size_t i = 0; i < count; i++) {
        uint8_t *load = at + header + (i + 1) * each;

        put_u32(load, endian, 1);
        put_word(load + (wide ? 8 : 4), wide, endian, data);
        put_word(load + (wide ? 16 : 8), wide, endian, loads[i].address);
        put_word(load + (wide ? 32 : 16), wide, endian, loads[i].length);
        put_word(load + (wide ? 40 : 20), wide, endian, loads[i].length + 64);
        cr_assert_leq(data + loads[i].length, sizeof file->bytes);
        memcpy(at + data, loads[i].bytes, loads[i].length);
        data += loads[i].length;
    }
    file->length = data;
}

static void check_segments(const struct read_back *got)
{
    uint64_t sum = 0;

    cr_assert_leq(got->count, got->container.segments_max);
    for (size_t i = 0; i < got->count; i++) {
        const struct txtap_segment *segment = &got->segments[i];
        bool in_file = got->container.memory_bytes == 0;
        const uint8_t *from = in_file ? got->copy : got->memory;
        size_t room = in_file ? got->container.file_bytes : got->container.memory_bytes;

        cr_assert_gt(segment->length, 0);
        cr_assert_leq(segment->length - 1, UINT64_MAX - segment->address);
        cr_assert(segment->bytes >= from && segment->bytes + segment->length <= from + room);
        if (i > 0)
            cr_assert_gt(segment->address - 1, segment[-1].address + (segment[-1].length - 1), "separate and sorted");
        sum += segment->length;
    }
    if (got->container.memory_bytes > 0)
        cr_assert_eq(sum + got->overlapping, got->container.memory_bytes);
}

struct read_back read_back(const uint8_t *bytes, size_t length)
{
    struct read_back got = {.copy = malloc(length + !length)};
    struct txtap_segment *segments;

    memcpy(got.copy, bytes, length);
    got.status = txtap_container_open(&got.container, got.copy, length);
    if (got.status != TXTAP_OK) {
        cr_assert(got.status == TXTAP_ERROR_FORMAT || got.status == TXTAP_ERROR_SPACE);
        cr_assert_neq(got.container.error[0], '\0', "a failure has a reason");
        return got;
    }
    got.memory = malloc(got.container.memory_bytes + !got.container.memory_bytes);
    segments = malloc((got.container.segments_max + 1) * sizeof *segments);
    cr_assert_eq(txtap_container_read(&got.container, got.memory, segments, &got.count, &got.overlapping), TXTAP_OK);
    cr_assert_leq(got.count, MADE_SEGMENTS_MAX);
    memcpy(got.segments, segments, got.count * sizeof *segments);
    free(segments);
    check_segments(&got);
    return got;
}

void read_back_free(struct read_back *got)
{
    free(got->copy);
    free(got->memory);
}
