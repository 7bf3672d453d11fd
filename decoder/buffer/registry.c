/* SPDX-License-Identifier: MIT */
/*
 * A sorted array of objects, whose size is fixed: finds, inserts and forgets objects. registry_lifetime.c learns
 * objects and their lifetimes from events. registry_copy.c learns objects from copies of the target's registry.
 */
#include "txtap/inner/registry.h"

#include <string.h>

#include "base/heapsort.h"
#include "buffer/registry_parts.h"

#define USBX_FIRST 21 /* object types: UX_TRACE_OBJECT_TYPE_* */
#define USBX_LAST  28

#define HINT_PROBES 4 /* number of neighbouring hint slots that may contain the hint of an address */

void txtap_registry_init(struct txtap_registry *registry, struct txtap_object *objects, size_t capacity)
{
    registry->objects = objects;
    registry->capacity = capacity;
    registry->generation = 0;
    txtap_registry_clear(registry);
}

void txtap_registry_clear(struct txtap_registry *registry)
{
    registry->count = 0;
    registry->usbx = false;
    registry->dropped = 0;
    registry->now_seq = registry->gap_seq = registry->whole_seq = registry->read_seq = 0;
    registry->still_copies = 0;
    registry->search_start = UINT32_MAX;
    registry->generation++;
    memset(registry->hints, 0, sizeof(registry->hints));
}

