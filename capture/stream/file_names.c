/* SPDX-License-Identifier: MIT */
/* Finds for each address the name that is right for all events of a file, if such a name exists. It does no I/O. */
#include "stream/file_names.h"

#include <stdlib.h>
#include <string.h>

bool file_names_init(struct file_names *names, const struct txtap_registry *registry)
{
    *names = (struct file_names){.registry = registry};
    names->names = calloc(registry->count + 1, sizeof *names->names);
    return names->names != NULL;
}

void file_names_free(struct file_names *names)
{
    free(names->names);
    names->names = NULL;
}

struct file_name *file_names_find(const struct file_names *names, uint32_t pointer)
{
    const struct txtap_object *first = txtap_registry_find(names->registry, pointer);

    return first != NULL ? &names->names[first - names->registry->objects] : NULL;
}

/* Reports whether the object's name is unknown, and no other object was ever known at its address. */
static bool is_alone(const struct txtap_registry *registry, const struct txtap_object *object)
{
    const struct txtap_object *next = object + 1;

    return object->unknown && (next == registry->objects + registry->count || next->pointer != object->pointer);
}

static bool is_same(const struct txtap_object *a, const struct txtap_object *b)
{
    return a->type == b->type && strcmp(a->name, b->name) == 0;
}

static void note(struct file_names *names, uint32_t pointer, uint8_t type, uint64_t seq)
{
    struct file_name *name = file_names_find(names, pointer);
    const struct txtap_object *object = txtap_registry_find_at(names->registry, pointer, type, seq);
    bool other;

    if (name == NULL || name->several)
        return;
    if (object == NULL)
        other = !is_alone(names->registry, txtap_registry_find(names->registry, pointer));
    else
        other = name->object != NULL && !is_same(name->object, object);
    if (object != NULL)
        name->object = object;
    name->several = other;
    names->several += other;
}

void file_names_note(struct file_names *names, const struct txtap_event *event)
{
    const struct txtap_event_info *info = txtap_event_find(event->id, 0);

    if (event->thread != 0)
        note(names, event->thread, TXTAP_OBJECT_THREAD, event->seq);
    for (size_t i = 0; info != NULL && i < 4; i++)
        if (info->field[i].kind == TXTAP_FIELD_OBJECT && event->info[i] != 0)
            note(names, event->info[i], TXTAP_OBJECT_NONE, event->seq);
}
