/* SPDX-License-Identifier: MIT */
/*
 * Takes names of objects from a copy of the target's registry. A slot of the copy contains an address and a name. But
 * the object in the slot may have been deleted, or a newer object of the same address may be in another slot. At each
 * address, one object is the newest object when the copy is made. The name of this newest object is certain in two
 * cases. First case: all slots of the address agree. Second case: exactly one slot changed since the previous copy, and
 * exactly one object of this address and type was created in that time. docs/developer/names.md has the reasons.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/min_max.h"
#include "buffer/registry_parts.h"
#include "txtap/inner/registry.h"

#define CREATED_MAX  64 /* maximum number of objects at one address that are compared between two copies */
#define STILL_COPIES 16 /* after this number of equal copies in a row, names are given across gaps */

/* A copy of the target's registry, and facts that depend on the known objects. */
struct view {
    struct txtap_registry *registry;
    const struct txtap_header *header;
    struct txtap_registry_copy copy;
    size_t slots;
    bool whole;  /* all create and delete events from whole_seq up to the copy are known */
    bool steals; /* an object that was created while the copy was made may have taken a slot of another address */
};

/*
 * Copies a name up to the NUL, the end of the entry, or the size of the array name. The caller has filled name with 0.
 */
static void take_name(struct bytes *bytes, char name[TXTAP_OBJECT_NAME_BYTES])
{
    uint8_t byte = 0;

    for (size_t i = 0; i < TXTAP_OBJECT_NAME_BYTES - 1; i++) {
        if (!bytes_take_u8(bytes, &byte) || byte == 0)
            return;
        name[i] = (char)byte;
    }
}

bool txtap_registry_slot(const struct txtap_header *header, const uint8_t *entry, struct txtap_object *object)
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

static bool take_slot(const struct view *view, const uint8_t *from, size_t slot, struct txtap_object *object)
{
    return txtap_registry_slot(view->header, from + slot * txtap_header_object_bytes(view->header), object);
}

static bool take(const struct view *view, size_t slot, struct txtap_object *object)
{
    return take_slot(view, view->copy.bytes, slot, object);
}

/* ---- adds an object for the address of each slot ---- */

static bool has_object(struct view *view, size_t slot)
{
    struct txtap_object object;
    const struct txtap_object *newest;

    if (!take(view, slot, &object))
        return true;
    newest = registry_newest(view->registry, object.pointer);
    return newest != NULL && registry_is_open(newest);
}

/* Keeps only one of two equal new objects. Two slots with the same address may have added one object each. */
static void merge_new(struct txtap_registry *registry)
{
    size_t kept = 0;

    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *object = &registry->objects[i];

        if (kept > 0 && registry_is_open(object) && registry_is_open(&registry->objects[kept - 1]) &&
            registry->objects[kept - 1].pointer == object->pointer && object->unknown &&
            object->from_seq == registry->objects[kept - 1].from_seq)
            continue;
        if (kept < i)
            registry->objects[kept] = *object;
        kept++;
    }
    registry->count = kept;
}

/* Adds objects for slots: if used is true, for the slots in use; otherwise for the free slots. */
static void add_objects_of(struct view *view, bool used, size_t *filled)
{
    struct txtap_registry *registry = view->registry;

    for (size_t i = 0; i < view->slots; i++) {
        struct txtap_object object;
        const struct txtap_object *past;

        if (has_object(view, i) || !take(view, i, &object) || object.live != used)
            continue;
        if (*filled == registry->capacity) {
            registry->dropped++;
            continue;
        }
        past = registry_newest(registry, object.pointer);
        object.unknown = true;
        object.live = false;
        object.reused = past != NULL && past->reused;
        object.from_seq = registry->whole_seq;
        registry->objects[(*filled)++] = object;
    }
}

