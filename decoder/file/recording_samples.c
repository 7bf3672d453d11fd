/* SPDX-License-Identifier: MIT */
/* Reads the blocks of channels and samples in a recording. */
#include "file/recording_samples.h"

#include <string.h>

#include "file/recording_layout.h"

/* Takes a text with its NUL; the text has less than `size` bytes and no line feed. NULL: the bytes have no such text.
 */
static const char *take_short_text(struct bytes *bytes, size_t size)
{
    const char *text = (const char *)bytes->at;
    const uint8_t *end = memchr(bytes->at, 0, bytes->left < size ? bytes->left : size);

    if (end == NULL || memchr(bytes->at, '\n', (size_t)(end - bytes->at)) != NULL)
        return NULL;
    (void)bytes_skip(bytes, (size_t)(end - bytes->at) + 1);
    return text;
}

/* Takes the number and the text of a word. */
static bool take_word(struct bytes *bytes, struct txtap_channel_word *word)
{
    uint64_t number = 0;
    const char *text;

    if (!bytes_take_u64(bytes, TXTAP_LITTLE, &number))
        return false;
    text = take_short_text(bytes, sizeof word->text);
    if (text == NULL)
        return false;
    word->number = (int64_t)number;
    memcpy(word->text, text, strlen(text) + 1);
    return true;
}

bool take_channel(struct bytes *bytes, struct txtap_recording_item *item)
{
    struct txtap_channel *channel = &item->channel;
    uint32_t kind = 0, form = 0;
    struct txtap_channel_word word;
    const char *name, *unit;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &channel->number) || !bytes_take_u32(bytes, TXTAP_LITTLE, &kind) ||
        !bytes_take_u32(bytes, TXTAP_LITTLE, &form) || !bytes_take_u32(bytes, TXTAP_LITTLE, &channel->word_count))
        return false;
    name = take_short_text(bytes, sizeof channel->name);
    unit = name != NULL ? take_short_text(bytes, sizeof channel->unit) : NULL;
    if (unit == NULL || channel->number >= TXTAP_CHANNELS_MAX || kind >= TXTAP_CHANNEL_KINDS || form >= TXTAP_FORMS ||
        channel->word_count > TXTAP_CHANNEL_WORDS_MAX)
        return false;
    channel->kind = (enum txtap_channel_kind)kind;
    channel->form = (enum txtap_channel_form)form;
    memcpy(channel->name, name, strlen(name) + 1);
    memcpy(channel->unit, unit, strlen(unit) + 1);
    item->bytes = bytes->at;
    item->length = bytes->left;
    for (uint32_t i = 0; i < channel->word_count; i++)
        if (!take_word(bytes, &word))
            return false;
    return true;
}

const struct txtap_channel *txtap_recording_channel(const struct txtap_recording_item *item,
                                                    struct txtap_channels *channels)
{
    struct bytes bytes = {item->bytes, item->length};
    struct txtap_channel channel = item->channel;
    struct txtap_channel_word *words = channels->words + channels->word_count;

    if (TXTAP_CHANNELS_WORDS_MAX - channels->word_count < channel.word_count)
        return NULL;
    for (uint32_t i = 0; i < channel.word_count; i++)
        if (!take_word(&bytes, &words[i]))
            return NULL;
    channel.words = words;
    return txtap_channels_add(channels, &channel);
}

/* ---- samples ---- */

/* Takes a sample, and the number of its channel. */
static bool take_sample(struct bytes *bytes, uint16_t *channel, struct txtap_sample *sample)
{
    uint16_t state = 0;
    uint32_t before = 0, after = 0;

    memset(sample, 0, sizeof *sample);
    if (!bytes_take_u16(bytes, TXTAP_LITTLE, channel) || !bytes_take_u16(bytes, TXTAP_LITTLE, &state) ||
        !bytes_take_u64(bytes, TXTAP_LITTLE, &sample->seq) || !bytes_take_u64(bytes, TXTAP_LITTLE, &sample->ticks) ||
        !bytes_take_u32(bytes, TXTAP_LITTLE, &before) || !bytes_take_u32(bytes, TXTAP_LITTLE, &after) ||
        !bytes_take_u64(bytes, TXTAP_LITTLE, &sample->unix_us) || !bytes_take_u64(bytes, TXTAP_LITTLE, &sample->bits) ||
        !bytes_take_u32(bytes, TXTAP_LITTLE, &sample->thread))
        return false;
    sample->text = take_short_text(bytes, TXTAP_SAMPLE_TEXT_BYTES);
    sample->state = (enum txtap_sample_state)state;
    if (sample->text == NULL || state >= TXTAP_SAMPLE_STATES || *channel >= TXTAP_CHANNELS_MAX)
        return false;
    if (before != RECORDING_SAMPLE_UNKNOWN && before > sample->ticks)
        return false;
    sample->from_ticks = before != RECORDING_SAMPLE_UNKNOWN ? sample->ticks - before : 0;
    sample->to_ticks =
        after != RECORDING_SAMPLE_UNKNOWN && after <= UINT64_MAX - sample->ticks ? sample->ticks + after : UINT64_MAX;
    return true;
}

bool take_samples(struct bytes *bytes, struct txtap_recording_item *item)
{
    struct txtap_sample sample;
    uint16_t channel;
    uint64_t seq = 0;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &item->count) || item->count == 0)
        return false;
    item->bytes = bytes->at;
    item->length = bytes->left;
    for (uint32_t i = 0; i < item->count; i++) {
        if (!take_sample(bytes, &channel, &sample) || sample.seq < seq)
            return false;
        seq = sample.seq;
    }
    return true;
}

bool txtap_recording_sample(const struct txtap_recording_item *item, size_t *at, const struct txtap_channels *channels,
                            struct txtap_sample *sample)
{
    struct bytes bytes = {item->bytes + *at, item->length - *at};
    uint16_t channel;

    if (bytes.left == 0 || !take_sample(&bytes, &channel, sample))
        return false;
    sample->channel = txtap_channels_find(channels, channel);
    *at = item->length - bytes.left;
    return true;
}
