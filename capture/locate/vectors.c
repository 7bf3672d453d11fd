/* SPDX-License-Identifier: MIT */
/*
 * Finds the vector table by the names that vendors, compilers and kernels give it, or at the lowest address of the
 * firmware. A candidate is a vector table if its second word, the reset vector, is the firmware's entry point or a
 * function. In Zephyr the vectors of interrupts point to a wrapper, and a second table has the handlers.
 */
#include "locate/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "locate/functions.h"
#include "txtap/definitions.h"

#define VECTORS_MAX TXTAP_DEFINITION_VECTORS_MAX
#define LINE_BYTES  (TXTAP_DEFINITION_NAME_MAX + 24u)
#define RESET       1u
#define FIRST_IRQ   16u
#define THUMB       1u /* bit 0 of a vector */

/* A vector, and the function that it points to. */
struct handler {
    uint32_t vector;
    uint32_t address; /* address of the function; 0: no function */
    const char *name; /* NULL: no symbol */
    bool weak;
    bool is_default;
};

struct table {
    bool has_size; /* true: the number of vectors is known; false: code or other data may follow the vectors */
    size_t count;
    struct handler handlers[VECTORS_MAX];
};

/* ---- the table ---- */

/* Names of the table: CMSIS, STM32Cube, IAR, GNU startup files of several vendors, ThreadX's ports, Zephyr, libopencm3,
 * this project's demo. */
static const char *const symbols[] = {
    "g_pfnVectors",  "__Vectors",    "__vector_table", "__isr_vector",   "__isr_vectors", "_vectors", "__vectors",
    "_vector_table", "vector_table", "__VECTOR_TABLE", "g_vector_table", "isr_vector",    "vectors",
};

static const char *const sections[] = {".isr_vector", ".vectors", ".vector_table", ".intvec", ".isr_vectors", "RESET"};

