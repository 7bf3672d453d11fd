/* SPDX-License-Identifier: MIT */
/* Opens any bytes as the firmware's ELF file, calls every function of elf_file.h on it, and looks for the steps that
 * switch the trace on. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "locate/elf_file.h"
#include "locate/switch_on.h"

static void check_ram(const struct elf_file *elf)
{
    size_t count;
    const struct memory_region *ram = elf_ram(elf, &count);

    REQUIRE(count <= ELF_REGIONS_MAX);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(ram[i].size > 0 && (uint64_t)ram[i].start + ram[i].size <= UINT64_C(1) << 32);
        REQUIRE(i == 0 || (uint64_t)ram[i - 1].start + ram[i - 1].size < ram[i].start);
    }
}

static void check_symbols(const struct elf_file *elf, uint32_t address)
{
    char text[16], sources[3][ELF_SOURCE_BYTES];
    struct elf_symbol symbol, found[3];
    size_t count = elf_symbols_find(elf, "twice", found, sources, 3);
    bool one = elf_symbol_find(elf, "twice", &symbol) == TXTAP_OK;

    REQUIRE(one == (count > 0) && (!one || elf_has_symbols(elf)));
    for (size_t i = 0; i < count && i < 3; i++)
        REQUIRE(memchr(sources[i], '\0', ELF_SOURCE_BYTES) != NULL);
    (void)elf_symbol_find(elf, "_tx_trace_header_ptr", &symbol);
    if (elf_symbol_at(elf, address, text, sizeof text))
        REQUIRE(memchr(text, '\0', sizeof text) != NULL && text[0] != '\0');
}

static void check_switch_on(const struct elf_file *elf)
{
    struct switch_on firmware = switch_on_look(elf);
    uint32_t available = firmware.ram.top - firmware.ram.end;

    REQUIRE(firmware.way != NULL && firmware.ram.start <= firmware.ram.end);
    REQUIRE(firmware.ram.top == 0 || (firmware.ram.top > firmware.ram.end && firmware.buffer.bytes <= available / 2));
    REQUIRE(firmware.state != SWITCH_ON_UNKNOWN || (firmware.buffer.bytes == 0 && firmware.core.name == NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static int fd = -1;
    char path[32];
    struct error error = {0};
    struct elf_file *elf;
    enum txtap_status status;

    if (fd < 0)
        fd = memfd_create("elf", MFD_CLOEXEC);
    REQUIRE(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, length, 0) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    status = elf_open(&elf, path, &error);
    REQUIRE((status == TXTAP_OK) == (elf != NULL) && (status == TXTAP_OK) == (!error_is_set(&error)));
    if (elf == NULL)
        return 0;
    check_ram(elf);
    check_switch_on(elf);
    check_symbols(elf, 0x20000008);
    check_symbols(elf, length > 60 ? data[60] * 0x01000001u : 0);
    elf_close(elf);
    return 0;
}
