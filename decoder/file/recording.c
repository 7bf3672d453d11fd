/* SPDX-License-Identifier: MIT */
/*
 * Reads the blocks of recordings. A block is accepted only if its checksum, its number and its place in the order are
 * right. The contents of a block are also checked: a right checksum proves that the block is undamaged, but not that
 * txtap wrote it.
 */
#include "txtap/inner/recording.h"

#include <string.h>

#include "base/bytes.h"
#include "txtap/inner/crc32.h"
#include "file/recording_layout.h"
#include "file/recording_samples.h"
#include "txtap/inner/ctf_layout.h"
#include "txtap/inner/registry.h"
#include "txtap/recording.h"

#define OBJECTS_AT_ONCE 64

static bool has_magic(const uint8_t *bytes, size_t length)
{
    return length >= RECORDING_MAGIC_BYTES && memcmp(bytes, RECORDING_MAGIC, RECORDING_MAGIC_BYTES) == 0;
}

/* Returns true if the head is right, except that the magic bytes may be damaged. */
static bool has_checksum(const uint8_t *bytes)
{
    uint8_t head[TXTAP_RECORDING_HEAD_BYTES];

    for (uint32_t version = TXTAP_RECORDING_VERSION; version <= TXTAP_RECORDING_VERSION_CTF; version++) {
        txtap_recording_put_head(head, version);
        if (memcmp(bytes + RECORDING_MAGIC_BYTES, head + RECORDING_MAGIC_BYTES, sizeof head - RECORDING_MAGIC_BYTES) ==
            0)
            return true;
    }
    return false;
}

/*
 * Returns true if a BUFFER block seems to follow the head. Checks only the head of this block and the first word of the
 * control header in it.
 */
static bool has_buffer(const uint8_t *bytes)
{
    const uint8_t *block = bytes + TXTAP_RECORDING_HEAD_BYTES, *header = block + TXTAP_RECORDING_BLOCK_BYTES;
    uint32_t stored = bytes_u32(block + 4, TXTAP_LITTLE), plain = bytes_u32(block + 8, TXTAP_LITTLE);

    return bytes_u32(block, TXTAP_LITTLE) == TXTAP_RECORDING_BUFFER && bytes_u32(block + 12, TXTAP_LITTLE) == 0 &&
           stored == plain && stored > TXTB_HEADER_BYTES + 8 &&
           stored <= TXTB_HEADER_BYTES + 8 + TXTAP_RECORDING_TEXT_MAX &&
           (bytes_u32(header, TXTAP_LITTLE) == TXTB_ID || bytes_u32(header, TXTAP_BIG) == TXTB_ID);
}

bool txtap_recording_signature(const uint8_t *bytes, size_t length)
{
    if (has_magic(bytes, length))
        return true;
    return length >= TXTAP_RECORDING_KNOWN_BYTES && (has_checksum(bytes) || has_buffer(bytes));
}

enum txtap_status txtap_recording_open(struct txtap_recording *recording,
                                       const uint8_t bytes[TXTAP_RECORDING_HEAD_BYTES])
{
    struct bytes head = {bytes, TXTAP_RECORDING_HEAD_BYTES};
    uint32_t version = 0, crc = 0;

    memset(recording, 0, sizeof(*recording));
    if (!has_magic(bytes, TXTAP_RECORDING_HEAD_BYTES))
        return has_checksum(bytes) ? TXTAP_ERROR_FORMAT : TXTAP_ERROR_SIGNATURE;
    (void)bytes_skip(&head, RECORDING_MAGIC_BYTES);
    (void)bytes_take_u32(&head, TXTAP_LITTLE, &version);
    (void)bytes_take_u32(&head, TXTAP_LITTLE, &crc);
    if (txtap_crc32(0, bytes, TXTAP_RECORDING_HEAD_BYTES - 4) != crc)
        return TXTAP_ERROR_FORMAT;
    recording->ctf = version == TXTAP_RECORDING_VERSION_CTF;
    return recording->ctf || version == TXTAP_RECORDING_VERSION ? TXTAP_OK : TXTAP_ERROR_USAGE;
}

/*
 * Returns true if the lengths in the block's head are possible. The reader needs these lengths before it can verify the
 * checksum.
 */
static bool sizes_agree(const struct txtap_recording_block *block, uint16_t flags)
{
    if ((flags & ~(unsigned)RECORDING_FLAG_ZSTD) != 0 || block->stored_bytes > TXTAP_RECORDING_PAYLOAD_MAX ||
        block->bytes > TXTAP_RECORDING_PAYLOAD_MAX)
        return false;
    return block->compressed || block->stored_bytes == block->bytes;
}

