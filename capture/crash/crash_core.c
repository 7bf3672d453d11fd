/* SPDX-License-Identifier: MIT */
/* Only the copy and the ELF file are read here, so all parts of the core file belong together. */
#include "crash/crash_core.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_maker.h"
#include "output/output.h"
#include "probe/source_base.h"

#define SIGNAL_SEGV 11u
#define MAIN_BYTES  (64u << 10) /* bytes of the main stack that are searched */

/* ---- memory ---- */

static bool read_ram(void *self, uint32_t address, uint8_t *bytes, uint32_t length)
{
    const struct crash_core *core = self;

    for (size_t i = 0; i < core->copy->segment_count; i++) {
        const struct txtap_segment *segment = &core->copy->segments[i];

        if (address < segment->address || address - segment->address > segment->length ||
            length > segment->length - (address - segment->address))
            continue;
        memcpy(bytes, segment->bytes + (address - segment->address), length);
        return true;
    }
    return false;
}

/* Code in RAM counts as code only if the file has it there. */
static bool read_code(void *self, uint32_t address, uint8_t *bytes, uint32_t length)
{
    const struct crash_core *core = self;

    for (size_t i = 0; i < core->code_count; i++) {
        const struct elf_code *code = &core->code[i];

        if (address < code->address || address - code->address > code->length ||
            length > code->length - (address - code->address))
            continue;
        memcpy(bytes, code->bytes + (address - code->address), length);
        return true;
    }
    return false;
}

static struct txtap_crash_memory memory_of(struct crash_core *core)
{
    return (struct txtap_crash_memory){read_ram, read_code, core};
}

/* ---- the frame of the fault ---- */

/* Returns the end of the main stack: the first word of the vector table. 0: not known. */
static uint32_t main_stack_end(struct crash_core *core)
{
    uint32_t table = core->copy->fault.vtor;
    uint8_t word[4];
    const uint8_t *constant;

    if (read_ram(core, table, word, sizeof word))
        return memory_word(word, TXTAP_LITTLE) & ~UINT32_C(3);
    constant = elf_bytes(core->elf, table, sizeof word);
    if (constant == NULL && elf_lowest_address(core->elf, &table))
        constant = elf_bytes(core->elf, table, sizeof word);
    return constant != NULL ? memory_word(constant, TXTAP_LITTLE) & ~UINT32_C(3) : 0;
}

static bool stack_of(const struct txtap_kernel_object *object, struct txtap_crash_stack *stack)
{
    uint32_t start = object->values[KERNEL_STACK_START], size = object->values[KERNEL_STACK_SIZE];

    if (object->type != TXTAP_OBJECT_THREAD || !txtap_kernel_knows(object, KERNEL_STACK_START) ||
        !txtap_kernel_knows(object, KERNEL_STACK_SIZE) || size > UINT32_MAX - start)
        return false;
    *stack = (struct txtap_crash_stack){start & ~UINT32_C(3), (start + size) & ~UINT32_C(3), false};
    return true;
}

static const struct txtap_kernel_object *objects_of(const struct crash_core *core, size_t *count)
{
    *count = 0;
    return core->has_kernel ? txtap_kernel_objects(core->kernel.kernel, count) : NULL;
}

static uint32_t owner_of(const struct crash_core *core, uint32_t address)
{
    size_t count;
    const struct txtap_kernel_object *objects = objects_of(core, &count);
    struct txtap_crash_stack stack;

    for (size_t i = 0; i < count; i++)
        if (stack_of(&objects[i], &stack) && address >= stack.start && address < stack.end)
            return objects[i].address;
    return 0;
}

/* Searches the end of each piece of RAM for a frame that explains the fault. */
static void search_everywhere(struct crash_core *core)
{
    const struct txtap_crash_memory memory = memory_of(core);
    struct txtap_crash_frame frames[TXTAP_CRASH_FRAMES_MAX];

    for (size_t i = 0; i < core->copy->segment_count; i++) {
        const struct txtap_core_segment *piece = &core->copy->pieces[i];
        const struct txtap_crash_stack all = {piece->address, piece->address + (piece->length - 1), false};

        if (txtap_crash_frames(&memory, &core->copy->fault, core->copy->fpcar, &all, 1, frames) == 0 ||
            !frames[0].explained)
            continue;
        memcpy(core->frames, frames, sizeof frames);
        core->frame_count = 1;
        return;
    }
}