/* Adds an object for each address that is in a slot but has no open object. It is unknown when such an object began. */
static void add_missing_objects(struct view *view)
{
    struct txtap_registry *registry = view->registry;
    size_t missing = 0, filled;

    for (size_t i = 0; i < view->slots; i++)
        missing += !has_object(view, i);
    if (missing == 0)
        return;
    registry_make_room(registry, missing);
    filled = registry->count;
    add_objects_of(view, true, &filled);
    add_objects_of(view, false, &filled);
    registry->count = filled;
    registry_settle(registry);
    merge_new(registry);
    registry_settle(registry);
}

/* ---- evidence in the slots ---- */

static bool has_changed(const struct view *view, size_t slot, const struct txtap_object *now)
{
    struct txtap_object before;

    return !take_slot(view, view->copy.before, slot, &before) || before.pointer != now->pointer ||
           !registry_same_name(&before, now) || before.parameter[0] != now->parameter[0] ||
           before.parameter[1] != now->parameter[1] || (now->live && !before.live);
}

/*
 * Returns the only object of the slot's address and type that was created since the previous copy. Returns NULL if
 * there is no such object, or if there are several. The kernel registers an object before it writes the create event,
 * so the copy may already contain the object of event high_seq.
 */
static struct txtap_object *created_since(const struct view *view, const struct txtap_object *slot)
{
    struct txtap_registry *registry = view->registry;
    struct txtap_object *found = NULL;
    size_t first = registry_lower_bound(registry, slot->pointer);

    if (lifetime_is_late(slot->type))
        return NULL; /* the object may have been created before the previous copy */
    for (size_t i = first; i < registry->count && registry->objects[i].pointer == slot->pointer; i++) {
        struct txtap_object *object = &registry->objects[i];

        if (object->from_seq < registry->read_seq)
            break;
        if (i - first == CREATED_MAX)
            return NULL;
        if (!object->created || object->type != slot->type || object->from_seq > view->copy.high_seq)
            continue;
        if (found != NULL)
            return NULL;
        found = object;
    }
    return found;
}

/* Returns the number of objects that were created at the address `pointer` while the copy was made. */
static size_t created_during_copy(const struct view *view, uint32_t pointer)
{
    const struct txtap_registry *registry = view->registry;
    size_t first = registry_lower_bound(registry, pointer), found = 0;

    for (size_t i = first; i < registry->count && registry->objects[i].pointer == pointer; i++) {
        const struct txtap_object *object = &registry->objects[i];

        if (object->from_seq < view->copy.low_seq)
            break;
        if (i - first == CREATED_MAX)
            return CREATED_MAX;
        found += object->created && object->from_seq <= view->copy.high_seq;
    }
    return found;
}

/*
 * Returns true if an object that was created during the copy may have taken a slot that the copy shows with another
 * address. Such a slot may be half written, with parts of two objects. The result is false if each address that was
 * registered during the copy was registered only once and is in the copy. Proof:
 *
 *   1. The kernel registers an object in a slot that already has its address, if there is such a slot.
 *   2. Suppose that an address A took a slot that the copy shows with another address. Then A had no slot at that
 *      moment. But the copy shows A in some slot. So an address B had taken that slot from A before.
 *   3. B also had no slot when it took A's slot, so another address had taken B's slot, and so on. This chain must
 * begin with a first address. But the first address would have needed another address before it, which is impossible.
 */
static bool may_steal(const struct view *view)
{
    struct txtap_registry *registry = view->registry;

    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *object = &registry->objects[i];

        if (!object->created || object->from_seq < view->copy.low_seq || object->from_seq > view->copy.high_seq)
            continue;
        if (registry_newest(registry, object->pointer)->slots.first == 0 ||
            created_during_copy(view, object->pointer) > 1)
            return true;
    }
    return false;
}

/* Notes that a slot contains the address of newest. object: the slot's content. */
static void note_slot(const struct view *view, struct txtap_object *newest, size_t slot,
                      const struct txtap_object *object)
{
    struct txtap_object_slots *slots = &newest->slots;
    struct txtap_object other;

    if (slots->first == 0)
        slots->first = (uint32_t)slot + 1;
    else if (take(view, slots->first - 1, &other) && !registry_same_name(&other, object))
        slots->differ = true;
    if (!object->live)
        return;
    newest->live = true;
    if (slots->used == 0)
        slots->used = (uint32_t)slot + 1;
    else if (take(view, slots->used - 1, &other) && !registry_same_name(&other, object))
        slots->used_differ = true;
}

