/* SPDX-License-Identifier: MIT */
/* The steps that switch on the trace of a firmware, from its symbols. */
#include "locate/switch_on.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "error_line.h"
#include "locate/elf_maker.h"

#define BSS_END (MADE_BSS + 0x1000)

/* Armv7E-M, and Armv6-M. */
static const uint8_t cortex_m4[] = {'A', 19, 0, 0, 0, 'a', 'e', 'a', 'b', 'i', 0, 1, 9, 0, 0, 0, 6, 13, 7, 'M'};
static const uint8_t cortex_m0[] = {'A', 19, 0, 0, 0, 'a', 'e', 'a', 'b', 'i', 0, 1, 9, 0, 0, 0, 6, 12, 7, 'M'};

static struct made_symbol symbols[11];
static struct elf_recipe recipe;
static uint32_t stack_pointer; /* the first word of the vector table */

static void add(const char *name, uint32_t value, bool function)
{
    symbols[recipe.symbol_count++] =
        (struct made_symbol){.name = name, .value = value, .size = 4, .function = function};
}

/* ThreadX without a trace. */
static void set_up(void)
{
    recipe = (struct elf_recipe){.symbols = symbols,
                                 .words = &stack_pointer,
                                 .word_count = 1,
                                 .attributes = cortex_m4,
                                 .attributes_length = sizeof cortex_m4};
    stack_pointer = 0;
    add("_tx_thread_current_ptr", MADE_BSS + 0x20, false);
}

TestSuite(switch_on, .init = set_up);

static struct elf_file *open_made(int *fd)
{
    uint8_t bytes[ELF_MAKER_BYTES];
    struct elf_file *elf;
    struct error error;
    char path[32];

    *fd = elf_make_file(bytes, elf_make(&recipe, bytes), path);
    cr_assert_eq(elf_open(&elf, path, &error), TXTAP_OK, "%s", error_line(&error));
    return elf;
}

/* The strings in the result are constants, so they outlive the file. */
static struct switch_on look(void)
{
    int fd;
    struct elf_file *elf = open_made(&fd);
    struct switch_on firmware = switch_on_look(elf);

    elf_close(elf);
    close(fd);
    return firmware;
}

/* ---- the state ---- */

Test(switch_on, firmware_without_threadx_is_unknown)
{
    struct error error = {0};
    struct elf_file *elf;
    int fd;

    recipe.symbol_count = 0;
    add("_tx_trace_header_ptr", MADE_BSS, false);
    cr_expect(look().state == SWITCH_ON_UNKNOWN);
    elf = open_made(&fd);
    cr_expect(switch_on_check(elf, &error) == TXTAP_OK && !error_is_set(&error));
    elf_close(elf);
    close(fd);
}

Test(switch_on, states_follow_from_symbols)
{
    struct error error;
    struct elf_file *elf;
    int fd;

    cr_expect(look().state == SWITCH_ON_NOT_BUILT && !look().has_call);
    elf = open_made(&fd);
    cr_expect(switch_on_check(elf, &error) == ERROR_SYMBOL);
    cr_expect_not_null(strstr(error_line(&error), "TX_ENABLE_EVENT_TRACE"));
    elf_close(elf);
    close(fd);
    add("_tx_trace_enable", MADE_TEXT + 0x41, true);
    cr_expect(look().state == SWITCH_ON_NOT_BUILT && look().has_call);
    add("_tx_trace_header_ptr", MADE_BSS, false);
    cr_expect(look().state == SWITCH_ON_LINKED);
    symbols[1].name = "_tx_trace_disable";
    cr_expect(look().state == SWITCH_ON_NOT_LINKED);
}

/* ---- the way ---- */

static void way_is(const char *symbol, const char *name)
{
    set_up();
    add(symbol, MADE_TEXT + 0x51, true);
    cr_assert_not_null(look().way->name, "%s", symbol);
    cr_expect_str_eq(look().way->name, name);
    cr_expect_str_eq(look().way_symbol, symbol);
}

Test(switch_on, vendors_are_guessed_from_symbols)
{
    cr_expect_null(look().way->name);
    cr_expect_null(look().way_symbol);
    way_is("MX_ThreadX_Init", "STM32CubeMX");
    way_is("HAL_Init", "STM32CubeMX");
    way_is("tx_startup_err_callback", "Renesas FSP or Synergy");
    way_is("__iar_program_start", "IAR");
    way_is("__scatterload", "Keil MDK");
}

Test(switch_on, a_vendor_counts_more_than_its_compiler)
{
    add("__iar_program_start", MADE_TEXT + 0x51, true);
    add("HAL_Init", MADE_TEXT + 0x61, true);
    cr_expect_str_eq(look().way->name, "STM32CubeMX");
}

/* ---- RAM and the buffer ---- */

static void buffer_is(uint32_t top, uint32_t bytes, uint32_t objects, uint32_t events)
{
    struct switch_on firmware = look();

    cr_expect(firmware.ram.start == MADE_DATA && firmware.ram.end == BSS_END);
    cr_expect_eq(firmware.ram.top, top, "0x%08x", (unsigned)firmware.ram.top);
    cr_expect_eq(firmware.buffer.bytes, bytes, "%u", (unsigned)firmware.buffer.bytes);
    cr_expect_eq(firmware.buffer.objects, objects);
    cr_expect_eq(firmware.buffer.events, events, "%u", (unsigned)firmware.buffer.events);
}

