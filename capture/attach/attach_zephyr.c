/* SPDX-License-Identifier: MIT */
/* The same as attach.c for Zephyr's rings, and the files that they need. */
#include "attach/attach_zephyr.h"

#include <string.h>

#include "locate/zephyr.h"
#include "stream/event_logger_reader.h"

/* NULL while nothing is recorded; ThreadX common/src/tx_trace_disable.c */
#define CURRENT_SYMBOL "_tx_trace_buffer_current_ptr"
#define MASK_SYMBOL    "_sys_k_event_logger_mask" /* with CONFIG_KERNEL_EVENT_LOGGER_DYNAMIC */

/* Thread objects of K_THREAD_DEFINE(NAME) are called so; where a thread is its stack, as it was before, that. */
static const char *const name_prefixes[] = {"_k_thread_obj_", "_k_thread_stack_"};

static bool name_at(void *self, uint32_t address, char *name, size_t name_bytes)
{
    const struct attachment *attachment = self;

    if (attachment->elf == NULL || attachment->firmware.firmware == FIRMWARE_OTHER ||
        !elf_symbol_at(attachment->elf, address, name, name_bytes))
        return false;
    for (size_t i = 0; i < sizeof name_prefixes / sizeof *name_prefixes; i++) {
        size_t length = strlen(name_prefixes[i]);

        if (strncmp(name, name_prefixes[i], length) == 0 && name[length] != '\0')
            memmove(name, name + length, strlen(name + length) + 1);
    }
    return true;
}

enum txtap_status attach_ring_find(struct attachment *attachment, char error[static ERROR_TEXT_BYTES])
{
    const struct ring_options *options = &attachment->options->ring;
    struct reader_place place = {.kind = options->kind, .name_at = name_at, .self = attachment};
    enum txtap_status status;

    if (options->kind == READER_LOGGER)
        status = locate_logger(attachment->source, attachment->elf, &place.logger, error);
    else
        status = locate_zephyr_ram(attachment->source, attachment->elf,
                                   options->has_position ? &options->position : NULL, &place.ram, error);
    if (status != TXTAP_OK)
        return status;
    attachment->reader = place;
    attachment->how = LOCATE_BY_SYMBOL;
    attachment->address = options->kind == READER_LOGGER ? place.logger.ring : place.ram.buffer;
    attachment->header =
        logger_reader_header(attachment->address, options->kind == READER_LOGGER ? place.logger.size / 2 : 1);
    return TXTAP_OK;
}

enum txtap_status attach_ring_open_file(struct attachment *attachment, const struct options *options,
                                        struct memory_file *memory, struct input *input,
                                        char error[static ERROR_TEXT_BYTES])
{
    const struct trace_file_request request = {.input = input, .has_base = options->has_base, .base = options->base};
    enum txtap_status status = memory_file_open(memory, &request, error);

    memset(attachment, 0, sizeof *attachment);
    attachment->options = options;
    if (status != TXTAP_OK)
        return status;
    attachment->source = memory_file_source(memory);
    if (!options->quiet)
        trace_file_report_memory(&memory->file);
    status = elf_open(&attachment->elf, options->target.elf, error);
    if (status == TXTAP_OK)
        status = attach_ring_find(attachment, error);
    if (status != TXTAP_OK)
        attach_ring_close_file(attachment);
    return status;
}

void attach_ring_close_file(struct attachment *attachment)
{
    attachment->source.ops->close(attachment->source.self);
    elf_close(attachment->elf);
    attachment->elf = NULL;
}

const char *attach_ring_enabled_symbol(const struct attachment *attachment)
{
    switch (attachment->options->ring.kind) {
    case READER_LOGGER:
        return MASK_SYMBOL;
    case READER_ZEPHYR_RAM:
        return NULL;
    default:
        return CURRENT_SYMBOL;
    }
}

const char *attach_ring_uptime_symbol(const struct attachment *attachment)
{
    static const char *const symbols[] = {
        "_tx_timer_system_clock", /* ticks since the start; ThreadX common/inc/tx_timer.h */
        "_sys_clock_tick_count",  /* Zephyr 1.x kernel/sys_clock.c */
        "curr_tick",              /* Zephyr kernel/timeout.c */
    };
    struct elf_symbol symbol;

    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (elf_symbol_find(attachment->elf, symbols[i], &symbol) == TXTAP_OK)
            return symbols[i];
    return symbols[0];
}