/*
 * Returns the slot that changed for the object while the previous copy was made, plus one. If the slot has not changed
 * since then, it was complete. Returns 0 if there is no such slot, or if the slot has changed again.
 */
static uint32_t grown_slot(const struct view *view, const struct txtap_object *object)
{
    uint32_t slot = object->slots.changed_differ ? 0 : object->slots.changed_before;
    struct txtap_object now;

    if (slot == 0 || slot > view->slots || !take(view, slot - 1, &now) || has_changed(view, slot - 1, &now))
        return 0;
    return slot;
}

static void note_slots(const struct view *view, bool compares)
{
    struct txtap_registry *registry = view->registry;

    for (size_t i = 0; i < registry->count; i++) {
        registry->objects[i].live = false;
        registry->objects[i].slots =
            (struct txtap_object_slots){.changed = compares ? grown_slot(view, &registry->objects[i]) : 0};
    }
    for (size_t i = 0; i < view->slots; i++) {
        struct txtap_object object, before, *newest;

        if (!take(view, i, &object))
            continue;
        newest = registry_newest(registry, object.pointer);
        if (newest == NULL || !registry_is_open(newest))
            continue;
        note_slot(view, newest, i, &object);
        if (view->copy.before == NULL || !has_changed(view, i, &object))
            continue;
        newest->reused =
            newest->reused || (take_slot(view, view->copy.before, i, &before) && before.pointer == object.pointer);
    }
}

/* For each object that was created since the previous copy, notes the slots that changed for this object. */
static void note_changes(const struct view *view)
{
    for (size_t i = 0; i < view->slots; i++) {
        struct txtap_object object, *created;

        if (!take(view, i, &object) || !has_changed(view, i, &object))
            continue;
        created = created_since(view, &object);
        if (created == NULL)
            continue;
        created->slots.changed_differ = created->slots.changed + created->slots.changed_before != 0;
        if (!view->steals && created_during_copy(view, object.pointer) == 0)
            created->slots.changed = (uint32_t)i + 1;
        else
            created->slots.changed_before = (uint32_t)i + 1;
    }
}

/* ---- conclusions ---- */

/*
 * Returns the slot that shows the newest object of its address, plus one, if all slots of the address agree. Returns 0
 * if the slots do not agree. The kernel registers an address in a slot that already contains this address, or in a slot
 * that was never used. Such unused slots come after all other slots. When an object is deleted, the kernel marks the
 * first slot of its address as free, even if the object is in another slot. A slot that is still in use may already
 * contain the name of the next object, whose create event is not written yet.
 */
static uint32_t slot_by_agreement(const struct txtap_object *object)
{
    const struct txtap_object_slots *slots = &object->slots;

    if (object->deleted)
        return slots->used == 0 && !slots->differ ? slots->first : 0;
    if (object->late)
        return 0;
    if (slots->used != 0)
        return slots->used_differ ? 0 : slots->used;
    return object->created || slots->differ ? 0 : slots->first;
}

static void give_name(const struct view *view, struct txtap_object *object, uint32_t slot)
{
    struct txtap_object named;

    if (!take(view, slot - 1, &named) || ((object->created || object->deleted) && named.type != object->type))
        return;
    object->type = named.type;
    memcpy(object->parameter, named.parameter, sizeof(object->parameter));
    memcpy(object->reserved, named.reserved, sizeof(object->reserved));
    memcpy(object->name, named.name, sizeof(object->name));
    object->unknown = false;
}

/* Returns the object that was at this object's address before; NULL if there was no object. */
static struct txtap_object *before_of(const struct txtap_registry *registry, struct txtap_object *object)
{
    struct txtap_object *next = object + 1;

