/* SPDX-License-Identifier: MIT */
#include "buffer/samples.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "txtb_bytes.h"

const char *const sample_names[SAMPLES] = {"threadx_qemu_unwrapped", "threadx_qemu_wrapped", "demo_threadx",
                                           "demo_netx_tcp"};

void sample_load(struct sample *sample, size_t index)
{
    char path[256];
    FILE *file;

    sample->name = sample_names[index];
    snprintf(path, sizeof path, TXTAP_TEST_DATA "/%s.trx", sample->name);
    file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    sample->length = fread(sample->bytes, 1, sizeof sample->bytes, file);
    cr_assert(sample->length > TXTB_HEADER_BYTES && sample->length < sizeof sample->bytes);
    fclose(file);
}

static void reverse(uint8_t *at, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        uint8_t byte = at[i];

        at[i] = at[count - 1 - i];
        at[count - 1 - i] = byte;
    }
}

static struct txtap_header header_of(const struct sample *sample)
{
    struct txtap_header header;

    cr_assert_eq(txtap_header_parse(sample->bytes, &header), TXTAP_OK);
    return header;
}

void sample_swap(struct sample *sample)
{
    struct txtap_header header = header_of(sample);
    size_t object_bytes = txtap_header_object_bytes(&header);
    uint8_t *object = sample->bytes + TXTB_HEADER_BYTES, *ring = sample->bytes + (header.ring_start - header.base);

    for (size_t at = 0; at < TXTB_HEADER_BYTES; at += 4) {
        if (at == TXTB_HEADER_LAPS) {
            reverse(sample->bytes + at, 2);
            reverse(sample->bytes + at + 2, 2);
        } else {
            reverse(sample->bytes + at, 4);
        }
    }
    for (; object < ring; object += object_bytes)
        for (size_t at = TXTB_OBJECT_POINTER; at < TXTB_OBJECT_NAME; at += 4)
            reverse(object + at, 4);
    for (size_t at = 0; at < header.ring_end - header.ring_start; at += 4)
        reverse(ring + at, 4);
}

struct widener {
    enum txtap_endian endian;
    uint8_t *at;
};

static uint32_t get_u32(const uint8_t *at, enum txtap_endian endian)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 4; i++)
        value = value << 8 | at[endian == TXTAP_BIG ? i : 3 - i];
    return value;
}

static void widen(struct widener *to, uint64_t value)
{
    put_u32(to->at + (to->endian == TXTAP_BIG ? 0 : 4), to->endian, (uint32_t)(value >> 32));
    put_u32(to->at + (to->endian == TXTAP_BIG ? 4 : 0), to->endian, (uint32_t)value);
    to->at += 8;
}

size_t sample_widen(const struct sample *sample, uint32_t upper_half, uint8_t *wide)
{
    struct txtap_header header = header_of(sample);
    struct widener to = {header.endian, wide};
    uint64_t upper = (uint64_t)upper_half << 32, base = upper | header.base;
    size_t objects = txtap_header_registry_entries(&header), entries = txtap_header_ring_entries(&header);
    size_t names_bytes = (header.name_bytes + 7u) / 8 * 8, registry = objects * (32 + names_bytes);
    const uint8_t *from = sample->bytes + TXTB_HEADER_BYTES;

    memset(wide, 0, (size_t)2 * SAMPLE_BYTES_MAX);
    widen(&to, TXTB_ID);
    widen(&to, header.timer_mask);
    widen(&to, base);
    widen(&to, base + 96);
    put_u16(to.at, header.endian, header.laps);
    put_u16(to.at + 2, header.endian, header.name_bytes);
    to.at += 8;
    widen(&to, base + 96 + registry);
    widen(&to, base + 96 + registry);
    widen(&to, base + 96 + registry + 64 * entries);
    widen(&to, base + 96 + registry + (header.current - header.ring_start) * UINT64_C(2));
    widen(&to, TXTB_RESERVED2);
    widen(&to, TXTB_RESERVED3);
    widen(&to, TXTB_RESERVED4);
    for (size_t i = 0; i < objects; i++, from += txtap_header_object_bytes(&header)) {
        uint32_t pointer = get_u32(from + TXTB_OBJECT_POINTER, header.endian);

        memcpy(to.at, from, 4);
        to.at += 8;
        widen(&to, pointer != 0 ? upper | pointer : 0);
        widen(&to, get_u32(from + TXTB_OBJECT_PARAMETER1, header.endian));
        widen(&to, get_u32(from + TXTB_OBJECT_PARAMETER2, header.endian));
        memcpy(to.at, from + TXTB_OBJECT_NAME, header.name_bytes);
        to.at += names_bytes;
    }
    for (size_t i = 0; i < entries * 8; i++, from += 4) {
        uint32_t word = get_u32(from, header.endian);
        bool address = i % 8 == 0 && word != 0 && word != TXTB_THREAD_INIT && word != TXTB_THREAD_ISR;

        widen(&to, address ? upper | word : word);
    }
    return (size_t)(to.at - wide);
}
