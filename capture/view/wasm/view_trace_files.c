/* SPDX-License-Identifier: MIT */
/* Several files of one recording: their order, and what is missing before, between and after them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "view/wasm/view_trace.h"

/* ---- order ---- */

/* Numbers of events may be compressed; the number of the file never is. */
static void read_start(struct txtap_recording_start *start, const uint8_t *bytes, size_t length)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, needed;
    bool enough = length < at || txtap_recording_open(&recording, bytes) != TXTAP_OK || recording.ctf;

    while (!enough && txtap_recording_block(&recording, bytes + at, length - at, &block, &needed) == TXTAP_OK) {
        enough =
            block.compressed || (txtap_recording_item(&block, block.stored, block.stored_bytes, &item) == TXTAP_OK &&
                                 txtap_recording_start_take(start, &item));
        at += needed;
    }
}

bool view_trace_add_start(struct view_trace *trace, const uint8_t *bytes, size_t length, uint64_t size)
{
    struct txtap_recording_start *starts = realloc(trace->starts, (trace->start_count + 1) * sizeof *starts);
    struct txtap_recording_start *start;

    if (starts == NULL) {
        view_trace_no_memory(trace);
        return true;
    }
    trace->starts = starts;
    start = &starts[trace->start_count];
    *start = (struct txtap_recording_start){.bytes = size, .index = trace->start_count++};
    read_start(start, bytes, length);
    return start->has_buffer;
}

void view_trace_sort(struct view_trace *trace)
{
    struct txtap_recording_start *starts = trace->starts;
    struct text *out = &trace->out;
    size_t a = 0, b = 0, kept = 0;

    text_clear(out);
    if (txtap_recording_sort(starts, trace->start_count, &a, &b) != TXTAP_OK) {
        text_print(out, "{\"foreign\":[%zu,%zu]}", a, b);
        return;
    }
    text_print(out, "{\"order\":[");
    for (size_t i = 0; i < trace->start_count; i++)
        if (!starts[i].again)
            text_print(out, "%s%zu", i > 0 ? "," : "", starts[i].index);
    text_print(out, "],\"again\":[");
    for (size_t i = 0, count = 0; i < trace->start_count; i++) {
        if (starts[i].again)
            text_print(out, "%s[%zu,%zu]", count++ > 0 ? "," : "", starts[i].index, starts[kept].index);
        else
            kept = i;
    }
    text_print(out, "]}");
}

/* ---- from file to file ---- */

void view_trace_note(struct view_trace *trace, const char *text)
{
    text_print(&trace->notes, "%s\n", text);
    trace->version++;
}

void view_trace_next_file(struct view_trace *trace)
{
    const char *missing = recording_feed_next(&trace->feed);

    if (trace->unread) {
        text_print(&trace->notes, "%s\n", trace->problem.at);
        text_clear(&trace->problem);
        trace->unread = false;
    } else if (missing != NULL && trace->problem.length == 0) {
        text_print(&trace->notes, "%s: %s\n", trace->options.name, missing);
    }
    trace->version++;
}

void view_trace_note_files(struct view_trace *trace)
{
    uint32_t earlier = txtap_recording_joint_earlier(&trace->feed.joint);

    if (trace->feed.heads < 2)
        return;
    if (earlier > 0)
        text_print(&trace->notes, "%s: %" PRIu32 " file%s that the recording had before the first one %s not there\n",
                   trace->options.name, earlier, earlier > 1 ? "s" : "", earlier > 1 ? "are" : "is");
    if (trace->feed.joint.goes_on)
        text_print(&trace->notes, "%s: the recording goes on in another file, which is not there\n",
                   trace->options.name);
}