/* Returns the index of the first object whose address is pointer or higher. The objects are sorted. */
size_t registry_lower_bound(const struct txtap_registry *registry, uint32_t pointer)
{
    size_t low = 0, high = registry->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (registry->objects[middle].pointer < pointer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct txtap_object *registry_newest(struct txtap_registry *registry, uint32_t pointer)
{
    const struct txtap_object *found = txtap_registry_find(registry, pointer);

    return found != NULL ? &registry->objects[found - registry->objects] : NULL;
}

/*
 * Compares two objects in the order of the array: by pointer; for equal pointers, the newest object comes first. The
 * name makes the order unique.
 */
static bool comes_before(const void *left, const void *right)
{
    const struct txtap_object *a = left, *b = right;

    if (a->pointer != b->pointer)
        return a->pointer < b->pointer;
    if (registry_is_open(a) != registry_is_open(b))
        return registry_is_open(a);
    if (a->from_seq != b->from_seq)
        return a->from_seq > b->from_seq;
    if (a->unknown != b->unknown)
        return b->unknown;
    if (a->type != b->type)
        return a->type < b->type;
    return memcmp(a->name, b->name, sizeof(a->name)) < 0;
}

bool registry_insert(struct txtap_registry *registry, const struct txtap_object *object)
{
    size_t at;

    registry_make_room(registry, 1);
    if (registry->count == registry->capacity) {
        registry->dropped++;
        return false;
    }
    at = registry_lower_bound(registry, object->pointer);
    memmove(&registry->objects[at + 1], &registry->objects[at], (registry->count - at) * sizeof(*object));
    registry->objects[at] = *object;
    registry->count++;
    return true;
}

/*
 * Returns the index of a hint slot. Addresses are multiples of 4, often at equal distances. The multiplication spreads
 * the differences between addresses over the high bits.
 */
static uint32_t hint_slot(uint32_t pointer, uint32_t probe)
{
    return (pointer * UINT32_C(2654435769) >> 22) + probe;
}

/*
 * Fills the hints. If the hint slots for an address are occupied, the address gets no hint. So the target, which
 * chooses the addresses, cannot make a search slow: no search takes longer than the search for an address without an
 * object.
 */
static void give_hints(struct txtap_registry *registry)
{
    memset(registry->hints, 0, sizeof(registry->hints));
    for (size_t i = 0; i < registry->count && i < UINT16_MAX; i++) {
        uint32_t pointer = registry->objects[i].pointer;

        if (i > 0 && registry->objects[i - 1].pointer == pointer)
            continue;
        for (uint32_t probe = 0; probe < HINT_PROBES; probe++) {
            uint16_t *hint = &registry->hints[hint_slot(pointer, probe) % TXTAP_REGISTRY_HINTS];

            if (*hint == 0) {
                *hint = (uint16_t)(i + 1);
                break;
            }
        }
    }
}

void registry_settle(struct txtap_registry *registry)
{
    heapsort_items(registry->objects, registry->count, sizeof *registry->objects, comes_before);
    give_hints(registry);
    registry->generation++;
    for (size_t i = 0; i < registry->count; i++)
        if (registry->objects[i].type >= USBX_FIRST && registry->objects[i].type <= USBX_LAST)
            registry->usbx = true;
}

/*
 * Returns true if known and object are the same object, and the registry has seen only the object's create event and
 * not its name.
 */
static bool is_nameless(const struct txtap_object *known, const struct txtap_object *object)
{
    return known->unknown && known->created && object->created && known->type == object->type;
}

/*
 * Finds the object in the array that is the same as object; NULL if there is none. sorted: no object has changed since
 * registry_settle().
 */
static struct txtap_object *find_same(struct txtap_registry *registry, const struct txtap_object *object, bool sorted)
{
    for (size_t i = registry_lower_bound(registry, object->pointer); i < registry->count; i++) {
        struct txtap_object *known = &registry->objects[i];

        if (known->pointer != object->pointer)
            break;
        if (known->from_seq == object->from_seq && (registry_same_name(known, object) || is_nameless(known, object)))
            return known;
        if (sorted && !registry_is_open(known) && known->from_seq < object->from_seq)
            break; /* all further objects began earlier */
    }
    return NULL;
}

static bool is_object(const struct txtap_object *object)
{
    return object->type != TXTAP_OBJECT_NONE && object->pointer != 0;
}

void txtap_registry_restore(struct txtap_registry *registry, const struct txtap_object *objects, size_t count)
{
    size_t unknown = 0, filled;
    bool sorted = true;

    for (size_t i = 0; i < count; i++)
        unknown += is_object(&objects[i]) && find_same(registry, &objects[i], true) == NULL;
    registry_make_room(registry, unknown);
    filled = registry->count;
    for (size_t i = 0; i < count; i++) {
        struct txtap_object *known = find_same(registry, &objects[i], sorted);

        if (!is_object(&objects[i]))
            continue;
        sorted = sorted && known == NULL;
        if (known != NULL)
            *known = objects[i];
        else if (filled < registry->capacity)
            registry->objects[filled++] = objects[i];
        else
            registry->dropped++;
    }
    registry->count = filled;
    registry_settle(registry);
}

/* Returns true if the hint `at` is valid: the first object with this pointer is at index `at` of the array. */
static bool hint_holds(const struct txtap_registry *registry, size_t at, uint32_t pointer)
{
    const struct txtap_object *objects = registry->objects;

    return at < registry->count && objects[at].pointer == pointer && (at == 0 || objects[at - 1].pointer != pointer);
}

const struct txtap_object *txtap_registry_find(const struct txtap_registry *registry, uint32_t pointer)
{
    size_t at;

    for (uint32_t probe = 0; probe < HINT_PROBES; probe++) {
        uint16_t hint = registry->hints[hint_slot(pointer, probe) % TXTAP_REGISTRY_HINTS];

        if (hint == 0)
            break;
        if (hint_holds(registry, hint - 1u, pointer))
            return &registry->objects[hint - 1u];
    }
    at = registry_lower_bound(registry, pointer);
    return at < registry->count && registry->objects[at].pointer == pointer ? &registry->objects[at] : NULL;
}

const char *txtap_object_type_name(uint8_t type)
{
    static const char *const names[] = {
        [TXTAP_OBJECT_THREAD] = "thread",
        [TXTAP_OBJECT_TIMER] = "timer",
        [TXTAP_OBJECT_QUEUE] = "queue",
        [TXTAP_OBJECT_SEMAPHORE] = "semaphore",
        [TXTAP_OBJECT_MUTEX] = "mutex",
        [TXTAP_OBJECT_EVENT_FLAGS] = "event flags",
        [TXTAP_OBJECT_BLOCK_POOL] = "block pool",
        [TXTAP_OBJECT_BYTE_POOL] = "byte pool",
        [9] = "media",
        [10] = "file",
        [11] = "ip",
        [12] = "packet pool",
        [13] = "tcp socket",
        [14] = "udp socket",
        [21] = "host device",
        [22] = "host interface",
        [23] = "host endpoint",
        [24] = "host class",
        [25] = "usb device",
        [26] = "device interface",
        [27] = "device endpoint",
        [28] = "device class",
    };

    return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

/*
 * Returns true if an event that seems to refer to this object may refer to an object with another name. While the
 * target runs, the registry may learn an object's name before its create event. The object is then in the array twice,
 * and the first of the two was never deleted.
 */
static bool is_doubtful(const struct txtap_object *object, const struct txtap_object *newest)
{
    return registry_is_doubtful(object) || (object == newest && object->unknown);
}

const char *txtap_registry_name(const struct txtap_registry *registry, uint32_t pointer)
{
    const struct txtap_object *object = txtap_registry_find(registry, pointer);
    const struct txtap_object *end = registry->objects + registry->count;

    if (object == NULL)
        return "";
    for (const struct txtap_object *older = object; older < end && older->pointer == object->pointer; older++)
        if (strcmp(older->name, object->name) != 0 || is_doubtful(older, object))
            return "";
    return object->name;
}

/* ---- forgets objects that ended, to make room ---- */

#define PAST_EVENTS 65536 /* no event refers to an object that ended this number of events ago */

/*
 * Returns true if the object ended before event seq. If seq is UINT64_MAX, also returns true for an object that is no
 * longer in the target's registry.
 */
static bool is_past(const struct txtap_object *object, uint64_t seq)
{
    if (registry_is_open(object))
        return seq == UINT64_MAX && !object->live && !object->unknown;
    return object->until_seq < seq;
}

/* Forgets objects that ended, at most excess objects. Returns the number of objects that are still to be forgotten. */
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

/* ---- objects that no event refers to ---- */

/* Returns true if the next copy may still give the object its name. */
static bool awaits_name(const struct txtap_registry *registry, const struct txtap_object *object)
{
    return object->unknown && (object->slots.changed_before != 0 || object->from_seq >= registry->read_seq);
}

/*
 * Returns true if this object is redundant, because the objects from `from` to `to` - 1 are kept. An object that has
 * ended is useful only to show that its address had another name, or an uncertain name. At most three such objects of a
 * type remain.
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
    /* The objects from `from` to `end` - 1 have the same address as the present object, and are kept. They have ended,
     * so they do not change any more. */
    struct txtap_object *from = objects;
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