static void find_frames(struct crash_core *core)
{
    const struct txtap_crash_memory memory = memory_of(core);
    size_t count, stack_count = 1;
    const struct txtap_kernel_object *objects = objects_of(core, &count);
    struct txtap_crash_stack stacks[1 + KERNEL_CORES_MAX];
    uint32_t end = main_stack_end(core);

    stacks[0] = (struct txtap_crash_stack){end > MAIN_BYTES ? end - MAIN_BYTES : 0, end, true};
    for (size_t i = 0; i < count && stack_count < sizeof stacks / sizeof stacks[0]; i++)
        if (objects[i].running && stack_of(&objects[i], &stacks[stack_count]))
            stack_count++;
    core->frame_count =
        txtap_crash_frames(&memory, &core->copy->fault, core->copy->fpcar, stacks, stack_count, core->frames);
    if (core->frame_count == 0 || !core->frames[0].explained)
        search_everywhere(core);
    if (core->frame_count > 0)
        core->frame_owner = owner_of(core, core->frames[0].address);
}

size_t crash_core_returns(struct crash_core *core, uint32_t *addresses, size_t count)
{
    const struct txtap_crash_memory memory = memory_of(core);
    size_t object_count, found = 0;
    const struct txtap_kernel_object *objects = objects_of(core, &object_count);
    struct txtap_crash_stack stack;
    uint8_t word[4];

    for (size_t i = 0; i < object_count; i++) {
        if (!objects[i].running || !stack_of(&objects[i], &stack))
            continue;
        for (uint32_t at = stack.start; found < count && at < stack.end; at += 4)
            if (read_ram(core, at, word, sizeof word) &&
                txtap_crash_is_return(&memory, memory_word(word, TXTAP_LITTLE)))
                addresses[found++] = memory_word(word, TXTAP_LITTLE);
    }
    return found;
}

/* ---- threads ---- */

static void add_thread(struct crash_core *core, const struct txtap_core_thread *thread, uint32_t object)
{
    core->threads[core->thread_count] = *thread;
    core->threads[core->thread_count].number = (uint32_t)core->thread_count + 1;
    core->objects[core->thread_count++] = object;
}

/* If the firmware uses the floating-point unit, and EXC_RETURN is not saved with the registers, the size of the frame
 * is not known. */
static void forget_sp(struct txtap_core_thread *thread)
{
    thread->known &= ~(UINT32_C(1) << CORE_SP);
    thread->registers[CORE_SP] = 0;
}

static void add_threads(struct crash_core *core)
{
    const struct txtap_crash_memory memory = memory_of(core);
    size_t count;
    const struct txtap_kernel_object *objects = objects_of(core, &count);

    if (core->frame_count > 0)
        add_thread(core, &core->frames[0].thread, core->frame_owner);
    for (size_t i = 0; i < count; i++) {
        struct txtap_core_thread thread = {0};
        uint32_t saved_at =
            txtap_kernel_saved_at(core->kernel.layout.ops, &core->kernel.layout.places, objects[i].address);

        if (objects[i].type != TXTAP_OBJECT_THREAD ||
            (core->frame_count > 0 && objects[i].address == core->frame_owner))
            continue;
        if (!objects[i].running && txtap_kernel_knows(&objects[i], KERNEL_STACK_POINTER) &&
            txtap_crash_saved(&memory, &core->copy->fault, objects[i].values[KERNEL_STACK_POINTER], saved_at,
                              &thread)) {
            if (saved_at != 0 && core->copy->fpcar != 0)
                forget_sp(&thread);
            add_thread(core, &thread, objects[i].address);
        } else {
            core->left_out++;
        }
    }
}

void crash_core_thread_name(const struct crash_core *core, size_t i, char name[static CRASH_NAME_BYTES])
{
    char object[KERNEL_NAME_BYTES];

    if (core->objects[i] == 0) {
        snprintf(name, CRASH_NAME_BYTES, "no thread of the kernel");
        return;
    }
    kernel_object_name(&core->kernel, core->objects[i], object);
    snprintf(name, CRASH_NAME_BYTES, "thread '%s'", object);
}

/* ---- the note ---- */

