/* SPDX-License-Identifier: MIT */
/* Finds the steps that a firmware needs for a trace, from the symbols and the sections of its ELF file. */
#include "locate/switch_on.h"

#include <string.h>

#include "probe/source_base.h"
#include "txtap/txtb.h"

#define ENABLE_SYMBOL   "_tx_trace_enable"   /* ThreadX common/src/tx_trace_enable.c */
#define RECORDER_SYMBOL "txtap_trace_enable" /* target/recorder: the firmware has a trace of its own */
#define REGISTRY_BYTES  48u                  /* of an object, with a name of 32 bytes, which is ThreadX's default */

/* ---- the tools of vendors ---- */

#define MACRO_STM32                                                                                                    \
    "set TX_ENABLE_EVENT_TRACE in the ThreadX settings of the .ioc file and generate the code; or remove the comment " \
    "signs around '#define TX_ENABLE_EVENT_TRACE' in tx_user.h (Core/Inc or AZURE_RTOS/App)"
#define MACRO_RENESAS "enable 'Event Trace' in the properties of ThreadX in the configurator, and generate the code"
#define MACRO_COMPILER                                                                                                 \
    "add TX_ENABLE_EVENT_TRACE to the defined symbols of the project and of the project that builds the ThreadX "      \
    "library, or define it in the tx_user.h of both"
#define MACRO_ANY                                                                                                      \
    "define it for all files, those of ThreadX included: with CMake, "                                                 \
    "add_compile_definitions(TX_ENABLE_EVENT_TRACE) above add_subdirectory() of ThreadX; else "                        \
    "-DTX_ENABLE_EVENT_TRACE in the flags, or '#define TX_ENABLE_EVENT_TRACE' in the tx_user.h that "                  \
    "TX_INCLUDE_USER_DEFINE_FILE includes"
#define CALL_STM32                                                                                                     \
    "in a USER CODE block at the start of tx_application_define() (AZURE_RTOS/App/app_azure_rtos.c) or of "            \
    "App_ThreadX_Init() (app_threadx.c)"
#define CALL_RENESAS                                                                                                   \
    "in tx_application_define_user(). If the generated tx_user.h defines TX_USER_ENABLE_TRACE, the generated code "    \
    "calls tx_trace_enable() itself: then only start the clock, and set the size of the buffer in the configurator"
#define CALL_ANY "at the start of tx_application_define()"

/* The first row with a symbol of the firmware applies. So the rows of vendors are above the rows of compilers, which
 * these vendors use, too. */
static const struct switch_on_way ways[] = {
    {"STM32CubeMX", {"MX_ThreadX_Init", "App_ThreadX_Init", "HAL_Init"}, MACRO_STM32, CALL_STM32},
    {"Renesas FSP or Synergy",
     {"R_FSP_VersionGet", "g_fsp_version", "g_fsp_common_initialized", "tx_startup_err_callback"},
     MACRO_RENESAS,
     CALL_RENESAS},
    {"IAR", {"__iar_program_start", "__iar_data_init3"}, MACRO_COMPILER, CALL_ANY},
    {"Keil MDK", {"__scatterload", "Region$$Table$$Base"}, MACRO_COMPILER, CALL_ANY},
    {NULL, {NULL}, MACRO_ANY, CALL_ANY},
};

static bool has_symbol(const struct elf_file *elf, const char *name)
{
    struct elf_symbol symbol;

    return elf_symbol_find(elf, name, &symbol) == TXTAP_OK;
}

static const struct switch_on_way *way_of(const struct elf_file *elf, const char **symbol)
{
    const struct switch_on_way *way = ways;

    for (*symbol = NULL; way->name != NULL; way++)
        for (const char *const *name = way->symbols; *name != NULL; name++)
            if (has_symbol(elf, *name)) {
                *symbol = *name;
                return way;
            }
    return way;
}

/* ---- RAM ---- */

#define SAME_RAM_BYTES (16u * 1024 * 1024) /* addresses that are further apart are in different RAM */

/* Symbols of linker scripts for the end of RAM, or for the start of a stack there. */
static const char *const tops[] = {
    "_estack",     "__StackLimit", "__StackTop",          "__stack", "_stack", "__stack_end",
    "__ram_end__", "_ram_end",     "__RAM_segment_end__", NULL,
};

/* Symbols of linker scripts for the end of a heap that has no section. Some heaps take all memory up to the stack. They
 * shrink when a variable is added, so they do not count. */
static const char *const heap_ends[] = {"__HeapLimit", "__heap_end__", "__heap_limit", NULL};

static void note_top(struct switch_on_ram *ram, uint32_t address, const char *symbol)
{
    if (address <= ram->end || address - ram->start > SAME_RAM_BYTES || (ram->top != 0 && ram->top <= address))
        return;
    ram->top = address;
    ram->top_symbol = symbol;
}

