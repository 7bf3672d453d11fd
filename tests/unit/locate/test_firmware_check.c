/* SPDX-License-Identifier: MIT */
/* Compares a target's code with an ELF file. Some differences mean other firmware, and others do not. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "locate/elf_maker.h"
#include "locate/firmware_check.h"
#include "error_line.h"

enum { TEXT_OFFSET = 0x100, TEXT_BYTES = 0x100 };

static struct {
    uint8_t file[ELF_MAKER_BYTES], flash[TEXT_BYTES];
    unsigned reads;
    enum txtap_status failure;
    struct elf_file *elf;
    struct firmware_check check;
} fixture;

static enum txtap_status read_flash(void *self, const struct txtap_read *reads, size_t count)
{
    (void)self;
    fixture.reads++;
    if (fixture.failure != TXTAP_OK)
        return fixture.failure;
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = reads[i].address - MADE_TEXT;

        cr_assert(offset < TEXT_BYTES && reads[i].length <= TEXT_BYTES - offset, "0x%08x", reads[i].address);
        cr_assert(reads[i].length > 0 && reads[i].length % 4 == 0 && reads[i].address % 4 == 0);
        memcpy(reads[i].buffer, fixture.flash + offset, reads[i].length);
    }
    return TXTAP_OK;
}

static const char *no_error(void *self)
{
    (void)self;
    return "";
}

static void make(const struct elf_recipe *recipe)
{
    char path[32];
    struct error error;
    size_t length = elf_make(recipe, fixture.file);
    int fd;

    for (unsigned i = 0; i < TEXT_BYTES; i++)
        fixture.file[TEXT_OFFSET + i] = fixture.flash[i] = (uint8_t)(i * 7 + 1);
    fd = elf_make_file(fixture.file, length, path);
    cr_assert_eq(elf_open(&fixture.elf, path, &error), TXTAP_OK, "%s", error_line(&error));
    close(fd);
}

static enum firmware check(void)
{
    static const struct txtap_source_ops ops = {"flash", 65536, 32, read_flash, no_error, NULL, NULL};

    fixture.reads = 0;
    cr_assert_eq(firmware_check((struct txtap_source){&ops, &fixture}, fixture.elf, &fixture.check), TXTAP_OK);
    return fixture.check.firmware;
}

Test(firmware_check, the_same_code_is_the_same_firmware)
{
    make(&(struct elf_recipe){0});
    cr_assert_eq(check(), FIRMWARE_SAME);
    cr_assert_eq(fixture.reads, 1, "one exchange");
    elf_close(fixture.elf);
}

Test(firmware_check, code_that_differs_everywhere_is_other_firmware_and_a_place_is_named)
{
    make(&(struct elf_recipe){0});
    for (unsigned at = 0x40; at < TEXT_BYTES; at += 32)
        fixture.flash[at] ^= 1;
    cr_assert_eq(check(), FIRMWARE_OTHER);
    cr_assert_eq(fixture.check.where, MADE_TEXT + 0x40);
    elf_close(fixture.elf);
}

Test(firmware_check, breakpoints_and_a_few_different_words_prove_nothing)
{
    make(&(struct elf_recipe){0});
    for (unsigned at = 0; at < TEXT_BYTES; at += 16) {
        fixture.flash[at] = 0x2a;
        fixture.flash[at + 1] = 0xbe; /* BKPT, which a debugger writes as a breakpoint */
    }
    cr_assert_neq(check(), FIRMWARE_OTHER, "breakpoints");
    memcpy(fixture.flash, fixture.file + TEXT_OFFSET, TEXT_BYTES);
    memset(fixture.flash + 0x1c, 0x55, 4); /* a checksum that a flash tool may fill in */
    cr_assert_eq(check(), FIRMWARE_UNKNOWN);
    memset(fixture.flash + 0xd4, 0x55, 4); /* a serial number that a flash tool may fill in */
    cr_assert_eq(check(), FIRMWARE_UNKNOWN);
    elf_close(fixture.elf);
}

Test(firmware_check, flash_that_is_hidden_or_refused_proves_nothing)
{
    make(&(struct elf_recipe){0});
    memset(fixture.flash, 0xff, TEXT_BYTES);
    cr_assert_eq(check(), FIRMWARE_UNKNOWN);
    memset(fixture.flash, 0, TEXT_BYTES);
    cr_assert_eq(check(), FIRMWARE_UNKNOWN);
    fixture.failure = ERROR_FAULT;
    cr_assert_eq(check(), FIRMWARE_UNKNOWN);
    elf_close(fixture.elf);
}

Test(firmware_check, a_read_that_fails_otherwise_is_passed_on)
{
    static const struct txtap_source_ops ops = {"flash", 65536, 32, read_flash, no_error, NULL, NULL};

    make(&(struct elf_recipe){0});
    fixture.failure = ERROR_TIMEOUT;
    cr_assert_eq(firmware_check((struct txtap_source){&ops, &fixture}, fixture.elf, &fixture.check), ERROR_TIMEOUT);
    elf_close(fixture.elf);
}

/* Code is not compared if it is written at run time, or if it cannot be distinguished from data. */
Test(firmware_check, writable_memory_is_not_compared)
{
    make(&(struct elf_recipe){.one_segment = true});
    cr_assert_eq(check(), FIRMWARE_UNKNOWN);
    cr_assert_eq(fixture.reads, 0);
    elf_close(fixture.elf);
    make(&(struct elf_recipe){.without_sections = true});
    cr_assert_eq(check(), FIRMWARE_UNKNOWN);
    cr_assert_eq(fixture.reads, 0);
    elf_close(fixture.elf);
}

/* The firmware's start-up code copies this code to its run-time address. */
Test(firmware_check, code_that_is_copied_into_ram_is_not_compared)
{
    enum { SEGMENT = 0x34, LOAD_ADDRESS = 12 };

    make(&(struct elf_recipe){0});
    elf_close(fixture.elf);
    fixture.file[SEGMENT + LOAD_ADDRESS + 1] = 0x40;
    {
        char path[32];
        struct error error;
        int fd = elf_make_file(fixture.file, sizeof fixture.file, path);

        cr_assert_eq(elf_open(&fixture.elf, path, &error), TXTAP_OK, "%s", error_line(&error));
        close(fd);
    }
    cr_assert_eq(check(), FIRMWARE_UNKNOWN);
    cr_assert_eq(fixture.reads, 0);
    elf_close(fixture.elf);
}
