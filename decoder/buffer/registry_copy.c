/* SPDX-License-Identifier: MIT */
/*
 * What a copy of the target's registry says of the objects that events told of. A slot has a name, but not whose: its
 * object may be gone, or another one of the same address may stand in another slot. Of each address one object is the
 * newest when the copy is made. Two things can show its name: that the slots in question agree, or that a slot
 * changed since the copy before, in which time one object of that address and type was created.
 */
#include <string.h>

#include "base/bytes.h"
#include "buffer/registry_lifetime.h"
#include "buffer/registry_array.h"

#define CREATED_MAX 64 /* at one address, from one copy to the next */
#define FOUND_OFTEN 16 /* an object that so many copies in a row show in place is believed to stay across gaps */

/* A copy, and what was known when it was made. */
struct look {
    struct txtap_registry *registry;
    const struct txtap_header *header;
    struct txtap_registry_copy copy;
    size_t slots;
    bool steals; /* an object created while the copy was made may have taken a slot of any address */
};

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

static bool take_slot(const struct look *look, const uint8_t *from, size_t slot, struct txtap_object *object)
{
    return txtap_registry_slot(look->header, from + slot * txtap_header_object_bytes(look->header), object);
}

static bool take(const struct look *look, size_t slot, struct txtap_object *object)
{
    return take_slot(look, look->copy.bytes, slot, object);
}

/* ---- objects for what stands in the slots ---- */

static bool is_met(struct look *look, size_t slot)
{
    struct txtap_object object;
    const struct txtap_object *newest;

    if (!take(look, slot, &object))
        return true;
    newest = registry_newest(look->registry, object.pointer);
    return newest != NULL && registry_is_open(newest);
}

/* Of two slots with one address two were made. */
static void merge_made(struct txtap_registry *registry)
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

/* For slots that are in use, or that are free. */
static void make_for(struct look *look, bool used, size_t *filled)
{
    struct txtap_registry *registry = look->registry;

    for (size_t i = 0; i < look->slots; i++) {
        struct txtap_object object;

        if (is_met(look, i) || !take(look, i, &object) || object.live != used)
            continue;
        if (*filled == registry->capacity) {
            registry->dropped++;
            continue;
        }
        object.unknown = true;
        object.live = false;
        object.from_seq = registry->whole_seq;
        registry->objects[(*filled)++] = object;
    }
}

/* Each address in a slot has an object from here on: if none is known, one that began nobody knows when. */
static void make_objects(struct look *look)
{
    struct txtap_registry *registry = look->registry;
    size_t missing = 0, filled;

    for (size_t i = 0; i < look->slots; i++)
        missing += !is_met(look, i);
    if (missing == 0)
        return;
    registry_make_room(registry, missing);
    filled = registry->count;
    make_for(look, true, &filled);
    make_for(look, false, &filled);
    registry->count = filled;
    registry_settle(registry);
    merge_made(registry);
    registry_settle(registry);
}

/* ---- what the slots say ---- */

static bool has_changed(const struct look *look, size_t slot, const struct txtap_object *now)
{
    struct txtap_object before;

    return !take_slot(look, look->copy.before, slot, &before) || before.pointer != now->pointer ||
           !registry_same_name(&before, now) || before.parameter[0] != now->parameter[0] ||
           before.parameter[1] != now->parameter[1] || (now->live && !before.live);
}

/*
 * The one object of that address and type that was created since the copy before; NULL if it is not one. An object is
 * registered before its create event is written: the event at high_seq may tell of one that the copy has already.
 */
static struct txtap_object *created_since(const struct look *look, const struct txtap_object *slot)
{
    struct txtap_registry *registry = look->registry;
    struct txtap_object *found = NULL;
    size_t first = registry_lower_bound(registry, slot->pointer);

    if (lifetime_is_late(slot->type))
        return NULL; /* it may have been created before that copy */
    for (size_t i = first; i < registry->count && registry->objects[i].pointer == slot->pointer; i++) {
        struct txtap_object *object = &registry->objects[i];

        if (object->from_seq < registry->read_seq)
            break;
        if (i - first == CREATED_MAX)
            return NULL;
        if (!object->created || object->type != slot->type || object->from_seq > look->copy.high_seq)
            continue;
        if (found != NULL)
            return NULL;
        found = object;
    }
    return found;
}

/* Objects of that address that were created while the copy was made. */
static size_t created_meanwhile(const struct look *look, uint32_t pointer)
{
    const struct txtap_registry *registry = look->registry;
    size_t first = registry_lower_bound(registry, pointer), found = 0;

    for (size_t i = first; i < registry->count && registry->objects[i].pointer == pointer; i++) {
        const struct txtap_object *object = &registry->objects[i];

        if (object->from_seq < look->copy.low_seq)
            break;
        if (i - first == CREATED_MAX)
            return CREATED_MAX;
        found += object->created && object->from_seq <= look->copy.high_seq;
    }
    return found;
}

