/* SPDX-License-Identifier: MIT */
/*
 * Builds the parts of a recording in the caller's memory. These functions know the layout, but neither files nor the
 * time.
 */
#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "txtap/inner/crc32.h"
#include "file/recording_layout.h"
#include "txtap/inner/ctf_layout.h"
#include "txtap/inner/recording.h"
#include "txtap/inner/header.h"

void txtap_recording_put_head(uint8_t out[TXTAP_RECORDING_HEAD_BYTES], uint32_t version)
{
    uint8_t *at = out;

    memcpy(at, RECORDING_MAGIC, RECORDING_MAGIC_BYTES);
    at = put_u32(at + RECORDING_MAGIC_BYTES, TXTAP_LITTLE, version);
    (void)put_u32(at, TXTAP_LITTLE, txtap_crc32(0, out, TXTAP_RECORDING_HEAD_BYTES - 4));
}

static uint8_t *put_text(uint8_t *at, const char *text)
{
    size_t length = strnlen(text, TXTAP_RECORDING_TEXT_MAX - 1);

    memcpy(at, text, length);
    return put_u8(at + length, 0);
}

size_t txtap_recording_put_buffer(uint8_t *payload, const struct txtap_header *header, uint64_t unix_us,
                                  const char *name)
{
    uint8_t *at = payload;

    txtap_header_build(header, at);
    at = put_u64(at + TXTB_HEADER_BYTES, TXTAP_LITTLE, unix_us);
    return (size_t)(put_text(at, name) - payload);
}

size_t txtap_recording_put_file(uint8_t *payload, const struct txtap_recording_file *file)
{
    uint8_t *at = put_u64(payload, TXTAP_LITTLE, file->id);

    at = put_u32(at, TXTAP_LITTLE, file->number);
    at = put_u32(at, TXTAP_LITTLE, file->kept);
    at = put_u64(at, TXTAP_LITTLE, file->events);
    at = put_u64(at, TXTAP_LITTLE, file->seq);
    at = put_u32(at, TXTAP_LITTLE, file->doubts);
    return (size_t)(at - payload);
}

size_t txtap_recording_put_objects(uint8_t *payload, bool fresh)
{
    return (size_t)(put_u32(payload, TXTAP_LITTLE, fresh) - payload);
}

static uint8_t flags_of(const struct txtap_object *object)
{
    return (uint8_t)(RECORDING_OBJECT_TIMED | (object->live ? RECORDING_OBJECT_LIVE : 0) |
                     (object->deleted ? RECORDING_OBJECT_DELETED : 0) |
                     (object->created ? RECORDING_OBJECT_CREATED : 0));
}

/*
 * Returns the number of events that refer to the object. A number that does not fit into 32 bits is reduced to the
 * maximum. Events after this maximum then show the object's address instead of its name.
 */
static uint32_t events_of(const struct txtap_object *object)
{
    uint64_t events = object->until_seq - object->from_seq;

    if (object->until_seq == 0)
        return RECORDING_OBJECT_OPEN;
    return events < RECORDING_OBJECT_OPEN ? (uint32_t)events : RECORDING_OBJECT_OPEN - 1;
}

static size_t name_length(const struct txtap_object *object)
{
    return strnlen(object->name, TXTAP_OBJECT_NAME_BYTES - 1);
}

size_t txtap_recording_object_bytes(const struct txtap_object *object)
{
    return RECORDING_OBJECT_BYTES + name_length(object);
}

bool txtap_recording_add_object(uint8_t *payload, size_t *length, const struct txtap_object *object)
{
    size_t name = name_length(object);
    uint8_t *at = payload + *length;

    if (*length + txtap_recording_object_bytes(object) > TXTAP_RECORDING_PAYLOAD_MAX)
        return false;
    at = put_u32(at, TXTAP_LITTLE, object->pointer);
    at = put_u32(at, TXTAP_LITTLE, object->parameter[0]);
    at = put_u32(at, TXTAP_LITTLE, object->parameter[1]);
    at = put_u8(at, object->type);
    at = put_u8(at, object->reserved[0]);
    at = put_u8(at, object->reserved[1]);
    at = put_u8(at, flags_of(object));
    at = put_u32(at, TXTAP_LITTLE, events_of(object));
    at = put_u64(at, TXTAP_LITTLE, object->from_seq);
    at = put_u8(at, (uint8_t)name);
    memcpy(at, object->name, name);
    *length += txtap_recording_object_bytes(object);
    return true;
}

size_t txtap_recording_put_events(uint8_t *payload, uint64_t seq, uint64_t ticks, uint64_t unix_us, uint32_t span_us,
                                  uint32_t count)
{
    uint8_t *at = payload;

    assert(count > 0 && count <= TXTAP_RECORDING_EVENTS_MAX);
    at = put_u64(at, TXTAP_LITTLE, seq);
    at = put_u64(at, TXTAP_LITTLE, ticks);
    at = put_u64(at, TXTAP_LITTLE, unix_us);
    at = put_u32(at, TXTAP_LITTLE, span_us);
    (void)put_u32(at, TXTAP_LITTLE, count);
    return TXTAP_RECORDING_EVENTS_HEAD + (size_t)count * TXTB_ENTRY_BYTES;
}