/*
 * Returns true if a block of this type may be the next block. The first block of a recording of CTF is METADATA, and
 * the first block of other recordings is BUFFER. A recording of CTF has no events.
 */
static bool is_allowed_here(const struct txtap_recording *recording, unsigned type)
{
    if (!recording->begun)
        return type == (recording->ctf ? TXTAP_RECORDING_METADATA : TXTAP_RECORDING_BUFFER);
    switch (type) {
    case TXTAP_RECORDING_BUFFER:
    case TXTAP_RECORDING_OBJECTS:
    case TXTAP_RECORDING_EVENTS:
    case TXTAP_RECORDING_DEFINITIONS:
    case TXTAP_RECORDING_WORDS:
    case TXTAP_RECORDING_FILE:
        return !recording->ctf;
    case TXTAP_RECORDING_METADATA:
    case TXTAP_RECORDING_CTF:
        return recording->ctf;
    default:
        return true;
    }
}

bool txtap_recording_outline(const uint8_t head[TXTAP_RECORDING_BLOCK_BYTES], uint32_t number,
                             struct txtap_recording_outline *outline)
{
    *outline = (struct txtap_recording_outline){bytes_u16(head, TXTAP_LITTLE), bytes_u32(head + 4, TXTAP_LITTLE)};
    return outline->stored_bytes <= TXTAP_RECORDING_PAYLOAD_MAX && bytes_u32(head + 12, TXTAP_LITTLE) == number;
}

enum txtap_status txtap_recording_block(struct txtap_recording *recording, const uint8_t *bytes, size_t length,
                                        struct txtap_recording_block *block, size_t *needed)
{
    struct bytes head = {bytes, length};
    uint16_t type = 0, flags = 0;
    uint32_t stored = 0, plain = 0, number = 0, crc = 0;

    memset(block, 0, sizeof(*block));
    *needed = TXTAP_RECORDING_BLOCK_BYTES;
    if (recording->ended)
        return TXTAP_END;
    if (length < TXTAP_RECORDING_BLOCK_BYTES)
        return TXTAP_AGAIN;
    (void)bytes_take_u16(&head, TXTAP_LITTLE, &type);
    (void)bytes_take_u16(&head, TXTAP_LITTLE, &flags);
    (void)bytes_take_u32(&head, TXTAP_LITTLE, &stored);
    (void)bytes_take_u32(&head, TXTAP_LITTLE, &plain);
    (void)bytes_take_u32(&head, TXTAP_LITTLE, &number);
    (void)bytes_take_u32(&head, TXTAP_LITTLE, &crc);
    *block = (struct txtap_recording_block){type, (flags & RECORDING_FLAG_ZSTD) != 0, head.at, stored, plain};
    if (!sizes_agree(block, flags) || number != recording->number)
        return TXTAP_ERROR_FORMAT;
    if (!is_allowed_here(recording, type))
        return TXTAP_ERROR_FORMAT;
    *needed = TXTAP_RECORDING_BLOCK_BYTES + block->stored_bytes;
    if (length < *needed)
        return TXTAP_AGAIN;
    if (txtap_crc32(txtap_crc32(0, bytes, TXTAP_RECORDING_BLOCK_BYTES - 4), block->stored, block->stored_bytes) != crc)
        return TXTAP_ERROR_FORMAT;
    recording->number++;
    recording->begun = true;
    recording->ended = type == TXTAP_RECORDING_END;
    return TXTAP_OK;
}

/* ---- payloads ---- */

/*
 * Takes the text at the end of a payload. Returns NULL unless the last byte of the text is NUL, and no other byte is
 * NUL.
 */
static const char *take_text(struct bytes *bytes, size_t most)
{
    const char *text = (const char *)bytes->at;

    if (bytes->left == 0 || bytes->left > most || memchr(bytes->at, 0, bytes->left) != bytes->at + bytes->left - 1)
        return NULL;
    (void)bytes_skip(bytes, bytes->left);
    return text;
}

static bool take_buffer(struct bytes *bytes, struct txtap_recording_item *item)
{
    const uint8_t *header = bytes->at;

    if (!bytes_skip(bytes, TXTB_HEADER_BYTES) || !bytes_take_u64(bytes, TXTAP_LITTLE, &item->unix_us))
        return false;
    item->name = take_text(bytes, TXTAP_RECORDING_TEXT_MAX);
    return item->name != NULL && txtap_header_parse(header, &item->header) == TXTAP_OK;
}

