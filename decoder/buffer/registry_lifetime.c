/* SPDX-License-Identifier: MIT */
/*
 * Finds the object to which an address in an event refers. Create and delete events show when an object existed. After
 * a gap it is unknown whether the object still exists. These functions use the ids and field labels of the event table.
 */
#include "buffer/registry_parts.h"
#include "txtap/inner/registry.h"

#define TYPE_MEDIA       9u
#define TYPE_FILE        10u
#define TYPE_IP          11u
#define TYPE_PACKET_POOL 12u
#define TYPE_TCP_SOCKET  13u
#define TYPE_UDP_SOCKET  14u

#define MEDIA_OPEN 261u

static uint8_t type_of_pool(const struct txtap_event_info *info)
{
    if (info->component != TXTAP_COMPONENT_THREADX)
        return TYPE_PACKET_POOL;
    return info->id < 20 ? TXTAP_OBJECT_BLOCK_POOL : TXTAP_OBJECT_BYTE_POOL;
}

static uint8_t type_of_socket(const struct txtap_event_info *info)
{
    if (strncmp(info->symbol, "NX_TRACE_TCP_", strlen("NX_TRACE_TCP_")) == 0)
        return TYPE_TCP_SOCKET;
    if (strncmp(info->symbol, "NX_TRACE_UDP_", strlen("NX_TRACE_UDP_")) == 0)
        return TYPE_UDP_SOCKET;
    return TXTAP_OBJECT_NONE;
}

uint8_t lifetime_field_type(const struct txtap_event_info *info, size_t i)
{
    static const struct {
        const char *label;
        uint8_t type;
    } types[] = {
        {"thread", TXTAP_OBJECT_THREAD},
        {"next_thread", TXTAP_OBJECT_THREAD},
        {"owning_thread", TXTAP_OBJECT_THREAD},
        {"timer", TXTAP_OBJECT_TIMER},
        {"queue", TXTAP_OBJECT_QUEUE},
        {"semaphore", TXTAP_OBJECT_SEMAPHORE},
        {"mutex", TXTAP_OBJECT_MUTEX},
        {"group", TXTAP_OBJECT_EVENT_FLAGS},
        {"media", TYPE_MEDIA},
        {"file", TYPE_FILE},
        {"ip", TYPE_IP},
        {"default_pool", TYPE_PACKET_POOL},
        {"tcp_socket", TYPE_TCP_SOCKET},
        {"udp_socket", TYPE_UDP_SOCKET},
    };
    const char *label;

    if (info == NULL || info->definition != NULL)
        return TXTAP_OBJECT_NONE;
    label = info->field[i].label;
    if (strcmp(label, "pool") == 0)
        return type_of_pool(info);
    if (strcmp(label, "socket") == 0)
        return type_of_socket(info);
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
        /* Compare the first letter first: most labels differ there. */
        if (label[0] == types[t].label[0] && strcmp(label, types[t].label) == 0)
            return types[t].type;
    }
    return TXTAP_OBJECT_NONE;
}

/* Returns the usual label of fields that point to an object of this type; NULL if there is no usual label. */
static const char *usual_label(uint8_t type)
{
    static const char *const labels[] = {
        [TXTAP_OBJECT_THREAD] = "thread",       [TXTAP_OBJECT_TIMER] = "timer", [TXTAP_OBJECT_QUEUE] = "queue",
        [TXTAP_OBJECT_SEMAPHORE] = "semaphore", [TXTAP_OBJECT_MUTEX] = "mutex", [TXTAP_OBJECT_EVENT_FLAGS] = "group",
    };

    return type < sizeof(labels) / sizeof(labels[0]) ? labels[type] : NULL;
}

bool lifetime_fits(const struct txtap_event_info *info, size_t i, uint8_t type)
{
    const char *usual = usual_label(type);
    uint8_t wanted;

    if (info == NULL || (usual != NULL && strcmp(info->field[i].label, usual) == 0))
        return true; /* nearly all fields need no search */
    wanted = lifetime_field_type(info, i);
    return wanted == TXTAP_OBJECT_NONE || wanted == type;
}

bool lifetime_is_late(uint8_t type)
{
    return type == TYPE_MEDIA;
}

bool lifetime_creates_late(const struct txtap_event *event)
{
    return event->id == MEDIA_OPEN;
}

void lifetime_end(struct txtap_object *object, uint64_t seq)
{
    object->unknown = object->unknown || seq <= object->from_seq;
    object->until_seq = seq > 0 ? seq : 1;
}

/*
 * Notes the creation of an object that is older than newest, which is the newest object at the same address. Such a
 * creation comes late if a recording lists newer objects first.
 */
static void note_older(struct txtap_registry *registry, const struct txtap_object *newest, struct txtap_object *created)
{
    const struct txtap_object *end = registry->objects + registry->count, *next = newest;

    for (; newest < end && newest->pointer == created->pointer && newest->from_seq >= created->from_seq; newest++) {
        if (newest->from_seq == created->from_seq)
            return; /* already known */
        next = newest;
    }
    lifetime_end(created, next->from_seq);
    if (registry_insert(registry, created))
        registry_settle(registry);
    registry->generation++;
}

