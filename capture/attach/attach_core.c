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
    const struct follow_ports ports = attach_ports(attachment);
    struct follow_signs signs = {.wants_core = true};
    struct error unused;

    if (ports.look(ports.self, &signs, &unused) != TXTAP_OK)
        return NULL;
    if (!signs.enabled)
        return "the firmware switched its trace off";
    return follow_core_text(signs.core);
}
