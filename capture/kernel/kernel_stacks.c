/* SPDX-License-Identifier: MIT */
/* Reads all stacks in one walk. Between two steps of the walk the kernel runs on. */
#include "kernel/kernel_stacks.h"

#include <string.h>

#include "base/runtime.h"

void kernel_stacks_take(struct kernel_stacks *stacks, const struct kernel_reader *reader)
{
    size_t count;
    const struct txtap_kernel_object *objects = txtap_kernel_objects(reader->kernel, &count);

    stacks->count = 0;
    for (size_t i = 0; i < count && stacks->count < TXTAP_STACKS_MAX; i++) {
        const struct txtap_kernel_object *thread = &objects[i];
        const uint32_t *values = thread->values;
        struct txtap_stack_use *use;

        if (thread->type != TXTAP_OBJECT_THREAD || !txtap_kernel_knows(thread, KERNEL_STACK_PEAK) ||
            values[KERNEL_STACK_SIZE] == 0 || values[KERNEL_STACK_PEAK] > values[KERNEL_STACK_SIZE])
            continue;
        use = &stacks->list[stacks->count++];
        *use =
            (struct txtap_stack_use){thread->address,           values[KERNEL_STACK_START], values[KERNEL_STACK_SIZE],
                                     values[KERNEL_STACK_PEAK], !thread->peak_at_least,     ""};
        memcpy(use->name, thread->name, sizeof use->name);
    }
}

void kernel_stacks_read(struct kernel_stacks *stacks, struct txtap_source source, const struct elf_file *elf,
                        const struct memory_region *ram, size_t ram_count, uint64_t limit_us)
{
    enum txtap_status status = TXTAP_OK;
    struct kernel_reader reader;
    uint64_t begin = now_us();
    struct error unused;

    stacks->count = 0;
    if (elf == NULL || source.ops == NULL || kernel_reader_open(&reader, elf, ram, ram_count, &unused) != TXTAP_OK)
        return;
    kernel_reader_begin(&reader, TXTAP_KERNEL_THREADS, KERNEL_STACK_BYTES_MAX);
    while (status == TXTAP_OK && now_us() - begin < limit_us)
        status = kernel_reader_step(&reader, source, &unused);
    if (status == TXTAP_END)
        kernel_stacks_take(stacks, &reader);
    kernel_reader_close(&reader);
}
