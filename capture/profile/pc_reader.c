/* SPDX-License-Identifier: MIT */
/* Sources: Armv7-M Architecture Reference Manual, C1.8 (DWT_PCSR) and B3.2.4 (ICSR); the same for Armv8-M, D1.2. */
#include "profile/pc_reader.h"

#include <inttypes.h>

#include "kernel/kernel_layout.h"
#include "probe/source_base.h"
#include "txtap/inner/profile.h"

#define CPUID       0xE000ED00u
#define ICSR        0xE000ED04u
#define DEMCR       0xE000EDFCu
#define DWT_PCSR    0xE000101Cu
#define TRCENA      0x01000000u
#define VECTACTIVE  0x1FFu
#define ASLEEP      0xFFFFFFFFu
#define FIRST_READS 8u

/* The words before, and after, each sample. */
enum { THREAD, ACTIVE, AROUND };

static uint32_t word_of(const uint8_t bytes[4])
{
    return memory_word(bytes, TXTAP_LITTLE);
}

void pc_reader_init(struct pc_reader *reader, const struct elf_file *elf)
{
    struct kernel_layout layout;

    *reader = (struct pc_reader){.thread_address = 0};
    if (elf == NULL || kernel_layout_find(&layout, elf, NULL) != TXTAP_OK)
        return;
    for (size_t i = 0; i < layout.ops->symbol_count && reader->thread_address == 0; i++)
        if (layout.ops->symbols[i].role == KERNEL_CURRENT && layout.places.symbols[i].bytes > 0)
            reader->thread_address = layout.places.symbols[i].at;
}

/* Returns the name of a core without DWT_PCSR, or with DWT_PCSR as an option; NULL: the core should have it. */
static const char *small_core(uint32_t cpuid)
{
    static const struct {
        uint32_t part;
        const char *name;
    } cores[] = {{0xC20, "Cortex-M0"}, {0xC60, "Cortex-M0+"}, {0xC21, "Cortex-M1"}, {0xD20, "Cortex-M23"}};

    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (cores[i].part == (cpuid >> 4 & 0xFFF))
            return cores[i].name;
    return NULL;
}

enum txtap_status pc_reader_check(struct txtap_source source, struct error *error)
{
    uint8_t words[2 + FIRST_READS][4];
    struct txtap_read reads[2 + FIRST_READS] = {{CPUID, 4, words[0]}, {DEMCR, 4, words[1]}};
    uint32_t any = 0;
    const char *core;
    enum txtap_status status;

    for (size_t i = 0; i < FIRST_READS; i++)
        reads[2 + i] = (struct txtap_read){DWT_PCSR, 4, words[2 + i]};
    for (size_t i = 0; i < 2 + FIRST_READS; i++)
        if ((status = source.ops->read(source.self, &reads[i], 1)) != TXTAP_OK)
            return memory_failure(source, status, NULL, error);
    for (size_t i = 0; i < FIRST_READS; i++)
        any |= word_of(words[2 + i]);
    if (any != 0)
        return TXTAP_OK;
    core = small_core(word_of(words[0]));
    if (core != NULL)
        return failure(error, ERROR_NOT_SAMPLED,
                       "the core, a %s, does not sample its program counter (DWT_PCSR reads as 0)\n"
                       "use a core with DWT_PCSR: Cortex-M3, M4, M7 or M33",
                       core);
    if ((word_of(words[1]) & TRCENA) == 0)
        return failure(error, ERROR_NOT_SAMPLED,
                       "the core does not sample its program counter: DEMCR.TRCENA is not set, and txtap never writes\n"
                       "set it in the firmware (CoreDebug->DEMCR |= 1u << 24), or connect through OpenOCD, which sets "
                       "it");
    return failure(error, ERROR_NOT_SAMPLED,
                   "the core does not sample its program counter: DWT_PCSR reads as 0\nthe chip has no DWT, or "
                   "a protection switched it off");
}

/* ---- exchanges ---- */

/* Returns the number of words before a sample: the thread, if it is known, and the interrupt. */
static size_t around(const struct pc_reader *reader)
{
    return reader->thread_address != 0 ? AROUND : AROUND - 1;
}

static size_t plan_around(struct pc_reader *reader, struct txtap_read *reads, size_t at)
{
    if (reader->thread_address != 0) {
        reads[at] = (struct txtap_read){reader->thread_address, 4, reader->words[at]};
        at++;
    }
    reads[at] = (struct txtap_read){ICSR, 4, reader->words[at]};
    return at + 1;
}

size_t pc_reader_plan(struct pc_reader *reader, size_t samples, struct txtap_read *reads, size_t room, uint32_t bytes)
{
    size_t least = around(reader), each = least + 1, at = 0;

    room = room < bytes / 4 ? room : bytes / 4;
    reader->planned = 0;
    if (room < least + each)
        return 0;
    samples = samples < PC_SAMPLES_MAX ? samples : PC_SAMPLES_MAX;
    samples = samples < (room - least) / each ? samples : (room - least) / each;
    if (samples == 0)
        return 0;
    for (size_t i = 0; i < samples; i++) {
        at = plan_around(reader, reads, at);
        reads[at] = (struct txtap_read){DWT_PCSR, 4, reader->words[at]};
        at++;
    }
    reader->planned = samples;
    return plan_around(reader, reads, at);
}

/* Returns the context if it did not change from the words before a sample to the words after it. */
static uint32_t context_of(const struct pc_reader *reader, const uint8_t *before, const uint8_t *after)
{
    size_t active = around(reader) - 1;
    uint32_t exception = word_of(before + 4 * active) & VECTACTIVE, thread;

    if (exception != (word_of(after + 4 * active) & VECTACTIVE))
        return TXTAP_PROFILE_UNKNOWN;
    if (exception != 0)
        return TXTAP_PROFILE_INTERRUPT(exception);
    if (reader->thread_address == 0)
        return TXTAP_PROFILE_NO_THREAD;
    thread = word_of(before);
    return thread == word_of(after) && thread % 4 == 0 ? thread : TXTAP_PROFILE_UNKNOWN;
}

size_t pc_reader_take(struct pc_reader *reader, struct pc_sample samples[static PC_SAMPLES_MAX])
{
    size_t each = around(reader) + 1, count = 0;

    for (size_t i = 0; i < reader->planned; i++) {
        const uint8_t *before = reader->words[i * each];
        uint32_t pc = word_of(reader->words[i * each + each - 1]);

        if (pc == 0) {
            reader->invalid++;
            continue;
        }
        samples[count].pc = pc & ~UINT32_C(1);
        samples[count++].context =
            pc == ASLEEP ? TXTAP_PROFILE_ASLEEP : context_of(reader, before, reader->words[(i + 1) * each]);
    }
    return count;
}
