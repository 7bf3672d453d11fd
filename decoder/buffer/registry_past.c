/* SPDX-License-Identifier: MIT */
/* Which objects that ended are forgotten: when there is no room for others, or because nobody asks for them any more.
 */
#include "buffer/registry_parts.h"

#define PAST_EVENTS 65536 /* no event refers to an object that ended so many events ago */

/* Did the object end before seq? seq UINT64_MAX: also if it is no longer in the target's registry. */
static bool is_past(const struct txtap_object *object, uint64_t seq)
{
    if (registry_is_open(object))
        return seq == UINT64_MAX && !object->live && !object->unknown;
    return object->until_seq < seq;
}

/* Forgets objects that ended, but no more than excess; returns how many more are to be forgotten. */
static size_t forget_past(struct txtap_registry *registry, size_t excess, uint64_t seq)
{
    size_t kept = 0;

    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *object = &registry->objects[i];

        if (excess > 0 && is_past(object, seq)) {
            excess--;
            registry->dropped++;
            continue;
        }
        if (kept < i)
            registry->objects[kept] = *object;
        kept++;
    }
    registry->count = kept;
    return excess;
}

void registry_make_room(struct txtap_registry *registry, size_t wanted)
{
    size_t room = registry->capacity - registry->count, excess = wanted > room ? wanted - room : 0;
    uint64_t now = registry->now_seq;

    if (excess > 0)
        excess = forget_past(registry, excess, now > PAST_EVENTS ? now - PAST_EVENTS : 0);
    if (excess > 0)
        excess = forget_past(registry, excess, UINT64_MAX - 1);
    if (excess > 0)
        (void)forget_past(registry, excess, UINT64_MAX);
}

/* ---- nobody asks for them ---- */

/* May it still get its name from the next copy? */
static bool awaits_name(const struct txtap_registry *registry, const struct txtap_object *object)
{
    return object->unknown && (object->slots.changed_before != 0 || object->from_seq >= registry->read_seq);
}

/*
 * Do the objects from..to, which stay, show all that this one says about its address: that there was another name, or
 * one that is not certain? At most three of a type stay.
 */
static bool is_shown(const struct txtap_object *from, const struct txtap_object *to, const struct txtap_object *object)
{
    const struct txtap_object *first = NULL;
    bool same_name = false, several = false, doubtful = !registry_is_doubtful(object);

    for (; from < to; from++) {
        if (from->type != object->type)
            continue;
        first = first != NULL ? first : from;
        same_name = same_name || registry_same_name(from, object);
        several = several || !registry_same_name(from, first);
        doubtful = doubtful || registry_is_doubtful(from);
    }
    return (same_name || several) && doubtful;
}

void txtap_registry_forget(struct txtap_registry *registry, uint64_t seq)
{
    struct txtap_object *objects = registry->objects, *end = objects;
    struct txtap_object *from = objects; /* of this address, those from..end ended, and do not change any more */
    size_t count = registry->count;

    for (const struct txtap_object *object = objects; object < objects + count; object++) {
        bool past = is_past(object, seq) && !awaits_name(registry, object);

        if (end > objects && end[-1].pointer != object->pointer)
            from = end;
        if (past && is_shown(from, end, object))
            continue;
        if (end < object)
            *end = *object;
        end++;
        if (!past)
            from = end;
    }
    registry->count = (size_t)(end - objects);
    if (registry->count < count)
        registry_settle(registry);
}
