/* SPDX-License-Identifier: MIT */
/*
 * The object registry over time, in a sorted array of fixed size. Two objects are the same if pointer, type and name
 * are: the kernel keeps no serial number, and a deleted object's memory soon holds another one of another name.
 */
#include "txtap/registry.h"

#include <string.h>

#include "bytes.h"

#define USBX_FIRST 21 /* object types: UX_TRACE_OBJECT_TYPE_* */
#define USBX_LAST  28

#define HINT_PROBES 4 /* neighbouring slots that a hint may stand in */

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
    registry->updates = 0;
    registry->usbx = false;
    registry->dropped = 0;
    registry->generation++;
    memset(registry->hints, 0, sizeof(registry->hints));
}

/* The name ends at its NUL, at the entry's end or at what is kept, whichever comes first. The rest of name is zero. */
static void take_name(struct bytes *bytes, char name[TXTAP_OBJECT_NAME_BYTES])
{
    uint8_t byte = 0;

    for (size_t i = 0; i < TXTAP_OBJECT_NAME_BYTES - 1; i++) {
        if (!bytes_take_u8(bytes, &byte) || byte == 0)
            return;
        name[i] = (char)byte;
    }
}

/* False for a slot that was never used. */
static bool take_object(const uint8_t *entry, const struct txtap_header *header, struct txtap_object *object)
{
    struct bytes bytes = {entry, TXTB_OBJECT_FIXED_BYTES + (size_t)header->name_bytes};
    uint8_t available = 0;

    memset(object, 0, sizeof(*object));
    (void)bytes_take_u8(&bytes, &available);
    (void)bytes_take_u8(&bytes, &object->type);
    (void)bytes_take_u8(&bytes, &object->reserved[0]);
    (void)bytes_take_u8(&bytes, &object->reserved[1]);
    (void)bytes_take_u32(&bytes, header->endian, &object->pointer);
    (void)bytes_take_u32(&bytes, header->endian, &object->parameter[0]);
    (void)bytes_take_u32(&bytes, header->endian, &object->parameter[1]);
    object->live = available == 0;
    take_name(&bytes, object->name);
    return object->type != TXTAP_OBJECT_NONE && object->pointer != 0;
}

static bool same_object(const struct txtap_object *a, const struct txtap_object *b)
{
    return a->pointer == b->pointer && a->type == b->type && memcmp(a->name, b->name, sizeof(a->name)) == 0;
}

/* Index of the first of the sorted objects whose pointer is not below the given one. */
static size_t lower_bound(const struct txtap_registry *registry, uint32_t pointer)
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

static struct txtap_object *find_same(const struct txtap_registry *registry, const struct txtap_object *object)
{
    for (size_t i = lower_bound(registry, object->pointer); i < registry->count; i++) {
        if (registry->objects[i].pointer != object->pointer)
            break;
        if (same_object(&registry->objects[i], object))
            return &registry->objects[i];
    }
    return NULL;
}

/* The order of the array; among those that share a pointer, the one to believe first. The name makes it total. */
static bool comes_before(const struct txtap_object *a, const struct txtap_object *b)
{
    if (a->pointer != b->pointer)
        return a->pointer < b->pointer;
    if (a->live != b->live)
        return a->live;
    if (a->seen_live != b->seen_live)
        return a->seen_live > b->seen_live;
    if (a->type != b->type)
        return a->type < b->type;
    return memcmp(a->name, b->name, sizeof(a->name)) < 0;
}

static void sift_down(struct txtap_object *objects, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        struct txtap_object moved;

        if (child >= count)
            return;
        if (child + 1 < count && comes_before(&objects[child], &objects[child + 1]))
            child++;
        if (!comes_before(&objects[root], &objects[child]))
            return;
        moved = objects[root];
        objects[root] = objects[child];
        objects[child] = moved;
        root = child;
    }
}

/* Heapsort: in place and never quadratic, though the target chooses the addresses. */
static void sort(struct txtap_object *objects, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(objects, i, count);
    for (size_t end = count; end > 1; end--) {
        struct txtap_object last = objects[end - 1];

        objects[end - 1] = objects[0];
        objects[0] = last;
        sift_down(objects, 0, end - 1);
    }
}

/* What the target's registry holds of objects that are known already, and how many live ones are new. */
static size_t refresh_known(struct txtap_registry *registry, const struct txtap_header *header, const uint8_t *bytes,
                            size_t entries)
{
    size_t object_bytes = txtap_header_object_bytes(header), new_live = 0;

    for (size_t i = 0; i < registry->count; i++)
        registry->objects[i].live = false;
    for (size_t i = 0; i < entries; i++) {
        struct txtap_object object, *known;

        if (!take_object(bytes + i * object_bytes, header, &object))
            continue;
        known = find_same(registry, &object);
        if (known == NULL) {
            new_live += object.live;
        } else if (object.live) {
            /* A stale slot of the same object may follow: it must not take the life away again. */
            object.seen_live = registry->updates;
            object.created_seq = known->created_seq;
            *known = object;
        }
    }
    return new_live;
}

