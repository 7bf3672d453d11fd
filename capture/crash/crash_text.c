/* SPDX-License-Identifier: MIT */
/* Names from the target and the ELF file are escaped, because people show this file on a terminal. */
#include "crash/crash_text.h"

#include <inttypes.h>
#include <string.h>

#include "txtap/inner/escape.h"

#define CELL_BYTES  512u
#define RETURNS_MAX 12u
#define CALL_BYTES  2u /* the address before lr belongs to the call, and lr may belong to the next line */

/* Prints an address, and its function and line if it is code. back: bytes from the instruction to the address. */
static void put_place(FILE *out, const struct code_places *places, uint32_t address, uint32_t back)
{
    char place[CODE_PLACE_BYTES] = "", cell[CELL_BYTES];

    if (places != NULL)
        code_place(places, (address & ~UINT32_C(1)) - back, place);
    fprintf(out, "0x%08" PRIx32 "%s%s", address, *place != '\0' ? " " : "",
            txtap_escape_terminal(cell, sizeof cell, place));
}

static void put_code(FILE *out, const struct code_places *places, uint32_t address)
{
    put_place(out, places, address, 0);
}

/* ---- the fault ---- */

static void put_registers(FILE *out, const struct crash_core *core, const char *cause)
{
    const struct txtap_fault_registers *fault = &core->copy->fault;
    char text[TXTAP_FAULT_TEXT_BYTES];

    if (!core->copy->has_fault) {
        fprintf(out, "The fault registers of the core cannot be read.\n");
        return;
    }
    (void)txtap_fault_text(fault, text);
    if (core->fault == 0)
        fprintf(out, "No fault handler was running when txtap copied the memory.\n");
    else if (strcmp(text, cause) != 0)
        fprintf(out, "When txtap copied the memory: %s\n", text);
    fprintf(out, "CPUID 0x%08" PRIx32 "  ICSR 0x%08" PRIx32 "  VTOR 0x%08" PRIx32 "  CCR 0x%08" PRIx32 "\n",
            fault->cpuid, fault->icsr, fault->vtor, fault->ccr);
    if (!txtap_fault_is_small(fault))
        fprintf(out,
                "CFSR  0x%08" PRIx32 "  HFSR 0x%08" PRIx32 "  SHCSR 0x%08" PRIx32 "\nMMFAR 0x%08" PRIx32
                "  BFAR 0x%08" PRIx32 "  (each is valid only if the cause above has an address)\n",
                fault->cfsr, fault->hfsr, fault->shcsr, fault->mmfar, fault->bfar);
}

/* Tells whether the memory may be from a later time than the fault. */
static void put_consistency(FILE *out, const struct crash_core *core)
{
    const struct ram_copy *copy = core->copy;

    if (core->fault != 0 && (!copy->has_fault_after || txtap_fault_active(&copy->fault_after) != core->fault))
        fprintf(out, "The handler returned or the core was reset during the copy, so memory may be from a later time "
                     "than the fault.\n");
    if (copy->cut)
        fprintf(out, "The copy of the memory ended early: the target could not be read any more.\n");
    if (copy->missing > 0)
        fprintf(out, "%" PRIu64 " of %" PRIu64 " bytes of RAM could not be read.\n", copy->missing, copy->size);
}

/* ---- the frame ---- */

static void put_stack(FILE *out, const struct crash_core *core)
{
    char name[CRASH_NAME_BYTES], cell[CELL_BYTES];

    crash_core_thread_name(core, 0, name);
    fprintf(out, "stack of %s",
            core->frame_owner != 0 ? txtap_escape_terminal(cell, sizeof cell, name)
                                   : "no thread: interrupts, start-up code or the idle loop");
}

static void put_frame_registers(FILE *out, const struct txtap_core_thread *thread, const struct code_places *places)
{
    static const char *const names[] = {"r0", "r1", "r2", "r3", "r12", "sp", "xpsr"};
    static const uint8_t numbers[] = {0, 1, 2, 3, CORE_R12, CORE_SP, CORE_XPSR};

    fprintf(out, "  pc   ");
    put_code(out, places, thread->registers[CORE_PC]);
    fprintf(out, "\n  lr   ");
    put_place(out, places, thread->registers[CORE_LR], CALL_BYTES);
    for (size_t i = 0; i < sizeof numbers; i++)
        fprintf(out, "%s%-4s 0x%08" PRIx32, i % 4 == 0 ? "\n  " : "  ", names[i], thread->registers[numbers[i]]);
    fputc('\n', out);
}

/* An overflow of a stack leaves no frame, but the callers of the last functions. */
static void put_returns(FILE *out, struct crash_core *core, const struct code_places *places)
{
    uint32_t addresses[RETURNS_MAX];
    size_t count = crash_core_returns(core, addresses, RETURNS_MAX);

    if (count > 0)
        fprintf(out, "  return addresses on the running thread's stack, the lowest first, perhaps of earlier calls:\n");
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    ");
        put_place(out, places, addresses[i], CALL_BYTES);
        fputc('\n', out);
    }
}

