/* SPDX-License-Identifier: MIT */
#include "board.h"
#include "bits.h"
#include "image.h"
#include "talk.h"

#include <string.h>
#include <unistd.h>

#define PERIPHERALS_START 0x40000000u
#define PERIPHERALS_END   0x60000000u

bool board_open(struct board *board, const struct options *options)
{
    int firmware_fd;
    *board = (struct board){.options = options};
    if (!image_open(options->elf, options->settings, options->settings_count, &firmware_fd))
        return false;
    bool started = machine_start(&board->machine, options, firmware_fd);
    close(firmware_fd);
    if (!started)
        return false;
    uint32_t flash_bytes = 0;
    for (size_t i = 0; i < options->regions_count; i++)
        if (options->regions[i].kind == REGION_FLASH)
            flash_bytes += options->regions[i].size_bytes;
    if (!memory_open(&board->memory, &board->machine, options))
        goto end_machine;
    core_init(&board->core, &board->machine, options->stm32_ids, flash_bytes >> 10);
    wire_init(&board->wire, &options->probe);
    audit_init(&board->audit);
    if (!board_save_audit(board)) /* now, so that a bad path is known before the run */
        goto close_memory;
    if (machine_continue(&board->machine))
        return true;
    fail("QEMU did not start the firmware; see its message above");
close_memory:
    memory_close(&board->memory);
    audit_free(&board->audit);
end_machine:
    memory_close(&board->memory);
    machine_end(&board->machine);
    return false;
}

bool board_save_audit(struct board *board)
{
    struct audit_context context = {board->options, &board->core, &board->wire, board->memory.direct,
                                    (int)board->machine.pid};
    return audit_save(&board->audit, &context);
}

bool board_close(struct board *board)
{
    bool saved = board_save_audit(board);
    memory_close(&board->memory);
    machine_end(&board->machine);
    audit_free(&board->audit);
    return saved;
}

static enum access_class classify(const struct board *board, uint32_t address, uint32_t length)
{
    const struct region *region = memory_find(&board->memory, address, length);
    uint32_t last = address + (length - 1);
    if (length == 0 || last < address)
        return ACCESS_FAULT;
    if (region)
        return region->kind == REGION_RAM ? ACCESS_RAM : ACCESS_FLASH;
    if (core_holds(&board->core, address) && core_holds(&board->core, last))
        return core_is_debug(address) ? ACCESS_DEBUG : ACCESS_SYSTEM;
    if (address >= PERIPHERALS_START && last < PERIPHERALS_END)
        return ACCESS_PERIPHERAL;
    return ACCESS_FAULT;
}

/* Any bytes of the private peripheral bus, from the aligned words around them. */
static void read_core(struct board *board, uint32_t address, uint32_t length, uint8_t *buffer)
{
    while (length) {
        uint8_t word[4];
        uint32_t skipped = address & 3, part = 4 - skipped < length ? 4 - skipped : length;
        put_u32(word, core_read(&board->core, address - skipped));
        memcpy(buffer, word + skipped, part);
        address += part, buffer += part, length -= part;
    }
}

static bool read_part(struct board *board, enum access_class class, uint32_t address, unsigned width, uint32_t length,
                      uint8_t *buffer)
{
    switch (class) {
    case ACCESS_RAM:
    case ACCESS_FLASH:
        return memory_read(&board->memory, memory_find(&board->memory, address, length), address, buffer, length);
    case ACCESS_SYSTEM:
    case ACCESS_DEBUG:
        read_core(board, address, length, buffer);
        return true;
    case ACCESS_PERIPHERAL:
        return machine_read_device(&board->machine, address, width, length / width, buffer);
    default:
        return false;
    }
}

bool board_read(struct board *board, uint32_t address, unsigned width, uint32_t length, bool fixed, uint8_t *buffer)
{
    enum access_class class = classify(board, address, fixed ? width : length);
    uint32_t slice = wire_slice(&board->wire);
    bool good = class != ACCESS_FAULT;
    wire_transfer(&board->wire, 2);
    for (uint32_t done = 0; good && done < length;) {
        uint32_t part = length - done;
        if (fixed)
            part = width;
        else if (part / width > slice)
            part = slice * width;
        wire_transfer(&board->wire, part / width);
        wire_wait(&board->wire);
        good = read_part(board, class, fixed ? address : address + done, width, part, buffer + done);
        done += part;
    }
    if (!good)
        wire_transfer(&board->wire, 1); /* the transfer that faulted */
    audit_read(&board->audit, good ? class : ACCESS_FAULT, length);
    return good;
}

static bool write_core(struct board *board, uint32_t address, uint32_t length, const uint8_t *buffer)
{
    bool good = true;
    while (good && length) {
        uint8_t word[4];
        uint32_t skipped = address & 3, part = 4 - skipped < length ? 4 - skipped : length;
        if (part < 4)
            put_u32(word, core_read(&board->core, address - skipped));
        memcpy(word + skipped, buffer, part);
        good = core_write(&board->core, address - skipped, get_u32(word));
        address += part, buffer += part, length -= part;
    }
    return good;
}

static bool write_part(struct board *board, enum access_class class, uint32_t address, uint32_t length,
                       const uint8_t *buffer)
{
    switch (class) {
    case ACCESS_RAM:
    case ACCESS_FLASH:
        return memory_write(&board->memory, memory_find(&board->memory, address, length), address, buffer, length);
    case ACCESS_SYSTEM:
    case ACCESS_DEBUG:
        return write_core(board, address, length, buffer);
    case ACCESS_PERIPHERAL:
        return machine_write_device(&board->machine, address, buffer, length);
    default:
        return false;
    }
}

bool board_write(struct board *board, uint32_t address, unsigned width, uint32_t length, bool fixed,
                 const uint8_t *buffer)
{
    enum access_class class = classify(board, address, fixed ? width : length);
    wire_transfer(&board->wire, length / width + 2);
    wire_wait(&board->wire);
    bool good = class != ACCESS_FAULT;
    for (uint32_t done = 0; good && done < length;) {
        uint32_t part = fixed ? width : length;
        good = write_part(board, class, fixed ? address : address + done, part, buffer + done);
        done += part;
    }
    audit_write(&board->audit, good ? class : ACCESS_FAULT, address, buffer, length);
    return good;
}