static uint32_t initial_stack_pointer(const struct elf_file *elf)
{
    const uint8_t *vectors = NULL;
    uint32_t address;

    if (elf_arm_entry(elf) != 0 && elf_lowest_address(elf, &address))
        vectors = elf_bytes(elf, address, 4);
    return vectors != NULL ? memory_word(vectors, elf_endian(elf)) : 0;
}

/* Describes the RAM that has the variable at `address`. */
static struct switch_on_ram ram_of(const struct elf_file *elf, uint32_t address)
{
    struct switch_on_ram ram = {.start = 0};
    struct elf_symbol symbol;
    size_t count, at = 0;
    const struct memory_region *regions = elf_ram(elf, &count);

    while (at < count && (address < regions[at].start || address - regions[at].start >= regions[at].size))
        at++;
    if (at == count || regions[at].size > UINT32_MAX - regions[at].start)
        return ram;
    ram.start = regions[at].start;
    ram.end = regions[at].start + regions[at].size;
    for (const char *const *name = tops; *name != NULL; name++)
        if (elf_symbol_find(elf, *name, &symbol) == TXTAP_OK)
            note_top(&ram, symbol.address, *name);
    if (ram.top == 0)
        note_top(&ram, initial_stack_pointer(elf), NULL);
    if (at + 1 < count && ram.top > regions[at + 1].start) { /* another section lies between */
        ram.top = regions[at + 1].start;
        ram.top_symbol = "the next section";
    }
    for (const char *const *name = heap_ends; *name != NULL; name++)
        if (elf_symbol_find(elf, *name, &symbol) == TXTAP_OK && symbol.address > ram.end && symbol.address < ram.top)
            ram.end = symbol.address;
    return ram;
}

#define BUFFER_BYTES     (16u * 1024) /* if the free RAM is not known */
#define BUFFER_BYTES_MIN 1024u
#define BUFFER_BYTES_MAX (64u * 1024)
#define OBJECTS          30u
#define OBJECTS_SMALL    8u /* in a buffer of less than SMALL_BYTES */
#define SMALL_BYTES      4096u

struct switch_on_buffer switch_on_buffer(const struct switch_on_ram *ram)
{
    struct switch_on_buffer buffer = {.bytes = ram->top == 0 ? BUFFER_BYTES : BUFFER_BYTES_MAX};

    while (ram->top != 0 && buffer.bytes > (ram->top - ram->end) / 2)
        buffer.bytes /= 2;
    if (buffer.bytes < BUFFER_BYTES_MIN)
        return (struct switch_on_buffer){.bytes = 0};
    buffer.objects = buffer.bytes < SMALL_BYTES ? OBJECTS_SMALL : OBJECTS;
    buffer.events = (buffer.bytes - TXTB_HEADER_BYTES - buffer.objects * REGISTRY_BYTES) / TXTB_ENTRY_BYTES;
    return buffer;
}

/* ---- the firmware ---- */

/* Variables that every ThreadX has: common/src/tx_thread_initialize.c. */
static const char *const kernel_symbols[] = {"_tx_thread_current_ptr", "_tx_thread_execute_ptr", NULL};

static const char *const usbx_symbols[] = {"_ux_system", "_ux_system_initialize", NULL};

static bool find_any(const struct elf_file *elf, const char *const *names, struct elf_symbol *symbol)
{
    for (; *names != NULL; names++)
        if (elf_symbol_find(elf, *names, symbol) == TXTAP_OK)
            return true;
    return false;
}

struct switch_on switch_on_look(const struct elf_file *elf)
{
    struct switch_on firmware = {.state = SWITCH_ON_UNKNOWN};
    struct elf_symbol kernel, usbx;

    firmware.way = way_of(elf, &firmware.way_symbol);
    if (!find_any(elf, kernel_symbols, &kernel) || has_symbol(elf, RECORDER_SYMBOL))
        return firmware;
    firmware.has_call = has_symbol(elf, ENABLE_SYMBOL);
    firmware.has_usbx = find_any(elf, usbx_symbols, &usbx);
    firmware.has_interrupts = has_symbol(elf, "_tx_trace_isr_enter_insert");
    if (!has_symbol(elf, LOCATE_POINTER_SYMBOL))
        firmware.state = SWITCH_ON_NOT_BUILT;
    else
        firmware.state = firmware.has_call ? SWITCH_ON_LINKED : SWITCH_ON_NOT_LINKED;
    firmware.core = arm_core(elf);
    firmware.ram = ram_of(elf, kernel.address);
    firmware.buffer = switch_on_buffer(&firmware.ram);
    return firmware;
}

enum txtap_status switch_on_check(const struct elf_file *elf, struct error *error)
{
    if (switch_on_look(elf).state != SWITCH_ON_NOT_BUILT)
        return TXTAP_OK;
    return failure(error, ERROR_SYMBOL,
                   "%.120s: ThreadX is built without TX_ENABLE_EVENT_TRACE (no symbol %s)\n'txtap info %.80s' lists "
                   "the steps to switch the trace on",
                   elf_path(elf), LOCATE_POINTER_SYMBOL, elf_path(elf));
}
