/* SPDX-License-Identifier: MIT */
/* Whether the core runs, and why a target is silent. Only asks; decides nothing about reading. */
#include "attach/attach_core.h"

enum core_state attach_core(const struct attachment *attachment)
{
    const struct probe *probe = &attachment->probe;

    return probe->kind->core != NULL ? probe->kind->core(probe->self) : CORE_UNKNOWN;
}

const char *attach_silence(struct attachment *attachment)
{
    const struct event_stream_ports ports = attach_ports(attachment);
    struct target_state target = {.wants_core = true};
    struct error unused;

    if (ports.check(ports.self, &target, &unused) != TXTAP_OK)
        return NULL;
    if (!target.enabled)
        return "the firmware switched its trace off";
    return core_state_text(target.core);
}
