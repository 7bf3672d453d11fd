/* SPDX-License-Identifier: MIT */
/*
 * Which of two objects at one address an event means. The registry says what stands there now and what stood there
 * before; the create events in the stream say since when. Knows ids and field labels of the table.
 */
#include "lifetime.h"

#include <string.h>

#include "txtap/registry.h"

#define TYPE_MEDIA       9u
#define TYPE_FILE        10u
#define TYPE_IP          11u
#define TYPE_PACKET_POOL 12u
#define TYPE_TCP_SOCKET  13u
#define TYPE_UDP_SOCKET  14u

/* Events that register an object: common/src/tx_*_create.c, fx_media_open.c, nx_ip_create.c, ... */
static const struct creation {
    uint16_t id;
    uint8_t word, type;
} creations[] = {
    {11, 0, TXTAP_OBJECT_BLOCK_POOL},
    {21, 0, TXTAP_OBJECT_BYTE_POOL},
    {30, 0, TXTAP_OBJECT_EVENT_FLAGS},
    {50, 0, TXTAP_OBJECT_MUTEX},
    {60, 0, TXTAP_OBJECT_QUEUE},
    {81, 0, TXTAP_OBJECT_SEMAPHORE},
    {100, 0, TXTAP_OBJECT_THREAD},
    {124, 0, TXTAP_OBJECT_TIMER},
    {247, 1, TYPE_FILE},
    {261, 0, TYPE_MEDIA},
    {372, 0, TYPE_IP},
    {391, 0, TYPE_PACKET_POOL},
    {412, 1, TYPE_TCP_SOCKET},
    {430, 1, TYPE_UDP_SOCKET},
};

static const struct creation *creation_of(uint32_t id)
{
    for (size_t i = 0; i < sizeof(creations) / sizeof(creations[0]); i++) {
        if (creations[i].id == id)
            return &creations[i];
    }
    return NULL;
}

static uint8_t type_of_pool(const struct txtap_event_info *info)
{
    if (info->component != TXTAP_THREADX)
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
        if (strcmp(label, types[t].label) == 0)
            return types[t].type;
    }
    return TXTAP_OBJECT_NONE;
}

void txtap_registry_note(struct txtap_registry *registry, const struct txtap_event *event)
{
    const struct creation *creation = creation_of(event->id);
    const struct txtap_object *object;

    if (creation == NULL)
        return;
    object = txtap_registry_find(registry, event->info[creation->word]);
    /* Of another type: the object that was created here is gone already, and who came after it is not known yet. */
    if (object != NULL && object->type == creation->type && object->created_seq <= event->seq)
        registry->objects[object - registry->objects].created_seq = event->seq + 1;
}

static bool fits(const struct txtap_object *object, uint8_t type)
{
    return type == TXTAP_OBJECT_NONE || object->type == type;
}

const struct txtap_object *txtap_registry_find_at(const struct txtap_registry *registry, uint32_t pointer, uint8_t type,
                                                  uint64_t seq)
{
    const struct txtap_object *now = txtap_registry_find(registry, pointer), *before = NULL;
    bool too_new;

    if (now == NULL)
        return NULL;
    if (now + 1 < registry->objects + registry->count && now[1].pointer == pointer)
        before = now + 1;
    too_new = seq + 1 < now->created_seq;
    if (before == NULL)
        return too_new && !fits(now, type) ? NULL : now;
    if (too_new)
        return before;
    return !fits(now, type) && fits(before, type) ? before : now;
}
