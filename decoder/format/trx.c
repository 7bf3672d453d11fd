/* SPDX-License-Identifier: MIT */
/*
 * Writes a trace buffer with the chosen events, for TraceX and for txtap. If all events were chosen, the output is the
 * buffer as it was read, byte for byte, including unused slots and the bytes after the ring. Otherwise the chosen
 * events are at the ring's start, as in a ring that never wrapped, and the rest of the ring is zero. The header's
 * current pointer is known only after the last event, so the whole buffer is written at the end.
 */
#include <string.h>

#include "base/bytes.h"
#include "format/exporter.h"

static enum txtap_status trx_begin(struct txtap_exporter *self)
{
    exporter_reset(self);
    self->kept_entries = 0;
    if (self->image.bytes == NULL || self->image.kept == NULL || self->image.length < TXTB_HEADER_BYTES)
        return TXTAP_ERROR_USAGE;
    return TXTAP_OK;
}

static enum txtap_status trx_event(struct txtap_exporter *self, const struct txtap_event *event)
{
    if (event->entry == NULL || self->kept_entries >= txtap_header_ring_entries(self->header))
        return TXTAP_ERROR_SPACE;
    memcpy(self->image.kept + (size_t)self->kept_entries * TXTB_ENTRY_BYTES, event->entry, TXTB_ENTRY_BYTES);
    self->kept_entries++;
    return TXTAP_OK;
}

/* Returns the number of entries in the image that the target has written. The end of the image may be missing. */
static uint32_t written_entries(const struct txtap_exporter *self)
{
    const struct txtap_header *header = self->header;
    struct bytes ring = {self->image.bytes, self->image.length};
    uint32_t written = 0;

    if (!bytes_skip(&ring, header->ring_start - header->base))
        return 0;
    for (uint32_t i = 0; i < txtap_header_ring_entries(header); i++) {
        struct bytes entry = ring;
        uint32_t thread = TXTB_THREAD_NONE;

        if (!bytes_skip(&ring, TXTB_ENTRY_BYTES))
            break;
        (void)bytes_take_u32(&entry, header->endian, &thread);
        written += thread != TXTB_THREAD_NONE;
    }
    return written;
}

static enum txtap_status write_bytes(const struct txtap_exporter *self, const void *bytes, size_t length)
{
    return length == 0 ? TXTAP_OK : self->writer.write(self->writer.self, bytes, length);
}

static enum txtap_status write_zeros(const struct txtap_exporter *self, size_t length)
{
    static const char zeros[4096];
    enum txtap_status status = TXTAP_OK;

    for (size_t part; length > 0 && status == TXTAP_OK; length -= part) {
        part = length < sizeof(zeros) ? length : sizeof(zeros);
        status = write_bytes(self, zeros, part);
    }
    return status;
}

/* Writes header and registry unchanged, except for the current pointer. The written current pointer is after the last
 * chosen entry. */
static enum txtap_status write_head(const struct txtap_exporter *self, size_t chosen)
{
    const struct txtap_header *header = self->header;
    size_t head = header->ring_start - header->base, there = head < self->image.length ? head : self->image.length;
    uint32_t current = header->ring_start + (uint32_t)chosen;
    uint8_t bytes[TXTB_HEADER_BYTES];
    enum txtap_status status;

    memcpy(bytes, self->image.bytes, sizeof(bytes));
    (void)put_u32(bytes + TXTB_HEADER_CURRENT, header->endian,
                  current < header->ring_end ? current : header->ring_start);
    memset(bytes + TXTB_HEADER_LAPS, 0, 2); /* laps is 0: the ring has not wrapped */
    status = write_bytes(self, bytes, sizeof(bytes));
    if (status == TXTAP_OK)
        status = write_bytes(self, self->image.bytes + sizeof(bytes), there - sizeof(bytes));
    if (status == TXTAP_OK)
        status = write_zeros(self, head - there);
    return status;
}

static enum txtap_status trx_end(struct txtap_exporter *self)
{
    size_t chosen = (size_t)self->kept_entries * TXTB_ENTRY_BYTES;
    enum txtap_status status;

    if (self->kept_entries == written_entries(self))
        return write_bytes(self, self->image.bytes, self->image.length);
    status = write_head(self, chosen);
    if (status == TXTAP_OK)
        status = write_bytes(self, self->image.kept, chosen);
    if (status == TXTAP_OK)
        status = write_zeros(self, (size_t)(self->header->ring_end - self->header->ring_start) - chosen);
    return status;
}

/* A buffer cannot show lost events or marks, so this format has no function for gaps and marks. */
const struct txtap_exporter_ops trx_ops = {.name = "trx",
                                           .use = "for TraceX: the buffer with the chosen events",
                                           .begin = trx_begin,
                                           .event = trx_event,
                                           .end = trx_end,
                                           .whole_buffer = true,
                                           .binary = true};