    return next < registry->objects + registry->count && next->pointer == object->pointer ? next : NULL;
}

/*
 * Returns true if the slot shows another name than the object. No event explains this change, so the firmware renamed
 * the object, or its create and delete events are not recorded.
 */
static bool was_renamed(const struct view *view, const struct txtap_object *object, uint32_t slot)
{
    struct txtap_object now;

    return take(view, slot - 1, &now) && !registry_same_name(&now, object);
}

/*
 * Ends the object with the old name at the last event for which the old name was seen. Gives the open object the new
 * name.
 */
static void change_name(const struct view *view, struct txtap_object *object, uint32_t slot)
{
    uint64_t until = view->registry->read_seq > object->from_seq ? view->registry->read_seq : object->from_seq;
    struct txtap_object now = *object;

    if (view->copy.low_seq < UINT64_MAX)
        now.from_seq = view->copy.low_seq;
    if (view->registry->count < view->registry->capacity && now.from_seq > until) {
        struct txtap_object *past = &view->registry->objects[view->registry->count++];

        *past = *object;
        lifetime_end(past, until);
        past->live = false;
    }
    object->from_seq = now.from_seq;
    object->created = object->deleted = false;
    give_name(view, object, slot);
}

/* Returns true if `before` and object are the same object, which existed before the newest gap and after it. */
static bool goes_on(const struct view *view, const struct txtap_object *object, const struct txtap_object *before)
{
    return !object->created && object->from_seq == view->registry->whole_seq && before != NULL && !before->unknown &&
           before->until_seq > 0 && before->until_seq == view->registry->gap_seq && registry_same_name(object, before);
}

/*
 * Returns true if the slot is certainly complete. No event shows when FileX registers a media. But a media is
 * registered before its first use.
 */
static bool is_whole(const struct view *view, const struct txtap_object *object, uint32_t slot)
{
    struct txtap_object now;

    if (!take(view, slot - 1, &now) || !lifetime_is_late(now.type) || view->copy.low_seq == UINT64_MAX)
        return true;
    return lifetime_is_late(object->type) && !object->late && object->changed_seq > 0 &&
           object->changed_seq < view->copy.low_seq;
}

/* Counts the equal copies since the last sign that an object was created or deleted. */
static void count_still(struct txtap_registry *registry, const struct txtap_registry_copy *copy)
{
    uint32_t search_start = copy->has_search_start ? copy->search_start : UINT32_MAX;
    bool same = copy->before != NULL && memcmp(copy->bytes, copy->before, copy->length) == 0 &&
                search_start == registry->search_start;

    registry->search_start = search_start;
    registry->still_copies = same && copy->low_seq < UINT64_MAX ? registry->still_copies + 1 : 0;
}

/*
 * Gives the name to the events between the previous copy and this copy, even if some of these events are lost. Four
 * conditions are required. Both copies show the object. Many earlier copies were equal to these copies. No event showed
 * a change. No other object was ever seen at the address.
 */
static void bridge_gaps(const struct view *view, const struct txtap_object *object, uint32_t slot)
{
    struct txtap_registry *registry = view->registry;
    struct txtap_object *before = before_of(registry, &registry->objects[object - registry->objects]);
    uint64_t from = registry->read_seq, until = view->whole ? registry->gap_seq : view->copy.low_seq;
    struct txtap_object now, piece = *object;

    if (!object->unknown || until <= from || !take(view, slot - 1, &now))
        return;
    if (before != NULL && !before->unknown && before->until_seq >= from && registry_same_name(before, &now)) {
        before->until_seq = max_u64(before->until_seq, until);
        return;
    }
    if (registry->count == registry->capacity)
        return;
    piece.from_seq = from;
    give_name(view, &piece, slot);
    lifetime_end(&piece, until);
    registry->objects[registry->count++] = piece;
}

/*
 * Returns true if the name in the slot may be given across gaps. Suppose that the kernel took the slot for another
 * object, and then again for this object. The kernel's search start is then the slot after this slot. So if the search
 * start is already there, an equal search start proves nothing about this slot.
 */
