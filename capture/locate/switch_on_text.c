/* SPDX-License-Identifier: MIT */
/* The steps that switch the trace on, as text. */
#include "locate/switch_on.h"

#include <inttypes.h>
#include <stdarg.h>

#include "base/text_maker.h"

#define EVENT_RATE       2000u /* of the example for the time that a buffer lasts; docs/user/firmware.md uses it, too */
#define BUFFER_BYTES_ANY 1024u /* in the code to copy, if no buffer fits */

static void row(FILE *out, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void row(FILE *out, const char *key, const char *format, ...)
{
    char text[TEXT_ROW_BYTES], rows[2 * TEXT_ROW_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_row_within(rows, sizeof rows, TEXT_ROW_COLUMNS, key, text);
    fputs(rows, out);
}

static void print_state(const struct switch_on *firmware, FILE *out)
{
    switch (firmware->state) {
    case SWITCH_ON_UNKNOWN:
        break;
    case SWITCH_ON_NOT_BUILT:
        row(out, "trace", "missing: this firmware has ThreadX, but ThreadX is built without TX_ENABLE_EVENT_TRACE%s",
            firmware->has_call ? "; its tx_trace_enable() only returns TX_FEATURE_NOT_ENABLED" : "");
        break;
    case SWITCH_ON_NOT_LINKED:
        row(out, "trace", "built into ThreadX, but not used: nothing in this firmware calls tx_trace_enable()");
        break;
    case SWITCH_ON_LINKED:
        row(out, "trace",
            "not enabled: tx_trace_enable() is in this firmware, but it was not called yet, or it returned an error: "
            "TX_SIZE_ERROR (0x05) means that the buffer is too small. A call before tx_kernel_enter() has no effect, "
            "because ThreadX clears its trace when the kernel starts");
        break;
    }
}

static void print_macro(const struct switch_on *firmware, FILE *out)
{
    const struct switch_on_way *way = firmware->way;

    if (firmware->state != SWITCH_ON_NOT_BUILT)
        return;
    if (way->name != NULL)
        row(out, "macro", "%s, as the symbol %s suggests: %s", way->name, firmware->way_symbol, way->macro);
    else
        row(out, "macro", "TX_ENABLE_EVENT_TRACE: %s", way->macro);
    row(out, "",
        "Then build ThreadX and the application again, completely: only files that see the macro record events");
}

static void print_ram(const struct switch_on *firmware, const char *path, FILE *out)
{
    const struct switch_on_ram *ram = &firmware->ram;

    if (ram->end == 0) {
        row(out, "RAM", "unknown: the file does not tell where the variables are");
        return;
    }
    if (ram->top == 0) {
        row(out, "RAM",
            "in use from 0x%08" PRIx32 " to 0x%08" PRIx32
            ". The file does not tell where this RAM ends. Free are ORIGIN "
            "+ LENGTH of this RAM in the linker script, minus 0x%08" PRIx32 ". 'arm-none-eabi-size -A %s' lists the "
            "sections. The linker reports a buffer that does not fit",
            ram->start, ram->end, ram->end, path);
        return;
    }
    row(out, "RAM",
        "in use from 0x%08" PRIx32 " to 0x%08" PRIx32 "; free up to %s at 0x%08" PRIx32 ": %" PRIu32
        " bytes, including a heap or stack that has no section",
        ram->start, ram->end, ram->top_symbol != NULL ? ram->top_symbol : "the initial stack pointer", ram->top,
        ram->top - ram->end);
}

static void print_buffer(const struct switch_on *firmware, FILE *out)
{
    const struct switch_on_buffer *buffer = &firmware->buffer;

    if (buffer->bytes == 0) {
        row(out, "buffer",
            "less than 1 KiB is available, if half of the free RAM stays free: make room first, for example with "
            "smaller stacks or pools");
        return;
    }
    row(out, "buffer",
        "%" PRIu32 " bytes hold %" PRIu32 " events and the names of %" PRIu32
        " objects: about %.2g s at %u events/s. An event "
        "needs 32 bytes, an object 48 and the header 48",
        buffer->bytes, buffer->events, buffer->objects, (double)buffer->events / EVENT_RATE, EVENT_RATE);
}

static void print_call(const struct switch_on *firmware, FILE *out)
{
    uint32_t bytes = firmware->buffer.bytes != 0 ? firmware->buffer.bytes : BUFFER_BYTES_ANY;
    uint32_t objects = firmware->buffer.bytes != 0 ? firmware->buffer.objects : 8;

    row(out, "call", "%s:", firmware->way->call);
    fprintf(out, "\n    static ULONG trace_buffer[%" PRIu32 " / sizeof(ULONG)];\n\n", bytes);
    if (firmware->core.cycle_counter)
        fputs(
            "    *(volatile ULONG *)0xE000EDFC |= 1UL << 24;      /* DEMCR.TRCENA: switch DWT on */\n"
            "    *(volatile ULONG *)0xE0001FB0 = 0xC5ACCE55UL;    /* DWT_LAR: Cortex-M7 needs it, others ignore it */\n"
            "    *(volatile ULONG *)0xE0001000 |= 1UL;            /* DWT_CTRL.CYCCNTENA: count cycles */\n",
            out);
    fprintf(out, "    tx_trace_enable(trace_buffer, sizeof trace_buffer, %" PRIu32 ");\n\n", objects);
}

static void print_clock(const struct switch_on *firmware, FILE *out)
{
    if (firmware->core.cycle_counter)
        row(out, "clock", "%s: ThreadX's ports read the cycle counter of DWT, which the code above switches on",
            firmware->core.name);
    else if (firmware->core.name != NULL)
        row(out, "clock",
            "%s has no cycle counter. Define TX_TRACE_TIME_SOURCE as a timer that counts up and that your firmware "
            "starts, in the same place as TX_ENABLE_EVENT_TRACE; TIM2 of an STM32 is (*(volatile ULONG *)0x40000024). "
            "Define TX_TRACE_TIME_MASK as 0x0000FFFFUL if the timer has 16 bits",
            firmware->core.name);
    else
        row(out, "clock",
            "the file does not tell the core. Look for TX_TRACE_TIME_SOURCE in tx_port.h, and start that clock");
}

void switch_on_print(const struct switch_on *firmware, const char *path, FILE *out)
{
    if (firmware->state == SWITCH_ON_UNKNOWN)
        return;
    print_state(firmware, out);
    if (firmware->state == SWITCH_ON_LINKED) { /* the firmware has a buffer and a call of its own */
        row(out, "call", "it belongs %s", firmware->way->call);
        return;
    }
    print_macro(firmware, out);
    print_ram(firmware, path, out);
    print_buffer(firmware, out);
    print_call(firmware, out);
    print_clock(firmware, out);
    if (firmware->core.may_cache)
        row(out, "cache",
            "if the core has a data cache (Cortex-M7, M55, M85), put the buffer into memory that is not cached, such "
            "as "
            "DTCM: a probe may not see data in the cache");
    if (!firmware->has_interrupts)
        row(out, "interrupts",
            "ThreadX does not record them itself. Call tx_trace_isr_enter_insert(N) first and "
            "tx_trace_isr_exit_insert(N) "
            "last in each handler that you want to see; N is any number");
    if (firmware->has_usbx)
        row(out, "USBX", "for its events define UX_TRACE_INSERT_MACROS, too, in ux_user.h or for all files");
    row(out, "then",
        "build, flash, and run 'txtap info %s' again. docs/user/switch-on.md has more. 'txtap kernel %s' shows "
        "threads, stacks and queues without a trace",
        path, path);
}
