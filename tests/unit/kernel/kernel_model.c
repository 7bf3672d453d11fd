/* SPDX-License-Identifier: MIT */
/* The kernel of the model: its variables, its calls and the stores of a call; and the reads of a walk. */
#include "kernel/kernel_model.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "seeds.h"

#define BLOCKS      (MODEL_RAM + 0x1000u) /* control blocks */
#define BLOCK_BYTES 256u
#define NAMES       (MODEL_RAM + 0x8000u)
#define NAME_BYTES  32u
#define STACKS      (MODEL_RAM + 0x10000u)

_Static_assert(BLOCKS + MODEL_SLOTS * BLOCK_BYTES <= NAMES && NAMES + MODEL_NAMES * NAME_BYTES <= STACKS &&
                   STACKS + MODEL_SLOTS * MODEL_STACK <= MODEL_RAM + MODEL_RAM_BYTES,
               "the parts do not overlap");

/* Bytes that the kernel clears before it creates an object: sizeof(TX_THREAD), sizeof(TX_TIMER), ... */
static const uint32_t block_bytes[TXTAP_KERNEL_CLASSES] = {0, 176, 44, 56, 28, 52, 36, 48, 52};

/* ---- memory ---- */

static uint8_t *at(const struct model *model, uint32_t address)
{
    cr_assert(address >= MODEL_RAM && address - MODEL_RAM <= MODEL_RAM_BYTES - 4, "no memory at 0x%08x", address);
    return (uint8_t *)model->ram + (address - MODEL_RAM);
}

uint32_t model_word(const struct model *model, uint32_t address)
{
    return bytes_u32(at(model, address), model->layout.endian);
}

void model_poke(struct model *model, uint32_t address, uint32_t word)
{
    put_u32(at(model, address), model->layout.endian, word);
}

static uint32_t variable(const struct model *model, enum txtap_kernel_role role, uint8_t type)
{
    for (size_t i = 0; i < model->ops->symbol_count; i++)
        if (model->ops->symbols[i].role == role && model->ops->symbols[i].type == type)
            return model->layout.symbols[i].at;
    cr_assert_fail("no variable for class %u", type);
    return 0;
}

uint32_t model_head(const struct model *model, uint8_t type)
{
    return variable(model, KERNEL_LIST_HEAD, type);
}

uint32_t model_count(const struct model *model, uint8_t type)
{
    return variable(model, KERNEL_LIST_COUNT, type);
}

uint32_t model_variable(const struct model *model, const char *name)
{
    for (size_t i = 0; i < model->ops->symbol_count; i++)
        if (strcmp(model->ops->symbols[i].name, name) == 0)
            return model->layout.symbols[i].at;
    cr_assert_fail("no variable %s", name);
    return 0;
}

uint32_t model_member(const struct model *model, uint8_t type, uint32_t address, unsigned value)
{
    for (size_t i = 0; i < model->ops->member_count; i++)
        if (model->ops->members[i].type == type && model->ops->members[i].value == value)
            return address + model->layout.members[i].at;
    cr_assert_fail("class %u has no member for value %u", type, value);
    return 0;
}

/* ---- calls of the kernel ---- */

static void add(struct model *model, uint32_t address, uint32_t word)
{
    cr_assert(model->store_count < sizeof model->stores / sizeof model->stores[0]);
    model->stores[model->store_count++] = (struct model_store){address, word, STORE_ONLY};
}

static void add_effect(struct model *model, uint32_t address, uint32_t word, int effect)
{
    add(model, address, word);
    model->stores[model->store_count - 1].effect = effect;
}

static void add_member(struct model *model, const struct model_life *life, unsigned value, uint32_t word)
{
    add(model, model_member(model, life->type, life->address, value), word);
}

/* Chooses the members of a new object. Two objects in the same memory differ in some of their members, so a mixture of
 * both has the members of neither. */
static void choose_values(struct model *model, struct model_life *life, unsigned slot, unsigned name)
{
    for (size_t i = 0; i < model->ops->member_count; i++) {
        const struct txtap_kernel_member *row = &model->ops->members[i];

        if (row->type == life->type)
            life->values[row->value] = model->random != 0 ? next_random(&model->random, 3) : 4;
        if (row->type == life->type && model->distinct && (row->flags & KERNEL_IDENTITY))
            life->values[row->value] = (uint32_t)model->life_count;
    }
    life->values[KERNEL_ID] = model->ops->ids[life->type];
    life->values[KERNEL_NAME] = NAMES + name * NAME_BYTES;
    life->values[KERNEL_TIMER_LIST] = 0;
    if (life->type == TXTAP_OBJECT_THREAD) {
        life->values[KERNEL_STATE] = 3;
        life->values[KERNEL_STACK_START] = STACKS + slot * MODEL_STACK;
        life->values[KERNEL_STACK_SIZE] = MODEL_STACK;
        life->values[KERNEL_STACK_POINTER] = STACKS + slot * MODEL_STACK + MODEL_STACK - 64;
    }
    snprintf(life->name, sizeof life->name, "name_%u", name);
}