static bool may_bridge(const struct view *view, const struct txtap_object *object, uint32_t slot)
{
    const struct txtap_registry *registry = view->registry;

    return registry->still_copies >= STILL_COPIES && !object->reused && object->slots.used == slot &&
           (registry->search_start == UINT32_MAX || slot % view->slots != registry->search_start);
}

static void conclude(const struct view *view, struct txtap_object *object)
{
    bool calm = !(object->created || object->deleted) || object->changed_seq < view->copy.low_seq;
    uint32_t slot = 0;

    if (object->slots.changed != 0 && !object->slots.changed_differ && object->unknown)
        give_name(view, object, object->slots.changed);
    if (!registry_is_open(object))
        return;
    object->reused = object->reused || object->slots.differ;
    if (calm)
        slot = slot_by_agreement(object);
    if (slot == 0 || !is_whole(view, object, slot))
        return;
    if (may_bridge(view, object, slot))
        bridge_gaps(view, object, slot);
    if (!view->whole)
        return;
    if (object->unknown)
        give_name(view, object, slot);
    else if (!object->deleted && was_renamed(view, object, slot))
        change_name(view, object, slot);
}

/* Joins pairs of objects that are one object before and after a gap. */
static void join_across_gap(const struct view *view)
{
    struct txtap_registry *registry = view->registry;
    size_t kept = 0;

    for (size_t i = 0; i < registry->count; i++) {
        struct txtap_object *object = &registry->objects[i], *before = before_of(registry, object);

        if (registry_is_open(object) && !object->unknown && goes_on(view, object, before)) {
            before->until_seq = 0;
            before->live = object->live;
            before->reused = before->reused || object->reused;
            before->deleted = object->deleted;
            before->changed_seq = object->deleted ? object->changed_seq : before->changed_seq;
            continue;
        }
        if (kept < i)
            registry->objects[kept] = *object;
        kept++;
    }
    if (kept == registry->count)
        return;
    registry->count = kept;
    registry_settle(registry);
}

void txtap_registry_take(struct txtap_registry *registry, const struct txtap_header *header,
                         const struct txtap_registry_copy *copy)
{
    struct view view = {.registry = registry,
                        .header = header,
                        .copy = *copy,
                        .slots = copy->length / txtap_header_object_bytes(header),
                        .whole = registry->whole_seq <= copy->low_seq &&
                                 (copy->high_seq < UINT64_MAX || copy->low_seq == UINT64_MAX)};
    bool compares = copy->before != NULL && view.whole && registry->whole_seq <= registry->read_seq;
    size_t count;

    count_still(registry, copy);
    add_missing_objects(&view);
    note_slots(&view, compares);
    view.steals = may_steal(&view);
    if (compares)
        note_changes(&view);
    count = registry->count;
    for (size_t i = 0; i < count; i++)
        conclude(&view, &registry->objects[i]);
    registry_settle(registry);
    join_across_gap(&view);
    registry->read_seq = copy->low_seq < UINT64_MAX ? copy->low_seq : registry->now_seq;
}

/* Forgets objects that were created but never registered. */
static void forget_nameless(struct txtap_registry *registry)
{
    size_t kept = 0;

    for (size_t i = 0; i < registry->count; i++) {
        if (registry->objects[i].unknown && registry->objects[i].slots.first == 0)
            continue;
        if (kept < i)
            registry->objects[kept] = registry->objects[i];
        kept++;
    }
    registry->count = kept;
    registry_settle(registry);
}

void txtap_registry_update(struct txtap_registry *registry, const struct txtap_header *header, const uint8_t *bytes,
                           size_t length)
{
    const struct txtap_registry_copy copy = {
        .bytes = bytes, .length = length, .low_seq = UINT64_MAX, .high_seq = UINT64_MAX};

    txtap_registry_take(registry, header, &copy);
    forget_nameless(registry);
}
