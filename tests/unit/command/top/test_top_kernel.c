/* SPDX-License-Identifier: MIT */
/* Rows of the screen, from a kernel in the memory of a model: two threads and a queue. */
#include "command/top/top_kernel.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "error_line.h"
#include "locate/elf_maker.h"

#define RAM       MADE_DATA
#define RAM_BYTES 0x1040u
#define HEAD      (RAM + 0x40) /* thread list, its count, current thread, queue list, its count */
#define FIRST     (RAM + 0x100)
#define SECOND    (RAM + 0x200)
#define QUEUE     (RAM + 0x300)
#define NAMES     (RAM + 0x800)
#define STACKS    (RAM + 0xa00)
#define STACK     0x100u

static const struct made_symbol symbols[] = {
    {.name = "_tx_thread_created_ptr", .value = HEAD, .size = 4},
    {.name = "_tx_thread_created_count", .value = HEAD + 4, .size = 4},
    {.name = "_tx_thread_current_ptr", .value = HEAD + 8, .size = 4},
    {.name = "_tx_queue_created_ptr", .value = HEAD + 12, .size = 4},
    {.name = "_tx_queue_created_count", .value = HEAD + 16, .size = 4},
};

static uint8_t ram[RAM_BYTES];
static uint64_t bytes_read;
static struct attachment attachment;
static struct top_kernel kernel;
static uint64_t now;

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    (void)self;
    for (size_t i = 0; i < count; i++) {
        cr_assert(reads[i].address >= RAM && reads[i].address - RAM + reads[i].length <= RAM_BYTES);
        memcpy(reads[i].buffer, ram + (reads[i].address - RAM), reads[i].length);
        bytes_read += reads[i].length;
    }
    return TXTAP_OK;
}

static const char *no_error(void *self)
{
    (void)self;
    return "";
}

static const struct txtap_source_ops source = {
    .name = "model", .read_bytes_max = 4096, .reads_max = 64, .read = read_ram, .error_text = no_error};

static void put(uint32_t address, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        ram[address - RAM + i] = (uint8_t)(word >> 8 * i);
}

static void put_thread(uint32_t at, uint32_t other, uint32_t stack, const char *name)
{
    put(at, 0x54485244);
    put(at + 8, stack + STACK - 32); /* stack pointer */
    put(at + 12, stack);
    put(at + 20, STACK);
    put(at + 40, NAMES + (at - FIRST) / 8);
    put(at + 44, 5);
    put(at + 136, other);
    put(at + 140, other);
    put(at + 148, 9);
    strcpy((char *)ram + (NAMES + (at - FIRST) / 8 - RAM), name);
    memset(ram + (stack - RAM), 0xef, STACK - 64);
}

static void set_up(void)
{
    const struct elf_recipe recipe = {.symbols = symbols, .symbol_count = sizeof symbols / sizeof *symbols};
    uint8_t bytes[ELF_MAKER_BYTES];
    struct error error;
    char path[32];
    int fd = elf_make_file(bytes, elf_make(&recipe, bytes), path);

    memset(ram, 0, sizeof ram);
    memset(&attachment, 0, sizeof attachment);
    memset(&kernel, 0, sizeof kernel);
    cr_assert_eq(elf_open(&attachment.elf, path, &error), TXTAP_OK, "%s", error_line(&error));
    close(fd);
    attachment.source = (struct txtap_source){&source, NULL};
    put(HEAD, FIRST);
    put(HEAD + 4, 2);
    put(HEAD + 8, FIRST);
    put(HEAD + 12, QUEUE);
    put(HEAD + 16, 1);
    put_thread(FIRST, SECOND, STACKS, "first");
    put_thread(SECOND, FIRST, STACKS + STACK, "second");
    put(SECOND + 48, 5); /* waits for a queue */
    put(SECOND + 108, QUEUE);
    put(QUEUE, 0x51554555);
    put(QUEUE + 4, NAMES + 0x100);
    put(QUEUE + 12, 8);
    put(QUEUE + 16, 3);
    put(QUEUE + 48, QUEUE);
    put(QUEUE + 52, QUEUE);
    strcpy((char *)ram + (NAMES + 0x100 - RAM), "samples");
    now = 1000000;
}

static void tear_down(void)
{
    top_kernel_close(&kernel);
    elf_close(attachment.elf);
}

TestSuite(top_kernel, .init = set_up, .fini = tear_down);

/* Does a whole walk. Returns the number of bytes read. */
static uint64_t walk(void)
{
    struct error error;

    bytes_read = 0;
    kernel.due_us = 0;
    do
        cr_assert_eq(top_kernel_step(&kernel, &attachment, now, &error), TXTAP_OK, "%s", error_line(&error));
    while (kernel.walking);
    now += 1000000;
    return bytes_read;
}

Test(top_kernel, a_walk_becomes_rows)
{
    const struct txtap_top_thread *threads = kernel.found.threads;

    kernel.objects = true;
    walk();
    cr_assert(kernel.known && kernel.found.thread_count == 2 && kernel.found.object_count == 1);
    cr_expect(strcmp(threads[0].name, "first") == 0 && threads[0].state == TXTAP_TOP_RUNNING);
    cr_expect(strcmp(threads[1].name, "second") == 0 && threads[1].state == TXTAP_TOP_WAITING);
    cr_expect(strcmp(threads[1].waits, "queue samples") == 0, "%s", threads[1].waits);
    cr_expect(threads[1].priority == 5 && threads[1].base == 9 && threads[1].cpu < 0);
    cr_expect(threads[0].stack == 25 && threads[0].stack_exact && threads[0].stack_free == 192);
    cr_expect(strcmp(kernel.found.objects[0].now, "3/8") == 0, "%s", kernel.found.objects[0].now);
    cr_expect(strcmp(kernel.found.objects[0].waiter, "second") == 0 && kernel.found.objects[0].waiters == 1);
}

Test(top_kernel, runs_are_counted_between_two_walks)
{
    put(FIRST + 4, UINT32_MAX);
    walk();
    cr_expect(kernel.found.threads[0].runs < 0, "it is not known yet");
    put(FIRST + 4, 49);
    walk();
    cr_expect(kernel.found.threads[0].runs == 50);
}

Test(top_kernel, a_count_of_runs_that_falls_begins_again)
{
    put(FIRST + 4, 1000);
    walk();
    put(FIRST + 4, 10);
    memset(ram + (STACKS - RAM), 0xef, STACK - 16); /* after a reset the stack is filled again */
    walk();
    cr_expect(kernel.found.threads[0].runs < 0);
    walk();
    cr_expect(kernel.found.threads[0].stack == 6.25, "%g", kernel.found.threads[0].stack);
}

Test(top_kernel, a_walk_for_a_screen_of_a_trace_reads_only_threads)
{
    uint64_t first, second;

    first = walk(); /* also the names of the objects */
    cr_expect(strcmp(kernel.found.threads[1].waits, "queue samples") == 0);
    second = walk();
    put(SECOND + 108, QUEUE + 0x100);
    walk();
    cr_expect(walk() > second, "a thread waits for an object without a name, so the names are read");
    cr_expect(second < first);
    cr_expect(strcmp(kernel.found.threads[1].waits, "queue 0x20000400") == 0, "%s", kernel.found.threads[1].waits);
}

Test(top_kernel, the_lists_of_other_firmware_are_not_read)
{
    attachment.firmware.firmware = FIRMWARE_OTHER;
    walk();
    cr_expect(!kernel.known && bytes_read == 0);
}
