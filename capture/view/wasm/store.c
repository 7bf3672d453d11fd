/* SPDX-License-Identifier: MIT */
/*
 * Stores entries in pages. Separate lists have the exceptions: jumps of sequence numbers, other headers, events that do
 * not have four words.
 */
#include "view/wasm/store.h"

#include <stdlib.h>
#include <string.h>

#include "txtap/inner/registry.h"

/* ---- a deque ---- */

/*
 * Prepares the deque. pool: borrowed; a block must have room for one item. The number of items in a page is rounded
 * down to a power of two.
 */
static void deque_init(struct deque *deque, struct pool *pool, size_t item_bytes)
{
    *deque = (struct deque){.pool = pool, .item_bytes = item_bytes};
    while (pool->block_bytes / item_bytes >> (deque->shift + 1) > 0)
        deque->shift++;
}

/* Drops the items before `index`. Their memory is returned in whole pages. */
static void deque_drop(struct deque *deque, uint32_t index)
{
    uint32_t page = (deque->first - deque->base) >> deque->shift, until;

    if (index > deque->end)
        index = deque->end;
    if (index <= deque->first)
        return;
    until = (index - deque->base) >> deque->shift;
    for (; page < until; page++) {
        pool_give(deque->pool, deque->pages[page]);
        deque->pages[page] = NULL;
    }
    deque->first = index;
}

static void deque_free(struct deque *deque)
{
    deque_drop(deque, deque->end);
    if (deque->end > deque->base && deque->pages[(deque->end - 1 - deque->base) >> deque->shift] != NULL)
        pool_give(deque->pool, deque->pages[(deque->end - 1 - deque->base) >> deque->shift]);
    free(deque->pages);
    deque->pages = NULL;
    deque->capacity = 0;
    deque->base = deque->first = deque->end = 0;
}

/* Makes room for the next page: drops unused elements at the start of the table, or enlarges the table. */
static int make_room(struct deque *deque)
{
    size_t forgotten = (deque->first - deque->base) >> deque->shift;
    size_t used = (deque->end - deque->base) >> deque->shift;
    size_t capacity;
    void **pages;

    if (used < deque->capacity)
        return 1;
    if (forgotten > 0 && forgotten >= used / 2) {
        memmove(deque->pages, deque->pages + forgotten, (used - forgotten) * sizeof *deque->pages);
        deque->base += (uint32_t)(forgotten << deque->shift);
        return 1;
    }
    capacity = deque->capacity > 0 ? 2 * deque->capacity : 64;
    pages = realloc(deque->pages, capacity * sizeof *pages);
    if (pages == NULL)
        return 0;
    deque->pages = pages;
    deque->capacity = capacity;
    return 1;
}

/* Makes room for one more item; NULL: no memory. */
static void *deque_push(struct deque *deque)
{
    uint32_t at = deque->end - deque->base;

    if (deque->end == UINT32_MAX)
        return NULL;
    if ((at & ((1u << deque->shift) - 1)) == 0) {
        void *page;

        if (!make_room(deque) || (page = pool_take(deque->pool)) == NULL)
            return NULL;
        at = deque->end - deque->base;
        deque->pages[at >> deque->shift] = page;
    }
    deque->end++;
    return (char *)deque->pages[at >> deque->shift] + ((at & ((1u << deque->shift) - 1))) * deque->item_bytes;
}

void *deque_at(const struct deque *deque, uint32_t index)
{
    uint32_t at = index - deque->base;

    return (char *)deque->pages[at >> deque->shift] + ((at & ((1u << deque->shift) - 1))) * deque->item_bytes;
}

