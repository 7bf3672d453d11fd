/* SPDX-License-Identifier: MIT */
/* The only path for every access: timed, carried out, recorded. */
#include "board.h"
#include "bits.h"
#include "image.h"
#include "stlink_status.h"
#include "messages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PERIPHERALS_START 0x40000000u
#define PERIPHERALS_END   0x60000000u
#define SPOILED           0xA5
#define FILL_BYTES        1024

/* Records the counters at the end of a stretch. Without a fault as its cause, a debugger made the reset. */
static void note_stretch(void *self)
{
    struct board *board = self;
    struct counter_values values = counters_read(&board->counters, &board->memory);
    audit_stretch(&board->audit, board->cause ? board->cause : "debugger", board->elf, &values);
}

static uint32_t flash_bytes(const struct options *options)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < options->regions_count; i++)
        if (options->regions[i].kind == REGION_FLASH)
            sum += options->regions[i].size_bytes;
    return sum;
}

/* Starts QEMU, stopped, with the image. */
static bool start_machine(struct board *board, int firmware_fd)
{
    if (!machine_start(&board->machine, board->options, firmware_fd))
        return false;
    if (!memory_open(&board->memory, &board->machine, board->options)) {
        memory_close(&board->memory);
        machine_end(&board->machine);
        return false;
    }
    counters_find(&board->counters, &board->memory, firmware_fd);
    return true;
}

bool board_open(struct board *board, const struct options *options)
{
    int firmware_fd;
    *board = (struct board){.options = options, .elf = options->elf};
    if (!image_open(options->elf, options->settings, options->settings_count, true, &firmware_fd))
        return false;
    bool started = start_machine(board, firmware_fd);
    close(firmware_fd);
    if (!started)
        return false;
    core_init(&board->core, &board->machine, options->stm32_ids, flash_bytes(options) >> 10, options->trcena);
    board->core.before_reset = note_stretch;
    board->core.before_reset_self = board;
    wire_init(&board->wire, &options->probe);
    audit_init(&board->audit);
    if (!board_save_audit(board)) /* at the start, so that an invalid path is found before the run */
        goto end_machine;
    if (machine_continue(&board->machine))
        return true;
    fail("QEMU did not start the firmware; see its message above");
end_machine:
    audit_free(&board->audit);
    memory_close(&board->memory);
    machine_end(&board->machine);
    return false;
}

bool board_save_audit(struct board *board)
{
    struct counter_values values = {0};
    if (board->machine.pid > 0)
        values = counters_read(&board->counters, &board->memory);
    struct audit_context context = {board->options,  board->elf, &board->core,         &board->wire,
                                    &board->trouble, &values,    board->memory.direct, (int)board->machine.pid};
    return audit_save(&board->audit, &context);
}

