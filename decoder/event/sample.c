/* SPDX-License-Identifier: MIT */
/* Values of samples as numbers and as text, and the list of channels. */
#include "txtap/sample.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static double float_of(uint64_t bits)
{
    double number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

uint64_t txtap_sample_bits(double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static bool is_signed(enum txtap_channel_form form)
{
    return form == TXTAP_FORM_SIGNED || form == TXTAP_FORM_STATE;
}

double txtap_sample_number(const struct txtap_sample *sample)
{
    if (sample->channel->form == TXTAP_FORM_FLOAT)
        return float_of(sample->bits);
    return is_signed(sample->channel->form) ? (double)(int64_t)sample->bits : (double)sample->bits;
}

const char *txtap_sample_word(const struct txtap_sample *sample)
{
    const struct txtap_channel *channel = sample->channel;
    int64_t number = (int64_t)sample->bits;
    size_t low = 0, high = channel->form == TXTAP_FORM_STATE ? channel->word_count : 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (channel->words[middle].number == number)
            return channel->words[middle].text;
        if (channel->words[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Writes a number with enough digits that different numbers of the variable's type look different. */
static int float_text(double number, char text[TXTAP_SAMPLE_VALUE_BYTES])
{
    if (isnan(number))
        return snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "nan");
    if (isinf(number))
        return snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "%s", number < 0 ? "-inf" : "inf");
    return snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "%.*g", (double)(float)number == number ? 9 : 17, number);
}

size_t txtap_sample_value_text(const struct txtap_sample *sample, char text[TXTAP_SAMPLE_VALUE_BYTES])
{
    const struct txtap_channel *channel = sample->channel;
    const char *word = txtap_sample_word(sample);
    int length;

    if (channel->kind == TXTAP_CHANNEL_LOG)
        length = snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "%s", "");
    else if (sample->state == TXTAP_SAMPLE_ASLEEP)
        length = snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "asleep");
    else if (sample->state != TXTAP_SAMPLE_VALID)
        length = snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "?");
    else if (word != NULL)
        length = snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "%s", word);
    else if (channel->form == TXTAP_FORM_FLOAT)
        length = float_text(float_of(sample->bits), text);
    else if (channel->form == TXTAP_FORM_BOOL && sample->bits <= 1)
        length = snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "%s", sample->bits != 0 ? "true" : "false");
    else if (channel->form == TXTAP_FORM_ADDRESS)
        length = snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "0x%08" PRIx64, sample->bits);
    else if (is_signed(channel->form))
        length = snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "%" PRId64, (int64_t)sample->bits);
    else
        length = snprintf(text, TXTAP_SAMPLE_VALUE_BYTES, "%" PRIu64, sample->bits);
    return (size_t)length;
}

/* ---- channels ---- */

/* Returns true if the text is NUL-terminated within `size` bytes, valid UTF-8, and no format has to escape it. */
static bool is_clean(const char *text, size_t size)
{
    if (memchr(text, '\0', size) == NULL)
        return false;
    while (*text != '\0') {
        size_t length = utf8_length(text);
        unsigned char first = (unsigned char)*text;

        if (length == 0 || first < 0x20 || first == 0x7f || first == '"' || first == '\\')
            return false;
        if (length == 2 && first == 0xc2 && (unsigned char)text[1] < 0xa0)
            return false; /* a control character, U+0080 to U+009F */
        text += length;
    }
    return true;
}

static bool is_valid(const struct txtap_channel *channel)
{
    if (channel->number >= TXTAP_CHANNELS_MAX || (unsigned)channel->kind >= TXTAP_CHANNEL_KINDS ||
        (unsigned)channel->form >= TXTAP_FORMS || channel->word_count > TXTAP_CHANNEL_WORDS_MAX ||
        channel->name[0] == '\0' || !is_clean(channel->name, sizeof channel->name) ||
        !is_clean(channel->unit, sizeof channel->unit))
        return false;
    for (uint32_t i = 0; i < channel->word_count; i++)
        if (!is_clean(channel->words[i].text, sizeof channel->words[i].text) ||
            (i > 0 && channel->words[i - 1].number >= channel->words[i].number))
            return false;
    return true;
}

static bool is_same(const struct txtap_channel *a, const struct txtap_channel *b)
{
    if (a->number != b->number || a->kind != b->kind || a->form != b->form || a->word_count != b->word_count ||
        strcmp(a->name, b->name) != 0 || strcmp(a->unit, b->unit) != 0)
        return false;
    for (uint32_t i = 0; i < a->word_count; i++)
        if (a->words[i].number != b->words[i].number || strcmp(a->words[i].text, b->words[i].text) != 0)
            return false;
    return true;
}

const struct txtap_channel *txtap_channels_find(const struct txtap_channels *channels, uint32_t number)
{
    for (size_t i = 0; i < channels->count; i++)
        if (channels->at[i].number == number)
            return &channels->at[i];
    return NULL;
}

const struct txtap_channel *txtap_channels_add(struct txtap_channels *channels, const struct txtap_channel *channel)
{
    struct txtap_channel *added;

    if (!is_valid(channel))
        return NULL;
    for (size_t i = 0; i < channels->count; i++) {
        const struct txtap_channel *other = &channels->at[i];

        if (other->number == channel->number || strcmp(other->name, channel->name) == 0)
            return is_same(other, channel) ? other : NULL;
    }
    if (channels->count == TXTAP_CHANNELS_MAX || TXTAP_CHANNELS_WORDS_MAX - channels->word_count < channel->word_count)
        return NULL;
    added = &channels->at[channels->count++];
    *added = *channel;
    added->words = channels->words + channels->word_count;
    if (channel->word_count > 0)
        memcpy(channels->words + channels->word_count, channel->words, channel->word_count * sizeof *channel->words);
    channels->word_count += channel->word_count;
    return added;
}