uint32_t deque_above(const struct deque *deque, uint32_t key)
{
    uint32_t low = deque->first, high = deque->end;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2, value;

        memcpy(&value, deque_at(deque, middle), sizeof value);
        if (value > key)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

#define SLOTS_FIRST 1024u
/* at this size the search table is emptied: only a faulty target has so many heads */
#define SLOTS_MAX (1u << 20)

struct head {
    uint8_t bytes[12]; /* as in the ring */
};

struct entry {
    uint32_t head; /* number of the head */
    uint8_t info[16];
};

/* For events from this index on: the number of the first head to search. */
struct heads_from {
    uint32_t index;
    uint32_t from;
};

/* From the event `index` on, sequence numbers are consecutive and ticks have the same base. */
struct run {
    uint32_t index;
    uint64_t seq;
    uint64_t base; /* added to the ticks */
};

struct used_header {
    uint32_t index; /* index of the first event with this header */
    struct txtap_header header;
};

struct extra {
    uint32_t index; /* index of the event */
    uint32_t count; /* number of words, starting at `at` */
    uint32_t at;
};

/* ---- heads: a hash table with open addressing, at most half full ---- */

static void heads_init(struct heads *heads, struct pool *pool)
{
    *heads = (struct heads){.from = 0};
    deque_init(&heads->list, pool, sizeof(struct head));
}

static void heads_free(struct heads *heads)
{
    deque_free(&heads->list);
    free(heads->slots);
    heads->slots = NULL;
    heads->slot_count = heads->from = 0;
}

static const struct head *heads_at(const struct heads *heads, uint32_t number)
{
    return deque_at(&heads->list, number);
}

static uint32_t hash_of(const struct head *head)
{
    uint32_t words[3];

    memcpy(words, head->bytes, sizeof words);
    return (((words[0] * 0x9E3779B1u) ^ words[1]) * 0x85EBCA77u ^ words[2]) * 0xC2B2AE3Du;
}

/* Returns the head's slot; if it is not in the table, the free slot for it. */
static uint32_t *slot_of(const struct heads *heads, const struct head *head)
{
    uint32_t mask = heads->slot_count - 1, at = hash_of(head) >> 8;

    for (;; at++) {
        uint32_t *slot = &heads->slots[at & mask];

        if (*slot == 0 || memcmp(heads_at(heads, *slot - 1), head, sizeof *head) == 0)
            return slot;
    }
}

static bool heads_enlarge(struct heads *heads)
{
    uint32_t count = heads->slot_count == 0 ? SLOTS_FIRST : heads->slot_count * 2;
    uint32_t *slots;

    if (count > SLOTS_MAX) {
        memset(heads->slots, 0, heads->slot_count * sizeof *slots);
        heads->from = heads->list.end;
        return true;
    }
    slots = calloc(count, sizeof *slots);
    if (slots == NULL)
        return false;
    free(heads->slots);
    heads->slots = slots;
    heads->slot_count = count;
    for (uint32_t i = heads->from; i < heads->list.end; i++)
        *slot_of(heads, heads_at(heads, i)) = i + 1;
    return true;
}

/* Returns the number of the head, and adds it if it is new. UINT32_MAX: no memory. */
static uint32_t heads_number(struct heads *heads, const struct head *head)
{
    uint32_t *slot;
    struct head *added;

    if ((heads->list.end - heads->from) * 2 >= heads->slot_count && !heads_enlarge(heads))
        return UINT32_MAX;
    slot = slot_of(heads, head);
    if (*slot != 0)
        return *slot - 1;
    added = deque_push(&heads->list);
    if (added == NULL)
        return UINT32_MAX;
    *added = *head;
    *slot = heads->list.end;
    return heads->list.end - 1;
}

/* Drops the heads below this number, because no event uses them. */
static void heads_drop(struct heads *heads, uint32_t number)
{
    deque_drop(&heads->list, number < heads->from ? number : heads->from);
}

/* ---- life ---- */

void store_init(struct store *store, struct pool *pool, const struct txtap_rows *rows)
{
    store->rows = rows;
    store->next_seq = store->base = store->newest = 0;
    deque_init(&store->entries, pool, sizeof(struct entry));
    heads_init(&store->heads, pool);
    deque_init(&store->searched, pool, sizeof(struct heads_from));
    deque_init(&store->ticks, pool, sizeof(uint64_t));
    deque_init(&store->runs, pool, sizeof(struct run));
    deque_init(&store->headers, pool, sizeof(struct used_header));
    deque_init(&store->naming, pool, sizeof(uint32_t));
    deque_init(&store->extras, pool, sizeof(struct extra));
    deque_init(&store->words, pool, sizeof(uint32_t));
    deque_init(&store->notes, pool, sizeof(struct stored_note));
}

static void drop_notes(struct store *store, uint32_t until)
{
    for (uint32_t i = store->notes.first; i < until; i++)
        free(((struct stored_note *)deque_at(&store->notes, i))->bytes);
    deque_drop(&store->notes, until);
}

void store_free(struct store *store)
{
    drop_notes(store, store->notes.end);
    deque_free(&store->entries);
    heads_free(&store->heads);
    deque_free(&store->searched);
    deque_free(&store->ticks);
    deque_free(&store->runs);
    deque_free(&store->headers);
    deque_free(&store->naming);
    deque_free(&store->extras);
    deque_free(&store->words);
    deque_free(&store->notes);
}

/* ---- adding ---- */

static bool add_run(struct store *store, uint64_t seq)
{
    struct run *run = deque_push(&store->runs);

    if (run == NULL)
        return false;
    *run = (struct run){.index = store->entries.end, .seq = seq, .base = store->base};
    return true;
}

static bool add_words(struct store *store, const struct txtap_event *event)
{
    struct extra *extra = deque_push(&store->extras);

    if (extra == NULL)
        return false;
    *extra = (struct extra){.index = store->entries.end, .at = store->words.end};
    for (size_t i = 0; i < event->word_count; i++) {
        uint32_t *word = deque_push(&store->words);

        if (word == NULL)
            return false;
        *word = event->words[i];
        extra->count++;
    }
    return true;
}

static bool add_naming(struct store *store)
{
    uint32_t *index = deque_push(&store->naming);

    if (index != NULL)
        *index = store->entries.end;
    return index != NULL;
}

static bool add_entry(struct store *store, const struct txtap_event *event)
{
    uint32_t from = store->heads.from, number;
    struct heads_from *searched;
    struct entry *entry;
    struct head head;

    memcpy(head.bytes, event->entry, sizeof head.bytes);
    number = heads_number(&store->heads, &head);
    if (number == UINT32_MAX)
        return false;
    if (store->heads.from != from || store->searched.end == 0) {
        searched = deque_push(&store->searched);
        if (searched == NULL)
            return false;
        *searched = (struct heads_from){.index = store->entries.end, .from = store->heads.from};
    }
    entry = deque_push(&store->entries);
    if (entry == NULL)
        return false;
    entry->head = number;
    memcpy(entry->info, event->entry + TXTB_ENTRY_INFO, sizeof entry->info);
    return true;
}

bool store_event(struct store *store, const struct txtap_event *event)
{
    bool back = event->ticks + store->base < store->newest;
    uint64_t *ticks;

    if (store->entries.end >= UINT32_MAX - 1)
        return false;
    if (back)
        store->base = store->newest - event->ticks;
    if ((store->entries.end == 0 || back || event->seq != store->next_seq) && !add_run(store, event->seq))
        return false;
    if (event->words != NULL && !add_words(store, event))
        return false;
    if (txtap_registry_notes(event->id) && !add_naming(store))
        return false;
    ticks = deque_push(&store->ticks);
    if (ticks == NULL || !add_entry(store, event))
        return false;
    *ticks = store->newest = event->ticks + store->base;
    store->next_seq = event->seq + 1;
    return true;
}

struct stored_note *store_note(struct store *store, enum stored_kind kind, const void *bytes, size_t length)
{
    uint8_t *copy = NULL;
    struct stored_note *note;

    if (bytes != NULL) {
        copy = malloc(length + 1);
        if (copy == NULL)
            return NULL;
        memcpy(copy, bytes, length);
        copy[length] = '\0';
    }
    note = deque_push(&store->notes);
    if (note == NULL) {
        free(copy);
        return NULL;
    }
    *note = (struct stored_note){.index = store->entries.end, .kind = kind, .bytes = copy, .length = length};
    return note;
}

bool store_header(struct store *store, const struct txtap_header *header)
{
    struct used_header *used = deque_push(&store->headers);

    if (used == NULL)
        return false;
    *used = (struct used_header){.index = store->entries.end, .header = *header};
    return true;
}

/* Drops the items of a list that are no longer valid for any event from `index` on. Each item is valid from its own
 * index on. */
static void drop_before(struct deque *list, uint32_t index)
{
    uint32_t above = deque_above(list, index);

    if (above > list->first)
        deque_drop(list, above - 1);
}

void store_ticks_are_in_rows(struct store *store, uint32_t index)
{
    deque_drop(&store->ticks, index);
}

void store_drop(struct store *store, uint32_t index)
{
    uint32_t extras;

    if (index > store->entries.end)
        index = store->entries.end;
    if (index <= store->entries.first)
        return;
    deque_drop(&store->entries, index);
    deque_drop(&store->ticks, index);
    drop_before(&store->runs, index);
    drop_before(&store->headers, index);
    drop_before(&store->searched, index);
    if (store->searched.first < store->searched.end)
        heads_drop(&store->heads, ((struct heads_from *)deque_at(&store->searched, store->searched.first))->from);
    deque_drop(&store->naming, deque_above(&store->naming, index - 1));
    extras = deque_above(&store->extras, index - 1);
    deque_drop(&store->words,
               extras < store->extras.end ? ((struct extra *)deque_at(&store->extras, extras))->at : store->words.end);
    deque_drop(&store->extras, extras);
    drop_notes(store, deque_above(&store->notes, index - 1));
}

/* ---- reading ---- */

const struct txtap_header *store_header_of(const struct store *store, uint32_t index)
{
    uint32_t above = deque_above(&store->headers, index);

    return &((struct used_header *)deque_at(&store->headers, above - 1))->header;
}

static const struct run *run_of(const struct store *store, uint32_t index)
{
    return deque_at(&store->runs, deque_above(&store->runs, index) - 1);
}

uint64_t store_seq(const struct store *store, uint32_t index)
{
    const struct run *run = run_of(store, index);

    return run->seq + (index - run->index);
}

uint64_t store_ticks(const struct store *store, uint32_t index)
{
    if (index < store->ticks.first)
        return txtap_rows_ticks(store->rows, index);
    return *(uint64_t *)deque_at(&store->ticks, index);
}

bool store_begins_again(const struct store *store, uint32_t index)
{
    uint32_t above = deque_above(&store->runs, index);
    const struct run *run = deque_at(&store->runs, above - 1);

    if (run->index != index || above - 1 == store->runs.first)
        return false;
    return ((const struct run *)deque_at(&store->runs, above - 2))->base != run->base;
}

static size_t read_words(const struct store *store, uint32_t index, uint32_t words[STORE_WORDS_MAX])
{
    const struct extra *extra;
    uint32_t at;

    if (store->extras.end == store->extras.first)
        return 0;
    at = deque_above(&store->extras, index);
    if (at == store->extras.first)
        return 0;
    extra = deque_at(&store->extras, at - 1);
    if (extra->index != index)
        return 0;
    for (uint32_t i = 0; i < extra->count; i++)
        words[i] = *(uint32_t *)deque_at(&store->words, extra->at + i);
    return extra->count;
}

void store_get(const struct store *store, uint32_t index, struct txtap_event *event, uint32_t words[STORE_WORDS_MAX])
{
    const struct entry *entry = deque_at(&store->entries, index);
    uint8_t bytes[TXTB_ENTRY_BYTES] = {0};
    size_t count;

    memcpy(bytes, heads_at(&store->heads, entry->head)->bytes, sizeof(struct head));
    memcpy(bytes + TXTB_ENTRY_INFO, entry->info, sizeof entry->info);
    txtap_event_parse(bytes, store_header_of(store, index), event);
    event->entry = NULL;
    event->seq = store_seq(store, index);
    event->ticks = store_ticks(store, index);
    count = read_words(store, index, words);
    if (count > 0) {
        event->words = words;
        event->word_count = count;
    }
}

uint32_t store_at(const struct store *store, uint64_t ticks)
{
    uint32_t low = store_first(store), high = store_end(store);

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (store_ticks(store, middle) >= ticks)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint32_t store_of_seq(const struct store *store, uint64_t seq)
{
    uint32_t next = store_end(store);

    for (uint32_t i = store->runs.end; i > store->runs.first; i--) {
        const struct run *run = deque_at(&store->runs, i - 1);
        uint32_t from = run->index > store_first(store) ? run->index : store_first(store);
        uint64_t first = run->seq + (from - run->index);

        if (from < next && seq >= first && seq - first < next - from)
            return from + (uint32_t)(seq - first);
        if (seq >= first)
            return next;
        next = from;
    }
    return next;
}