static void put_frame(FILE *out, struct crash_core *core, const struct code_places *places)
{
    const struct txtap_crash_frame *frame = &core->frames[0];
    char unknown[TXTAP_CORE_UNKNOWN_BYTES];

    if (core->fault == 0)
        return;
    fprintf(out, "\nInterrupted code\n");
    if (core->frame_count == 0) {
        fprintf(out, "  not found: no stack has a frame that can be of this fault\n");
        put_returns(out, core, places);
        return;
    }
    fprintf(out, "  %s, frame at 0x%08" PRIx32 ", ",
            frame->explained ? "probably right, because its instruction explains the fault"
                             : "a guess: this frame is only possible",
            frame->address);
    put_stack(out, core);
    fputc('\n', out);
    put_frame_registers(out, &frame->thread, places);
    if (txtap_core_unknown(&frame->thread, unknown) > 0)
        fprintf(out, "  unknown: %s (the core keeps them while it runs; core.elf shows 0)\n", unknown);
    if (core->frame_count > 1)
        fprintf(out, "  other possible frames, perhaps of earlier exceptions:\n");
    for (size_t i = 1; i < core->frame_count; i++) {
        fprintf(out, "    0x%08" PRIx32 ": pc ", core->frames[i].address);
        put_code(out, places, core->frames[i].thread.registers[CORE_PC]);
        fputc('\n', out);
    }
}

/* ---- the kernel ---- */

static size_t index_of(const struct crash_core *core, uint32_t object)
{
    size_t i = 0;

    while (i < core->thread_count && core->objects[i] != object)
        i++;
    return i;
}

static void put_state(FILE *out, const struct crash_core *core, const struct txtap_kernel_object *thread)
{
    const char *state = NULL;
    char name[KERNEL_NAME_BYTES], cell[CELL_BYTES];

    if (txtap_kernel_knows(thread, KERNEL_STATE))
        state = txtap_kernel_state_name(core->kernel.layout.ops, thread->values[KERNEL_STATE]);
    fprintf(out, ", %s", thread->running ? "running" : state != NULL ? state : "state unknown");
    if (!txtap_kernel_knows(thread, KERNEL_WAITS_FOR) || thread->values[KERNEL_WAITS_FOR] == 0)
        return;
    kernel_object_name(&core->kernel, thread->values[KERNEL_WAITS_FOR], name);
    fprintf(out, " '%s'", txtap_escape_terminal(cell, sizeof cell, name));
}

static void put_thread(FILE *out, const struct crash_core *core, const struct code_places *places,
                       const struct txtap_kernel_object *thread)
{
    char name[KERNEL_NAME_BYTES], cell[CELL_BYTES];
    size_t i = index_of(core, thread->address);

    kernel_object_name(&core->kernel, thread->address, name);
    fprintf(out, "  '%s' at 0x%08" PRIx32, txtap_escape_terminal(cell, sizeof cell, name), thread->address);
    put_state(out, core, thread);
    if (txtap_kernel_knows(thread, KERNEL_STACK_SIZE) && txtap_kernel_knows(thread, KERNEL_STACK_PEAK))
        fprintf(out, ", used at most %" PRIu32 " of %" PRIu32 " bytes of stack", thread->values[KERNEL_STACK_PEAK],
                thread->values[KERNEL_STACK_SIZE]);
    fprintf(out, "\n      ");
    if (i == core->thread_count) {
        fprintf(out, "registers unknown: not in memory, or not where the kernel saves them\n");
        return;
    }
    fprintf(out, "LWP %" PRIu32 " in GDB: pc ", core->threads[i].number);
    put_code(out, places, core->threads[i].registers[CORE_PC]);
    fputc('\n', out);
}

static void put_kernel(FILE *out, const struct crash_core *core, const struct code_places *places)
{
    const struct txtap_kernel_object *objects;
    char text[ERROR_TEXT_BYTES], cell[CELL_BYTES * 2];
    struct txtap_kernel_list list;
    size_t count;

    fprintf(out, "\nThreads\n");
    if (!core->has_kernel) {
        fprintf(out, "  unknown: %s\n", txtap_escape_terminal(cell, sizeof cell, error_text(&core->no_kernel, text)));
        return;
    }
    list = txtap_kernel_list(core->kernel.kernel, TXTAP_OBJECT_THREAD);
    objects = txtap_kernel_objects(core->kernel.kernel, &count);
    for (size_t i = 0; i < count; i++)
        if (objects[i].type == TXTAP_OBJECT_THREAD)
            put_thread(out, core, places, &objects[i]);
    if (!list.complete)
        fprintf(out, "  this list is not complete\n");
}

void crash_text_put(FILE *out, struct crash_core *core, const struct code_places *places, const char *cause)
{
    char cell[CELL_BYTES];

    fprintf(out, "%s\n\n", txtap_escape_terminal(cell, sizeof cell, cause));
    put_registers(out, core, cause);
    put_consistency(out, core);
    put_frame(out, core, places);
    put_kernel(out, core, places);
}