static void begin_create(struct model *model, uint8_t type, unsigned slot, unsigned name)
{
    uint32_t head = model_head(model, type), count = model_count(model, type), first = model_word(model, head);
    struct model_life *life = &model->lives[model->life_count];
    uint32_t previous;

    cr_assert(model->life_count < MODEL_LOG);
    *life = (struct model_life){.address = BLOCKS + slot * BLOCK_BYTES, .type = type, UINT64_MAX, UINT64_MAX};
    choose_values(model, life, slot, name);
    model->subject = (uint16_t)model->life_count++;
    for (uint32_t i = 0; i < block_bytes[type]; i += 4)
        add(model, life->address + i, 0);
    for (size_t i = 0; i < model->ops->member_count; i++) {
        const struct txtap_kernel_member *row = &model->ops->members[i];

        if (row->type == type && row->value != KERNEL_ID && row->value != KERNEL_NEXT &&
            row->value != KERNEL_PREVIOUS && model->layout.members[i].bytes > 0)
            add(model, life->address + model->layout.members[i].at, life->values[row->value]);
    }
    add_effect(model, model_member(model, type, life->address, KERNEL_ID), life->values[KERNEL_ID], STORE_BEARS);
    if (model_word(model, count) == 0) {
        add(model, head, life->address);
        add_member(model, life, KERNEL_NEXT, life->address);
        add_member(model, life, KERNEL_PREVIOUS, life->address);
    } else {
        previous = model_word(model, model_member(model, type, first, KERNEL_PREVIOUS));
        add(model, model_member(model, type, first, KERNEL_PREVIOUS), life->address);
        add(model, model_member(model, type, previous, KERNEL_NEXT), life->address);
        add_member(model, life, KERNEL_PREVIOUS, previous);
        add_member(model, life, KERNEL_NEXT, first);
    }
    add_effect(model, count, model_word(model, count) + 1, STORE_COUNTS);
}

static void begin_delete(struct model *model, uint16_t number)
{
    const struct model_life *life = &model->lives[number];
    uint32_t head = model_head(model, life->type), count = model_count(model, life->type), next, previous;

    model->subject = number;
    next = model_word(model, model_member(model, life->type, life->address, KERNEL_NEXT));
    previous = model_word(model, model_member(model, life->type, life->address, KERNEL_PREVIOUS));
    add_effect(model, model_member(model, life->type, life->address, KERNEL_ID), 0, STORE_KILLS);
    add(model, count, model_word(model, count) - 1);
    if (model_word(model, count) == 1) {
        add(model, head, 0);
    } else {
        add(model, model_member(model, life->type, next, KERNEL_PREVIOUS), previous);
        add(model, model_member(model, life->type, previous, KERNEL_NEXT), next);
        if (model_word(model, head) == life->address)
            add(model, head, next);
    }
}

static bool is_in_use(const struct model *model, uint32_t address)
{
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++)
        for (size_t i = 0; i < model->now[type].count; i++)
            if (model->lives[model->now[type].lives[i]].address == address)
                return true;
    return false;
}

/* Begins a call that creates or deletes an object of a random class. Lists stay short, so that control blocks are
 * used again soon. */
static void begin_call(struct model *model)
{
    uint8_t type = (uint8_t)(1 + next_random(&model->random, 3)); /* thread, timer, queue */
    unsigned slot = next_random(&model->random, 12);
    const struct model_list *list = &model->now[type];

    model->store_count = model->store_next = 0;
    if (list->count > 0 && (list->count >= 5 || next_random(&model->random, 2) == 0))
        begin_delete(model, list->lives[next_random(&model->random, list->count)]);
    else if (!is_in_use(model, BLOCKS + slot * BLOCK_BYTES))
        begin_create(model, type, slot, next_random(&model->random, MODEL_NAMES));
}

/* ---- history ---- */

static void note_list(struct model *model, const struct model_list *list)
{
    cr_assert(model->history_count < MODEL_HISTORY);
    model->history[model->history_count++] = *list;
}

/* Notes the list that a call leaves. A deleted object is off its list when its identifier is cleared; a new object is
 * on its list when it is counted. */
static void note_change(struct model *model)
{
    const struct model_life *life = &model->lives[model->subject];
    struct model_list *list = &model->now[life->type];
    size_t kept = 0;

    list->since = model->step;
    if (life->died == UINT64_MAX) {
        list->lives[list->count++] = model->subject;
    } else {
        for (size_t i = 0; i < list->count; i++)
            if (list->lives[i] != model->subject)
                list->lives[kept++] = list->lives[i];
        list->count = (uint8_t)kept;
    }
    note_list(model, list);
}

