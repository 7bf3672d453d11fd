/* SPDX-License-Identifier: MIT */
/* decode FILE.trx: its events as lines of text. All memory is here: libtxtap has none of its own and opens nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <txtap/clock.h>
#include <txtap/trace.h>

static uint8_t bytes[1 << 20];
static struct txtap_object objects[1024];
static struct txtap_exporter_memory memory;
static struct txtap_trace trace;
static struct txtap_clock ticks;

static enum txtap_status print(void *file, const char *text, size_t length)
{
    return fwrite(text, 1, length, file) == length && fflush(file) == 0 ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}

/* All events, oldest first. to: NULL to learn from them what the first line needs: which way time counts. */
static enum txtap_status read_all(struct txtap_exporter *to)
{
    enum txtap_status status = TXTAP_OK;
    struct txtap_trace_item item;
    struct txtap_event event;
    struct txtap_gap gap;

    for (txtap_trace_rewind(&trace); status == TXTAP_OK && txtap_trace_next(&trace, &item) == TXTAP_OK;) {
        if (item.entry) {
            txtap_trace_event(&trace, &item, &event);
            event.ticks = txtap_clock_unwrap(&ticks, event.stamp);
            status = to ? to->ops->event(to, &event) : TXTAP_OK;
        } else if (to) {
            gap = txtap_trace_gap(&item);
            status = to->ops->gap(to, &gap);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    struct txtap_exporter text = {.ops = txtap_exporter_find("text"), .memory = &memory, .sink = {print, stdout}};
    enum txtap_status status;
    FILE *file;

    if (argc != 2) {
        fprintf(stderr, "usage: decode FILE\n");
        return 2;
    }
    file = fopen(argv[1], "rb");
    if (!file) {
        fprintf(stderr, "decode: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    text.registry = &trace.registry;
    text.header = &trace.header;
    status = txtap_trace_open(&trace, bytes, fread(bytes, 1, sizeof bytes, file), objects, 1024);
    if (status == TXTAP_OK) {
        txtap_clock_init(&ticks, trace.header.timer_mask);
        read_all(NULL);
        txtap_clock_settle(&ticks);
        status = text.ops->begin(&text);
        status = status == TXTAP_OK ? read_all(&text) : status;
        status = status == TXTAP_OK ? text.ops->end(&text) : status;
    }
    if (status != TXTAP_OK)
        fprintf(stderr, "decode: %s: %s\n", argv[1], txtap_status_text(status));
    return status != TXTAP_OK;
}
