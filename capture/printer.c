/* SPDX-License-Identifier: MIT */
#include "printer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool wants_color(const struct options *options, const struct output *output)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    if (options->color != COLOR_AUTO)
        return options->color == COLOR_ALWAYS;
    return output_is_terminal(output) && !(no_color && *no_color) && !(terminal && strcmp(terminal, "dumb") == 0);
}

enum txtap_status printer_open(struct printer *printer, const struct options *options,
                               const struct txtap_header *header, char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = definitions_load(&printer->definitions, options->filter.definitions,
                                                options->filter.definitions_count, options->quiet, error);

    if (status != TXTAP_OK)
        return status;
    status = output_open(&printer->output, options->output, error);
    if (status != TXTAP_OK) {
        definitions_free(printer->definitions);
        return status;
    }
    printer->filter = &options->filter.filter;
    printer->header = *header;
    printer->limit = options->events;
    printer->printed = 0;
    txtap_clock_init(&printer->clock, header->timer_mask);
    printer->exporter = (struct txtap_exporter){
        .ops = txtap_exporter_find(options->format),
        .sink = output_sink(&printer->output),
        .header = &printer->header,
        .definitions = printer->definitions,
        .options = {.tick_hz = options->tick_hz,
                    .color = wants_color(options, &printer->output),
                    .profile = options->filter.profile,
                    .columns = options->filter.columns},
    };
    return TXTAP_OK;
}

static enum txtap_status print_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq)
{
    struct printer *printer = self;
    struct txtap_event event;
    enum txtap_status status;

    txtap_event_parse(entry, &printer->header, &event);
    event.seq = seq;
    event.ticks = txtap_clock_unwrap(&printer->clock, event.stamp);
    if (!txtap_filter_passes(printer->filter, printer->exporter.registry, &event,
                             txtap_exporter_row(&printer->exporter, event.id)))
        return TXTAP_OK;
    status = printer->exporter.ops->event(&printer->exporter, &event);
    printer->printed++;
    if (status == TXTAP_OK && printer->printed == printer->limit)
        return TXTAP_END;
    return status;
}

static enum txtap_status print_gap(void *self, const struct txtap_gap *gap)
{
    struct printer *printer = self;

    return printer->exporter.ops->gap(&printer->exporter, gap);
}

struct session_taker printer_taker(struct printer *printer)
{
    return (struct session_taker){print_entry, print_gap, printer};
}

enum txtap_status printer_begin(struct printer *printer, const struct txtap_registry *registry)
{
    printer->exporter.registry = registry;
    return printer->exporter.ops->begin(&printer->exporter);
}

enum txtap_status printer_close(struct printer *printer, enum txtap_status earlier, char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = earlier, closed;

    if (status == TXTAP_OK || status == TXTAP_END) {
        enum txtap_status ended = printer->exporter.ops->end(&printer->exporter);

        if (ended != TXTAP_OK)
            status = ended;
    }
    definitions_free(printer->definitions);
    printer->exporter.definitions = printer->definitions = NULL;
    closed = output_close(&printer->output);
    if (closed == TXTAP_ERROR_SYSTEM && status >= TXTAP_OK)
        return failure(error, closed, "%s: cannot be written: %s: what was written before is whole",
                       printer->output.name, strerror(errno));
    return status;
}