void model_step(struct model *model)
{
    const struct model_store *store;

    if (model->store_next == model->store_count)
        begin_call(model);
    if (model->store_next == model->store_count)
        return;
    store = &model->stores[model->store_next++];
    model_poke(model, store->address, store->word);
    model->step++;
    if (store->effect == STORE_BEARS)
        model->lives[model->subject].born = model->step;
    else if (store->effect == STORE_KILLS)
        model->lives[model->subject].died = model->step;
    if (store->effect == STORE_KILLS || store->effect == STORE_COUNTS)
        note_change(model);
}

static void end_call(struct model *model)
{
    while (model->store_next < model->store_count)
        model_step(model);
    model->store_count = model->store_next = 0;
}

uint32_t model_create(struct model *model, uint8_t type, unsigned slot, unsigned name)
{
    end_call(model);
    begin_create(model, type, slot, name);
    end_call(model);
    return model->lives[model->subject].address;
}

void model_delete(struct model *model, uint32_t address)
{
    end_call(model);
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++)
        for (size_t i = 0; i < model->now[type].count && model->store_count == 0; i++)
            if (model->lives[model->now[type].lives[i]].address == address)
                begin_delete(model, model->now[type].lives[i]);
    cr_assert(model->store_count > 0, "no object at 0x%08x", address);
    end_call(model);
}

/* ---- opening ---- */

static bool permits(void *self, uint32_t address, uint32_t bytes)
{
    const struct model *model = self;

    if (address < model->forbidden_end && address + bytes > model->forbidden)
        return false;
    return address >= MODEL_RAM && bytes <= MODEL_RAM_BYTES && address - MODEL_RAM <= MODEL_RAM_BYTES - bytes;
}

struct model *model_open(uint64_t random)
{
    struct model *model = calloc(1, sizeof *model);

    cr_assert_not_null(model);
    model->history = calloc(MODEL_HISTORY, sizeof *model->history);
    model->kernel = malloc(txtap_kernel_bytes());
    cr_assert(model->history != NULL && model->kernel != NULL);
    model->ops = &txtap_kernel_threadx;
    model->layout.endian = TXTAP_LITTLE;
    model->random = random;
    model->calm = 1;
    txtap_kernel_usual_members(model->ops, &model->layout);
    for (uint32_t i = 0; i < model->ops->symbol_count; i++)
        model->layout.symbols[i] = (struct txtap_kernel_place){MODEL_RAM + 8 * i, 4};
    for (unsigned i = 0; i < MODEL_NAMES; i++)
        snprintf((char *)at(model, NAMES + i * NAME_BYTES), NAME_BYTES, "name_%u", i);
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        model->now[type].type = type;
        note_list(model, &model->now[type]);
    }
    cr_assert_eq(txtap_kernel_init(model->kernel, model->ops, &model->layout,
                                   (struct txtap_kernel_memory){permits, NULL, model}),
                 TXTAP_OK);
    return model;
}

void model_close(struct model *model)
{
    free(model->kernel);
    free(model->history);
    free(model);
}

/* ---- reads ---- */

/* Lets the kernel run until the next word is read. */
static void run_kernel(struct model *model)
{
    uint32_t steps = 0;

    if (model->random != 0 && next_random(&model->random, model->calm) == 0)
        steps = random_steps(&model->random, 3, 40, model->bursts ? 600 : 1);
    while (steps-- > 0)
        model_step(model);
}

static void do_read(struct model *model, const struct txtap_read *read, bool *failed)
{
    model->escaped = model->escaped || read->length == 0 || (read->address | read->length) % 4 != 0 ||
                     !permits(model, read->address, read->length);
    model->reads++;
    model->bytes += read->length;
    *failed = read->address < model->refused_end && read->address + read->length > model->refused;
    for (uint32_t i = 0; i < read->length && !model->escaped; i += 4) {
        run_kernel(model);
        if (model->before_word != NULL)
            model->before_word(model, read->address + i);
        memcpy(read->buffer + i, at(model, read->address + i), 4);
    }
}

bool model_exchange(struct model *model)
{
    static bool failed[READS_MAX];
    const struct txtap_read *reads;
    size_t count = txtap_kernel_plan(model->kernel, &reads);

    if (count == 0)
        return false;
    cr_assert(count <= READS_MAX);
    for (size_t i = 0; i < count; i++)
        do_read(model, &reads[i], &failed[i]);
    txtap_kernel_commit(model->kernel, failed);
    model->exchanges++;
    return true;
}

void model_walk(struct model *model, unsigned classes, uint32_t stack_bytes)
{
    model->exchanges = model->reads = model->bytes = 0;
    model->begun = model->step;
    txtap_kernel_begin(model->kernel, classes, stack_bytes);
    while (model_exchange(model))
        cr_assert(model->exchanges < 10000, "the walk does not end");
    cr_assert(!model->escaped, "a read was not permitted");
}