static bool take_events(struct bytes *bytes, struct txtap_recording_item *item)
{
    if (!bytes_take_u64(bytes, TXTAP_LITTLE, &item->seq) || !bytes_take_u64(bytes, TXTAP_LITTLE, &item->ticks) ||
        !bytes_take_u64(bytes, TXTAP_LITTLE, &item->unix_us) || !bytes_take_u32(bytes, TXTAP_LITTLE, &item->span_us) ||
        !bytes_take_u32(bytes, TXTAP_LITTLE, &item->count))
        return false;
    item->entries = bytes->at;
    return item->count > 0 && item->count <= TXTAP_RECORDING_EVENTS_MAX && item->seq <= UINT64_MAX - item->count &&
           bytes_skip(bytes, (size_t)item->count * TXTB_ENTRY_BYTES);
}

static bool take_gap(struct bytes *bytes, struct txtap_recording_item *item)
{
    struct txtap_gap *gap = &item->gap;
    uint32_t exact = 0;

    if (!bytes_take_u64(bytes, TXTAP_LITTLE, &gap->seq) || !bytes_take_u64(bytes, TXTAP_LITTLE, &gap->lost) ||
        !bytes_take_u32(bytes, TXTAP_LITTLE, &exact) || !bytes_take_u64(bytes, TXTAP_LITTLE, &gap->estimate))
        return false;
    gap->exact = exact != 0;
    return exact <= 1 && (gap->lost > 0 || !gap->exact) && gap->seq <= UINT64_MAX - gap->lost;
}

static bool take_mark(struct bytes *bytes, struct txtap_recording_item *item)
{
    struct txtap_mark *mark = &item->mark;
    uint32_t kind = 0;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &kind) || !bytes_take_u64(bytes, TXTAP_LITTLE, &mark->seq) ||
        !bytes_take_u64(bytes, TXTAP_LITTLE, &mark->unix_us))
        return false;
    mark->kind = (enum txtap_mark_kind)kind;
    mark->text = take_text(bytes, TXTAP_RECORDING_TEXT_MAX);
    return kind < TXTAP_MARK_KINDS && mark->text != NULL;
}

static bool take_words(struct bytes *bytes, struct txtap_recording_item *item)
{
    size_t more = 0;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &item->count) || item->count == 0 ||
        item->count > TXTAP_RECORDING_EVENTS_MAX)
        return false;
    item->counts = bytes->at;
    if (!bytes_skip(bytes, item->count))
        return false;
    for (uint32_t i = 0; i < item->count; i++)
        more += words_beyond_four(item->counts[i]);
    item->words = bytes->at;
    return bytes_skip(bytes, 4 * more);
}

size_t txtap_recording_words(const struct txtap_recording_item *item, uint32_t i, size_t *at,
                             const struct txtap_event *event, uint32_t words[TXTAP_RECORDING_WORDS_MAX])
{
    size_t count = item->counts[i], more = words_beyond_four(item->counts[i]);
    struct bytes bytes = {item->words + *at, 4 * more};

    memcpy(words, event->info, (count - more) * sizeof *words);
    for (size_t k = 0; k < more; k++)
        (void)bytes_take_u32(&bytes, TXTAP_LITTLE, &words[4 + k]);
    *at += 4 * more;
    return count;
}

static bool take_definitions(struct bytes *bytes, struct txtap_recording_item *item)
{
    item->definitions = take_text(bytes, TXTAP_RECORDING_PAYLOAD_MAX);
    return item->definitions != NULL;
}

static bool take_end(struct bytes *bytes, struct txtap_recording_item *item)
{
    uint32_t why = 0;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &why) || !bytes_take_u64(bytes, TXTAP_LITTLE, &item->events) ||
        !bytes_take_u64(bytes, TXTAP_LITTLE, &item->unix_us))
        return false;
    item->why = (enum txtap_recording_why)why;
    return why <= TXTAP_RECORDING_ROTATED;
}

/* ---- objects ---- */

/*
 * Sets from_seq and until_seq: the range of the events that refer to this object. An older recording has no such range.
 * It has only the seq of the object's create event, plus one. For deleted objects it shows no range at all.
 */
static void take_time(struct txtap_object *object, uint8_t flags, uint32_t events, uint64_t seq)
{
    if ((flags & RECORDING_OBJECT_TIMED) == 0) {
        object->unknown = !object->live;
        object->created = seq > 0;
        object->from_seq = seq > 0 ? seq - 1 : 0;
        return;
    }
    object->deleted = (flags & RECORDING_OBJECT_DELETED) != 0;
    object->created = (flags & RECORDING_OBJECT_CREATED) != 0;
    object->from_seq = seq;
    object->unknown = events == 0 || seq > UINT64_MAX - events;
    if (events < RECORDING_OBJECT_OPEN && !object->unknown)
        object->until_seq = seq + events;
}

