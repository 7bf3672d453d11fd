/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "file/container_maker.h"
#include "txtb_bytes.h"

static struct made file;
static uint8_t ram[256], ccm[64];

static void begin(void)
{
    memset(&file, 0, sizeof file);
    for (size_t i = 0; i < sizeof ram; i++)
        ram[i] = (uint8_t)(i * 3 + 1);
    memset(ccm, 0xC3, sizeof ccm);
}

TestSuite(container_elf, .init = begin);

static void assert_damaged(const char *words)
{
    struct read_back got = read_back(file.bytes, file.length);

    cr_assert_eq(got.status, TXTAP_ERROR_FORMAT, "%s", words);
    cr_assert_eq(got.container.error_line, 0, "not about a line");
    cr_assert(strstr(got.container.error, words) != NULL, "%s", got.container.error);
    read_back_free(&got);
}

Test(container_elf, gives_its_segments_by_address_in_either_class_and_byte_order)
{
    for (unsigned i = 0; i < 4; i++) {
        bool wide = i / 2 != 0;
        uint64_t upper = wide ? UINT64_C(0x7FFF00000000) : 0;
        const struct made_load loads[] = {{upper | 0x20000000, ram, 128},
                                          {upper | 0x10000000, ccm, sizeof ccm},
                                          {upper | 0x20000080, ram + 128, 128}};
        struct read_back got;

        make_elf(&file, wide, i % 2 ? TXTAP_BIG : TXTAP_LITTLE, loads, 3);
        got = read_back(file.bytes, file.length);
        cr_assert_eq(got.status, TXTAP_OK, "%s", got.container.error);
        cr_assert_eq(got.container.kind, TXTAP_CONTAINER_ELF);
        cr_assert(got.container.addressed);
        cr_assert_eq(got.count, 2, "the two that touch are one");
        cr_assert_eq(got.segments[0].address, upper | 0x10000000);
        cr_assert_eq(memcmp(got.segments[0].bytes, ccm, sizeof ccm), 0);
        cr_assert_eq(got.segments[1].address, upper | 0x20000000);
        cr_assert_eq(got.segments[1].length, sizeof ram);
        cr_assert_eq(memcmp(got.segments[1].bytes, ram, sizeof ram), 0);
        cr_assert_eq(got.container.missing_bytes, 0);
        read_back_free(&got);
    }
}

Test(container_elf, that_is_truncated_gives_its_content_and_reports_the_missing_bytes)
{
    const struct made_load loads[] = {{0x10000000, ccm, sizeof ccm}, {0x20000000, ram, sizeof ram}};
    struct read_back got;

    make_elf(&file, false, TXTAP_LITTLE, loads, 2);
    got = read_back(file.bytes, file.length - 100);
    cr_assert_eq(got.count, 2);
    cr_assert_eq(got.segments[1].length, sizeof ram - 100);
    cr_assert_eq(got.container.missing_bytes, 100);
    read_back_free(&got);
    got = read_back(file.bytes, file.length - sizeof ram - 1);
    cr_assert_eq(got.count, 1);
    cr_assert_eq(got.container.missing_bytes, sizeof ram + 1);
    read_back_free(&got);
}

Test(container_elf, uses_the_physical_address_if_there_is_no_virtual_one)
{
    const struct made_load loads[] = {{0, ram, sizeof ram}};
    struct read_back got;

    make_elf(&file, false, TXTAP_LITTLE, loads, 1);
    put_u32(file.bytes + 52 + 32 + 12, TXTAP_LITTLE, 0x20000000);
    got = read_back(file.bytes, file.length);
    cr_assert_eq(got.segments[0].address, 0x20000000);
    read_back_free(&got);
}