Test(switch_on, without_an_end_of_ram_the_usual_buffer_is_advised)
{
    buffer_is(0, 16384, 30, 465);
}

Test(switch_on, half_of_the_free_ram_stays_free)
{
    add("_estack", BSS_END + 0x8000, false);
    buffer_is(BSS_END + 0x8000, 16384, 30, 465);
    symbols[1].value -= 4;
    buffer_is(BSS_END + 0x7ffc, 8192, 30, 209);
    symbols[1].value = BSS_END + 0x400000;
    buffer_is(BSS_END + 0x400000, 65536, 30, 2001);
    symbols[1].value = BSS_END + 4096;
    buffer_is(BSS_END + 4096, 2048, 8, 50);
    symbols[1].value = BSS_END + 2044;
    buffer_is(BSS_END + 2044, 0, 0, 0);
}

Test(switch_on, the_lowest_end_of_ram_counts)
{
    add("__StackTop", BSS_END + 0x8000, false);
    add("__StackLimit", BSS_END + 0x4000, false);
    buffer_is(BSS_END + 0x4000, 8192, 30, 209);
    cr_expect_str_eq(look().ram.top_symbol, "__StackLimit");
}

Test(switch_on, stacks_among_the_variables_or_in_other_ram_do_not_count)
{
    add("_estack", BSS_END - 0x100, false);
    add("__StackTop", 0x24080000, false);
    buffer_is(0, 16384, 30, 465);
}

Test(switch_on, the_initial_stack_pointer_is_the_last_choice)
{
    stack_pointer = BSS_END + 0x4000;
    buffer_is(BSS_END + 0x4000, 8192, 30, 209);
    cr_expect_null(look().ram.top_symbol);
    add("_estack", BSS_END + 0x8000, false);
    buffer_is(BSS_END + 0x8000, 16384, 30, 465);
}

Test(switch_on, another_section_ends_the_free_ram)
{
    recipe.noinit = BSS_END + 0x2000;
    add("_estack", BSS_END + 0x8000, false);
    buffer_is(BSS_END + 0x2000, 4096, 30, 81);
}

Test(switch_on, a_heap_counts_if_it_does_not_take_all_memory)
{
    add("__StackLimit", BSS_END + 0x8000, false);
    add("__HeapLimit", BSS_END + 0x4004, false);
    cr_expect(look().ram.end == BSS_END + 0x4004 && look().buffer.bytes == 4096);
    symbols[2].value = BSS_END + 0x8000;
    buffer_is(BSS_END + 0x8000, 16384, 30, 465);
}

/* ---- the text ---- */

static char text[8192];

static void print(void)
{
    struct switch_on firmware = look();
    FILE *out = fmemopen(text, sizeof text, "w");

    text[0] = '\0'; /* nothing is written if nothing is printed */
    cr_assert_not_null(out);
    switch_on_print(&firmware, "fw.elf", out);
    fclose(out);
}

static void has(const char *words)
{
    cr_expect(strstr(text, words) != NULL, "no '%s' in\n%s", words, text);
}

static void lacks(const char *words)
{
    cr_expect(strstr(text, words) == NULL, "'%s' in\n%s", words, text);
}

Test(switch_on, text_of_a_firmware_with_a_cycle_counter)
{
    add("_estack", BSS_END + 0x8000, false);
    add("MX_ThreadX_Init", MADE_TEXT + 0x51, true);
    print();
    has("STM32CubeMX, as the symbol MX_ThreadX_Init suggests");
    has("app_azure_rtos.c");
    has("static ULONG trace_buffer[16384 / sizeof(ULONG)];");
    has("tx_trace_enable(trace_buffer, sizeof trace_buffer, 30);");
    has("0xE000EDFC");
    has("tx_trace_isr_enter_insert");
    has("_estack at 0x20009040: 32768 bytes");
    lacks("USBX");
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        cr_expect(strcspn(line, "\n") <= 120, "%.130s", line);
}

Test(switch_on, text_of_a_firmware_without_a_cycle_counter)
{
    recipe.attributes = cortex_m0;
    print();
    has("no cycle counter");
    has("TX_TRACE_TIME_SOURCE");
    has("does not tell where this RAM ends");
    lacks("0xE000EDFC");
    lacks("DTCM");
}

Test(switch_on, text_of_a_core_that_is_not_known)
{
    recipe.attributes = NULL;
    print();
    has("does not tell the core");
    lacks("0xE000EDFC");
}

Test(switch_on, text_of_usbx_and_recorded_interrupts)
{
    add("_ux_system", MADE_BSS + 0x40, false);
    add("_tx_trace_isr_enter_insert", MADE_TEXT + 0x51, true);
    print();
    has("UX_TRACE_INSERT_MACROS");
    lacks("in each handler");
}

Test(switch_on, the_macro_is_named_only_if_it_is_missing)
{
    add("_tx_trace_header_ptr", MADE_BSS, false);
    print();
    has("nothing in this firmware calls tx_trace_enable()");
    lacks("TX_ENABLE_EVENT_TRACE");
    add("_tx_trace_enable", MADE_TEXT + 0x51, true);
    print();
    has("TX_SIZE_ERROR");
    has("it belongs at the start of tx_application_define()");
    lacks("TX_ENABLE_EVENT_TRACE");
    lacks("trace_buffer");
    recipe.symbol_count = 0;
    print();
    cr_expect_str_empty(text);
}
