/* SPDX-License-Identifier: MIT */
/* Reads the stacks after the last event, because a deeper use may come until then. */
#include "command/final_stacks.h"

#include <stdlib.h>

#include "base/runtime.h"

#define LIMIT_US 3000000 /* a slow probe reads 30 stacks of 1 kB in this time; --timeout may be longer */

void final_stacks_read(struct kernel_stacks *stacks, const struct run_loop *loop)
{
    const struct attachment *attachment = loop->attachment;
    const struct locate_wish *wished = &attachment->config.ring.wished;
    const uint64_t timeout_us = (uint64_t)attachment->config.probe.timeout_ms * 1000;
    const uint64_t limit_us = timeout_us > LIMIT_US ? timeout_us : LIMIT_US, left = stop_grace_left_us();

    stacks->count = 0;
    /* Where the reads stop the target, it would stop for long. */
    if (!attachment->live || attachment->firmware.firmware == FIRMWARE_OTHER || attachment->config.probe.gdb.intrusive)
        return;
    /* After Ctrl-C half of the time that is left: the other half is for the files. */
    kernel_stacks_read(stacks, attachment->source, attachment->elf, wished->ram, wished->ram_count,
                       left / 2 < limit_us ? left / 2 : limit_us);
}

char *final_stacks_text(const struct run_loop *loop)
{
    struct kernel_stacks *stacks = malloc(sizeof *stacks);
    char *text = malloc(TXTAP_STACKS_TEXT_BYTES);

    if (stacks != NULL && text != NULL) {
        final_stacks_read(stacks, loop);
        if (txtap_stacks_put(text, stacks->list, stacks->count) > 0) {
            free(stacks);
            return text;
        }
    }
    free(stacks);
    free(text);
    return NULL;
}
