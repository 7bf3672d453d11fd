/* SPDX-License-Identifier: MIT */
/* The names of marks, and giving items to a sink. */
#include "txtap/item.h"

const char *txtap_mark_name(enum txtap_mark_kind kind)
{
    static const char *const mark_names[TXTAP_MARK_KINDS] = {
        [TXTAP_MARK_DETACHED] = "detached", [TXTAP_MARK_ATTACHED] = "attached", [TXTAP_MARK_RESET] = "reset",
        [TXTAP_MARK_MOVED] = "moved",       [TXTAP_MARK_DISABLED] = "disabled", [TXTAP_MARK_ENABLED] = "enabled",
        [TXTAP_MARK_TRIGGER] = "trigger",   [TXTAP_MARK_UNSURE] = "unsure",     [TXTAP_MARK_HALTED] = "halted",
        [TXTAP_MARK_RUNNING] = "running",   [TXTAP_MARK_CHECK] = "check",
    };

    return (unsigned)kind < TXTAP_MARK_KINDS ? mark_names[kind] : NULL;
}

enum txtap_status txtap_sink_take(struct txtap_sink sink, const struct txtap_item *item)
{
    return sink.take != NULL ? sink.take(sink.self, item) : TXTAP_OK;
}
