/* SPDX-License-Identifier: MIT */
/* RAM and flash inside QEMU. */
#include "memory.h"
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static bool ask_host_address(struct machine *machine, uint32_t address, uint64_t *host)
{
    /* "Host virtual address for 0x20000000 (STM32F405.sram) is 0x7fd9a6200000" */
    char text[256];
    if (!qmp_monitor(&machine->qmp, text, sizeof text, "gpa2hva 0x%" PRIx32, address))
        return false;
    const char *found = strstr(text, " is 0x");
    if (found)
        *host = strtoull(found + 4, NULL, 16);
    return found != NULL;
}

/* Reads memory with the monitor, as the core sees it. This works even behind a protection controller, which boards with
 * a Cortex-M33 have. */
static bool read_saved(struct memory *memory, uint32_t address, uint8_t *buffer, uint32_t length)
{
    char command[256], file[96];
    snprintf(file, sizeof file, "%s/read", memory->folder);
    snprintf(command, sizeof command,
             "{\"execute\": \"memsave\", \"arguments\": {\"val\": %" PRIu32 ", \"size\": %" PRIu32
             ", \"filename\": \"%s\"}}",
             address, length, file);
    if (!qmp_execute(&memory->machine->qmp, command))
        return false;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, buffer, length);
    close(fd);
    return got == (ssize_t)length;
}

static bool use_monitor(struct memory *memory)
{
    const char *base = getenv("TMPDIR");
    if (memory->folder[0])
        return true;
    snprintf(memory->folder, sizeof memory->folder, "%.40s/vboard.XXXXXX", base && *base == '/' ? base : "/tmp");
    if (mkdtemp(memory->folder))
        return true;
    fail("cannot make the folder %s: %s; set TMPDIR to a writable one", memory->folder, strerror(errno));
    memory->folder[0] = '\0';
    return false;
}

static bool has_host_address(struct memory *memory, const struct region *region, uint64_t *host)
{
    uint32_t last = region->start + (region->size_bytes - 1);
    uint64_t last_host;
    return ask_host_address(memory->machine, region->start, host) &&
           ask_host_address(memory->machine, last, &last_host) && last_host - *host == region->size_bytes - 1;
}

static bool core_sees(struct memory *memory, const struct region *region)
{
    uint8_t word[4];
    return use_monitor(memory) && read_saved(memory, region->start, word, sizeof word) &&
           read_saved(memory, region->start + region->size_bytes - 4, word, sizeof word);
}

/* Sets *direct to false if the region has no address in QEMU's process. */
static bool map_region(struct memory *memory, const struct region *region, const char *machine_name, bool *direct)
{
    const char *option = region->kind == REGION_RAM ? "ram" : "flash";
    uint64_t host = 0;
    if (!has_host_address(memory, region, &host)) {
        *direct = false;
        if (!core_sees(memory, region))
            return fail("machine '%s' has no such memory: --%s 0x%08" PRIx32 ":%" PRIu32
                        "; correct the region, or --machine",
                        machine_name, option, region->start, region->size_bytes);
    }
    memory->host[memory->regions_count] = host;
    memory->regions[memory->regions_count++] = *region;
    return true;
}

static bool copy_direct(struct memory *memory, uint64_t host, void *buffer, uint32_t length, bool write_it)
{
    struct iovec here = {buffer, length}, there = {(void *)(uintptr_t)host, length};
    pid_t pid = memory->machine->pid;
    ssize_t done =
        write_it ? process_vm_writev(pid, &here, 1, &there, 1, 0) : process_vm_readv(pid, &here, 1, &there, 1, 0);
    return done == (ssize_t)length;
}

bool memory_open(struct memory *memory, struct machine *machine, const struct options *options)
{
    bool has_addresses = true;
    *memory = (struct memory){.machine = machine};
    for (size_t i = 0; i < options->regions_count; i++)
        if (!map_region(memory, &options->regions[i], options->machine, &has_addresses))
            return false;
    if (options->memory == MEMORY_MONITOR)
        return use_monitor(memory);
    if (!has_addresses) {
        fail("machine '%s' does not say where its memory is in QEMU: using the monitor's memsave, which is slow and "
             "cannot write memory",
             options->machine);
        return options->memory != MEMORY_DIRECT;
    }
    uint8_t word[4];
    memory->direct = copy_direct(memory, memory->host[0], word, sizeof word, false);
    if (memory->direct)
        return true;
    int cause = errno;
    if (options->memory == MEMORY_DIRECT)
        return fail("cannot read QEMU's memory: process_vm_readv: %s; use --memory memsave", strerror(cause));
    fail(
        "process_vm_readv on QEMU is refused (%s): using the monitor's memsave, which is slow and cannot write memory; "
        "allow ptrace of child processes for full speed",
        strerror(cause));
    return use_monitor(memory);
}

void memory_close(struct memory *memory)
{
    char file[96];
    if (!memory->folder[0])
        return;
    snprintf(file, sizeof file, "%s/read", memory->folder);
    unlink(file);
    rmdir(memory->folder);
    memory->folder[0] = '\0';
}

const struct region *memory_find(const struct memory *memory, uint32_t address, uint32_t length)
{
    for (size_t i = 0; i < memory->regions_count; i++) {
        const struct region *region = &memory->regions[i];
        uint32_t offset = address - region->start;
        if (address >= region->start && offset < region->size_bytes && length <= region->size_bytes - offset)
            return region;
    }
    return NULL;
}

bool memory_read(struct memory *memory, const struct region *region, uint32_t address, uint8_t *buffer, uint32_t length)
{
    if (!memory->direct)
        return read_saved(memory, address, buffer, length);
    uint64_t host = memory->host[region - memory->regions] + (address - region->start);
    return copy_direct(memory, host, buffer, length, false);
}

bool memory_write(struct memory *memory, const struct region *region, uint32_t address, const uint8_t *buffer,
                  uint32_t length)
{
    uint64_t host = memory->host[region - memory->regions] + (address - region->start);
    /* The cast only serves iovec, which is one type for both directions. */
    return memory->direct && copy_direct(memory, host, (void *)(uintptr_t)buffer, length, true);
}
