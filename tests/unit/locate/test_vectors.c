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

/* ---- Zephyr ---- */

#define ZEPHYR_TABLE 24 /* the first word of Zephyr's table, which follows the vectors */
#define WRAPPER      CODE(0xf0)
#define SPURIOUS     CODE(0xf4)

static uint32_t zephyr[40];

/* Makes a firmware of Zephyr: all vectors of interrupts have the same handler. */
static void be_zephyr(void)
{
    symbol_count = 0;
    memcpy(zephyr, vectors, sizeof vectors);
    for (size_t i = 16; i < 24; i++) {
        zephyr[i] = WRAPPER;
        zephyr[ZEPHYR_TABLE + 2 * (i - 16) + 1] = SPURIOUS;
    }
    recipe.words = zephyr;
    recipe.word_count = 40;
    symbols[symbol_count++] = (struct made_symbol){.name = "_vector_table", .value = MADE_TEXT};
    symbols[symbol_count++] =
        (struct made_symbol){.name = "_sw_isr_table", .value = MADE_TEXT + 4 * ZEPHYR_TABLE, .size = 64};
    add("z_arm_reset", RESET);
    add("z_arm_exc_spurious", DEFAULT);
    add("_isr_wrapper", WRAPPER);
    add("z_irq_spurious", SPURIOUS);
}

Test(vectors, zephyr_has_a_table_of_its_own)
{
    be_zephyr();
    zephyr[15] = CODE(0x80);
    zephyr[ZEPHYR_TABLE + 2 * 3 + 1] = CODE(0x90);
    zephyr[ZEPHYR_TABLE + 2 * 4 + 1] = zephyr[ZEPHYR_TABLE + 2 * 5 + 1] = CODE(0xa0);
    zephyr[ZEPHYR_TABLE + 2 * 7 + 1] = CODE(0xb0);
    add("sys_clock_isr", zephyr[15]);
    add("gpio_isr", CODE(0x90));
    add("uart_isr", CODE(0xa0));
    add("radio_isr", CODE(0xb0));
    text_is("vector 15 \"sys_clock_isr\"\nvector 19 \"gpio_isr\"\nvector 23 \"radio_isr\"\n");
}

Test(vectors, a_direct_interrupt_of_zephyr_has_its_vector)
{
    be_zephyr();
    zephyr[18] = CODE(0x90);
    zephyr[ZEPHYR_TABLE + 2 * 2 + 1] = CODE(0xa0);
    add("direct_isr", CODE(0x90));
    add("never_called", CODE(0xa0));
    text_is("vector 18 \"direct_isr\"\n");
}

Test(vectors, entries_beyond_the_end_of_zephyr_s_table_are_not_named)
{
    be_zephyr();
    symbols[1].size = 3 * 8;
    zephyr[ZEPHYR_TABLE + 2 * 2 + 1] = CODE(0x90);
    zephyr[ZEPHYR_TABLE + 2 * 3 + 1] = CODE(0xa0);
    add("third_isr", CODE(0x90));
    add("fourth_isr", CODE(0xa0));
    text_is("vector 18 \"third_isr\"\n");
}