size_t txtap_recording_put_words(uint8_t *payload, const uint8_t *counts, uint32_t count, const uint32_t *more,
                                 size_t more_count)
{
    uint8_t *at = put_u32(payload, TXTAP_LITTLE, count);

    assert(count > 0 && count <= TXTAP_RECORDING_EVENTS_MAX);
    assert(TXTAP_RECORDING_WORDS_HEAD + count + 4 * more_count <= TXTAP_RECORDING_PAYLOAD_MAX);
    memcpy(at, counts, count);
    at += count;
    for (size_t i = 0; i < more_count; i++)
        at = put_u32(at, TXTAP_LITTLE, more[i]);
    return (size_t)(at - payload);
}

/* Writes a text and its NUL, which must fit. */
static size_t put_whole_text(uint8_t *payload, const char *text)
{
    size_t length = strlen(text) + 1;

    assert(length <= TXTAP_RECORDING_PAYLOAD_MAX);
    memcpy(payload, text, length);
    return length;
}

size_t txtap_recording_put_definitions(uint8_t *payload, const char *text)
{
    return put_whole_text(payload, text);
}

size_t txtap_recording_put_about(uint8_t *payload, const char *text)
{
    return put_whole_text(payload, text);
}

size_t txtap_recording_put_stacks(uint8_t *payload, const char *text)
{
    return put_whole_text(payload, text);
}

size_t txtap_recording_put_gap(uint8_t *payload, const struct txtap_gap *gap)
{
    uint8_t *at = put_u64(payload, TXTAP_LITTLE, gap->seq);

    at = put_u64(at, TXTAP_LITTLE, gap->lost);
    at = put_u32(at, TXTAP_LITTLE, gap->exact);
    at = put_u64(at, TXTAP_LITTLE, gap->estimate);
    return (size_t)(at - payload);
}

size_t txtap_recording_put_mark(uint8_t *payload, const struct txtap_mark *mark)
{
    uint8_t *at = put_u32(payload, TXTAP_LITTLE, (uint32_t)mark->kind);

    at = put_u64(at, TXTAP_LITTLE, mark->seq);
    at = put_u64(at, TXTAP_LITTLE, mark->unix_us);
    return (size_t)(put_text(at, mark->text) - payload);
}

size_t txtap_recording_put_metadata(uint8_t *payload, const char *text, size_t length, size_t *at)
{
    size_t most = TXTAP_RECORDING_PAYLOAD_MAX - RECORDING_METADATA_HEAD;
    size_t part = length - *at < most ? length - *at : most;
    uint8_t *to = put_u32(payload, TXTAP_LITTLE, (uint32_t)length);

    assert(*at < length && length <= TXTAP_CTF_METADATA_MAX);
    to = put_u32(to, TXTAP_LITTLE, (uint32_t)*at);
    memcpy(to, text + *at, part);
    *at += part;
    return RECORDING_METADATA_HEAD + part;
}

static uint8_t *put_hz(uint8_t *at, double hz)
{
    return put_u64(at, TXTAP_LITTLE, (uint64_t)(hz * RECORDING_PER_HZ + 0.5));
}

size_t txtap_recording_put_rate(uint8_t *payload, const struct txtap_rate *rate)
{
    uint8_t *at = put_u32(payload, TXTAP_LITTLE, (uint32_t)rate->how);

    assert(rate->how != TXTAP_RATE_UNKNOWN && rate->hz <= TXTAP_RATE_HZ_MAX && rate->high <= TXTAP_RATE_HZ_MAX);
    at = put_hz(at, rate->hz);
    at = put_hz(at, rate->low);
    return (size_t)(put_hz(at, rate->high) - payload);
}

size_t txtap_recording_put_meaning(uint8_t *payload, bool of_user, const char *text, size_t length, size_t *at)
{
    size_t most = TXTAP_RECORDING_PAYLOAD_MAX - RECORDING_MEANING_HEAD;
    size_t part = length - *at < most ? length - *at : most;
    uint8_t *to = put_u32(payload, TXTAP_LITTLE, of_user);

    assert(*at < length && length <= TXTAP_RECORDING_MEANING_MAX);
    to = put_u32(to, TXTAP_LITTLE, (uint32_t)length);
    to = put_u32(to, TXTAP_LITTLE, (uint32_t)*at);
    memcpy(to, text + *at, part);
    *at += part;
    return RECORDING_MEANING_HEAD + part;
}

/* Writes a text that has at most size - 1 bytes before its NUL. */
static uint8_t *put_short_text(uint8_t *at, const char *text, size_t size)
{
    size_t length = strnlen(text, size - 1);

    memcpy(at, text, length);
    return put_u8(at + length, 0);
}