static uint32_t word_at(const uint8_t *bytes, size_t index, enum txtap_endian endian)
{
    const uint8_t *at = bytes + 4 * index;

    return endian == TXTAP_BIG ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
                               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static bool is_function(const struct elf_file *elf, uint32_t address)
{
    struct elf_function function;

    for (size_t at = 0; elf_next_function(elf, &at, &function);)
        if (function.address == address)
            return true;
    return false;
}

/* Reads the table at an address. size: its bytes; 0: not known. False: no table is there. */
static bool read_table(const struct elf_file *elf, uint32_t address, uint32_t size, struct table *table)
{
    enum txtap_endian endian = elf_endian(elf);
    size_t most = size >= 4 * FIRST_IRQ ? size / 4 : VECTORS_MAX;
    const uint8_t *head = elf_bytes(elf, address, 4 * FIRST_IRQ);
    uint32_t reset = head != NULL ? word_at(head, RESET, endian) : 0;

    *table = (struct table){.has_size = size > 0};
    if (address % 4 != 0 || (reset & THUMB) == 0 ||
        ((reset & ~THUMB) != elf_arm_entry(elf) && !is_function(elf, reset & ~THUMB)))
        return false;
    for (size_t i = 0; i < most && i < VECTORS_MAX; i++) {
        const uint8_t *bytes = elf_bytes(elf, address + (uint32_t)(4 * i), 4);
        struct handler *handler = &table->handlers[i];

        if (bytes == NULL)
            break;
        handler->vector = word_at(bytes, 0, endian);
        handler->address = (handler->vector & THUMB) != 0 && i >= RESET ? handler->vector & ~THUMB : 0;
        table->count = i + 1;
    }
    return true;
}

static bool find_table(const struct elf_file *elf, struct table *table)
{
    struct elf_symbol symbol;
    uint32_t address, size;

    if (elf_arm_entry(elf) == 0)
        return false;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (elf_symbol_find(elf, symbols[i], &symbol) == TXTAP_OK &&
            read_table(elf, symbol.address, symbol.size, table))
            return true;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (elf_section_find(elf, sections[i], &address, &size) && read_table(elf, address, size, table))
            return true;
    return elf_lowest_address(elf, &address) && read_table(elf, address, 0, table);
}

/* ---- Zephyr's table of handlers ---- */

#define ENTRY_BYTES 8u /* include/zephyr/sw_isr_table.h: an argument, then the handler */

/* Replaces Zephyr's wrapper by the handlers that it calls. Zephyr's table has an entry for each vector of an interrupt,
 * so its size tells where the vectors end. */
static void use_handlers_of_zephyr(const struct elf_file *elf, struct table *table)
{
    struct elf_symbol wrapper, entries;
    size_t end;

    if (elf_symbol_find(elf, "_isr_wrapper", &wrapper) != TXTAP_OK ||
        elf_symbol_find(elf, "_sw_isr_table", &entries) != TXTAP_OK)
        return;
    end = FIRST_IRQ + entries.size / ENTRY_BYTES;
    table->has_size = true;
    table->count = table->count < end ? table->count : end;
    for (size_t i = FIRST_IRQ; i < table->count; i++) {
        struct handler *handler = &table->handlers[i];
        uint32_t address = entries.address + (uint32_t)(i - FIRST_IRQ) * ENTRY_BYTES;
        const uint8_t *entry = elf_bytes(elf, address, ENTRY_BYTES);

        if (handler->address != (wrapper.address & ~THUMB))
            continue;
        handler->vector = entry != NULL ? word_at(entry, 1, elf_endian(elf)) : 0;
        handler->address = (handler->vector & THUMB) != 0 ? handler->vector & ~THUMB : 0;
    }
}

/* ---- names ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_default_name(const char *name)
{
    static const char *const names[] = {"Default_Handler", "DefaultISR",       "IntDefaultHandler", "default_handler",
                                        "Unused_Handler",  "blocking_handler", "z_irq_spurious",    "z_shared_isr"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Returns true if `name` says more about the handler than `other`, another name of the same function. */
static bool is_better(const char *name, bool weak, const struct handler *other)
{
    if (other->name == NULL)
        return true;
    if (ends_with(name, "_IRQHandler") != ends_with(other->name, "_IRQHandler"))
        return ends_with(name, "_IRQHandler");
    if (ends_with(name, "_Handler") != ends_with(other->name, "_Handler"))
        return ends_with(name, "_Handler");
    return other->weak && !weak;
}

static void name_handlers(const struct elf_file *elf, struct table *table)
{
    struct elf_function function;

    for (size_t at = 0; elf_next_function(elf, &at, &function);) {
        for (size_t i = 0; i < table->count; i++) {
            struct handler *handler = &table->handlers[i];

            if (handler->address == 0 || handler->address != function.address)
                continue;
            handler->is_default = handler->is_default || is_default_name(function.name);
            if (!is_better(function.name, function.weak, handler))
                continue;
            handler->name = function.name;
            handler->weak = function.weak;
        }
    }
}

/* Cuts the table before the first word that is not a vector. */
static void find_end(struct table *table)
{
    for (size_t i = FIRST_IRQ; i < table->count && !table->has_size; i++)
        if (table->handlers[i].vector != 0 && table->handlers[i].name == NULL)
            table->count = i;
}

/* Returns true if the exception may be recorded as an interrupt: SVCall, PendSV, SysTick, and all interrupts. */
static bool is_interrupt(size_t exception)
{
    return exception == 11 || exception == 14 || exception == 15 || exception >= FIRST_IRQ;
}

/* Returns true if no other vector has the handler of this vector. */
static bool is_own(const struct table *table, size_t exception)
{
    for (size_t i = RESET; i < table->count; i++)
        if (i != exception && table->handlers[i].address == table->handlers[exception].address)
            return false;
    return true;
}

char *vectors_text(const struct elf_file *elf)
{
    struct table *table = malloc(sizeof *table);
    char *text = NULL;
    size_t used = 0;

    if (table != NULL && find_table(elf, table)) {
        use_handlers_of_zephyr(elf, table);
        name_handlers(elf, table);
        find_end(table);
        text = malloc(table->count * LINE_BYTES + 1);
    }
    for (size_t i = RESET; text != NULL && i < table->count; i++) {
        const struct handler *handler = &table->handlers[i];

        if (!is_interrupt(i) || handler->name == NULL || handler->is_default || !functions_is_plain(handler->name) ||
            !is_own(table, i))
            continue;
        used += (size_t)sprintf(text + used, "vector %zu \"%.*s\"\n", i, TXTAP_DEFINITION_NAME_MAX, handler->name);
    }
    free(table);
    if (used > 0)
        return text;
    free(text);
    return NULL;
}
