/* SPDX-License-Identifier: MIT */
/* Reads of variables from a small memory that may change between any two words that are read. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probe/source_base.h"
#include "variables/variable_guest.h"

enum { RAM = 0x20000000, RAM_BYTES = 4096, EXCHANGE_US = 300 };

static uint8_t ram[RAM_BYTES];
static uint32_t bad; /* address that cannot be read; 0: none */
static uint64_t now;
static void (*between)(void); /* called before each word is read */
static struct variable_guest guest;
static struct sample_queue queue;
static struct txtap_channels channels;
static struct variable_requests requests;
static struct variable variables[VARIABLES_MAX];
static size_t last_count;
static enum variables_renewed renewed;

static void put(uint32_t address, uint32_t word)
{
    memcpy(ram + address - RAM, &word, 4);
}

static bool permits(void *self, uint32_t address, uint32_t bytes)
{
    (void)self;
    return address >= RAM && address + bytes <= RAM + RAM_BYTES;
}

static enum variables_renewed renew(void *self, struct variable *fresh)
{
    (void)self;
    if (renewed == VARIABLES_FOUND) {
        memcpy(fresh, variables, sizeof variables);
        fresh[0].address += 64;
    }
    return renewed;
}

static enum txtap_status try_open(const char *list, struct error *error)
{
    memset(&requests, 0, sizeof requests);
    memset(&queue, 0, sizeof queue);
    memset(&channels, 0, sizeof channels);
    memset(ram, 0, sizeof ram);
    now = 1000000;
    bad = 0;
    between = NULL;
    renewed = VARIABLES_SAME;
    cr_assert(variable_requests_add(&requests, list, error), "%s", error->what);
    cr_assert_eq(variables_find(variables, &requests, NULL, error), TXTAP_OK, "%s", error->what);
    return variable_guest_open(&guest, &requests, variables, (struct variable_guest_memory){permits, renew, NULL},
                               &channels, now, error);
}

static void open_guest(const char *list)
{
    struct error error = {0};

    cr_assert_eq(try_open(list, &error), TXTAP_OK, "%s", error.what);
}

/* Makes a variable follow the pointer at its address. */
static void make_pointer(size_t i, uint32_t offset)
{
    guest.at[i].variable.follows = true;
    guest.at[i].variable.offset = offset;
}

/* Does one exchange. Returns false if the guest wanted no reads. */
static bool exchange(size_t room, uint32_t bytes)
{
    struct txtap_read reads[GUEST_READS_MAX];
    uint64_t begin = now;
    bool fails = false;
    uint32_t total = 0;

    last_count = variable_guest_ops.plan(&guest, reads, room, bytes, now);
    cr_assert_leq(last_count, room);
    for (size_t i = 0; i < last_count; i++) {
        cr_assert(permits(NULL, reads[i].address, reads[i].length), "0x%x", reads[i].address);
        cr_assert(reads[i].address % 4 == 0 && reads[i].length % 4 == 0 && reads[i].length > 0);
        fails = fails || (bad >= reads[i].address && bad < reads[i].address + reads[i].length);
        total += reads[i].length;
        for (uint32_t at = 0; at < reads[i].length; at += 4) {
            if (between != NULL)
                between();
            memcpy(reads[i].buffer + at, ram + reads[i].address - RAM + at, 4);
        }
    }
    cr_assert_leq(total, bytes);
    now += EXCHANGE_US;
    if (last_count > 0 && fails)
        variable_guest_ops.failed(&guest, &queue, begin, now);
    else if (last_count > 0)
        variable_guest_ops.commit(&guest, &queue, begin, now);
    return last_count > 0;
}

static size_t samples_of(size_t i, enum txtap_sample_state state)
{
    size_t count = 0;

    for (size_t j = 0; j < queue.count; j++)
        count += queue.waiting[j].channel == guest.at[i].channel && queue.waiting[j].state == state;
    return count;
}

Test(variable_guest, neighbours_share_a_read)
{
    open_guest("*0x20000000:u8,*0x20000004,*0x20000010:u16,*0x20000100,*0x20000012:s16");
    put(RAM, 7);
    put(RAM + 0x10, 0xfffe0003);
    cr_assert(exchange(8, 1024));
    cr_expect_eq(last_count, 2, "%zu reads", last_count);
    cr_expect_eq(queue.count, 5);
    for (size_t i = 0; i < queue.count; i++) {
        if (queue.waiting[i].channel == guest.at[0].channel)
            cr_expect_eq(queue.waiting[i].bits, 7);
        if (queue.waiting[i].channel == guest.at[4].channel)
            cr_expect_eq((int64_t)queue.waiting[i].bits, -2);
    }
    cr_assert_not(exchange(8, 1024), "nothing is due");
    cr_expect_eq(variable_guest_ops.due_us(&guest), 1000000 + VARIABLE_PERIOD_US_DEFAULT);
}