static void put_note(const struct crash_core *core, FILE *out)
{
    char name[CRASH_NAME_BYTES], unknown[TXTAP_CORE_UNKNOWN_BYTES], text[TXTAP_FAULT_TEXT_BYTES];

    if (core->fault != 0) {
        (void)txtap_fault_text(&core->copy->fault, text);
        fprintf(out, "%s\n", text);
    }
    for (size_t i = 0; i < core->thread_count; i++) {
        crash_core_thread_name(core, i, name);
        fprintf(out, "LWP %" PRIu32 ": %s", core->threads[i].number, name);
        if (core->frame_count > 0 && i == 0)
            fprintf(out, "; frame of the fault at 0x%08" PRIx32 "%s", core->frames[0].address,
                    core->frames[0].explained ? "" : " (a guess)");
        if (txtap_core_unknown(&core->threads[i], unknown) > 0)
            fprintf(out, "; unknown and shown as 0: %s", unknown);
        fputc('\n', out);
    }
    if (core->left_out > 0)
        fprintf(out, "%zu thread%s left out: the registers are not in memory, or not where the kernel saves them\n",
                core->left_out, core->left_out == 1 ? "" : "s");
    if (core->copy->missing > 0)
        fprintf(out, "%" PRIu64 " bytes of RAM could not be read\n", core->copy->missing);
}

static bool make_note(struct crash_core *core)
{
    struct text_maker maker;

    if (!text_maker_begin(&maker))
        return false;
    put_note(core, maker.out);
    fputc('\0', maker.out);
    if (!text_maker_end(&maker))
        return false;
    core->note = maker.text;
    return true;
}

/* ---- opening, and the file ---- */

static void walk(struct crash_core *core, const struct memory_region *ram, size_t ram_count)
{
    const struct txtap_source source = ram_copy_source(core->copy, "the copy of the RAM");
    enum txtap_status status = kernel_reader_open(&core->kernel, core->elf, ram, ram_count, &core->no_kernel);

    if (status != TXTAP_OK)
        return;
    status = kernel_reader_walk(&core->kernel, source, TXTAP_KERNEL_ALL, KERNEL_STACK_BYTES_MAX, &core->no_kernel);
    core->has_kernel = status == TXTAP_OK;
    if (!core->has_kernel)
        kernel_reader_close(&core->kernel);
}

enum txtap_status crash_core_open(struct crash_core *core, struct ram_copy *copy, const struct elf_file *elf,
                                  const struct memory_region *ram, size_t ram_count, struct error *error)
{
    size_t count;

    memset(core, 0, sizeof *core);
    core->copy = copy;
    core->elf = elf;
    core->code_count = elf_code(elf, core->code, sizeof core->code / sizeof core->code[0]);
    core->fault = copy->has_fault ? txtap_fault_active(&copy->fault) : 0;
    walk(core, ram, ram_count);
    (void)objects_of(core, &count);
    core->threads = calloc(count + 1, sizeof *core->threads);
    core->objects = calloc(count + 1, sizeof *core->objects);
    if (core->threads != NULL && core->objects != NULL) {
        if (core->fault != 0)
            find_frames(core);
        add_threads(core);
        if (make_note(core))
            return TXTAP_OK;
    }
    crash_core_close(core);
    return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the threads of a core file");
}

void crash_core_close(struct crash_core *core)
{
    if (core->has_kernel)
        kernel_reader_close(&core->kernel);
    core->has_kernel = false;
    free(core->threads);
    free(core->objects);
    free(core->note);
    core->threads = NULL;
    core->objects = NULL;
    core->note = NULL;
}

enum txtap_status crash_core_write(const struct crash_core *core, const char *path, bool overwrite, struct error *error)
{
    const struct ram_copy *copy = core->copy;
    const struct txtap_core contents = {core->threads, core->thread_count,
                                        copy->pieces,  copy->segment_count,
                                        core->note,    core->frame_count > 0 ? SIGNAL_SEGV : 0};
    size_t length = txtap_core_head_bytes(&contents), at = length;
    enum txtap_status status;
    uint8_t *bytes;

    for (size_t i = 0; i < copy->segment_count; i++)
        length += copy->segments[i].length;
    bytes = malloc(length);
    if (bytes == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.200s: no memory for %zu bytes", path, length);
    txtap_core_head(&contents, bytes);
    for (size_t i = 0; i < copy->segment_count; at += copy->segments[i++].length)
        memcpy(bytes + at, copy->segments[i].bytes, copy->segments[i].length);
    status = output_whole_file(path, bytes, length, overwrite, error);
    free(bytes);
    return status;
}
