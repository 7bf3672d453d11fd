/* SPDX-License-Identifier: MIT */
/* Writes the description at the start of each file. The rate gets better while the target runs, so it is also written
 * later. */
#include "record/description.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/functions.h"
#include "txtap/inner/recording.h"

#define MEANING_HEAD_BYTES 12u /* the numbers before the text in a block of type MEANING */

_Static_assert(DESCRIPTION_FUNCTIONS_BYTES + MEANING_HEAD_BYTES <= TXTAP_RECORDING_PAYLOAD_MAX, "one block is enough");

static enum txtap_status add(struct description *description, enum txtap_recording_type type, size_t length, bool hold)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = description->payload, .stored_bytes = length, .bytes = length};

    return block_file_add(description->file, &block, 0, hold, description->error);
}

/* ---- the rate ---- */

void description_set_rate(struct description *description, const struct txtap_rate *rate)
{
    if (rate->how != TXTAP_RATE_UNKNOWN)
        description->rate = *rate;
}

bool description_has_news(const struct description *description)
{
    const struct txtap_rate *rate = &description->rate, *written = &description->written;

    if (rate->how == TXTAP_RATE_UNKNOWN)
        return false;
    if (rate->how == TXTAP_RATE_MEASURED && (written->hz < rate->low || written->hz > rate->high))
        return true;
    return written->how != rate->how || (rate->high - rate->low) < (written->high - written->low) / 2;
}

static bool same_rate(const struct txtap_rate *a, const struct txtap_rate *b)
{
    return a->how == b->how && a->hz == b->hz && a->low == b->low && a->high == b->high;
}

enum txtap_status description_add_rate(struct description *description, bool hold)
{
    if (description->rate.how == TXTAP_RATE_UNKNOWN || same_rate(&description->rate, &description->written))
        return TXTAP_OK;
    description->written = description->rate;
    return add(description, TXTAP_RECORDING_RATE, txtap_recording_put_rate(description->payload, &description->rate),
               hold);
}

size_t description_rate_bytes(const struct description *description)
{
    return description->rate.how != TXTAP_RATE_UNKNOWN ? DESCRIPTION_RATE_BYTES : 0;
}

/* ---- functions ---- */

/* Adds a line with a function, unless the text has the line or has no room. Returns true if the line is new. */
static bool add_function(struct description *description, uint32_t address, const char *name)
{
    char line[TXTAP_DEFINITION_NAME_MAX + 32];
    size_t length = (size_t)snprintf(line, sizeof line, "function 0x%08" PRIx32 " \"%s\"\n", address, name);

    if (strstr(description->functions, line) != NULL ||
        description->functions_length + length >= sizeof description->functions)
        return false;
    memcpy(description->functions + description->functions_length, line, length + 1);
    description->functions_length += length;
    return true;
}

bool description_learn_pc(struct description *description, const struct txtap_definitions *definitions,
                          const struct txtap_sample *sample)
{
    const struct txtap_word *function = NULL;
    size_t place;

    if (sample->channel->kind == TXTAP_CHANNEL_PC && sample->state == TXTAP_SAMPLE_VALID)
        function = txtap_function_before(definitions, (uint32_t)sample->bits);
    if (function == NULL)
        return false;
    place = (size_t)(function - definitions->functions);
    if ((description->sampled[place / 8] >> place % 8 & 1) != 0)
        return false;
    description->sampled[place / 8] |= (uint8_t)(1u << place % 8);
    return add_function(description, function->number, function->word);
}

/* The block has the whole text, so that a reader needs only the last of these blocks. */
bool description_learn_functions(struct description *description, const struct txtap_definitions *definitions,
                                 const struct txtap_event *event, const struct txtap_event_info *info)
{
    bool any = false;

    for (size_t i = 0; i < 4; i++) {
        const char *name = txtap_function_of(definitions, event, info, i);

        if (name != NULL && add_function(description, event->info[i], name))
            any = true;
    }
    return any;
}

size_t description_functions_bytes(const struct description *description)
{
    return description->functions_length > 0
               ? TXTAP_RECORDING_BLOCK_BYTES + MEANING_HEAD_BYTES + description->functions_length
               : 0;
}

enum txtap_status description_add_functions(struct description *description)
{
    size_t at = 0, length;

    if (description->functions_length == 0)
        return TXTAP_OK;
    length = txtap_recording_put_meaning(description->payload, false, description->functions,
                                         description->functions_length, &at);
    return add(description, TXTAP_RECORDING_MEANING, length, true);
}

/* ---- stacks ---- */

size_t description_stacks_bytes(const struct description *description)
{
    size_t length = description->stacks != NULL ? strlen(description->stacks) : 0;

    return length > 0 ? TXTAP_RECORDING_BLOCK_BYTES + length + 1 : 0;
}

enum txtap_status description_add_stacks(struct description *description)
{
    if (description_stacks_bytes(description) == 0)
        return TXTAP_OK;
    return add(description, TXTAP_RECORDING_STACKS,
               txtap_recording_put_stacks(description->payload, description->stacks), false);
}

/* ---- all ---- */

/* Adds a block to the start of the file. */
static enum txtap_status add_first(struct description *description, enum txtap_recording_type type, size_t length)
{
    description->bytes += TXTAP_RECORDING_BLOCK_BYTES + length;
    return add(description, type, length, true);
}

static enum txtap_status add_text(struct description *description, const struct identity_text *text)
{
    enum txtap_status status = TXTAP_OK;

    if (text->length > TXTAP_RECORDING_MEANING_MAX) /* the command warns */
        return TXTAP_OK;
    for (size_t at = 0; at < text->length && status == TXTAP_OK;)
        status =
            add_first(description, TXTAP_RECORDING_MEANING,
                      txtap_recording_put_meaning(description->payload, text->of_user, text->text, text->length, &at));
    return status;
}

enum txtap_status description_begin(struct description *description)
{
    const struct identity *identity = description->identity;
    enum txtap_status status;

    description->bytes = 0;
    description->written = (struct txtap_rate){.how = TXTAP_RATE_UNKNOWN};
    status = description_add_rate(description, true);
    if (status == TXTAP_OK && identity != NULL && identity->about != NULL)
        status = add_first(description, TXTAP_RECORDING_ABOUT,
                           txtap_recording_put_about(description->payload, identity->about));
    for (size_t i = 0; identity != NULL && i < identity->text_count && status == TXTAP_OK; i++)
        status = add_text(description, &identity->texts[i]);
    return status == TXTAP_OK ? description_add_functions(description) : status;
}
