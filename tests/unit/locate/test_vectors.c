/* SPDX-License-Identifier: MIT */
/* The vector table of a Cortex-M in an ELF file. */
#include "locate/vectors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "error_line.h"
#include "locate/elf_maker.h"

#define CODE(offset) (MADE_TEXT + (offset) + 1) /* a function's address in a vector */
#define DEFAULT      CODE(0xe0)
#define RESET        CODE(0)

/* Stack, reset, 2 to 15: faults, SVCall, PendSV, SysTick; then 8 interrupts. */
static uint32_t vectors[24];
static struct made_symbol symbols[11];
static struct elf_recipe recipe;
static size_t symbol_count;

static void add(const char *name, uint32_t vector)
{
    symbols[symbol_count++] = (struct made_symbol){.name = name, .value = vector, .function = true};
    recipe.symbol_count = symbol_count;
}

static void set_up(void)
{
    symbol_count = 0;
    for (size_t i = 0; i < 24; i++)
        vectors[i] = DEFAULT;
    vectors[0] = MADE_NOINIT + 0x200;
    vectors[1] = RESET;
    recipe = (struct elf_recipe){.symbols = symbols, .words = vectors, .word_count = 24};
    symbols[symbol_count++] = (struct made_symbol){.name = "g_pfnVectors", .value = MADE_TEXT, .size = sizeof vectors};
    add("Reset_Handler", RESET);
    add("Default_Handler", DEFAULT);
}

TestSuite(vectors, .init = set_up);

static void text_is(const char *expected)
{
    uint8_t bytes[ELF_MAKER_BYTES];
    struct elf_file *elf;
    struct error error;
    char path[32], *text;
    int fd = elf_make_file(bytes, elf_make(&recipe, bytes), path);

    cr_assert_eq(elf_open(&elf, path, &error), TXTAP_OK, "%s", error_line(&error));
    text = vectors_text(elf);
    if (expected == NULL)
        cr_assert_null(text, "%s", text);
    else
        cr_assert(text != NULL && strcmp(text, expected) == 0, "%s", text);
    free(text);
    elf_close(elf);
    close(fd);
}

Test(vectors, handlers_of_their_own_are_named)
{
    vectors[15] = CODE(0x80);
    vectors[18] = CODE(0x90);
    add("SysTick_Handler", vectors[15]);
    add("TIM2_IRQHandler", vectors[18]);
    text_is("vector 15 \"SysTick_Handler\"\nvector 18 \"TIM2_IRQHandler\"\n");
}

Test(vectors, aliases_of_the_default_handler_are_not_named)
{
    add("TIM2_IRQHandler", DEFAULT);
    symbols[symbol_count - 1].weak = true;
    text_is(NULL);
}

/* If all other interrupts have handlers, only one vector has the default handler. */
Test(vectors, a_default_handler_is_not_named_even_if_one_vector_has_it)
{
    for (size_t i = 2; i < 24; i++)
        vectors[i] = 0;
    vectors[20] = DEFAULT;
    vectors[21] = CODE(0x80);
    add("TIM2_IRQHandler", DEFAULT);
    add("TIM3_IRQHandler", vectors[21]);
    text_is("vector 21 \"TIM3_IRQHandler\"\n");
}

Test(vectors, a_handler_that_two_vectors_share_is_not_named)
{
    vectors[16] = vectors[17] = CODE(0x80);
    vectors[18] = CODE(0x90);
    add("shared_handler", vectors[16]);
    add("own_handler", vectors[18]);
    text_is("vector 18 \"own_handler\"\n");
}

Test(vectors, reset_and_faults_are_not_named)
{
    vectors[3] = CODE(0x80);
    vectors[5] = CODE(0x84);
    vectors[14] = CODE(0x90);
    add("HardFault_Handler", vectors[3]);
    add("BusFault_Handler", vectors[5]);
    add("PendSV_Handler", vectors[14]);
    text_is("vector 14 \"PendSV_Handler\"\n");
}

/* ThreadX's port has both names for one handler. */
Test(vectors, the_name_of_cmsis_is_better)
{
    vectors[15] = CODE(0x80);
    add("__tx_SysTickHandler", vectors[15]);
    add("SysTick_Handler", vectors[15]);
    add("local_name", vectors[15]);
    text_is("vector 15 \"SysTick_Handler\"\n");
}

Test(vectors, the_table_is_found_without_a_symbol_at_the_lowest_address)
{
    symbols[0].name = "something";
    vectors[18] = CODE(0x90);
    vectors[20] = 0xBF00BF00; /* code follows the table */
    vectors[21] = CODE(0xa0);
    add("TIM2_IRQHandler", vectors[18]);
    add("not_a_handler", vectors[21]);
    text_is("vector 18 \"TIM2_IRQHandler\"\n");
}

Test(vectors, other_words_are_no_table)
{
    vectors[15] = CODE(0x80);
    add("SysTick_Handler", vectors[15]);
    vectors[1] = RESET - 1;
    text_is(NULL);
    vectors[1] = CODE(0x44);
    text_is(NULL);
}

Test(vectors, without_symbols_there_are_no_names)
{
    vectors[15] = CODE(0x80);
    recipe.without_symbols = true;
    text_is(NULL);
}

Test(vectors, a_name_that_would_need_an_escape_is_left_out)
{
    vectors[16] = CODE(0x80);
    vectors[17] = CODE(0x90);
    add("evil\"\nevent 1", vectors[16]);
    add("good", vectors[17]);
    text_is("vector 17 \"good\"\n");
}

Test(vectors, a_big_endian_table_is_read)
{
    recipe.big_endian = true;
    vectors[15] = CODE(0x80);
    add("SysTick_Handler", vectors[15]);
    text_is("vector 15 \"SysTick_Handler\"\n");
}
