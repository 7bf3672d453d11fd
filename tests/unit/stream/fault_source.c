/* SPDX-License-Identifier: MIT */
#include "stream/fault_source.h"

#include <stdio.h>
#include <string.h>

#define SPOILED 0xA5

static uint32_t chance(struct fault_source *source, uint32_t below)
{
    source->random ^= source->random >> 12;
    source->random ^= source->random << 25;
    source->random ^= source->random >> 27;
    return (uint32_t)((source->random * 2685821657736338717ull) >> 33) % below;
}

static enum fault_source_kind draw_kind(struct fault_source *source)
{
    uint32_t drawn = chance(source, 1000), below = 0;

    for (int i = 0; i < FAULT_SOURCE_KINDS; i++) {
        below += source->per_mille[i];
        if (drawn < below)
            return (enum fault_source_kind)i;
    }
    return FAULT_SOURCE_KINDS;
}

static enum txtap_status fail_with(struct fault_source *source, enum txtap_status status)
{
    snprintf(source->text, sizeof source->text, "fault in read %u: %s", source->reads, status_text(status));
    return status;
}

static enum txtap_status error_status(struct fault_source *source)
{
    static const enum txtap_status any[] = {ERROR_UNREACHABLE, ERROR_PROTOCOL, ERROR_TIMEOUT,
                                            ERROR_TARGET,      ERROR_FAULT,    TXTAP_ERROR_SYSTEM};

    return source->status != TXTAP_OK ? source->status : any[chance(source, sizeof any / sizeof *any)];
}

/* A failed read leaves bytes that cannot be mistaken for data. */
static void spoil(const struct txtap_read *reads, size_t from, size_t count)
{
    for (size_t i = from; i < count; i++)
        memset(reads[i].buffer, SPOILED, reads[i].length);
}

static enum txtap_status read_short(struct fault_source *source, const struct txtap_read *reads, size_t count)
{
    size_t whole = chance(source, (uint32_t)count), words = reads[whole].length / 4;
    struct txtap_read part = reads[whole];

    spoil(reads, 0, count);
    part.length = 4 * chance(source, (uint32_t)(words ? words : 1));
    if (whole > 0)
        source->inner.ops->read(source->inner.self, reads, whole);
    if (part.length > 0)
        source->inner.ops->read(source->inner.self, &part, 1);
    return fail_with(source, ERROR_PROTOCOL);
}

static void sleep_some(struct fault_source *source)
{
    if (source->sleep_us && source->delay_us_max > 0)
        source->sleep_us(1 + chance(source, (uint32_t)source->delay_us_max));
}

/* The bytes of the stuck word within a piece, or NULL. */
static uint8_t *find_word(const struct fault_source *source, const struct txtap_read *read)
{
    uint32_t offset = source->stuck_address - read->address;

    return offset < read->length && read->length - offset >= 4 ? read->buffer + offset : NULL;
}

/* Only an exchange that reads the word counts towards its stuck reads. */
static void hold_word(struct fault_source *source, const struct txtap_read *reads, size_t count)
{
    bool seen = false;

    for (size_t i = 0; i < count; i++) {
        uint8_t *word = find_word(source, &reads[i]);

        if (!word)
            continue;
        seen = true;
        if (source->stuck_left > 0 && source->stuck_known)
            memcpy(word, source->stuck_word, 4);
        memcpy(source->stuck_word, word, 4);
        source->stuck_known = true;
    }
    if (seen && source->stuck_left > 0)
        source->stuck_left--;
}

static void falsify(struct fault_source *source, const struct txtap_read *reads, size_t count)
{
    const struct txtap_read *read = &reads[chance(source, (uint32_t)count)];
    uint32_t bytes = chance(source, 2) ? read->length : 1 + chance(source, 4);

    for (uint32_t i = 0; i < bytes && read->length > 0; i++)
        read->buffer[chance(source, read->length)] = (uint8_t)chance(source, 256);
}

static enum txtap_status read_well(struct fault_source *source, const struct txtap_read *reads, size_t count)
{
    enum txtap_status status = source->inner.ops->read(source->inner.self, reads, count);

    if (status != TXTAP_OK)
        snprintf(source->text, sizeof source->text, "%s", source->inner.ops->error_text(source->inner.self));
    else
        hold_word(source, reads, count);
    return status;
}

static enum txtap_status read_late_error(struct fault_source *source, const struct txtap_read *reads, size_t count)
{
    source->inner.ops->read(source->inner.self, reads, count);
    return fail_with(source, error_status(source));
}

static enum txtap_status read_with(struct fault_source *source, enum fault_source_kind kind,
                                   const struct txtap_read *reads, size_t count)
{
    enum txtap_status status;

    switch (kind) {
    case FAULT_SOURCE_SHORT:
        return read_short(source, reads, count);
    case FAULT_SOURCE_ERROR:
        spoil(reads, 0, count);
        return fail_with(source, error_status(source));
    case FAULT_SOURCE_LATE_ERROR:
        return read_late_error(source, reads, count);
    case FAULT_SOURCE_DISCONNECT:
        source->closed = true;
        spoil(reads, 0, count);
        return fail_with(source, ERROR_CLOSED);
    case FAULT_SOURCE_DELAY:
        sleep_some(source);
        return read_well(source, reads, count);
    case FAULT_SOURCE_STUCK:
        source->stuck_left = 1 + chance(source, 8);
        return read_well(source, reads, count);
    default:
        break;
    }
    status = read_well(source, reads, count);
    if (kind == FAULT_SOURCE_DELAY_AFTER)
        sleep_some(source);
    if (kind == FAULT_SOURCE_GARBAGE && status == TXTAP_OK)
        falsify(source, reads, count);
    return status;
}

static enum txtap_status fault_source_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct fault_source *source = self;
    enum fault_source_kind kind;

    source->reads++;
    source->text[0] = '\0';
    if (source->closed) {
        spoil(reads, 0, count);
        return fail_with(source, ERROR_CLOSED);
    }
    kind = source->reads == source->at ? source->at_kind : draw_kind(source);
    if (kind != FAULT_SOURCE_KINDS)
        source->made[kind]++;
    return read_with(source, kind, reads, count);
}

static const char *fault_source_error_text(void *self)
{
    const struct fault_source *source = self;

    return source->text;
}

static void fault_source_close(void *self)
{
    struct fault_source *source = self;

    source->closed = true;
}

struct txtap_source fault_source_init(struct fault_source *source, struct txtap_source inner, uint64_t seed)
{
    *source = (struct fault_source){.inner = inner, .random = 2 * seed + 1};
    source->ops = *inner.ops;
    source->ops.read = fault_source_read;
    source->ops.error_text = fault_source_error_text;
    source->ops.hint_text = NULL;
    source->ops.close = fault_source_close;
    return (struct txtap_source){&source->ops, source};
}

void fault_source_reopen(struct fault_source *source)
{
    source->closed = false;
}
