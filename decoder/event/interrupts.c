/* SPDX-License-Identifier: MIT */
/* Finds the names of interrupts from the definitions, and from the numbers that a trace contains. */
#include "txtap/inner/interrupts.h"

/* common/inc/tx_trace.h */
#define TX_TRACE_ISR_ENTER 3u
#define TX_TRACE_ISR_EXIT  4u

#define NUMBER_UNKNOWN UINT32_MAX /* the firmware does not record the number */

#define FIRST_IRQ 16u /* exception number of interrupt 0 of a Cortex-M */

void txtap_interrupts_init(struct txtap_interrupts *interrupts, const struct txtap_definitions *definitions)
{
    *interrupts = (struct txtap_interrupts){.definitions = definitions};
}

/* Returns the name that a line "interrupt" gives to the number; NULL: no such line. */
static const char *given_name(const struct txtap_definitions *definitions, uint32_t number)
{
    for (size_t i = 0; i < definitions->interrupt_count; i++) {
        if (definitions->interrupts[i].number == number)
            return definitions->interrupts[i].word;
    }
    return NULL;
}

static const char *handler_of(const struct txtap_definitions *definitions, uint32_t exception)
{
    return exception < TXTAP_DEFINITION_VECTORS_MAX ? definitions->vectors[exception] : NULL;
}

void txtap_interrupts_see(struct txtap_interrupts *interrupts, uint32_t number)
{
    const struct txtap_definitions *definitions = interrupts->definitions;

    if (definitions == NULL || number == NUMBER_UNKNOWN || given_name(definitions, number) != NULL)
        return;
    interrupts->seen = true;
    interrupts->no_exception = interrupts->no_exception || handler_of(definitions, number) == NULL;
    interrupts->no_irq = interrupts->no_irq || handler_of(definitions, number + FIRST_IRQ) == NULL;
}

/* Returns the meaning of the numbers: from the definitions, or the only meaning that fits all numbers. */
static enum txtap_interrupt_numbers meaning_of(const struct txtap_interrupts *interrupts)
{
    if (interrupts->definitions->numbers != TXTAP_INTERRUPTS_UNKNOWN)
        return interrupts->definitions->numbers;
    if (!interrupts->seen || interrupts->no_exception == interrupts->no_irq)
        return TXTAP_INTERRUPTS_UNKNOWN;
    return interrupts->no_irq ? TXTAP_INTERRUPTS_EXCEPTION : TXTAP_INTERRUPTS_IRQ;
}

const char *txtap_interrupts_name(const struct txtap_interrupts *interrupts, uint32_t number)
{
    const struct txtap_definitions *definitions = interrupts->definitions;
    const char *name = definitions != NULL ? given_name(definitions, number) : NULL;

    if (definitions == NULL || name != NULL || number == NUMBER_UNKNOWN)
        return name;
    switch (meaning_of(interrupts)) {
    case TXTAP_INTERRUPTS_EXCEPTION:
        return handler_of(definitions, number);
    case TXTAP_INTERRUPTS_IRQ:
        return handler_of(definitions, number + FIRST_IRQ);
    case TXTAP_INTERRUPTS_UNKNOWN:
        break;
    }
    return NULL;
}

bool txtap_interrupts_number(const struct txtap_event *event, uint32_t *number)
{
    if (event->event_class != 0 || (event->id != TX_TRACE_ISR_ENTER && event->id != TX_TRACE_ISR_EXIT))
        return false;
    *number = event->info[1];
    return true;
}

const char *txtap_interrupts_event(struct txtap_interrupts *interrupts, const struct txtap_event *event)
{
    uint32_t number;

    if (interrupts->definitions == NULL || !txtap_interrupts_number(event, &number))
        return NULL;
    txtap_interrupts_see(interrupts, number);
    return txtap_interrupts_name(interrupts, number);
}