static void note_creation(struct txtap_registry *registry, uint32_t pointer, uint8_t type, uint64_t seq)
{
    struct txtap_object *newest = registry_newest(registry, pointer);
    struct txtap_object created = {.pointer = pointer,
                                   .type = type,
                                   .unknown = true,
                                   .created = true,
                                   .late = lifetime_is_late(type),
                                   .from_seq = seq,
                                   .changed_seq = seq};

    if (newest != NULL && newest->created && newest->from_seq >= seq) {
        note_older(registry, newest, &created);
        return;
    }
    if (newest != NULL) {
        created.reused = newest->reused || newest->deleted || !newest->unknown || registry->still_copies > 0;
        if (registry_is_open(newest))
            lifetime_end(newest, seq);
    }
    registry->still_copies = 0;
    if (!registry_insert(registry, &created))
        registry->whole_seq = seq; /* an object that is found at this address later may have been created only now */
    registry->generation++;
}

static void note_deletion(struct txtap_registry *registry, uint32_t pointer, uint8_t type, uint64_t seq)
{
    struct txtap_object *newest = registry_newest(registry, pointer);
    const struct txtap_object deleted = {.pointer = pointer,
                                         .type = type,
                                         .unknown = true,
                                         .deleted = true,
                                         .reused = true,
                                         .from_seq = registry->whole_seq,
                                         .changed_seq = seq};

    if (newest != NULL && newest->from_seq > seq)
        return;
    if (newest != NULL && registry_is_open(newest)) {
        if (newest->unknown && !newest->created)
            newest->type = type;
        newest->deleted = newest->reused = true;
        newest->late = false;
        newest->changed_seq = seq;
    } else if (!registry_insert(registry, &deleted)) {
        registry->whole_seq = seq;
    }
    registry->still_copies = 0;
    registry->generation++;
}

static bool waits_for_use(const struct txtap_object *object)
{
    if (object->created)
        return object->late && object->type == TYPE_MEDIA;
    return object->unknown && !object->deleted && object->changed_seq == 0;
}

/* Notes that an event uses a media, which means that the media is open. (Formatting is not a use.) */
static void note_use(struct txtap_registry *registry, uint32_t pointer, uint8_t type, uint64_t seq)
{
    const struct txtap_object used = {
        .pointer = pointer, .type = type, .unknown = true, .from_seq = registry->whole_seq, .changed_seq = seq};
    struct txtap_object *newest = registry_newest(registry, pointer);

    if (newest == NULL || !registry_is_open(newest)) {
        if (!registry_insert(registry, &used))
            return;
    } else if (waits_for_use(newest) && newest->from_seq <= seq) {
        newest->type = type;
        newest->late = false;
        newest->changed_seq = seq;
    } else {
        return;
    }
    registry->generation++;
}

/* Calls note for each object that words selects. Bit n of words selects event->info[n]. */
static void note_words(struct txtap_registry *registry, const struct txtap_event *event,
                       const struct txtap_event_info *info, uint8_t words,
                       void (*note)(struct txtap_registry *, uint32_t, uint8_t, uint64_t))
{
    for (size_t i = 0; i < 4; i++)
        if ((words >> i & 1) && event->info[i] != 0)
            note(registry, event->info[i], lifetime_field_type(info, i), event->seq);
}

void txtap_registry_note(struct txtap_registry *registry, const struct txtap_event *event)
{
    const struct txtap_event_info *info = txtap_event_find(event->id, 0);

    if (event->seq >= registry->now_seq && event->seq < UINT64_MAX)
        registry->now_seq = event->seq + 1;
    if (info == NULL || (info->creates | info->deletes | info->uses) == 0)
        return;
    note_words(registry, event, info, info->uses, note_use);
    note_words(registry, event, info, info->creates, note_creation);
    note_words(registry, event, info, info->deletes, note_deletion);
}

bool txtap_registry_notes(uint32_t id)
{
    const struct txtap_event_info *info = txtap_event_find(id, 0);

    return info != NULL && (info->creates | info->deletes | info->uses) != 0;
}

void txtap_registry_note_gap(struct txtap_registry *registry, uint64_t seq, uint64_t lost)
{
    registry->gap_seq = seq;
    registry->whole_seq = registry->now_seq = seq + lost;
    for (size_t i = 0; i < registry->count; i++) {
        struct txtap_object *object = &registry->objects[i];

        if (!registry_is_open(object))
            continue;
        if (object->unknown) { /* after the gap, another object may be at the address */
            object->created = object->deleted = false;
            object->from_seq = registry->whole_seq;
            object->changed_seq = 0;
        } else {
            lifetime_end(object, seq);
        }
    }
    registry->generation++;
}

void txtap_registry_doubt(struct txtap_registry *registry)
{
    for (size_t i = 0; i < registry->count; i++)
        registry->objects[i].unknown = true;
    registry->generation++;
}

static bool means(const struct txtap_object *object, uint8_t type, uint64_t seq)
{
    return seq >= object->from_seq && !object->unknown && (type == TXTAP_OBJECT_NONE || object->type == type);
}

const struct txtap_object *txtap_registry_find_at(const struct txtap_registry *registry, uint32_t pointer, uint8_t type,
                                                  uint64_t seq)
{
    const struct txtap_object *at = txtap_registry_find(registry, pointer), *found = NULL, *end;

    if (at == NULL)
        return NULL;
    end = registry->objects + registry->count;
    for (; at < end && at->pointer == pointer; at++) {
        if (!registry_is_open(at) && seq >= at->until_seq)
            break; /* all further objects ended earlier */
        if (!means(at, type, seq))
            continue;
        if (found != NULL && !registry_same_name(found, at))
            return NULL;
        found = at;
    }
    return found;
}

bool txtap_registry_deleted_at(const struct txtap_object *object, uint64_t seq)
{
    return object->deleted && object->changed_seq <= seq;
}
