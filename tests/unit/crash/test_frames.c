/* SPDX-License-Identifier: MIT */
/* Stacked frames and saved registers, in a small memory. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/bytes.h"
#include "txtap/inner/crash.h"

#define RAM        0x20000000u
#define RAM_BYTES  0x1000u
#define CODE       0x08000000u
#define CODE_BYTES 0x100u
#define THREAD     (RAM + 0x400u) /* its stack ends at 0x800 */
#define THREAD_END (RAM + 0x800u)
#define MAIN_END   (RAM + RAM_BYTES)
#define STORE      (CODE + 0x20u) /* str r3, [r2] */
#define DIVIDE     (CODE + 0x30u) /* udiv r0, r1, r2 */
#define RETURN     (CODE + 0x41u) /* after a call */
#define NO_CALL    (CODE + 0x51u)
#define BAD        0x70000000u
#define THUMB      0x01000000u

static uint8_t ram[RAM_BYTES], code[CODE_BYTES];
static struct txtap_fault_registers registers;
static struct txtap_crash_frame frames[TXTAP_CRASH_FRAMES_MAX];

static bool copy(const uint8_t *from, uint32_t start, uint32_t size, uint32_t address, uint8_t *bytes, uint32_t length)
{
    if (address < start || address - start > size || length > size - (address - start))
        return false;
    memcpy(bytes, from + (address - start), length);
    return true;
}

static bool read_ram(void *self, uint32_t address, uint8_t *bytes, uint32_t length)
{
    (void)self;
    return copy(ram, RAM, RAM_BYTES, address, bytes, length);
}

static bool read_code(void *self, uint32_t address, uint8_t *bytes, uint32_t length)
{
    (void)self;
    return copy(code, CODE, CODE_BYTES, address, bytes, length);
}

static const struct txtap_crash_memory memory = {read_ram, read_code, NULL};
static const struct txtap_crash_stack stacks[] = {{MAIN_END - 0x400, MAIN_END, true}, {THREAD, THREAD_END, false}};

static void poke(uint32_t address, uint32_t word)
{
    put_u32(ram + (address - RAM), TXTAP_LITTLE, word);
}

static void begin(void)
{
    memset(ram, 0xEF, sizeof ram);
    memset(code, 0, sizeof code);                    /* movs r0, r0 */
    put_u16(code + 0x20, TXTAP_LITTLE, 0x6013);      /* str r3, [r2] */
    put_u32(code + 0x30, TXTAP_LITTLE, 0xF0F2FBB1u); /* udiv r0, r1, r2 */
    put_u32(code + 0x3C, TXTAP_LITTLE, 0xFFE0F7FFu); /* bl */
    put_u16(code + 0x60, TXTAP_LITTLE, 0xDE00);      /* udf */
    registers = (struct txtap_fault_registers){
        .cpuid = 0x410FC241, .icsr = 0x803, .cfsr = 0x8200, .hfsr = 0x40000000, .bfar = BAD};
}

TestSuite(crash_frames, .init = begin);

static void put_frame(uint32_t address, uint32_t r2, uint32_t lr, uint32_t pc, uint32_t xpsr)
{
    const uint32_t words[] = {0x100, 0x101, r2, 0x103, 0x10C, lr, pc, xpsr};

    for (uint32_t i = 0; i < 8; i++)
        poke(address + 4 * i, words[i]);
}

static size_t search(uint32_t fpcar)
{
    return txtap_crash_frames(&memory, &registers, fpcar, stacks, 2, frames);
}

Test(crash_frames, finds_the_frame_that_explains_the_fault_among_old_frames)
{
    put_frame(THREAD + 0x100, 0x1, RETURN, CODE + 0x10, THUMB); /* of an earlier interrupt */
    put_frame(THREAD + 0x200, BAD - 0x40, RETURN, STORE, THUMB);
    put_frame(THREAD + 0x300, 0x1, RETURN, CODE + 0x10, THUMB);
    cr_assert_eq(search(0), 3);
    cr_assert_eq(frames[0].address, THREAD + 0x200);
    cr_assert(frames[0].explained && frames[0].called && !frames[0].extended);
    cr_assert_eq(frames[0].stack, 1);
    cr_assert_eq(frames[0].thread.registers[CORE_R0 + 2], BAD - 0x40);
    cr_assert_eq(frames[0].thread.registers[CORE_R12], 0x10C);
    cr_assert_eq(frames[0].thread.registers[CORE_SP], THREAD + 0x220);
    cr_assert_eq(frames[0].thread.registers[CORE_LR], RETURN);
    cr_assert_eq(frames[0].thread.registers[CORE_PC], STORE);
    cr_assert_eq(frames[0].thread.known >> CORE_R4 & 0xFF, 0, "r4 to r11 are not stacked");
    cr_assert_not(frames[1].explained, "an old frame is only plausible");
    cr_assert_eq(frames[1].address, THREAD + 0x300, "the higher of two equal frames");
}

