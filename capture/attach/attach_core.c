/* SPDX-License-Identifier: MIT */
/* Whether the core runs, and why a target is silent. Only asks; decides nothing about reading. */
#include "attach/attach_core.h"

#include <string.h>

/* OpenOCD's words. A core that sleeps is running; unknown says nothing. */
enum follow_core attach_core(const struct attachment *attachment)
{
    static const struct {
        const char *state;
        enum follow_core core;
    } words[] = {
        {"running", FOLLOW_CORE_RUNS},
        {"debug-running", FOLLOW_CORE_RUNS},
        {"halted", FOLLOW_CORE_HALTED},
        {"reset", FOLLOW_CORE_IN_RESET},
    };
    char state[TCL_TARGET_STATE_BYTES];

    /* Which of several targets a GDB port serves is not known here. */
    if (attachment->gdb != NULL && attachment->tcl != NULL && *tcl_targets(attachment->tcl) != '\0')
        return FOLLOW_CORE_UNKNOWN;
    if (attachment->tcl == NULL || tcl_target_state(attachment->tcl, state) != TXTAP_OK)
        return FOLLOW_CORE_UNKNOWN;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(state, words[i].state) == 0)
            return words[i].core;
    return FOLLOW_CORE_UNKNOWN;
}

const char *attach_silence(struct attachment *attachment)
{
    const struct follow_ports ports = attach_ports(attachment);
    struct follow_signs signs = {.wants_core = true};
    char unused[ERROR_TEXT_BYTES];

    if (ports.look(ports.self, &signs, unused) != TXTAP_OK)
        return NULL;
    if (!signs.enabled)
        return "the firmware switched its trace off";
    return follow_core_text(signs.core);
}
