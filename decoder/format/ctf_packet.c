/* SPDX-License-Identifier: MIT */
/* Packets of a CTF trace. One is written as a whole, so a stream that is cut ends with a whole packet. */
#include "format/ctf.h"

#define EVENT_BYTES   2304u /* at most: two texts and the numbers */
#define TEXT_BYTES    1024u /* at most, of one text */
#define HEAD_BYTES    52u   /* of the packet */
#define OFF_BEGIN     8u
#define OFF_END       16u
#define OFF_CONTENT   24u
#define OFF_SIZE      32u
#define OFF_DISCARDED 40u
#define OFF_CORE      48u

static void put_line(struct ctf *ctf, const struct line *line)
{
    size_t length = (size_t)(line->at - line->start);

    if (length > TEXT_BYTES)
        length = TEXT_BYTES;
    memcpy(ctf->packet + ctf->used, line->start, length);
    ctf->used += length;
    ctf_put(ctf, 0, 1);
}

void ctf_put_text(struct ctf *ctf, const char *text)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    line_terminal(&line, text);
    put_line(ctf, &line);
}

void ctf_put_name(struct txtap_exporter *self, const struct txtap_object *object)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    exporter_name(self, &line, NAME_IN_FIELD, object->name, line_terminal);
    put_line(ctf_of(self), &line);
}

enum txtap_status ctf_close_packet(struct txtap_exporter *self)
{
    struct ctf *ctf = ctf_of(self);
    size_t used = ctf->used;

    ctf->used = 0;
    if (used == 0)
        return TXTAP_OK;
    ctf_store(ctf->packet + OFF_END, ctf->stamp, 8);
    ctf_store(ctf->packet + OFF_CONTENT, used * 8, 8);
    ctf_store(ctf->packet + OFF_SIZE, used * 8, 8);
    return self->writer.write(self->writer.self, (const char *)ctf->packet, used);
}

static void open_packet(struct ctf *ctf, uint32_t core)
{
    ctf_put(ctf, CTF_MAGIC, 4);
    ctf_put(ctf, 0, 4);
    ctf_put(ctf, ctf->stamp, 8);
    ctf->used = OFF_DISCARDED;
    ctf_put(ctf, ctf->discarded, 8);
    ctf_put(ctf, core, 4);
    ctf->core = core;
}

_Static_assert(OFF_BEGIN == 8 && OFF_CORE + 4 == HEAD_BYTES, "open_packet() writes the fields in order");

static uint64_t stamp_of(const struct txtap_exporter *self, uint64_t ticks)
{
    double hz = self->options.tick_hz, ns;

    if (!(hz > 0) || (double)ctf_clock_hz(hz) == hz)
        return ticks;
    ns = (double)ticks / hz * 1e9;
    return ns < 9e18 ? (uint64_t)ns : INT64_MAX;
}

void ctf_set_time(struct txtap_exporter *self, uint64_t ticks)
{
    uint64_t stamp = stamp_of(self, ticks);

    if (stamp > ctf_of(self)->stamp)
        ctf_of(self)->stamp = stamp;
}

enum txtap_status ctf_start_event(struct txtap_exporter *self, const struct txtap_change *change, uint32_t core,
                                  uint32_t class)
{
    struct ctf *ctf = ctf_of(self);
    enum txtap_status status = TXTAP_OK;

    if (ctf->used > 0 && (ctf->core != core || ctf->used + EVENT_BYTES > sizeof ctf->packet))
        status = ctf_close_packet(self);
    ctf_set_time(self, change->ticks);
    if (ctf->used == 0)
        open_packet(ctf, core);
    ctf_put(ctf, class, 2);
    ctf_put(ctf, ctf->stamp, 8);
    return status;
}