Test(variable_guest, cost_counts_the_reads_of_all_variables)
{
    struct variable_guest_cost cost;

    open_guest("*0x20000000:u8,*0x20000004,*0x20000100:u64,*0x20000200");
    make_pointer(3, 8);
    cost = variable_guest_cost(&guest);
    cr_expect(cost.reads == 1 + 2 + 3 && cost.bytes == 8 + 2 * 8 + 3 * 4, "%zu reads, %u bytes", cost.reads,
              cost.bytes);
    cr_expect_eq(guest.planned_count, 0, "the guest itself plans nothing");
}

Test(variable_guest, registers_are_refused)
{
    struct error error = {0};

    cr_assert_eq(try_open("*0x40004404", &error), TXTAP_ERROR_USAGE);
    cr_expect(strstr(error.what, "may be a register") != NULL, "%s", error.what);
}

Test(variable_guest, rates_are_reached_and_never_exceeded)
{
    open_guest("*0x20000000@1kHz,*0x20000040@100,*0x20000080@10ms,*0x200000c0@5");
    for (uint64_t end = now + 2000000; now < end; now += 13)
        if (!exchange(8, 1024))
            now += 100;
    cr_expect(guest.at[0].samples >= 1900 && guest.at[0].samples <= 2001, "%lu", guest.at[0].samples);
    cr_expect(guest.at[1].samples >= 198 && guest.at[1].samples <= 201, "%lu", guest.at[1].samples);
    cr_expect(guest.at[2].samples >= 198 && guest.at[2].samples <= 201, "%lu", guest.at[2].samples);
    cr_expect(guest.at[3].samples >= 10 && guest.at[3].samples <= 11, "%lu", guest.at[3].samples);
}

Test(variable_guest, variables_take_turns_if_there_is_little_room)
{
    open_guest("*0x20000000@1kHz,*0x20000100@1kHz,*0x20000200:u64@1kHz,*0x20000300@1kHz,*0x20000400@1kHz");
    for (unsigned i = 0; i < 2000; i++)
        (void)exchange(2, 24);
    for (size_t i = 1; i < guest.count; i++)
        cr_expect(guest.at[i].samples + 1 >= guest.at[0].samples && guest.at[i].samples <= guest.at[0].samples + 1,
                  "%zu: %lu and %lu", i, guest.at[i].samples, guest.at[0].samples);
    cr_expect_gt(guest.at[0].samples, 400);
}

/* A failure affects only the variable that cannot be read, and only for a few exchanges. */
Test(variable_guest, an_unreadable_variable_is_found)
{
    for (uint32_t wrong = 0; wrong < 20; wrong++) {
        char list[1024] = "";
        unsigned failures = 0;

        for (unsigned i = 0; i < 20; i++)
            sprintf(list + strlen(list), "%s*0x%x@100", i > 0 ? "," : "", RAM + i * 64);
        open_guest(list);
        bad = RAM + wrong * 64;
        for (uint64_t end = now + 900000; now < end;) {
            uint64_t before = guest.end_us;

            if (!exchange(64, 1024))
                now += 100;
            else
                failures += guest.end_us == before;
        }
        cr_expect_leq(failures, 12, "%u failures", failures);
        for (size_t i = 0; i < 20; i++) {
            cr_expect_eq(samples_of(i, TXTAP_SAMPLE_UNREADABLE), i == wrong);
            cr_expect(i == wrong ? guest.at[i].samples == 0 : guest.at[i].samples >= 85, "%u, %zu: %lu", wrong, i,
                      guest.at[i].samples);
        }
        bad = 0;
        for (uint64_t end = now + 9000000; now < end; now += 100)
            (void)exchange(64, 1024);
        cr_expect_gt(guest.at[wrong].samples, 0, "it is read again");
    }
}

/* ---- values that change during a read ---- */

static uint64_t seed, history[64];
static unsigned newest;