size_t txtap_recording_put_channel(uint8_t *payload, const struct txtap_channel *channel)
{
    uint8_t *at = put_u32(payload, TXTAP_LITTLE, channel->number);

    assert(channel->word_count <= TXTAP_CHANNEL_WORDS_MAX);
    at = put_u32(at, TXTAP_LITTLE, (uint32_t)channel->kind);
    at = put_u32(at, TXTAP_LITTLE, (uint32_t)channel->form);
    at = put_u32(at, TXTAP_LITTLE, channel->word_count);
    at = put_short_text(at, channel->name, sizeof channel->name);
    at = put_short_text(at, channel->unit, sizeof channel->unit);
    for (uint32_t i = 0; i < channel->word_count; i++) {
        at = put_u64(at, TXTAP_LITTLE, (uint64_t)channel->words[i].number);
        at = put_short_text(at, channel->words[i].text, sizeof channel->words[i].text);
    }
    return (size_t)(at - payload);
}

size_t txtap_recording_put_samples(uint8_t *payload)
{
    return (size_t)(put_u32(payload, TXTAP_LITTLE, 0) - payload);
}

/* Returns a distance in ticks as it is recorded. A distance of 32 bits or more is unknown. */
static uint32_t distance(uint64_t from, uint64_t to)
{
    return to >= from && to - from < RECORDING_SAMPLE_UNKNOWN ? (uint32_t)(to - from) : RECORDING_SAMPLE_UNKNOWN;
}

size_t txtap_recording_sample_bytes(const struct txtap_sample *sample)
{
    return RECORDING_SAMPLE_BYTES + strnlen(sample->text, TXTAP_SAMPLE_TEXT_BYTES - 1) + 1;
}

bool txtap_recording_add_sample(uint8_t *payload, size_t *length, const struct txtap_sample *sample)
{
    struct bytes count = {payload, 4};
    uint8_t *at = payload + *length;
    uint32_t samples = 0;

    if (*length + txtap_recording_sample_bytes(sample) > TXTAP_RECORDING_PAYLOAD_MAX)
        return false;
    at = put_u16(at, TXTAP_LITTLE, (uint16_t)sample->channel->number);
    at = put_u16(at, TXTAP_LITTLE, (uint16_t)sample->state);
    at = put_u64(at, TXTAP_LITTLE, sample->seq);
    at = put_u64(at, TXTAP_LITTLE, sample->ticks);
    at = put_u32(at, TXTAP_LITTLE, distance(sample->from_ticks, sample->ticks));
    at = put_u32(at, TXTAP_LITTLE, distance(sample->ticks, sample->to_ticks));
    at = put_u64(at, TXTAP_LITTLE, sample->unix_us);
    at = put_u64(at, TXTAP_LITTLE, sample->bits);
    at = put_u32(at, TXTAP_LITTLE, sample->thread);
    at = put_short_text(at, sample->text, TXTAP_SAMPLE_TEXT_BYTES);
    *length = (size_t)(at - payload);
    (void)bytes_take_u32(&count, TXTAP_LITTLE, &samples);
    (void)put_u32(payload, TXTAP_LITTLE, samples + 1);
    return true;
}

size_t txtap_recording_put_ctf(uint8_t *payload, bool another, uint64_t seq, uint64_t ticks)
{
    uint8_t *at = put_u32(payload, TXTAP_LITTLE, another);

    at = put_u64(at, TXTAP_LITTLE, seq);
    at = put_u64(at, TXTAP_LITTLE, ticks);
    return (size_t)(at - payload);
}

size_t txtap_recording_put_end(uint8_t *payload, enum txtap_recording_why why, uint64_t events, uint64_t unix_us)
{
    uint8_t *at = put_u32(payload, TXTAP_LITTLE, (uint32_t)why);

    at = put_u64(at, TXTAP_LITTLE, events);
    at = put_u64(at, TXTAP_LITTLE, unix_us);
    return (size_t)(at - payload);
}

void txtap_recording_seal(uint8_t out[TXTAP_RECORDING_BLOCK_BYTES], const struct txtap_recording_block *block,
                          uint32_t number)
{
    uint8_t *at = out;

    assert(block->stored_bytes <= TXTAP_RECORDING_PAYLOAD_MAX && block->bytes <= TXTAP_RECORDING_PAYLOAD_MAX);
    at = put_u16(at, TXTAP_LITTLE, (uint16_t)block->type);
    at = put_u16(at, TXTAP_LITTLE, block->compressed ? RECORDING_FLAG_ZSTD : 0);
    at = put_u32(at, TXTAP_LITTLE, (uint32_t)block->stored_bytes);
    at = put_u32(at, TXTAP_LITTLE, (uint32_t)block->bytes);
    at = put_u32(at, TXTAP_LITTLE, number);
    (void)put_u32(
        at, TXTAP_LITTLE,
        txtap_crc32(txtap_crc32(0, out, TXTAP_RECORDING_BLOCK_BYTES - 4), block->stored, block->stored_bytes));
}