Test(crash_frames, says_that_a_frame_is_only_plausible)
{
    put_frame(THREAD + 0x200, 0x1, RETURN, STORE, THUMB); /* no register is near the address */
    cr_assert_eq(search(0), 1);
    cr_assert_not(frames[0].explained);
    registers.cfsr = 1 << 12; /* STKERR: there is no frame */
    put_frame(THREAD + 0x200, BAD, RETURN, STORE, THUMB);
    cr_assert_eq(search(0), 0);
    registers.cfsr = 1 << 4 | 1 << 1; /* MSTKERR after DACCVIOL */
    cr_assert_eq(search(0), 0);
}

Test(crash_frames, knows_return_addresses)
{
    cr_assert(txtap_crash_is_return(&memory, RETURN));
    cr_assert_not(txtap_crash_is_return(&memory, RETURN - 1), "even");
    cr_assert_not(txtap_crash_is_return(&memory, NO_CALL));
    cr_assert_not(txtap_crash_is_return(&memory, CODE + 1), "nothing is before it");
    cr_assert_not(txtap_crash_is_return(&memory, 1));
    cr_assert_not(txtap_crash_is_return(&memory, RAM + 0x41));
    put_u16(code + 0x4E, TXTAP_LITTLE, 0x4798); /* blx r3 */
    cr_assert(txtap_crash_is_return(&memory, CODE + 0x51));
}

Test(crash_frames, refuses_words_that_cannot_be_a_frame)
{
    put_frame(THREAD + 0x040, BAD, RETURN, RAM, THUMB);          /* no code */
    put_frame(THREAD + 0x080, BAD, RETURN, STORE, 0);            /* not in Thumb state */
    put_frame(THREAD + 0x0C0, BAD, RETURN, STORE, 0x01F00000);   /* reserved bits */
    put_frame(THREAD + 0x100, BAD, RETURN, STORE, THUMB | 15);   /* a handler on the stack of a thread */
    put_frame(THREAD + 0x140, BAD, RETURN, STORE + 1, THUMB);    /* odd */
    put_frame(MAIN_END - 0x100, BAD, RETURN, STORE, THUMB | 15); /* RETTOBASE: no handler was interrupted */
    put_frame(THREAD + 0x184, BAD, RETURN, STORE, THUMB);        /* not aligned */
    cr_assert_eq(search(0), 0);
}

Test(crash_frames, finds_the_frame_of_an_interrupt_handler_on_the_main_stack)
{
    registers.icsr = 0x003;
    put_frame(THREAD + 0x200, BAD, RETURN, STORE, THUMB); /* of a thread */
    put_frame(MAIN_END - 0x80, BAD, 0xFFFFFFFD, STORE, THUMB | 0x200 | 54);
    cr_assert_eq(search(0), 1);
    cr_assert_eq(frames[0].address, MAIN_END - 0x80);
    cr_assert(frames[0].called);
    cr_assert_eq(frames[0].thread.registers[CORE_SP], MAIN_END - 0x80 + 36, "a word aligns the frame");
}

Test(crash_frames, knows_an_extended_frame_by_its_place_for_floating_point_registers)
{
    put_frame(THREAD + 0x100, BAD, RETURN, STORE, THUMB);
    put_frame(THREAD + 0x200, BAD, RETURN, STORE, THUMB);
    cr_assert_eq(search(THREAD + 0x120), 2);
    cr_assert_eq(frames[0].address, THREAD + 0x100);
    cr_assert(frames[0].extended);
    cr_assert_eq(frames[0].thread.registers[CORE_SP], THREAD + 0x100 + 104);
}

Test(crash_frames, explains_other_causes)
{
    static const struct {
        uint32_t cfsr, pc, xpsr;
    } causes[] = {
        {1u << 25, DIVIDE, THUMB}, {1u << 16, CODE + 0x60, THUMB}, {1u << 24, STORE, THUMB},
        {1u << 17, 0x20000100, 0}, {1u << 8, 0x60000000, THUMB},   {1u << 0, 0x20000100, THUMB},
    };

    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        registers.cfsr = causes[i].cfsr;
        put_frame(THREAD + 0x200, 0, RETURN, causes[i].pc, causes[i].xpsr);
        cr_assert_eq(search(0), 1, "cause %zu", i);
        cr_assert(frames[0].explained, "cause %zu", i);
        put_frame(THREAD + 0x200, 0, RETURN, CODE, THUMB);
        cr_assert_eq(search(0), 1, "cause %zu", i);
        cr_assert_not(frames[0].explained, "cause %zu", i);
    }
}