static uint32_t random_word(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

/* Writes a new 64-bit value in two stores. The second store is done before the next word is read. */
static void write_halves(void)
{
    static uint64_t value;
    static bool second;

    if (second) {
        put(RAM + 12, (uint32_t)(value >> 32));
        newest = (newest + 1) % 64;
        history[newest] = value;
    } else if (random_word() % 4 == 0) {
        value = (uint64_t)random_word() << 32 | random_word();
        put(RAM + 8, (uint32_t)value);
    } else {
        return;
    }
    second = !second;
}

static bool was_written(uint64_t value)
{
    for (unsigned i = 0; i < 64; i++)
        if (history[i] == value)
            return true;
    return false;
}

Test(variable_guest, wide_values_are_never_torn)
{
    seed = 4711;
    open_guest("*0x20000008:u64@1kHz");
    between = write_halves;
    for (unsigned i = 0; i < 20000; i++) {
        (void)exchange(8, 1024);
        cr_assert(queue.count == 0 || was_written(queue.waiting[0].bits), "0x%lx", queue.waiting[0].bits);
        queue.count = 0;
    }
    cr_expect_gt(guest.at[0].torn, 100);
    cr_expect_gt(guest.at[0].samples, 100);
}

/* ---- pointers ---- */

static unsigned toggles;

static uint32_t node(unsigned number)
{
    return RAM + 0x100 + number % 8 * 16;
}

/* Writes the next node, and makes the pointer point to it. Then the memory of the old node has another use. */
static void toggle(void)
{
    if (random_word() % 6 != 0)
        return;
    toggles++;
    put(node(toggles) + 4, toggles);
    put(RAM, node(toggles));
    put(node(toggles - 1) + 4, 0xdeadbeef);
}

Test(variable_guest, values_belong_to_the_pointer)
{
    uint64_t last = 0;

    seed = 42;
    toggles = 1;
    open_guest("*0x20000000@1kHz");
    make_pointer(0, 4);
    put(RAM, node(1));
    put(node(1) + 4, 1);
    between = toggle;
    for (unsigned i = 0; i < 5000; i++) {
        unsigned before = toggles;
        size_t count = queue.count;

        (void)exchange(8, 1024);
        if (queue.count == count)
            continue;
        cr_assert(queue.waiting[count].bits >= before && queue.waiting[count].bits <= toggles, "%lu is not in %u to %u",
                  queue.waiting[count].bits, before, toggles);
        last = queue.waiting[count].bits;
        queue.count = 0;
    }
    cr_expect(last > 0 && guest.at[0].samples > 500 && guest.at[0].torn > 100, "%lu samples, %lu torn",
              guest.at[0].samples, guest.at[0].torn);
}

Test(variable_guest, invalid_pointers_are_reported_once)
{
    open_guest("*0x20000000@1kHz");
    make_pointer(0, 8);
    for (unsigned i = 0; i < 50; i++)
        (void)exchange(8, 1024);
    put(RAM, 0x40004400); /* a register */
    for (unsigned i = 0; i < 50; i++)
        (void)exchange(8, 1024);
    put(RAM, 0xfffffffc); /* the value would be beyond the end of memory */
    for (unsigned i = 0; i < 50; i++)
        (void)exchange(8, 1024);
    cr_expect_eq(samples_of(0, TXTAP_SAMPLE_UNREADABLE), 1);
    cr_expect_eq(queue.count, 1);
    put(RAM, RAM + 0x20);
    put(RAM + 0x28, 5);
    for (unsigned i = 0; i < 50; i++)
        (void)exchange(8, 1024);
    cr_expect_gt(queue.count, 5);
    cr_expect_eq(queue.waiting[queue.count - 1].bits, 5);
}

/* ---- restarts ---- */

Test(variable_guest, another_firmware_has_variables_elsewhere)
{
    open_guest("*0x20000000@1kHz");
    put(RAM, 1);
    put(RAM + 64, 2);
    cr_assert(exchange(8, 1024));
    renewed = VARIABLES_FOUND;
    variable_guest_ops.restart(&guest, now);
    cr_assert(exchange(8, 1024));
    cr_expect_eq(queue.waiting[queue.count - 1].bits, 2);
    renewed = VARIABLES_UNKNOWN;
    variable_guest_ops.restart(&guest, now);
    cr_assert_not(exchange(8, 1024));
    cr_expect_eq(variable_guest_ops.due_us(&guest), UINT64_MAX);
    renewed = VARIABLES_SAME;
    variable_guest_ops.restart(&guest, now);
    cr_assert(exchange(8, 1024));
    variables[0].form = TXTAP_FORM_SIGNED;
    renewed = VARIABLES_FOUND;
    variable_guest_ops.restart(&guest, now);
    cr_assert_not(exchange(8, 1024), "a variable of another type is another variable");
}
