/* SPDX-License-Identifier: MIT */
/*
 * Walks over the lists of a kernel in memory that consists of the fuzzer's bytes and changes with each read. Every read
 * must be permitted, each walk must end after a bounded number of exchanges and bytes, and each object must have the
 * identifier of its class and a name that ends.
 */
#include <string.h>

#include "base/bytes.h"
#include "fuzz.h"
#include "kernel/inside.h"

#define RAM       0x20000000u
#define RAM_BYTES 0x8000u
#define HOLE      (RAM + 0x2000u) /* memory that must not be read */
#define HOLE_END  (RAM + 0x2040u)
#define WALKS     3
#define STACKS    4096u
/* A walk has KERNEL_ATTEMPTS attempts. Each follows the longest list object by object, and reads the objects twice.
 * Then it reads stacks, in parts of at least a word. */
#define EXCHANGES (KERNEL_ATTEMPTS * (KERNEL_NODES_MAX + 2) + STACKS / 4 + 1)

struct input {
    const uint8_t *bytes;
    size_t length, at;
    const struct txtap_kernel_ops *ops;
};

static uint32_t take(struct input *input, uint32_t below)
{
    uint32_t number = 0;

    for (unsigned i = 0; i < 2; i++)
        number = number << 8 | (input->length > 0 ? input->bytes[input->at++ % input->length] : 0);
    return number % below;
}

static bool permits(void *self, uint32_t address, uint32_t bytes)
{
    (void)self;
    if (address < HOLE_END && address + bytes > HOLE)
        return false;
    return address >= RAM && bytes <= RAM_BYTES && address - RAM <= RAM_BYTES - bytes;
}

static const uint8_t *constant(void *self, uint32_t address, uint32_t *bytes)
{
    static const uint8_t text[] = "constant";

    (void)self;
    if (address < 0x08000000u || address - 0x08000000u >= sizeof text)
        return NULL;
    *bytes = (uint32_t)(sizeof text - (address - 0x08000000u));
    return text + (address - 0x08000000u);
}

/* Returns a word that is often useful: an identifier, an address of an object, a fill word, or a small number. */
static uint32_t word_of(struct input *input)
{
    uint32_t kind = take(input, 8), more = take(input, 0x10000);

    switch (kind) {
    case 0:
    case 1:
        return RAM + 0x1000 + more % 16 * 0x100; /* objects, which may overlap */
    case 2:
        return input->ops->ids[1 + more % (TXTAP_KERNEL_CLASSES - 1)];
    case 3:
        return more % 8;
    case 4:
        return 0xEFEFEFEF;
    case 5:
        return RAM + more; /* inside and outside of RAM */
    case 6:
        return 0x08000000u + more % 16;
    default:
        return more << 16 | more;
    }
}

static void choose_layout(struct input *input, struct txtap_kernel_layout *layout)
{
    static const uint32_t sizes[] = {4, 4, 4, 4, 2, 1, 0, 64};
    bool usual = take(input, 2) != 0;

    layout->endian = take(input, 2) != 0 ? TXTAP_BIG : TXTAP_LITTLE;
    txtap_kernel_usual_members(input->ops, layout);
    for (uint32_t i = 0; i < input->ops->symbol_count; i++)
        layout->symbols[i] =
            (struct txtap_kernel_place){RAM + 4 * i + take(input, 2) * 0x100, 4 * (take(input, 8) != 0)};
    for (size_t i = 0; i < input->ops->member_count && !usual; i++)
        layout->members[i] =
            (struct txtap_kernel_place){take(input, take(input, 4) == 0 ? 0x10000 : 256), sizes[take(input, 8)]};
}

/* Makes a word that the walk reads: mostly as a working kernel would have it, so that lists become long. */
static uint32_t memory_word(struct input *input, uint32_t address)
{
    uint32_t object = (address - RAM) / 0x100, offset = address % 0x100;

    if (take(input, 8) == 0 || address < RAM + 0x1000 || address >= RAM + 0x2000)
        return word_of(input);
    if (offset == 0)
        return input->ops->ids[1 + object % 8];
    return RAM + 0x1000 + (object + (take(input, 4) == 0 ? 8 : take(input, 16))) % 16 * 0x100;
}

static void check_objects(const struct txtap_kernel *kernel, const struct txtap_kernel_ops *ops)
{
    size_t count, found = 0;
    const struct txtap_kernel_object *objects = txtap_kernel_objects(kernel, &count);

    REQUIRE(count <= KERNEL_NODES_MAX);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(objects[i].type > 0 && objects[i].type < TXTAP_KERNEL_CLASSES);
        REQUIRE(objects[i].values[KERNEL_ID] == ops->ids[objects[i].type]);
        REQUIRE(memchr(objects[i].name, '\0', sizeof objects[i].name) != NULL);
        REQUIRE(i == 0 || objects[i - 1].type <= objects[i].type);
        REQUIRE(txtap_kernel_find(kernel, objects[i].address) != NULL);
    }
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        struct txtap_kernel_list list = txtap_kernel_list(kernel, type);

        found += list.found;
        REQUIRE(!list.complete || (list.present && list.found == list.created));
    }
    REQUIRE(found == count);
}

/* Does the reads of a plan. Returns false if the walk is finished. */
static bool exchange(struct txtap_kernel *kernel, struct input *input, uint64_t *bytes)
{
    static bool failed[READS_MAX];
    const struct txtap_read *reads;
    size_t count = txtap_kernel_plan(kernel, &reads);

    REQUIRE(count <= READS_MAX);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(reads[i].length > 0 && (reads[i].address | reads[i].length) % 4 == 0);
        REQUIRE(permits(NULL, reads[i].address, reads[i].length));
        failed[i] = take(input, 64) == 0;
        for (uint32_t k = 0; k < reads[i].length; k += 4)
            put_u32(reads[i].buffer + k, TXTAP_LITTLE, memory_word(input, reads[i].address + k));
        *bytes += reads[i].length;
    }
    if (count > 0)
        txtap_kernel_commit(kernel, failed);
    return count > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct txtap_kernel kernel;
    struct input input = {bytes, length, 0, &txtap_kernel_threadx};
    struct txtap_kernel_layout layout = {0};

    choose_layout(&input, &layout);
    if (txtap_kernel_init(&kernel, input.ops, &layout, (struct txtap_kernel_memory){permits, constant, NULL}) !=
        TXTAP_OK)
        return 0;
    for (unsigned walk = 0; walk < WALKS; walk++) {
        unsigned exchanges = 0;
        uint64_t sum = 0;

        txtap_kernel_begin(&kernel, take(&input, 2) != 0 ? TXTAP_KERNEL_ALL : take(&input, 512), take(&input, STACKS));
        while (exchange(&kernel, &input, &sum))
            REQUIRE(++exchanges <= EXCHANGES);
        REQUIRE(sum <= (uint64_t)exchanges * READS_BYTES);
        check_objects(&kernel, input.ops);
    }
    return 0;
}