bool board_close(struct board *board)
{
    bool saved = board_save_audit(board);
    memory_close(&board->memory);
    if (!board->ended)
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

/* Reads any bytes of the private peripheral bus by reading the aligned words that contain them. */
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

/* Overwrites the buffer of a failed read, so that its content is not mistaken for data. */
static bool spoil(struct board *board, uint8_t status, uint8_t *buffer, uint32_t length)
{
    board->access_status = status;
    memset(buffer, SPOILED, length);
    audit_read(&board->audit, ACCESS_FAULT, length);
    return false;
}

bool board_read(struct board *board, uint32_t address, unsigned width, uint32_t length, bool fixed, uint8_t *buffer)
{
    uint8_t trouble = trouble_on_wire(&board->trouble);
    enum access_class class = classify(board, address, fixed ? width : length);
    uint32_t slice = wire_slice(&board->wire);
    bool good = class != ACCESS_FAULT;
    wire_transfer(&board->wire, 2);
    if (trouble != STLINK_OK)
        return spoil(board, trouble, buffer, length);
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
    if (!good) {
        wire_transfer(&board->wire, 1); /* the transfer that faulted */
        return spoil(board, STLINK_AP_FAULT, buffer, length);
    }
    audit_read(&board->audit, class, length);
    return true;
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
    board->access_status = trouble_on_wire(&board->trouble);
    bool good = class != ACCESS_FAULT && board->access_status == STLINK_OK;
    for (uint32_t done = 0; good && done < length;) {
        uint32_t part = fixed ? width : length;
        good = write_part(board, class, fixed ? address : address + done, part, buffer + done);
        done += part;
    }
    if (!good && board->access_status == STLINK_OK)
        board->access_status = STLINK_AP_FAULT;
    audit_write(&board->audit, good ? class : ACCESS_FAULT, address, buffer, length);
    return good;
}

/* Returns a copy of the RAM regions one after another; NULL: out of memory. The caller frees it. */
static uint8_t *save_ram(struct board *board)
{
    size_t size = 0, used = 0;
    for (size_t i = 0; i < board->memory.regions_count; i++)
        if (board->memory.regions[i].kind == REGION_RAM)
            size += board->memory.regions[i].size_bytes;
    uint8_t *saved = malloc(size ? size : 1);
    for (size_t i = 0; saved && i < board->memory.regions_count; i++) {
        const struct region *region = &board->memory.regions[i];
        if (region->kind != REGION_RAM)
            continue;
        if (!memory_read(&board->memory, region, region->start, saved + used, region->size_bytes))
            memset(saved + used, 0, region->size_bytes);
        used += region->size_bytes;
    }
    return saved;
}

static bool load_ram(struct board *board, const uint8_t *saved)
{
    bool done = saved != NULL;
    for (size_t i = 0; done && i < board->memory.regions_count; i++) {
        const struct region *region = &board->memory.regions[i];
        if (region->kind != REGION_RAM)
            continue;
        done = memory_write(&board->memory, region, region->start, saved, region->size_bytes);
        saved += region->size_bytes;
    }
    return done;
}

/* Fills RAM with zeros, or with noise as in SRAM at power-on. Unlike real SRAM, the noise differs completely from
 * one seed to the next. */
static bool fill_ram(struct board *board, bool random, uint64_t seed)
{
    bool done = true;
    for (size_t i = 0; done && i < board->memory.regions_count; i++) {
        const struct region *region = &board->memory.regions[i];
        uint8_t block[FILL_BYTES] = {0};
        for (uint32_t at = 0; done && region->kind == REGION_RAM && at < region->size_bytes; at += FILL_BYTES) {
            uint32_t part = region->size_bytes - at < FILL_BYTES ? region->size_bytes - at : FILL_BYTES;
            for (uint32_t j = 0; random && j < part; j++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                block[j] = (uint8_t)(seed >> 56);
            }
            done = memory_write(&board->memory, region, region->start + at, block, part);
        }
    }
    return done;
}

static bool stop_in_reset(struct board *board, const char *cause)
{
    board->cause = cause;
    bool done = core_enter_reset(&board->core);
    board->cause = NULL;
    return done;
}

bool board_enter_reset(struct board *board, const char *cause, bool keep_ram)
{
    if (!machine_stop(&board->machine))
        return false;
    /* QEMU's own reset clears the ELF's .bss; a reset pin does not. */
    uint8_t *saved = keep_ram ? save_ram(board) : NULL;
    bool done = stop_in_reset(board, cause) && (keep_ram ? load_ram(board, saved) : fill_ram(board, false, 0));
    free(saved);
    return done;
}

bool board_leave_reset(struct board *board)
{
    counters_clear(&board->counters, &board->memory);
    return core_leave_reset(&board->core);
}

bool board_power_off(struct board *board, const char *cause)
{
    return stop_in_reset(board, cause);
}

bool board_power_on(struct board *board, uint64_t seed)
{
    core_power_on(&board->core);
    board->trouble.link_lost = true;
    return fill_ram(board, true, seed) && board_leave_reset(board);
}

bool board_flash(struct board *board, const char *cause, const char *elf)
{
    int firmware_fd;
    if (!image_open(elf, board->options->settings, board->options->settings_count, false, &firmware_fd))
        return false;
    uint8_t *saved = machine_stop(&board->machine) ? save_ram(board) : NULL;
    bool done = saved && stop_in_reset(board, cause);
    if (done) {
        memory_close(&board->memory);
        machine_end(&board->machine);
        board->ended = !start_machine(board, firmware_fd);
        board->elf = elf;
        board->core.guest_resets_known = 0;
        done = !board->ended && load_ram(board, saved);
    }
    close(firmware_fd);
    free(saved);
    return done;
}
