/* SPDX-License-Identifier: MIT */
/* Makes changes of the items of a format that shows what events mean, and not the events alone. */
#include <string.h>

#include "format/exporter.h"

#define ALIGNMENT 16u /* of the format's state, behind the changes */

static size_t changes_bytes(const struct txtap_change_limits *limits)
{
    return (txtap_changes_bytes(limits) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t txtap_exporter_changes_bytes(const struct txtap_exporter_ops *ops, const struct txtap_change_limits *limits)
{
    size_t bytes = changes_bytes(limits);

    return ops->change == NULL || bytes == 0 ? 0 : bytes + ops->state_bytes(limits);
}

static enum txtap_status take_change(void *self, const struct txtap_change *change)
{
    struct txtap_exporter *exporter = self;

    return exporter->ops->change(exporter, change);
}

enum txtap_status exporter_changes_begin(struct txtap_exporter *self)
{
    struct txtap_exporter_changes *changes = &self->changes;
    size_t before = changes_bytes(&changes->limits);

    if (changes->memory == NULL || before == 0)
        return TXTAP_ERROR_USAGE;
    changes->changes =
        txtap_changes_open(changes->memory, &changes->limits, (struct txtap_change_sink){take_change, self});
    changes->state = (unsigned char *)changes->memory + before;
    memset(changes->state, 0, self->ops->state_bytes(&changes->limits));
    changes->learnt = false;
    exporter_reset(self);
    return TXTAP_OK;
}

static void learn(struct txtap_exporter *self)
{
    struct txtap_exporter_changes *changes = &self->changes;

    if (changes->learnt && changes->generation == self->registry->generation)
        return;
    changes->learnt = true;
    changes->generation = self->registry->generation;
    txtap_changes_objects(changes->changes, self->registry);
}

enum txtap_status exporter_changes_take(struct txtap_exporter *self, const struct txtap_item *item)
{
    enum txtap_status status;

    if (self->changes.changes == NULL)
        return TXTAP_ERROR_USAGE; /* begin failed */
    if (item->kind == TXTAP_ITEM_EVENT)
        learn(self);
    status = txtap_changes_take(self->changes.changes, item);
    if (status == TXTAP_OK && item->kind == TXTAP_ITEM_MARK && self->ops->mark != NULL)
        status = self->ops->mark(self, &item->mark);
    return status;
}

enum txtap_status exporter_changes_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .event = *event};

    return exporter_changes_take(self, &item);
}

enum txtap_status exporter_changes_gap(struct txtap_exporter *self, const struct txtap_gap *gap)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = *gap};

    return exporter_changes_take(self, &item);
}

enum txtap_status exporter_changes_end(struct txtap_exporter *self)
{
    return self->changes.changes != NULL ? txtap_changes_end(self->changes.changes) : TXTAP_OK;
}

bool exporter_wants(struct txtap_exporter *self, const struct txtap_event *event)
{
    const struct txtap_filter *filter = self->changes.filter;

    return filter == NULL || txtap_filter_passes(filter, self->registry, event, txtap_exporter_row(self, event->id));
}
