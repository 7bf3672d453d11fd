/* SPDX-License-Identifier: MIT */
/*
 * Threads that were created one after another at the same address. The registry's names distinguish them. In the model,
 * all threads with the same name at an address are one thread. All threads without a known name at an address are one
 * further thread. So an address has few threads, even if it is reused often.
 */
#include "model/model_parts.h"

#include <string.h>

#include "base/min_max.h"
#include "txtap/inner/pattern.h"

#define LIVES_MAX 16u /* maximum number of threads at one address */

static uint32_t add_thread(struct model *model, uint64_t key)
{
    bool added;
    uint32_t number = table_add(&model->thread_numbers, key, &added);

    if (added) {
        model->lives[number] = (struct thread_life){.count = 1, .newest = number};
        model->threads[number] = (struct thread){.address = (uint32_t)key,
                                                 .core = -1,
                                                 .object = NONE,
                                                 .waits_for = NONE,
                                                 .suspension_unknown = !model->from_init || model->gaps > 0,
                                                 .account_since = model->first.ticks,
                                                 .last = {.thread = NONE}};
    }
    return number;
}

/* ---- names ---- */

static const char *name_at(const struct model *model, uint32_t address, uint64_t seq)
{
    const struct txtap_object *object = txtap_registry_find_at(model->names, address, TXTAP_OBJECT_THREAD, seq);

    return object != NULL ? object->name : "";
}

/* Returns the newest event that certainly refers to the current thread at the address. 0: no event. */
static uint64_t newest_seq(const struct thread *thread)
{
    return max_u64(thread->seq, thread->since.seq);
}

/* Returns the thread's name. "": the name is unknown, or has changed since the thread's first event. */
static const char *name_of(const struct model *model, uint32_t number)
{
    const struct thread *thread = &model->threads[number];
    const struct thread_life *life = &model->lives[number];
    const struct txtap_object *object;
    uint64_t seq = newest_seq(thread);

    if (life->named)
        return life->name;
    if (thread->joined || seq == 0)
        return "";
    object = txtap_registry_find_at(model->names, thread->address, TXTAP_OBJECT_THREAD, seq);
    if (life->before_gap > 0 &&
        txtap_registry_find_at(model->names, thread->address, TXTAP_OBJECT_THREAD, life->before_gap) != object)
        return "";
    return object != NULL ? object->name : "";
}

static void give_name(struct thread_life *life, const char *name)
{
    if (life->named)
        return;
    life->named = true;
    memcpy(life->name, name, strnlen(name, TXTAP_OBJECT_NAME_BYTES - 1)); /* the bytes after the name are 0 */
}

/* ---- the threads of an address ---- */

static uint32_t life_of(const struct model *model, uint32_t address, uint32_t life)
{
    return table_find(&model->thread_numbers, table_pair(life, address));
}

static uint32_t find_named(const struct model *model, uint32_t head, const char *name)
{
    for (uint32_t life = 0; life < model->lives[head].count; life++) {
        uint32_t number = life_of(model, model->threads[head].address, life);

        if (strcmp(model->lives[number].name, name) == 0)
            return number;
    }
    return NONE;
}

/* Returns true if another thread may be added at this address. A quarter of the table is kept for other addresses. */
static bool has_room(const struct model *model, uint32_t head)
{
    const struct table *numbers = &model->thread_numbers;

    return model->lives[head].count < LIVES_MAX && numbers->count < numbers->capacity - numbers->capacity / 4;
}

static uint32_t add_named(struct model *model, uint32_t head, const char *name)
{
    uint32_t life = model->lives[head].count;
    uint32_t number = add_thread(model, table_pair(life, model->threads[head].address));

    if (number == NONE)
        return NONE;
    model->lives[head].count++;
    model->lives[number].number = life;
    give_name(&model->lives[number], name);
    return number;
}

