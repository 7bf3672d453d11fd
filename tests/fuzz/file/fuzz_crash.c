/* SPDX-License-Identifier: MIT */
/*
 * Searches any memory for frames and saved registers, with any fault registers, and writes core files with any threads
 * and segments. The core file must be readable, with the same memory. The input is a fixed part with registers, stacks
 * and segments, then code, then RAM.
 */
#include <string.h>

#include "container_check.h"
#include "fuzz.h"
#include "txtap/inner/crash.h"

#define RAM         UINT32_C(0x20000000)
#define CODE        UINT32_C(0x08000000)
#define STACKS      2u
#define SEGMENTS    4u
#define FIXED_WORDS (1 + 2 * STACKS + 2 * SEGMENTS + 2)
#define FIXED_BYTES (TXTAP_FAULT_REGISTERS_BYTES + 4 * FIXED_WORDS)
#define CONTENT_MAX 65536u

struct piece {
    const uint8_t *bytes;
    uint32_t start;
    size_t length;
};

struct memory {
    struct piece ram, code;
};

static bool copy(const struct piece *piece, uint32_t address, uint8_t *bytes, uint32_t length)
{
    if (address < piece->start || address - piece->start > piece->length ||
        length > piece->length - (address - piece->start))
        return false;
    memcpy(bytes, piece->bytes + (address - piece->start), length);
    return true;
}

static bool read_ram(void *self, uint32_t address, uint8_t *bytes, uint32_t length)
{
    return copy(&((struct memory *)self)->ram, address, bytes, length);
}

static bool read_code(void *self, uint32_t address, uint8_t *bytes, uint32_t length)
{
    return copy(&((struct memory *)self)->code, address, bytes, length);
}

/* Most stacks are small, because the search of a large stack takes long. */
static struct txtap_crash_stack stack_of(uint32_t start, uint32_t end, bool main)
{
    return (struct txtap_crash_stack){start, end % 8 == 7 ? end : start + end % 4096, main};
}

static void write_core(const struct txtap_core *core)
{
    size_t head = txtap_core_head_bytes(core), content = 0;
    uint8_t *file;

    for (size_t i = 0; i < core->segment_count; i++)
        content += core->segments[i].length;
    if (head == 0 || content > CONTENT_MAX)
        return;
    file = malloc(head + content);
    txtap_core_head(core, file);
    for (size_t i = 0; i < content; i++)
        file[head + i] = (uint8_t)i;
    container_check(file, head + content);
    free(file);
}

static void check_text(const struct txtap_fault_registers *registers)
{
    char text[TXTAP_FAULT_TEXT_BYTES];

    REQUIRE(txtap_fault_text(registers, text) == strlen(text));
}

static void check_unknown(const struct txtap_core_thread *thread)
{
    char text[TXTAP_CORE_UNKNOWN_BYTES];

    REQUIRE(txtap_core_unknown(thread, text) == strlen(text));
    REQUIRE((*text == '\0') == ((thread->known & TXTAP_CORE_ALL_KNOWN) == TXTAP_CORE_ALL_KNOWN));
    for (size_t i = 0; i < CORE_REGISTERS; i++)
        REQUIRE((thread->known >> i & 1) || thread->registers[i] == 0);
}

static void check_frames(const struct txtap_crash_frame *frames, size_t count, const struct txtap_crash_stack *stacks)
{
    REQUIRE(count <= TXTAP_CRASH_FRAMES_MAX);
    for (size_t i = 0; i < count; i++) {
        const struct txtap_crash_stack *stack = &stacks[frames[i].stack];

        REQUIRE(frames[i].stack < STACKS && frames[i].address >= stack->start && frames[i].address < stack->end);
        REQUIRE(stack->end - frames[i].address >= 32);
        REQUIRE(i == 0 || frames[i - 1].explained || !frames[i].explained);
        check_unknown(&frames[i].thread);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct txtap_crash_frame frames[TXTAP_CRASH_FRAMES_MAX];
    struct txtap_core_thread threads[2] = {{.number = 1}, {.number = 2}};
    struct txtap_core_segment segments[SEGMENTS];
    struct txtap_crash_stack stacks[STACKS];
    struct txtap_fault_registers registers;
    uint32_t words[FIXED_WORDS];
    struct memory memory;
    size_t count;

    if (length < FIXED_BYTES)
        return 0;
    registers = txtap_fault_registers(bytes);
    memcpy(words, bytes + TXTAP_FAULT_REGISTERS_BYTES, sizeof words);
    for (size_t i = 0; i < STACKS; i++)
        stacks[i] = stack_of(words[1 + 2 * i], words[2 + 2 * i], i == 0);
    for (size_t i = 0; i < SEGMENTS; i++)
        segments[i] = (struct txtap_core_segment){words[1 + 2 * STACKS + 2 * i], words[2 + 2 * STACKS + 2 * i]};
    bytes += FIXED_BYTES;
    length -= FIXED_BYTES;
    memory.code = (struct piece){bytes, CODE, length / 4};
    memory.ram = (struct piece){bytes + length / 4, RAM, length - length / 4};

    check_text(&registers);
    count = txtap_crash_frames(&(struct txtap_crash_memory){read_ram, read_code, &memory}, &registers, words[0], stacks,
                               STACKS, frames);
    check_frames(frames, count, stacks);
    (void)txtap_crash_saved(&(struct txtap_crash_memory){read_ram, read_code, &memory}, &registers,
                            words[FIXED_WORDS - 2], words[FIXED_WORDS - 1], &threads[1]);
    check_unknown(&threads[1]);
    if (count > 0)
        threads[0] = frames[0].thread;
    write_core(&(struct txtap_core){threads, 2, segments, SEGMENTS, count > 0 ? "frames" : "", 11});
    return 0;
}
