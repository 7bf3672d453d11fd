/* SPDX-License-Identifier: MIT */
/* Core files, read back with txtap's own reader of memory files. tests/e2e/crashes.sh opens them in GDB. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/bytes.h"
#include "file/container_maker.h"
#include "txtap/inner/crash.h"

static const struct txtap_core_segment segments[] = {{0x10000000, 8}, {0x20000000, 16}};
static const struct txtap_core_thread threads[] = {
    {1, TXTAP_CORE_ALL_KNOWN, {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26}},
    {2, 1u << CORE_PC, {99, [CORE_PC] = 0x08000100}},
};
static uint8_t file[4096];

static size_t make(const struct txtap_core *core)
{
    size_t head = txtap_core_head_bytes(core);

    cr_assert_gt(head, 0);
    memset(file, 0xEE, sizeof file);
    txtap_core_head(core, file);
    cr_assert_eq(file[head], 0xEE, "no byte after the head is written");
    for (size_t i = 0; i < 24; i++)
        file[head + i] = (uint8_t)i;
    return head + 24;
}

static uint32_t word(size_t at)
{
    return bytes_u32(file + at, TXTAP_LITTLE);
}

Test(core_file, has_the_memory_and_the_registers)
{
    const struct txtap_core core = {threads, 2, segments, 2, "hello", 11};
    size_t length = make(&core), notes = 52 + 3 * 32;
    struct read_back got = read_back(file, length);

    cr_assert_eq(got.status, TXTAP_OK);
    cr_assert_eq(got.count, 2);
    cr_assert_eq(got.segments[1].address, 0x20000000);
    cr_assert_eq(got.segments[1].length, 16);
    cr_assert_eq(got.segments[1].bytes[0], 8);
    read_back_free(&got);
    cr_assert_eq(word(52), 4, "PT_NOTE");
    cr_assert_eq(word(52 + 4), notes);
    for (uint32_t i = 0; i < 17; i++)
        cr_assert_eq(word(notes + 20 + 72 + 4 * i), 10 + i);
    cr_assert_eq(word(notes + 20 + 12), 11, "signal");
    cr_assert_eq(word(notes + 168 + 20 + 12), 0, "only the first thread has stopped for a reason");
    cr_assert_eq(word(notes + 20 + 24), 1, "number of the thread");
    cr_assert_eq(word(notes + 168 + 20 + 24), 2);
    cr_assert_eq(word(notes + 168 + 20 + 72), 0, "an unknown register is 0");
    cr_assert_eq(word(notes + 168 + 20 + 72 + 60), 0x08000100);
    cr_assert_str_eq((const char *)file + notes + 2 * 168 + 20, "hello");
}

Test(core_file, refuses_more_than_a_file_can_have)
{
    const struct txtap_core_segment past_end = {0xFFFFFFF0, 32}, empty = {0x20000000, 0},
                                    huge[] = {{0, UINT32_MAX}, {0, 8}};
    struct txtap_core core = {threads, 1, &past_end, 1, "", 0};

    cr_assert_eq(txtap_core_head_bytes(&core), 0);
    core.segments = &empty;
    cr_assert_eq(txtap_core_head_bytes(&core), 0);
    core.segments = huge;
    core.segment_count = 2;
    cr_assert_eq(txtap_core_head_bytes(&core), 0);
    core.segments = segments;
    core.segment_count = TXTAP_CORE_SEGMENTS_MAX + 1;
    cr_assert_eq(txtap_core_head_bytes(&core), 0);
    core.segment_count = 1;
    core.thread_count = TXTAP_CORE_THREADS_MAX + 1;
    cr_assert_eq(txtap_core_head_bytes(&core), 0);
}

Test(core_file, names_unknown_registers)
{
    struct txtap_core_thread thread = {.known = TXTAP_CORE_ALL_KNOWN};
    char text[TXTAP_CORE_UNKNOWN_BYTES];

    cr_assert_eq(txtap_core_unknown(&thread, text), 0);
    thread.known = 0;
    cr_assert_eq(txtap_core_unknown(&thread, text), strlen(text));
    cr_assert_str_eq(text, "r0-r12, sp, lr, pc, xpsr");
    thread.known = TXTAP_CORE_ALL_KNOWN & ~0xFF0u;
    (void)txtap_core_unknown(&thread, text);
    cr_assert_str_eq(text, "r4-r11");
    thread.known = 0x15555;
    (void)txtap_core_unknown(&thread, text);
    cr_assert_str_eq(text, "r1, r3, r5, r7, r9, r11, sp, pc");
}