uint32_t model_thread_added(struct model *model, uint32_t address)
{
    uint32_t head = add_thread(model, address);

    if (head == NONE)
        return NONE;
    if (model->lives[head].newest == NONE)
        model->lives[head].newest = add_named(model, head, "");
    return model->lives[head].newest;
}

/*
 * Returns the thread with this name at the address. If the table is full, returns the address's thread without a known
 * name. If no such thread exists, returns the thread `number` and clears its name.
 */
static uint32_t thread_named(struct model *model, uint32_t head, uint32_t number, const char *name)
{
    uint32_t found = find_named(model, head, name);

    if (found == NONE && has_room(model, head))
        return add_named(model, head, name);
    if (found == NONE)
        found = find_named(model, head, "");
    if (found == NONE && number != NONE)
        model->lives[number].name[0] = '\0';
    return found != NONE ? found : number;
}

static void use(struct model *model, uint32_t head, uint32_t number)
{
    struct recent *recent = &model->recent_threads[model_recent(model->threads[head].address)];

    model->lives[head].newest = number;
    if (recent->address == model->threads[head].address)
        *recent = (struct recent){0};
}

static bool has_ended(const struct thread *thread)
{
    return thread->state == THREAD_BLOCKED &&
           (thread->reason == REASON_COMPLETED || thread->reason == REASON_TERMINATED);
}

/* Notes that the thread with this name is at the address from this event on. */
static void begin_life(struct model *model, uint32_t head, const char *name, const struct change *event)
{
    uint32_t number = model->lives[head].newest, next;

    if (number != NONE && strcmp(model->lives[number].name, name) == 0)
        return;
    next = thread_named(model, head, number, name);
    if (next == number)
        return;
    if (number != NONE && !has_ended(&model->threads[number]))
        thread_start_life(model, number, event);
    use(model, head, next);
}

void thread_created(struct model *model, const struct change *event)
{
    uint32_t head = model->names != NULL ? life_of(model, event->event->info[0], 0) : NONE, number;
    const char *before = "", *now;

    if (head == NONE || event->event->info[0] == 0)
        return;
    number = model->lives[head].newest;
    now = name_at(model, event->event->info[0], event->now.seq);
    if (number != NONE && !model->lives[number].named) {
        if (!thread_is_used(&model->threads[number]))
            return;
        before = name_of(model, number);
        if (*before == '\0' && *now == '\0')
            return; /* the registry may learn the names later */
        give_name(&model->lives[number], before);
    }
    begin_life(model, head, now, event);
}

void threads_before_gap(struct model *model)
{
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        if (model->lives[i].before_gap == 0 && thread_is_used(&model->threads[i]))
            model->lives[i].before_gap = newest_seq(&model->threads[i]);
}

/* Updates the thread at each address after a gap. A thread without a name is added with the first event about it. */
void threads_after_gap(struct model *model, const struct change *event)
{
    for (uint32_t i = 0; model->names != NULL && i < model->thread_numbers.count; i++) {
        const char *name;

        if (model->lives[i].number > 0 || !model->lives[i].named)
            continue;
        name = name_at(model, model->threads[i].address, event->now.seq);
        if (*name == '\0' && find_named(model, i, "") == NONE && has_room(model, i))
            use(model, i, NONE);
        else
            begin_life(model, i, name, event);
    }
}

/* ---- queries ---- */

bool model_has_lives(const struct model *model, uint32_t number)
{
    const struct thread_life *life = &model->lives[number];

    return life->named && (life->number > 0 || life->count > 1);
}

bool model_may_be_named(const struct model *model, uint32_t address, const char *pattern)
{
    uint32_t head = life_of(model, address, 0);

    for (uint32_t life = 0; head != NONE && life < model->lives[head].count; life++) {
        const char *name = model->lives[life_of(model, address, life)].name;

        if (*name != '\0' && txtap_pattern_matches(pattern, name))
            return true;
    }
    return false;
}