/*
 * A slot that is being filled may have something of two objects. The kernel fills one that has the object's address, if
 * there is one. So if every address that was registered meanwhile was so once, and stands in the copy, none took a slot
 * that the copy shows with another address: it would have been without a slot then, and the one in the copy from
 * before; who had taken that one would have been without a slot still earlier, and so on to the first of them.
 */
static bool may_steal(const struct look *look)
{
    struct txtap_registry *registry = look->registry;

    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *object = &registry->objects[i];

        if (!object->created || object->from_seq < look->copy.low_seq || object->from_seq > look->copy.high_seq)
            continue;
        if (registry_newest(registry, object->pointer)->slots.first == 0 ||
            created_meanwhile(look, object->pointer) > 1)
            return true;
    }
    return false;
}

/* Notes which slots the object's address has. */
static void meet_slot(const struct look *look, struct txtap_object *newest, size_t slot,
                      const struct txtap_object *object)
{
    struct txtap_object_slots *slots = &newest->slots;
    struct txtap_object other;

    if (slots->first == 0)
        slots->first = (uint32_t)slot + 1;
    else if (take(look, slots->first - 1, &other) && !registry_same_name(&other, object))
        slots->differ = true;
    if (!object->live)
        return;
    newest->live = true;
    if (slots->used == 0)
        slots->used = (uint32_t)slot + 1;
    else if (take(look, slots->used - 1, &other) && !registry_same_name(&other, object))
        slots->used_differ = true;
}

/* The slot that an object changed while the copy before was made, if it was whole by then: it is the same now. */
static uint32_t grown_slot(const struct look *look, const struct txtap_object *object)
{
    uint32_t slot = object->slots.changed_differ ? 0 : object->slots.changed_before;
    struct txtap_object now;

    if (slot == 0 || slot > look->slots || !take(look, slot - 1, &now) || has_changed(look, slot - 1, &now))
        return 0;
    return slot;
}

static void meet_slots(const struct look *look, bool compares)
{
    struct txtap_registry *registry = look->registry;

    for (size_t i = 0; i < registry->count; i++) {
        registry->objects[i].live = false;
        registry->objects[i].slots =
            (struct txtap_object_slots){.changed = compares ? grown_slot(look, &registry->objects[i]) : 0};
    }
    for (size_t i = 0; i < look->slots; i++) {
        struct txtap_object object, *newest;

        if (!take(look, i, &object))
            continue;
        newest = registry_newest(registry, object.pointer);
        if (newest == NULL || !registry_is_open(newest))
            continue;
        meet_slot(look, newest, i, &object);
        if (look->copy.before != NULL && has_changed(look, i, &object))
            newest->slots.any_changed = true;
    }
}

/* Which slots changed for an object that was created since the copy before. */
static void meet_changes(const struct look *look)
{
    for (size_t i = 0; i < look->slots; i++) {
        struct txtap_object object, *created;

        if (!take(look, i, &object) || !has_changed(look, i, &object))
            continue;
        created = created_since(look, &object);
        if (created == NULL)
            continue;
        created->slots.changed_differ = created->slots.changed + created->slots.changed_before != 0;
        if (!look->steals && created_meanwhile(look, object.pointer) == 0)
            created->slots.changed = (uint32_t)i + 1;
        else
            created->slots.changed_before = (uint32_t)i + 1;
    }
}

/* ---- what follows ---- */

/*
 * The slot that shows the newest object of its address, by what it has in common with the others; 0: none does. The
 * kernel registers an address in a slot that has it already, or in one never used, which lies behind all others. When
 * an object is deleted, the first slot of its address is marked free, whichever it was. If another is still in use,
 * that may be the name of the next object, whose create event is not yet written.
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

static void give_name(const struct look *look, struct txtap_object *object, uint32_t slot)
{
    struct txtap_object named;

    if (!take(look, slot - 1, &named) || ((object->created || object->deleted) && named.type != object->type))
        return;
    object->type = named.type;
    memcpy(object->parameter, named.parameter, sizeof(object->parameter));
    memcpy(object->reserved, named.reserved, sizeof(object->reserved));
    memcpy(object->name, named.name, sizeof(object->name));
    object->unknown = false;
}

/* The object before it at its address. */
static struct txtap_object *before_of(const struct txtap_registry *registry, struct txtap_object *object)
{
    struct txtap_object *next = object + 1;

    return next < registry->objects + registry->count && next->pointer == object->pointer ? next : NULL;
}