Test(container_elf, takes_the_number_of_segments_from_the_first_section_where_16_bits_are_too_few)
{
    for (unsigned wide = 0; wide < 2; wide++) {
        const struct made_load loads[] = {{0x20000000, ram, sizeof ram}};
        struct read_back got;
        size_t section;

        begin();
        make_elf(&file, wide, TXTAP_BIG, loads, 1);
        section = file.length;
        file.length += 64;
        put_u16(file.bytes + (wide ? 56 : 44), TXTAP_BIG, 0xFFFF);
        put_u32(file.bytes + (wide ? 44 : 32), TXTAP_BIG, (uint32_t)section);
        put_u32(file.bytes + section + (wide ? 44 : 28), TXTAP_BIG, 2);
        got = read_back(file.bytes, file.length);
        cr_assert_eq(got.status, TXTAP_OK, "%s", got.container.error);
        cr_assert_eq(got.count, 1);
        read_back_free(&got);
        put_u32(file.bytes + (wide ? 44 : 32), TXTAP_BIG, 0);
        assert_damaged("number of ELF program headers");
    }
}

Test(container_elf, names_the_damaged_part_of_its_headers)
{
    const struct made_load loads[] = {{0x20000000, ram, sizeof ram}};
    struct made whole;

    make_elf(&file, false, TXTAP_LITTLE, loads, 1);
    whole = file;
    file.length = 30;
    assert_damaged("header is cut");
    file = whole;
    file.bytes[4] = 3;
    assert_damaged("no known class");
    file = whole;
    put_u16(file.bytes + 42, TXTAP_LITTLE, 16);
    assert_damaged("smaller than they can be");
    file = whole;
    put_u32(file.bytes + 28, TXTAP_LITTLE, 100000);
    assert_damaged("behind the file's end");
    file = whole;
    put_u16(file.bytes + 44, TXTAP_LITTLE, 5000);
    assert_damaged("headers are cut");
}

Test(container_elf, whose_segment_passes_the_last_address_is_refused)
{
    const struct made_load loads[] = {{UINT64_MAX - 254, ram, sizeof ram}};

    make_elf(&file, true, TXTAP_LITTLE, loads, 1);
    assert_damaged("last address");
}

Test(container_elf, whose_segments_give_more_bytes_than_the_file_has_is_refused)
{
    struct made_load loads[40];
    struct read_back got;

    for (size_t i = 0; i < 40; i++)
        loads[i] = (struct made_load){0x20000000, ram, i == 0 ? sizeof ram : 1};
    make_elf(&file, false, TXTAP_LITTLE, loads, 40);
    got = read_back(file.bytes, file.length);
    cr_assert_eq(got.status, TXTAP_OK, "a few bytes twice are accepted");
    cr_assert_eq(got.overlapping, 39);
    read_back_free(&got);
    for (size_t i = 0; i < 40; i++) {
        uint8_t *load = file.bytes + 52 + (i + 1) * 32;

        put_u32(load + 4, TXTAP_LITTLE, 0);
        put_u32(load + 16, TXTAP_LITTLE, i < 2 ? (uint32_t)file.length / 2 : 0);
    }
    got = read_back(file.bytes, file.length);
    cr_assert_eq(got.status, TXTAP_OK, "half of the file twice is accepted");
    cr_assert_leq(got.overlapping, file.length / 2);
    read_back_free(&got);
    put_u32(file.bytes + 52 + 3 * 32 + 16, TXTAP_LITTLE, 2);
    assert_damaged("more bytes than the file has");
}

Test(container_elf, survives_every_prefix_and_every_single_bit_flip_of_its_headers)
{
    for (unsigned i = 0; i < 4; i++) {
        const struct made_load loads[] = {{0x10000000, ccm, sizeof ccm}, {0x20000000, ram, sizeof ram}};
        struct read_back got;

        begin();
        make_elf(&file, i / 2 != 0, i % 2 ? TXTAP_BIG : TXTAP_LITTLE, loads, 2);
        for (size_t length = 0; length < file.length; length++) {
            got = read_back(file.bytes, length);
            read_back_free(&got);
        }
        for (size_t bit = 0; bit < (file.length - sizeof ccm - sizeof ram) * 8; bit++) {
            file.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            got = read_back(file.bytes, file.length);
            read_back_free(&got);
            file.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
}
