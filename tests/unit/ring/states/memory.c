/* SPDX-License-Identifier: MIT */
#include "ring/states/memory.h"

#define HEADER_WORDS ((unsigned)WORD_ENTRY) /* includes the words beside the buffer */
#define NO_STORE     (-1)

static int32_t *stores_in(struct moment *at)
{
    return at->again >= 0 ? &at->again : &at->stores;
}

unsigned memory_place(const struct word *word)
{
    return word->kind == WORD_ENTRY ? HEADER_WORDS + word->slot * 8 + word->index : (unsigned)word->kind;
}

static void read_all(struct memory *memory, const struct configuration *c)
{
    struct moment at;

    for (unsigned i = 0; i < HEADER_WORDS + c->slots * 8; i++) {
        struct word word = {.kind = (enum word_kind)i};

        if (i >= HEADER_WORDS)
            word = (struct word){.kind = WORD_ENTRY, .slot = (i - HEADER_WORDS) / 8, .index = (i - HEADER_WORDS) % 8};
        memory->values[i] = writer_value(c, &word, memory->at, &memory->events[i]);
        at = memory->at;
        memory->next[i] = writer_next(c, &word, &at) ? *stores_in(&at) : NO_STORE;
    }
}

const struct memory *memory_at(struct memories *memories, const struct configuration *c, struct moment at)
{
    uint32_t hash = (uint32_t)at.stores + 0x9E37u * (uint32_t)(at.again + 1) + 0x85EBu * (uint32_t)at.complete +
                    0xC2B2u * (uint32_t)at.set_up;
    struct memory *memory = &memories->kept[hash % MEMORIES_KEPT];

    if (!memory->known || memory->at.stores != at.stores || memory->at.again != at.again ||
        memory->at.complete != at.complete || memory->at.set_up != at.set_up) {
        memory->known = true;
        memory->at = at;
        read_all(memory, c);
    }
    return memory;
}

bool memory_next(const struct memory *memory, unsigned place, struct moment *at)
{
    *stores_in(at) = memory->next[place];
    return memory->next[place] != NO_STORE;
}
