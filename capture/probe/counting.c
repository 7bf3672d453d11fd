/* SPDX-License-Identifier: MIT */
/* Passes all calls on to a memory source, and counts its reads. Knows no probe. */
#include "probe/counting.h"

static enum txtap_status counting_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct counting_source *counting = self;
    enum txtap_status status = counting->inner.ops->read(counting->inner.self, reads, count);

    counting->requests += count > 0;
    for (size_t i = 0; i < count && status == TXTAP_OK; i++)
        counting->bytes += reads[i].length;
    return status;
}

static const char *counting_error_text(void *self)
{
    const struct counting_source *counting = self;

    return counting->inner.ops->error_text(counting->inner.self);
}

static const char *counting_hint_text(void *self)
{
    const struct counting_source *counting = self;

    return counting->inner.ops->hint_text != NULL ? counting->inner.ops->hint_text(counting->inner.self) : "";
}

static void counting_close(void *self)
{
    struct counting_source *counting = self;

    counting->inner.ops->close(counting->inner.self);
    counting->inner = (struct txtap_source){0};
}

struct txtap_source counting_source_of(struct counting_source *counting, struct txtap_source inner)
{
    counting->inner = inner;
    counting->ops = *inner.ops;
    counting->ops.read = counting_read;
    counting->ops.error_text = counting_error_text;
    counting->ops.hint_text = counting_hint_text;
    counting->ops.close = counting_close;
    return (struct txtap_source){&counting->ops, counting};
}
