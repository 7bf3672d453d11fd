/* SPDX-License-Identifier: MIT */
/* Names of functions. The definitions keep them sorted by address. */
#include "txtap/inner/functions.h"

#include <string.h>

#include "event/definitions.h"

#define THUMB 1u /* bit 0 of a pointer to a function of an Arm core */

/* Returns the index of the first function whose address is not lower. */
static size_t place_of(const struct txtap_definitions *definitions, uint32_t address)
{
    size_t low = 0, high = definitions->function_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (definitions->functions[middle].number < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct txtap_definitions *definitions, size_t place, uint32_t address)
{
    return place < definitions->function_count && definitions->functions[place].number == address;
}

enum txtap_status add_function(struct parser *parser, uint32_t address, const char *name)
{
    struct txtap_definitions *definitions = parser->definitions;
    size_t place = place_of(definitions, address & ~THUMB);
    struct txtap_word *function = &definitions->functions[place];

    if (!is_at(definitions, place, address & ~THUMB)) {
        if (definitions->function_count == TXTAP_DEFINITION_FUNCTIONS_MAX)
            return complain(parser, TXTAP_ERROR_SPACE, "too many functions", (struct cursor){name, strlen(name)});
        memmove(function + 1, function, (definitions->function_count - place) * sizeof *function);
        definitions->function_count++;
    }
    *function = (struct txtap_word){address & ~THUMB, name};
    return TXTAP_OK;
}

const char *txtap_function_name(const struct txtap_definitions *definitions, uint32_t address)
{
    size_t place;

    if (definitions == NULL)
        return NULL;
    place = place_of(definitions, address & ~THUMB);
    return is_at(definitions, place, address & ~THUMB) ? definitions->functions[place].word : NULL;
}

const struct txtap_word *txtap_function_before(const struct txtap_definitions *definitions, uint32_t address)
{
    size_t place;

    if (definitions == NULL)
        return NULL;
    place = place_of(definitions, address & ~THUMB);
    place += is_at(definitions, place, address & ~THUMB);
    return place > 0 ? &definitions->functions[place - 1] : NULL;
}

const char *txtap_function_of(const struct txtap_definitions *definitions, const struct txtap_event *event,
                              const struct txtap_event_info *info, size_t i)
{
    if (info == NULL || info->field[i].kind != TXTAP_FIELD_FUNCTION || event->info[i] == 0)
        return NULL;
    return txtap_function_name(definitions, event->info[i]);
}
