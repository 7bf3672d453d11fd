/* SPDX-License-Identifier: MIT */
/* Containers that are text, and the recognition of the kind of a container. ELF is tested in test_container_elf.c. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "file/container_maker.h"
#include "txtb_bytes.h"

#define MEMORY_BYTES 700
#define ADDRESS      0x2000FFF1u /* crosses a 64 KiB boundary; records do not start at multiples of 16 */

static struct made file;
static uint8_t memory[MEMORY_BYTES];

static void begin(void)
{
    memset(&file, 0, sizeof file);
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)(i * 7 + i / 256);
}

TestSuite(container, .init = begin);

static void assert_segment(const struct txtap_segment *segment, uint64_t address, const uint8_t *bytes, size_t length)
{
    cr_assert_eq(segment->address, address, "0x%lx", segment->address);
    cr_assert_eq(segment->length, length, "%zu bytes", segment->length);
    cr_assert_eq(memcmp(segment->bytes, bytes, length), 0);
}

static void assert_memory(enum txtap_container_kind kind, uint64_t address)
{
    struct read_back got = read_back(file.bytes, file.length);

    cr_assert_eq(got.status, TXTAP_OK, "line %zu: %s", got.container.error_line, got.container.error);
    cr_assert_eq(got.container.kind, kind, "%s", txtap_container_name(got.container.kind));
    cr_assert_eq(got.count, 1);
    assert_segment(&got.segments[0], address, memory, sizeof memory);
    read_back_free(&got);
}

static void assert_damaged(size_t line, const char *words)
{
    struct read_back got = read_back(file.bytes, file.length);

    cr_assert_eq(got.status, TXTAP_ERROR_FORMAT, "%s", words);
    cr_assert_eq(got.container.error_line, line, "line %zu: %s", got.container.error_line, got.container.error);
    cr_assert(strstr(got.container.error, words) != NULL, "%s", got.container.error);
    read_back_free(&got);
}

static void assert_text_damaged(const char *text, size_t line, const char *words)
{
    begin();
    make_text(&file, text);
    assert_damaged(line, words);
}

Test(container, of_intel_hex_returns_the_original_memory)
{
    const uint8_t start[4] = {8, 0, 1, 1};

    make_ihex_memory(&file, ADDRESS, memory, sizeof memory);
    make_ihex(&file, 5, 0, start, 4);
    make_ihex(&file, 3, 0, start, 4);
    make_ihex(&file, 1, 0, NULL, 0);
    assert_memory(TXTAP_CONTAINER_IHEX, ADDRESS);
}

Test(container, of_intel_hex_counts_segments_by_16_bytes)
{
    const uint8_t base[2] = {0x12, 0x34};

    make_ihex(&file, 2, 0, base, 2);
    for (size_t at = 0; at < sizeof memory; at += 100)
        make_ihex(&file, 0, (unsigned)(0x100 + at), memory + at, 100);
    assert_memory(TXTAP_CONTAINER_IHEX, 0x12440);
}

Test(container, of_s_records_returns_the_original_memory)
{
    make_srec(&file, '0', 0, (const uint8_t *)"HDR", 3);
    make_srec_memory(&file, ADDRESS, memory, sizeof memory);
    make_srec(&file, '5', 44, NULL, 0);
    make_srec(&file, '7', ADDRESS, NULL, 0);
    assert_memory(TXTAP_CONTAINER_SREC, ADDRESS);
}

Test(container, of_s_records_takes_addresses_of_two_three_and_four_bytes)
{
    make_srec(&file, '1', 0xFF00, memory, 250);
    make_srec(&file, '2', 0xFF00 + 250, memory + 250, 250);
    make_srec(&file, '3', 0xFF00 + 500, memory + 500, 200);
    make_srec(&file, '6', 3, NULL, 0);
    make_srec(&file, '8', 0, NULL, 0);
    assert_memory(TXTAP_CONTAINER_SREC, 0xFF00);
}

Test(container, of_plain_hexadecimal_text_has_no_addresses)
{
    struct read_back got;

    for (size_t i = 0; i < sizeof memory; i++) {
        char text[8];

        snprintf(text, sizeof text, i % 3 ? "%02x%s" : "%02X%s", memory[i], i % 16 == 15 ? "\r\n" : i % 4 ? "" : " ");
        make_text(&file, text);
    }
    assert_memory(TXTAP_CONTAINER_HEX, 0);
    got = read_back(file.bytes, file.length);
    cr_assert_not(got.container.addressed);
    read_back_free(&got);
}

