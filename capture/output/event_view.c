/* SPDX-License-Identifier: MIT */
/* Chooses the events that an outlet gets. */
#include "output/event_view.h"

#include <inttypes.h>
#include <stdio.h>

#include "file/definitions_file.h"
#include "output/name_check.h"
#include "txtap/inner/host_time.h"
#include "txtap/inner/interrupts.h"

enum txtap_status event_view_open(struct event_view *view, const struct outlet_config *config, struct txtap_sink next,
                                  struct error *error)
{
    const struct outlet_view *shown = &config->view;
    enum txtap_status status;

    *view = (struct event_view){
        .quiet = config->quiet,
        .tick_hz = shown->tick_hz,
        .limit = {.next = next, .most = shown->limit},
        .choice = {.filter = shown->filter, .interrupts = &view->interrupts, .profile = shown->profile},
    };
    view->choice.next = (struct txtap_sink){limit_take, &view->limit};
    status = definitions_load(&view->definitions, config->items.definitions, shown->identity, shown->definitions,
                              shown->definitions_count, config->quiet, error);
    view->choice.definitions = view->definitions;
    txtap_interrupts_init(&view->interrupts, view->definitions);
    if (status == TXTAP_OK)
        status = name_check_interrupts(shown->filter, view->definitions, "--isr", error);
    if (status != TXTAP_OK)
        event_view_close(view);
    return status;
}

void event_view_begin(struct event_view *view, const struct txtap_registry *registry)
{
    view->choice.registry = registry;
    if (!view->quiet)
        name_check_objects(view->choice.filter, registry);
}

struct txtap_sink event_view_sink(struct event_view *view)
{
    return (struct txtap_sink){choice_take, &view->choice};
}

void event_view_warn_of_clock(const struct txtap_event_maker *maker)
{
    unsigned notices = txtap_clock_notices(&maker->clock);

    for (unsigned bit = 1; bit <= notices; bit <<= 1)
        if (notices & bit)
            fprintf(stderr, "txtap: %s\n", txtap_clock_notice_text(bit));
}

void event_view_warn(const struct event_view *view, const struct txtap_event_maker *maker)
{
    const struct choice *choice = &view->choice;

    if (view->quiet)
        return;
    event_view_warn_of_clock(maker);
    if (txtap_host_time_doubtful(&maker->host_time, &maker->clock))
        fprintf(stderr,
                "txtap: before some events (marked ~) the time stamp counter may have wrapped more or less often than "
                "shown%s\n",
                view->tick_hz > 0 ? "" : ": --hz helps");
    if (view->limit.events == 0 && choice->left_out > 0)
        fprintf(stderr, "txtap: no event matched: %" PRIu64 " %s read\n", choice->left_out,
                choice->left_out == 1 ? "was" : "were");
    if (choice->undecided > 0)
        fprintf(stderr,
                "txtap: %" PRIu64 " of the events left out may match: the name of their thread, object or interrupt is "
                "unknown; select them by address or number\n",
                choice->undecided);
}

void event_view_close(struct event_view *view)
{
    definitions_free(view->definitions);
    view->definitions = NULL;
}
