/* SPDX-License-Identifier: MIT */
/* The common parts of Zephyr's rings. */
#include "ring/zephyr.h"

#include <assert.h>
#include <inttypes.h>

#include "base/runtime.h"
#include "probe/source_base.h"

const char *const zephyr_uptime_symbols[] = {
    "_sys_clock_tick_count", /* ticks since the start; Zephyr 1.x: kernel/sys_clock.c */
    "curr_tick",             /* ticks since the start; later Zephyr: kernel/timeout.c */
    NULL,
};

enum txtap_status zephyr_find(const struct elf_file *elf, const char *name, const char *built_with,
                              struct elf_symbol *symbol, struct error *error)
{
    enum txtap_status status = elf_symbol_find(elf, name, symbol);

    if (status != TXTAP_OK)
        return failure(error, status, "%.100s: no symbol %s (%s)\n%s", elf_path(elf), name,
                       elf_has_symbols(elf) ? built_with : "it was stripped",
                       elf_has_symbols(elf) ? "" : "give the file that was linked");
    if (!symbol->in_ram)
        return failure(error, ERROR_SYMBOL,
                       "%.100s: %s lies at 0x%08" PRIx32 ", not in RAM\nis this the firmware's ELF file?",
                       elf_path(elf), name, symbol->address);
    return TXTAP_OK;
}

enum txtap_status zephyr_read_words(struct poller *poller, enum txtap_endian endian, uint32_t address, uint32_t *words,
                                    uint32_t count, struct error *error)
{
    uint8_t bytes[4 * ZEPHYR_WORDS_MAX];
    enum txtap_status status;

    assert(count <= ZEPHYR_WORDS_MAX);
    status = poller_read(poller, address, 4 * count, bytes, error);
    for (uint32_t i = 0; status == TXTAP_OK && i < count; i++)
        words[i] = memory_word(bytes + 4 * (size_t)i, endian);
    return status;
}

enum txtap_status zephyr_measure(struct poller *poller, const struct txtap_read *reads, size_t count,
                                 double *bytes_per_second, struct error *error)
{
    uint64_t begin = poller->now_us(), times = 0;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (times == 0 || poller->now_us() - begin < RING_MEASURE_US) && !stop_requested()) {
        status = poller_exchange(poller, reads, count, error);
        times++;
    }
    *bytes_per_second = (double)times * reads[0].length / ((double)(poller->now_us() - begin + 1) / 1e6);
    return status;
}