Test(container, sorts_and_merges_records_and_keeps_gaps)
{
    struct read_back got;

    make_srec(&file, '3', 0x20000200, memory + 200, 100);
    make_srec(&file, '3', 0x20000064, memory + 100, 100);
    make_srec(&file, '3', 0x08000000, memory, 50);
    make_srec(&file, '3', 0x20000000, memory, 100);
    make_srec(&file, '3', 0x200000C9, memory, 1); /* one byte, after a gap of one byte */
    got = read_back(file.bytes, file.length);
    cr_assert_eq(got.status, TXTAP_OK);
    cr_assert_eq(got.count, 4);
    cr_assert_eq(got.overlapping, 0);
    assert_segment(&got.segments[0], 0x08000000, memory, 50);
    assert_segment(&got.segments[1], 0x20000000, memory, 200);
    assert_segment(&got.segments[2], 0x200000C9, memory, 1);
    assert_segment(&got.segments[3], 0x20000200, memory + 200, 100);
    read_back_free(&got);
}

Test(container, uses_the_later_of_two_records_for_one_address)
{
    struct read_back got;

    make_srec(&file, '3', 0x1000, memory + 300, 100);
    make_srec(&file, '3', 0x0FF0, memory + 500, 32); /* overlaps the first half */
    make_srec(&file, '3', 0x1018, memory + 124, 42); /* lies within the first record */
    got = read_back(file.bytes, file.length);
    cr_assert_eq(got.count, 1);
    cr_assert_eq(got.overlapping, 58);
    cr_assert_eq(got.segments[0].address, 0x0FF0);
    cr_assert_eq(got.segments[0].length, 116);
    cr_assert_eq(memcmp(got.segments[0].bytes, memory + 500, 32), 0);
    cr_assert_eq(memcmp(got.segments[0].bytes + 32, memory + 316, 8), 0);
    cr_assert_eq(memcmp(got.segments[0].bytes + 40, memory + 124, 42), 0);
    cr_assert_eq(memcmp(got.segments[0].bytes + 82, memory + 366, 34), 0);
    read_back_free(&got);
}

Test(container, reaches_the_last_address_but_not_past_it)
{
    const uint8_t base[2] = {0xFF, 0xFF};
    struct read_back got;

    make_srec(&file, '3', 0xFFFFFFFE, memory, 2);
    got = read_back(file.bytes, file.length);
    cr_assert_eq(got.status, TXTAP_OK);
    read_back_free(&got);
    make_srec(&file, '3', 0xFFFFFFFE, memory, 3);
    assert_damaged(2, "last address");
    begin();
    make_ihex(&file, 4, 0, base, 2);
    make_ihex(&file, 0, 0xFFFE, memory, 2);
    make_ihex(&file, 0, 0xFFFE, memory, 3);
    assert_damaged(3, "last address");
    begin();
    make_ihex(&file, 2, 0, base, 2);
    make_ihex(&file, 0, 0xFFFE, memory, 3);
    assert_damaged(2, "64 KiB");
}

Test(container, continues_after_an_end_record_with_base_0)
{
    const uint8_t base[2] = {0x20, 0x00};
    struct read_back got;

    make_ihex(&file, 4, 0, base, 2);
    make_ihex(&file, 0, 0, memory, 10);
    make_ihex(&file, 1, 0, NULL, 0);
    make_ihex(&file, 0, 0, memory, 10);
    got = read_back(file.bytes, file.length);
    cr_assert_eq(got.count, 2);
    cr_assert_eq(got.segments[0].address, 0);
    cr_assert_eq(got.segments[1].address, 0x20000000);
    read_back_free(&got);
}

Test(container, of_damaged_intel_hex_names_the_line)
{
    assert_text_damaged(":0100000001FE\n\n:0100000001FF\n", 3, "checksum");
    assert_text_damaged(":0100000001FE\n:020000000102\n", 2, "shorter or longer");
    assert_text_damaged(":0100000001FE\n:0100\n", 2, "shorter or longer");
    assert_text_damaged(":0100000001FE\n:010000000\n", 2, "within a byte");
    assert_text_damaged(":0100000001FE\n:01000000g1FE\n", 2, "not a hexadecimal digit");
    assert_text_damaged(":0100000001FE\nhello\n", 2, "':'");
    assert_text_damaged(":0100000601F8\n", 1, "unknown record type");
    assert_text_damaged(":0100000401FA\n", 1, "2 bytes");
    assert_text_damaged(":0100000001FE :0100000001FE\n", 1, "not a hexadecimal digit");
}