/* Forgets dead objects, but no more than it takes to have room for wanted new ones. The order stays. */
static void make_room(struct txtap_registry *registry, size_t wanted)
{
    size_t room = registry->capacity - registry->count;
    size_t excess = wanted > room ? wanted - room : 0, kept = 0;

    for (size_t i = 0; i < registry->count; i++) {
        if (excess > 0 && !registry->objects[i].live) {
            excess--;
            registry->dropped++;
            continue;
        }
        registry->objects[kept++] = registry->objects[i];
    }
    registry->count = kept;
}

/* Puts the new ones of that liveness behind the sorted ones: filled is the array's end, count that of the sorted part.
 */
static size_t append_new(struct txtap_registry *registry, size_t filled, const struct txtap_header *header,
                         const uint8_t *bytes, size_t entries, bool live)
{
    size_t object_bytes = txtap_header_object_bytes(header);

    for (size_t i = 0; i < entries; i++) {
        struct txtap_object object;

        if (!take_object(bytes + i * object_bytes, header, &object) || object.live != live)
            continue;
        if (find_same(registry, &object) != NULL)
            continue;
        if (filled == registry->capacity) {
            registry->dropped++;
            continue;
        }
        object.seen_live = live ? registry->updates : 0;
        registry->objects[filled++] = object;
    }
    return filled;
}

/* Leaves two objects at most to each pointer; the second is a dead one, whatever the target says. */
static void keep_two_each(struct txtap_registry *registry)
{
    struct txtap_object *objects = registry->objects;
    size_t kept = 0;

    for (size_t i = 0; i < registry->count; i++) {
        bool first = kept == 0 || objects[kept - 1].pointer != objects[i].pointer;
        bool second = !first && (kept == 1 || objects[kept - 2].pointer != objects[i].pointer);

        if (!first && !second)
            continue;
        if (second && (same_object(&objects[kept - 1], &objects[i]) || !objects[kept - 1].live))
            continue;
        objects[kept] = objects[i];
        if (second)
            objects[kept].live = false;
        kept++;
    }
    registry->count = kept;
}

/* Objects lie at multiples of 4, often of the same size: the product spreads what they differ in over the high bits. */
static uint32_t hint_slot(uint32_t pointer, uint32_t probe)
{
    return (pointer * UINT32_C(2654435769) >> 22) + probe;
}

/*
 * The target chooses the addresses: those for which there is no slot near their own have no hint, and no look-up takes
 * longer than that of an address that no object has.
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

/* Brings the array in order again, filled being its end. */
static void settle(struct txtap_registry *registry, size_t filled)
{
    registry->count = filled;
    sort(registry->objects, registry->count);
    keep_two_each(registry);
    give_hints(registry);
    registry->generation++;
    for (size_t i = 0; i < registry->count; i++)
        if (registry->objects[i].type >= USBX_FIRST && registry->objects[i].type <= USBX_LAST)
            registry->usbx = true;
}

void txtap_registry_update(struct txtap_registry *registry, const struct txtap_header *header, const uint8_t *bytes,
                           size_t length)
{
    size_t entries = length / txtap_header_object_bytes(header), filled;

    registry->updates++;
    make_room(registry, refresh_known(registry, header, bytes, entries));
    filled = append_new(registry, registry->count, header, bytes, entries, true);
    filled = append_new(registry, filled, header, bytes, entries, false);
    settle(registry, filled);
}

static bool is_object(const struct txtap_object *object)
{
    return object->type != TXTAP_OBJECT_NONE && object->pointer != 0;
}

void txtap_registry_restore(struct txtap_registry *registry, const struct txtap_object *objects, size_t count)
{
    size_t unknown = 0, filled;

    for (size_t i = 0; i < count; i++)
        unknown += is_object(&objects[i]) && find_same(registry, &objects[i]) == NULL;
    make_room(registry, unknown);
    filled = registry->count;
    for (size_t i = 0; i < count; i++) {
        struct txtap_object *known = find_same(registry, &objects[i]);

        if (!is_object(&objects[i]))
            continue;
        if (known != NULL)
            *known = objects[i];
        else if (filled < registry->capacity)
            registry->objects[filled++] = objects[i];
        else
            registry->dropped++;
    }
    settle(registry, filled);
}

/* Whatever the hint says, the array decides: it is the first of its pointer there, or the hint is wrong. */
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
    at = lower_bound(registry, pointer);
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
