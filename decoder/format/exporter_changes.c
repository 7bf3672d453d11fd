/* SPDX-License-Identifier: MIT */
/* Makes changes of the items of a format that shows what events mean, and not the events alone. */
#include <string.h>

#include "format/exporter.h"
#include "txtap/inner/change.h"

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

/* ---- marks, which wait for the events before them ---- */

static enum txtap_status write_first_mark(struct txtap_exporter *self)
{
    struct txtap_exporter_changes *changes = &self->changes;
    struct txtap_exporter_mark waiting = changes->marks[0];
    struct txtap_mark mark = waiting.mark;

    mark.text = waiting.text;
    changes->mark_count--;
    memmove(changes->marks, changes->marks + 1, changes->mark_count * sizeof *changes->marks);
    return self->ops->mark(self, &mark);
}

/* Those before the event seq. */
static enum txtap_status write_marks(struct txtap_exporter *self, uint64_t seq)
{
    enum txtap_status status = TXTAP_OK;

    while (self->changes.mark_count > 0 && self->changes.marks[0].mark.seq <= seq && status == TXTAP_OK)
        status = write_first_mark(self);
    return status;
}

static enum txtap_status take_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    struct txtap_exporter_changes *changes = &self->changes;
    enum txtap_status status = TXTAP_OK;
    struct txtap_exporter_mark *waiting;

    if (mark->seq <= changes->next_seq)
        status = write_marks(self, UINT64_MAX);
    else if (changes->mark_count == TXTAP_EXPORTER_MARKS)
        status = write_first_mark(self);
    if (status != TXTAP_OK)
        return status;
    if (mark->seq <= changes->next_seq)
        return self->ops->mark(self, mark);
    waiting = &changes->marks[changes->mark_count++];
    waiting->mark = *mark;
    strncpy(waiting->text, mark->text, sizeof waiting->text - 1);
    waiting->text[sizeof waiting->text - 1] = '\0';
    return TXTAP_OK;
}

static enum txtap_status take_change(void *self, const struct txtap_change *change)
{
    struct txtap_exporter *exporter = self;
    enum txtap_status status = TXTAP_OK;

    if (change->kind == TXTAP_CHANGE_EVENT) {
        status = write_marks(exporter, change->seq);
        exporter->changes.next_seq = change->seq + 1;
    } else if (change->kind == TXTAP_CHANGE_END) {
        status = write_marks(exporter, UINT64_MAX);
    }
    return status == TXTAP_OK ? exporter->ops->change(exporter, change) : status;
}

/* ---- items ---- */

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
    changes->mark_count = 0;
    changes->next_seq = 0;
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
        status = take_mark(self, &item->mark);
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
