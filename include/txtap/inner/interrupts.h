/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Names of interrupts. Firmware may record any number for an interrupt: the number of its exception, that number minus
 * 16, or a number of its own. A wrong name is worse than a number. So handlers in the vector table give names only if
 * the definitions tell the meaning of the numbers, or if exactly one of the two meanings fits all numbers seen: a
 * meaning fits if each number means an exception with a handler of its own.
 */
#ifndef TXTAP_INNER_INTERRUPTS_H
#define TXTAP_INNER_INTERRUPTS_H

#include "txtap/definitions.h"
#include "txtap/event.h"

/* Starts without numbers. definitions: borrowed; may be NULL. */
void txtap_interrupts_init(struct txtap_interrupts *interrupts, const struct txtap_definitions *definitions);

/* Takes a number that the trace contains. UINT32_MAX: a number that is not known, without effect. */
void txtap_interrupts_see(struct txtap_interrupts *interrupts, uint32_t number);

/* Returns the name of the interrupt with this number, which must have been seen. NULL: the name is not known. */
const char *txtap_interrupts_name(const struct txtap_interrupts *interrupts, uint32_t number);

/* Sets *number to the number of the interrupt that a ThreadX event enters or leaves. False: another event. */
bool txtap_interrupts_number(const struct txtap_event *event, uint32_t *number);

/* Takes the number of the interrupt that a ThreadX event enters or leaves, and returns its name. NULL: the name is not
 * known, or it is another event. */
const char *txtap_interrupts_event(struct txtap_interrupts *interrupts, const struct txtap_event *event);

/*
 * The same for an event with the row `info`, or NULL. A definition may give the event's words another meaning. Then the
 * event has no interrupt.
 */
static inline const char *txtap_interrupts_shown(struct txtap_interrupts *interrupts, const struct txtap_event *event,
                                                 const struct txtap_event_info *info)
{
    return info != NULL && info->definition == NULL ? txtap_interrupts_event(interrupts, event) : NULL;
}

#endif
