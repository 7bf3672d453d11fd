/* SPDX-License-Identifier: MIT */
/* Compares the result of a walk with the history of the model. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/kernel_model.h"

const char *model_names(const struct model *model, uint8_t type)
{
    static char text[2048];
    size_t count, used = 0;
    const struct txtap_kernel_object *objects = txtap_kernel_objects(model->kernel, &count);

    text[0] = '\0';
    for (size_t i = 0; i < count && used < sizeof text; i++)
        if (objects[i].type == type)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? " " : "", objects[i].name);
    return text;
}

/* Returns true if the value must be that of this life. Objects that may have the same constants can be confused with
 * each other, so only their constants are compared. The lists' links change during a life. */
static bool is_compared(const struct model *model, const struct txtap_kernel_member *row)
{
    if (row->value == KERNEL_NEXT || row->value == KERNEL_PREVIOUS)
        return false;
    return model->distinct || (row->flags & KERNEL_IDENTITY);
}

/* Returns true if the object has the name and the values of this life. */
static bool has_identity_of(const struct model *model, const struct txtap_kernel_object *object,
                            const struct model_life *life)
{
    for (size_t i = 0; i < model->ops->member_count; i++) {
        const struct txtap_kernel_member *row = &model->ops->members[i];

        if (row->type == object->type && is_compared(model, row) && txtap_kernel_knows(object, row->value) &&
            object->values[row->value] != life->values[row->value])
            return false;
    }
    return strcmp(object->name, life->name) == 0;
}

static bool lived(const struct model *model, const struct model_life *life)
{
    return life->born <= model->step && life->died > model->begun;
}

static const struct model_life *life_of(const struct model *model, const struct txtap_kernel_object *object)
{
    for (size_t i = model->life_count; i > 0; i--) {
        const struct model_life *life = &model->lives[i - 1];

        if (life->address == object->address && life->type == object->type && lived(model, life) &&
            has_identity_of(model, object, life))
            return life;
    }
    return NULL;
}

/* Returns true if the objects are the list, in its order. The first object may be any object: the kernel can delete and
 * create objects so that another object is the first for some time, but not when the walk reads the head. */
static bool is_list(const struct model *model, const struct model_list *list, const struct txtap_kernel_object *objects,
                    size_t count)
{
    bool same = list->count == count && count == 0;

    for (size_t first = 0; first < count && list->count == count && !same; first++) {
        same = true;
        for (size_t i = 0; i < count && same; i++) {
            const struct model_life *life = &model->lives[list->lives[(first + i) % count]];

            same = life->address == objects[i].address && has_identity_of(model, &objects[i], life);
        }
    }
    return same;
}

/* Returns true if these objects were the whole list at a moment between the begin and the end of the walk. */
static bool was_list(const struct model *model, uint8_t type, const struct txtap_kernel_object *objects, size_t count)
{
    for (size_t i = model->history_count; i > 0; i--) {
        const struct model_list *list = &model->history[i - 1];

        if (list->type != type)
            continue;
        if (is_list(model, list, objects, count))
            return true;
        if (list->since <= model->begun)
            return false;
    }
    return false;
}

const char *model_violation(const struct model *model)
{
    static char text[200];
    size_t count, from = 0, end;
    const struct txtap_kernel_object *objects = txtap_kernel_objects(model->kernel, &count);

    for (size_t i = 0; i < count; i++)
        if (life_of(model, &objects[i]) == NULL) {
            snprintf(text, sizeof text, "class %u: no object \"%s\" lived at 0x%08" PRIx32, objects[i].type,
                     objects[i].name, objects[i].address);
            return text;
        }
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++, from = end) {
        struct txtap_kernel_list list = txtap_kernel_list(model->kernel, type);

        for (end = from; end < count && objects[end].type == type; end++)
            ;
        if (list.found != end - from || (list.complete && !was_list(model, type, objects + from, end - from))) {
            snprintf(text, sizeof text, "class %u: the list of %zu was never complete: %s", type, end - from,
                     model_names(model, type));
            return text;
        }
    }
    return NULL;
}
