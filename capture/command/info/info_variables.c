/* SPDX-License-Identifier: MIT */
/* Prints how variables were found in the ELF file. */
#include "command/info/info_variables.h"

#include <inttypes.h>
#include <stdio.h>

#include "output/report.h"
#include "variables/variable_guest.h"

static void print(const struct read_variable *read)
{
    static const char *const forms[TXTAP_FORMS] = {"unsigned", "signed", "float", "bool", "address", "enum"};
    const struct variable *variable = &read->variable;
    char through[64] = "", part[64];

    if (variable->follows)
        snprintf(through, sizeof through, " -> +%" PRIu32, variable->offset);
    if (variable->bits == 8 * variable->bytes)
        snprintf(part, sizeof part, "%" PRIu32 " byte%s", variable->bytes, plural(variable->bytes));
    else
        snprintf(part, sizeof part, "%u bit%s", variable->bits, plural(variable->bits));
    printf("  %-28s 0x%08" PRIx32 "%s, %s, %s, at most %.6g/s\n", read->channel->name, variable->address, through, part,
           forms[variable->form], 1e6 / (double)read->period_us);
}

void info_variables_print(const struct guests *guests)
{
    const struct variable_guest *guest = guests != NULL ? variable_guest_of(guests) : NULL;
    struct variable_guest_cost cost;

    if (guest == NULL)
        return;
    cost = variable_guest_cost(guest);
    printf("variables    %zu: %zu read%s of %" PRIu32 " bytes for all\n", guest->count, cost.reads, plural(cost.reads),
           cost.bytes);
    for (size_t i = 0; i < guest->count; i++)
        print(&guest->at[i]);
}