Test(container, of_damaged_s_records_names_the_line)
{
    assert_text_damaged("S104000001FA\nS104000001FB\n", 2, "checksum");
    assert_text_damaged("S104000001FA\nS105000001FA\n", 2, "shorter or longer");
    assert_text_damaged("S104000001FA\nS10\n", 2, "within a byte");
    assert_text_damaged("S104000001FA\nS4030000FC\n", 2, "unknown record type");
    assert_text_damaged("S104000001FA\nX\n", 2, "'S'");
    assert_text_damaged("S104000001FA\nS", 2, "'S'");
    assert_text_damaged("S104000001FA\nS5030002FA\n", 2, "missing");
}

Test(container, of_damaged_hexadecimal_text_names_the_line)
{
    char text[200];

    memset(text, '0', 100);
    strcpy(text + 100, "\n00 x\n");
    assert_text_damaged(text, 2, "not a hexadecimal digit");
    strcpy(text + 100, "\n\n00 1\n");
    assert_text_damaged(text, 3, "half a byte");
    strcpy(text + 100, "\n00 1");
    assert_text_damaged(text, 2, "half a byte");
}

Test(container, of_text_survives_every_prefix_and_every_changed_character)
{
    for (unsigned kind = 0; kind < 3; kind++) {
        size_t whole, differing = 0;

        begin();
        if (kind == 0)
            make_ihex_memory(&file, ADDRESS, memory, 80);
        else if (kind == 1)
            make_srec_memory(&file, ADDRESS, memory, 80);
        else
            for (size_t i = 0; i < 80; i++)
                make_text(&file, i % 16 ? "5a" : "5a\n");
        whole = file.length;
        for (size_t length = 0; length < whole; length++) {
            struct read_back got = read_back(file.bytes, length);

            read_back_free(&got);
        }
        for (size_t at = 0; at < whole; at++) {
            uint8_t was = file.bytes[at];
            struct read_back got;

            file.bytes[at] = was == '7' ? '8' : '7';
            got = read_back(file.bytes, whole);
            differing += got.status != TXTAP_OK;
            read_back_free(&got);
            file.bytes[at] = was;
        }
        if (kind < 2)
            cr_assert_gt(differing, whole * 9 / 10, "a checksum finds nearly all: %zu of %zu", differing, whole);
    }
}

static enum txtap_container_kind kind_of(const void *bytes, size_t length)
{
    struct read_back got = read_back(bytes, length);

    read_back_free(&got);
    return got.container.kind;
}

Test(container, is_recognised_by_its_content)
{
    uint8_t header[TXTB_HEADER_BYTES];
    const uint8_t wide_big[TXTB64_HEADER_BYTES] = {0, 0, 0, 0, 'T', 'X', 'T', 'B'};

    put_header(header, TXTAP_BIG, 0x100, 32, 0, 1);
    cr_assert_eq(kind_of(header, sizeof header), TXTAP_CONTAINER_TRACE);
    cr_assert_eq(kind_of(header, 4), TXTAP_CONTAINER_TRACE, "a truncated header is enough");
    put_header(header, TXTAP_LITTLE, 0x100, 32, 0, 1);
    cr_assert_eq(kind_of(header, sizeof header), TXTAP_CONTAINER_TRACE);
    cr_assert_eq(kind_of(wide_big, sizeof wide_big), TXTAP_CONTAINER_RAW, "the constants are not there");
    cr_assert_eq(kind_of("", 0), TXTAP_CONTAINER_RAW);
    cr_assert_eq(kind_of("\n :0100000001FE", 15), TXTAP_CONTAINER_IHEX);
    cr_assert_eq(kind_of("S104000001FA", 12), TXTAP_CONTAINER_SREC);
    cr_assert_eq(kind_of("00aaFF", 6), TXTAP_CONTAINER_HEX);
    cr_assert_eq(kind_of(" \n", 2), TXTAP_CONTAINER_RAW, "only blanks: that is memory too");
    cr_assert_eq(kind_of("\177ELF", 4), TXTAP_CONTAINER_ELF);
    cr_assert_eq(kind_of("Some text", 9), TXTAP_CONTAINER_RAW);
    cr_assert_eq(kind_of("\0\0\0\0\0\0\0\0", 8), TXTAP_CONTAINER_RAW);
    cr_assert_str_eq(txtap_container_name(TXTAP_CONTAINER_IHEX), "Intel HEX");
    cr_assert_str_eq(txtap_container_name((enum txtap_container_kind)77), "unknown");
}