/* Takes an object. Returns false if the bytes end within the object, or if the object's name is invalid or too long. */
static bool take_object(struct bytes *bytes, struct txtap_object *object)
{
    uint8_t flags = 0, length = 0;
    const uint8_t *name;
    uint32_t events = 0;
    uint64_t seq = 0;

    memset(object, 0, sizeof(*object));
    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &object->pointer) ||
        !bytes_take_u32(bytes, TXTAP_LITTLE, &object->parameter[0]) ||
        !bytes_take_u32(bytes, TXTAP_LITTLE, &object->parameter[1]) || !bytes_take_u8(bytes, &object->type) ||
        !bytes_take_u8(bytes, &object->reserved[0]) || !bytes_take_u8(bytes, &object->reserved[1]) ||
        !bytes_take_u8(bytes, &flags) || !bytes_take_u32(bytes, TXTAP_LITTLE, &events) ||
        !bytes_take_u64(bytes, TXTAP_LITTLE, &seq) || !bytes_take_u8(bytes, &length))
        return false;
    name = bytes->at;
    if (length >= TXTAP_OBJECT_NAME_BYTES || !bytes_skip(bytes, length) || memchr(name, 0, length) != NULL)
        return false;
    memcpy(object->name, name, length);
    object->live = (flags & RECORDING_OBJECT_LIVE) != 0;
    take_time(object, flags, events, seq);
    return true;
}

static bool take_objects(struct bytes *bytes, struct txtap_recording_item *item)
{
    struct txtap_object object;
    uint32_t fresh = 0;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &fresh) || fresh > 1)
        return false;
    item->fresh = fresh == 1;
    item->objects = bytes->at;
    item->objects_bytes = bytes->left;
    while (bytes->left > 0)
        if (!take_object(bytes, &object))
            return false;
    return true;
}

void txtap_recording_objects(const struct txtap_recording_item *item, struct txtap_registry *registry)
{
    struct bytes bytes = {item->objects, item->objects_bytes};
    struct txtap_object objects[OBJECTS_AT_ONCE];
    size_t count = 0;

    if (item->fresh)
        txtap_registry_clear(registry);
    while (bytes.left > 0 && take_object(&bytes, &objects[count])) {
        if (++count == OBJECTS_AT_ONCE) {
            txtap_registry_restore(registry, objects, count);
            count = 0;
        }
    }
    txtap_registry_restore(registry, objects, count);
}

/* ---- CTF ---- */

static bool take_rest(struct bytes *bytes, struct txtap_recording_item *item)
{
    item->bytes = bytes->at;
    item->length = bytes->left;
    return bytes_skip(bytes, bytes->left);
}

static bool take_metadata(struct bytes *bytes, struct txtap_recording_item *item)
{
    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &item->total) || !bytes_take_u32(bytes, TXTAP_LITTLE, &item->at))
        return false;
    return take_rest(bytes, item) && item->length > 0 && item->total <= TXTAP_CTF_METADATA_MAX &&
           item->at <= item->total && item->length <= item->total - item->at;
}

static bool take_ctf(struct bytes *bytes, struct txtap_recording_item *item)
{
    uint32_t another = 0;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &another) || another > 1 ||
        !bytes_take_u64(bytes, TXTAP_LITTLE, &item->seq) || !bytes_take_u64(bytes, TXTAP_LITTLE, &item->ticks))
        return false;
    item->another = another == 1;
    return take_rest(bytes, item) && item->length > 0;
}

static bool take_file(struct bytes *bytes, struct txtap_recording_item *item)
{
    struct txtap_recording_file *file = &item->file;

    return bytes_take_u64(bytes, TXTAP_LITTLE, &file->id) && bytes_take_u32(bytes, TXTAP_LITTLE, &file->number) &&
           bytes_take_u32(bytes, TXTAP_LITTLE, &file->kept) && bytes_take_u64(bytes, TXTAP_LITTLE, &file->events) &&
           bytes_take_u64(bytes, TXTAP_LITTLE, &file->seq) && bytes_take_u32(bytes, TXTAP_LITTLE, &file->doubts);
}

/* ---- the description of a recording ---- */