Test(crash_frames, keeps_the_best_of_many)
{
    for (uint32_t i = 0; i < 30; i++)
        put_frame(THREAD + 32 * i, i == 3 ? BAD : 0, i == 3 ? RETURN : NO_CALL, STORE, THUMB);
    cr_assert_eq(search(0), TXTAP_CRASH_FRAMES_MAX);
    cr_assert_eq(frames[0].address, THREAD + 32 * 3);
    cr_assert_eq(frames[1].address, THREAD + 32 * 29);
}

Test(crash_frames, allows_stacks_of_any_size)
{
    const struct txtap_crash_stack odd[] = {
        {0, 0, true}, {0xFFFFFFFC, 0xFFFFFFFF, false}, {RAM + 8, RAM, true}, {0, 0xFFFFFFFF, false}};

    cr_assert_eq(txtap_crash_frames(&memory, &registers, 0, odd, 4, frames), 0);
}

/* ---- saved registers ---- */

static void put_saved(uint32_t address)
{
    for (uint32_t i = 0; i < 8; i++)
        poke(address + 4 * i, 0x400 + i);
}

static struct txtap_core_thread thread;

static bool saved(uint32_t stack_pointer, uint32_t at)
{
    thread = (struct txtap_core_thread){.number = 7};
    return txtap_crash_saved(&memory, &registers, stack_pointer, at, &thread);
}

Test(crash_frames, takes_the_registers_of_a_thread_of_threadx)
{
    poke(THREAD, 0xFFFFFFFD);
    put_saved(THREAD + 4);
    put_frame(THREAD + 36, 0x102, RETURN, STORE, THUMB | 0x200);
    cr_assert(saved(THREAD, 0));
    cr_assert_eq(thread.number, 7);
    cr_assert_eq(thread.known, TXTAP_CORE_ALL_KNOWN);
    cr_assert_eq(thread.registers[CORE_R4], 0x400);
    cr_assert_eq(thread.registers[11], 0x407);
    cr_assert_eq(thread.registers[CORE_SP], THREAD + 36 + 36);
    cr_assert_eq(thread.registers[CORE_PC], STORE);
    registers.cpuid = 0x410CC601; /* Cortex-M0+: r8 to r11 come first */
    cr_assert(saved(THREAD, 0));
    cr_assert_eq(thread.registers[8], 0x400);
    cr_assert_eq(thread.registers[CORE_R4], 0x404);
}

Test(crash_frames, takes_the_registers_of_a_thread_with_floating_point_registers)
{
    poke(THREAD, 0xFFFFFFED);
    put_saved(THREAD + 4 + 64);
    put_frame(THREAD + 4 + 64 + 32, 0x102, RETURN, STORE, THUMB);
    cr_assert(saved(THREAD, 0));
    cr_assert_eq(thread.registers[CORE_R4], 0x400);
    cr_assert_eq(thread.registers[CORE_SP], THREAD + 4 + 64 + 32 + 104);
}

Test(crash_frames, takes_registers_that_were_saved_without_exc_return_or_elsewhere)
{
    put_saved(THREAD);
    put_frame(THREAD + 32, 0x102, RETURN, STORE, THUMB);
    cr_assert(saved(THREAD, 0));
    cr_assert_eq(thread.registers[CORE_R4], 0x400);
    cr_assert_eq(thread.registers[CORE_PC], STORE);
    put_saved(RAM + 0x40);
    poke(RAM + 0x40, 0x999);
    cr_assert(saved(THREAD + 32, RAM + 0x40));
    cr_assert_eq(thread.registers[CORE_R4], 0x999);
}

Test(crash_frames, refuses_a_context_that_cannot_be_right)
{
    cr_assert_not(saved(THREAD, 0), "fill words");
    cr_assert_not(saved(THREAD + 2, 0));
    cr_assert_not(saved(MAIN_END - 4, 0), "the stack ends");
    cr_assert_not(saved(0xFFFFFFFC, 0));
    cr_assert_not(saved(0, 0xFFFFFFFC));
    poke(THREAD, 0xFFFFFFFD);
    put_frame(THREAD + 36, 0x102, RETURN, RAM, THUMB);
    cr_assert_not(saved(THREAD, 0), "pc is not code");
    cr_assert_eq(thread.known, 0);
}