/* A name that stands there again and again, unchanged, is believed although events are missing. */
static void count_found(const struct look *look, struct txtap_object *object)
{
    struct txtap_object *before = before_of(look->registry, object);
    const struct txtap_object_slots *slots = &object->slots;
    bool same = look->copy.before != NULL && slots->used != 0 && !slots->differ && !slots->any_changed;

    if (object->found == 0 && before != NULL && before->until_seq <= object->from_seq && !object->created)
        object->found = before->found;
    if (before != NULL && !same)
        before->found = 0;
    object->found = same && object->found < UINT8_MAX ? (uint8_t)(object->found + 1) : same ? UINT8_MAX : 0;
}

/* The registry has another name, though no event said so: the object was given it, or events are not recorded. */
static bool was_renamed(const struct look *look, const struct txtap_object *object, uint32_t slot)
{
    struct txtap_object now;

    return take(look, slot - 1, &now) && !registry_same_name(&now, object);
}

/* Ends the name when it was last there. */
static void rename(const struct look *look, struct txtap_object *object, uint32_t slot)
{
    uint64_t until = look->registry->read_seq > object->from_seq ? look->registry->read_seq : object->from_seq;
    struct txtap_object now = *object;

    if (look->copy.low_seq < UINT64_MAX)
        now.from_seq = look->copy.low_seq;
    if (look->registry->count < look->registry->capacity && now.from_seq > until) {
        struct txtap_object *past = &look->registry->objects[look->registry->count++];

        *past = *object;
        lifetime_end(past, until);
        past->live = false;
    }
    object->from_seq = now.from_seq;
    object->created = object->deleted = false;
    give_name(look, object, slot);
}

/* It went on through the newest gap: one object, not two. */
static bool goes_on(const struct look *look, const struct txtap_object *object, const struct txtap_object *before)
{
    return !object->created && object->from_seq == look->registry->whole_seq && before != NULL && !before->unknown &&
           before->until_seq > 0 && before->until_seq == look->registry->gap_seq && registry_same_name(object, before);
}

/* No event says when a media is registered, but it is before the first use of it. */
static bool is_whole(const struct look *look, const struct txtap_object *object, uint32_t slot)
{
    struct txtap_object now;

    if (!take(look, slot - 1, &now) || !lifetime_is_late(now.type) || look->copy.low_seq == UINT64_MAX)
        return true;
    return lifetime_is_late(object->type) && !object->late && object->changed_seq > 0 &&
           object->changed_seq < look->copy.low_seq;
}

static void conclude(const struct look *look, struct txtap_object *object)
{
    bool whole = look->registry->whole_seq <= look->copy.low_seq;
    bool calm = !(object->created || object->deleted) || object->changed_seq < look->copy.low_seq;
    uint32_t slot = 0;

    if (object->slots.changed != 0 && !object->slots.changed_differ && object->unknown)
        give_name(look, object, object->slots.changed);
    if (!registry_is_open(object))
        return;
    count_found(look, object);
    if (calm && (whole || (object->found >= FOUND_OFTEN && !object->created && !object->deleted)))
        slot = slot_by_agreement(object);
    if (slot == 0 || !is_whole(look, object, slot))
        return;
    if (object->unknown)
        give_name(look, object, slot);
    else if (!object->deleted && was_renamed(look, object, slot))
        rename(look, object, slot);
}

static void join(const struct look *look)
{
    struct txtap_registry *registry = look->registry;
    size_t kept = 0;

    for (size_t i = 0; i < registry->count; i++) {
        struct txtap_object *object = &registry->objects[i], *before = before_of(registry, object);

        if (registry_is_open(object) && !object->unknown && goes_on(look, object, before)) {
            before->until_seq = 0;
            before->live = object->live;
            before->found = object->found;
            before->deleted = object->deleted;
            before->changed_seq = object->deleted ? object->changed_seq : before->changed_seq;
            continue;
        }
        if (kept < i)
            registry->objects[kept] = *object;
        kept++;
    }
    registry->count = kept;
}

void txtap_registry_take(struct txtap_registry *registry, const struct txtap_header *header,
                         const struct txtap_registry_copy *copy)
{
    struct look look = {registry, header, *copy, copy->length / txtap_header_object_bytes(header), false};
    bool compares = copy->before != NULL && registry->whole_seq <= registry->read_seq;
    size_t count;

    make_objects(&look);
    meet_slots(&look, compares);
    look.steals = may_steal(&look);
    if (compares)
        meet_changes(&look);
    count = registry->count;
    for (size_t i = 0; i < count; i++)
        conclude(&look, &registry->objects[i]);
    registry_settle(registry);
    join(&look);
    registry->read_seq = copy->low_seq < UINT64_MAX ? copy->low_seq : registry->now_seq;
    registry_settle(registry);
}

/* Created, but never registered: nobody asks for it any more. */
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