static bool take_hz(struct bytes *bytes, double *hz)
{
    uint64_t number = 0;

    if (!bytes_take_u64(bytes, TXTAP_LITTLE, &number))
        return false;
    *hz = (double)number / RECORDING_PER_HZ;
    return *hz <= TXTAP_RATE_HZ_MAX;
}

static bool take_rate(struct bytes *bytes, struct txtap_recording_item *item)
{
    struct txtap_rate *rate = &item->rate;
    uint32_t how = 0;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &how) || !take_hz(bytes, &rate->hz) || !take_hz(bytes, &rate->low) ||
        !take_hz(bytes, &rate->high))
        return false;
    rate->how = (enum txtap_rate_how)how;
    return how >= TXTAP_RATE_GIVEN && how <= TXTAP_RATE_FIRMWARE && rate->hz > 0 && rate->low <= rate->high;
}

static bool take_about(struct bytes *bytes, struct txtap_recording_item *item)
{
    item->about = take_text(bytes, TXTAP_RECORDING_PAYLOAD_MAX);
    return item->about != NULL;
}

static bool take_stacks(struct bytes *bytes, struct txtap_recording_item *item)
{
    item->stacks = take_text(bytes, TXTAP_RECORDING_PAYLOAD_MAX);
    return item->stacks != NULL;
}

static bool take_meaning(struct bytes *bytes, struct txtap_recording_item *item)
{
    uint32_t of_user = 0;

    if (!bytes_take_u32(bytes, TXTAP_LITTLE, &of_user) || of_user > 1 ||
        !bytes_take_u32(bytes, TXTAP_LITTLE, &item->total) || !bytes_take_u32(bytes, TXTAP_LITTLE, &item->at))
        return false;
    item->of_user = of_user == 1;
    return take_rest(bytes, item) && item->length > 0 && item->total <= TXTAP_RECORDING_MEANING_MAX &&
           item->at <= item->total && item->length <= item->total - item->at;
}

bool txtap_recording_piece(struct txtap_recording_pieces *pieces, const struct txtap_recording_item *item)
{
    if (item->at == 0)
        *pieces = (struct txtap_recording_pieces){.total = item->total, .of_user = item->of_user};
    if (item->at != pieces->length || item->total != pieces->total || item->of_user != pieces->of_user)
        return false;
    pieces->length += (uint32_t)item->length;
    return true;
}

const char *txtap_recording_about(const char *about, const char *key, size_t *length)
{
    size_t key_length = strlen(key);

    for (const char *line = about, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        if (strncmp(line, key, key_length) != 0 || line[key_length] != ' ')
            continue;
        *length = (size_t)(end - line) - key_length - 1;
        return line + key_length + 1;
    }
    return NULL;
}

/* ---- all ---- */

enum txtap_status txtap_recording_item(const struct txtap_recording_block *block, const uint8_t *payload, size_t length,
                                       struct txtap_recording_item *item)
{
    static bool (*const take[])(struct bytes * bytes, struct txtap_recording_item * item) = {
        [TXTAP_RECORDING_BUFFER] = take_buffer,
        [TXTAP_RECORDING_OBJECTS] = take_objects,
        [TXTAP_RECORDING_EVENTS] = take_events,
        [TXTAP_RECORDING_GAP] = take_gap,
        [TXTAP_RECORDING_MARK] = take_mark,
        [TXTAP_RECORDING_END] = take_end,
        [TXTAP_RECORDING_DEFINITIONS] = take_definitions,
        [TXTAP_RECORDING_WORDS] = take_words,
        [TXTAP_RECORDING_METADATA] = take_metadata,
        [TXTAP_RECORDING_CTF] = take_ctf,
        [TXTAP_RECORDING_FILE] = take_file,
        [TXTAP_RECORDING_RATE] = take_rate,
        [TXTAP_RECORDING_ABOUT] = take_about,
        [TXTAP_RECORDING_MEANING] = take_meaning,
        [TXTAP_RECORDING_STACKS] = take_stacks,
        [TXTAP_RECORDING_CHANNEL] = take_channel,
        [TXTAP_RECORDING_SAMPLES] = take_samples,
    };
    struct bytes bytes = {payload, length};

    memset(item, 0, sizeof(*item));
    if (length != block->bytes)
        return TXTAP_ERROR_FORMAT;
    if (block->type < TXTAP_RECORDING_BUFFER || block->type > TXTAP_RECORDING_SAMPLES)
        return TXTAP_AGAIN;
    item->type = (enum txtap_recording_type)block->type;
    return take[block->type](&bytes, item) && bytes.left == 0 ? TXTAP_OK : TXTAP_ERROR_FORMAT;
}
