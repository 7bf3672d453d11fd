/* SPDX-License-Identifier: MIT */
/* A profile as folded stacks, JSON and pprof. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_fixture.h"

static struct txtap_profile *profile;
static char output[65536];
static size_t used, room;

static enum txtap_status take(void *self, const char *bytes, size_t length)
{
    (void)self;
    if (length > room - used)
        return TXTAP_END;
    memcpy(output + used, bytes, length);
    used += length;
    output[used] = '\0';
    return TXTAP_OK;
}

static const struct txtap_writer writer = {.write = take};

static void start(void)
{
    profile = profile_new();
    used = 0;
    room = sizeof output - 1;
    for (int i = 0; i < 3; i++)
        txtap_profile_add(profile, PC_LOOP, THREAD_A);
    txtap_profile_add(profile, PC_INLINED, THREAD_A);
    txtap_profile_add(profile, PC_INLINED, THREAD_B);
    txtap_profile_add(profile, PC_FILTER, TXTAP_PROFILE_INTERRUPT(15));
    txtap_profile_add(profile, 0, TXTAP_PROFILE_ASLEEP);
    profile->duration_us = 7000;
}

static void stop(void)
{
    free(profile);
}

TestSuite(profile_formats, .init = start, .fini = stop);

Test(profile_formats, folded_stacks_begin_with_the_thread)
{
    cr_assert_eq(txtap_profile_folded(profile, writer), TXTAP_OK);
    cr_assert_str_eq(output, "sampler;loop 3\n"
                             "sampler;loop;step 1\n"
                             "0x20000200;loop;step 1\n"
                             "interrupt 15;filter 1\n"
                             "(asleep) 1\n");
}

static bool bad_name(void *self, uint32_t context, char *text, size_t size)
{
    (void)self;
    (void)context;
    strncpy(text, "a;b\n\x1b[2J\"", size);
    return true;
}

Test(profile_formats, names_cannot_break_a_line)
{
    profile->names.context = bad_name;
    cr_assert_eq(txtap_profile_folded(profile, writer), TXTAP_OK);
    cr_assert_null(strchr(output, 0x1b));
    cr_assert_eq(strncmp(output, "a:b\\x0a", 7), 0, "%s", output);
    used = 0;
    cr_assert_eq(txtap_profile_json(profile, writer), TXTAP_OK);
    cr_assert_null(strchr(output, 0x1b));
    cr_assert_not_null(strstr(output, "\"a;b\\u000a\\u001b[2J\\\"\""), "%s", output);
}

Test(profile_formats, json_has_all_levels)
{
    cr_assert_eq(txtap_profile_json(profile, writer), TXTAP_OK);
    cr_assert_not_null(strstr(output, "\"schema\":\"txtap-profile\",\"schema_version\":1,\"samples\":7,"));
    cr_assert_not_null(strstr(output, "\"asleep\":1,\"unknown_thread\":0,\"dropped\":0,"));
    cr_assert_not_null(strstr(output, "\"threads\":[{\"thread\":\"sampler\",\"address\":536871168,\"samples\":4,"));
    cr_assert_not_null(strstr(output, "{\"interrupt\":\"interrupt 15\",\"samples\":1,"));
    cr_assert_not_null(strstr(output, "\"functions\":[{\"function\":\"loop\",\"file\":\"src/main.c\",\"samples\":5,"));
    cr_assert_not_null(strstr(
        output,
        "{\"function\":\"step\",\"file\":\"src/step.h\",\"line\":3,\"functions\":[\"step\",\"loop\"],\"samples\":2,"));
    cr_assert_not_null(strstr(output, "{\"functions\":[\"step\",\"loop\"],\"samples\":2,"));
    cr_assert_eq(output[used - 1], '\n');
}

Test(profile_formats, a_closed_output_ends_each_format)
{
    room = 10;
    cr_assert_eq(txtap_profile_folded(profile, writer), TXTAP_END);
    used = 0;
    cr_assert_eq(txtap_profile_json(profile, writer), TXTAP_END);
    used = 0;
    cr_assert_eq(txtap_profile_pprof(profile, writer), TXTAP_END);
}

/* ---- pprof ---- */

static uint64_t take_number(const uint8_t **at)
{
    uint64_t number = 0;

    for (unsigned shift = 0;; shift += 7) {
        number |= (uint64_t)(**at & 0x7f) << shift;
        if (*(*at)++ < 0x80)
            return number;
    }
}

/* Gets the next field of a message that has numbers and bytes. False: the message ends. */
static bool next_field(const uint8_t **at, const uint8_t *end, uint64_t *field, uint64_t *number, const uint8_t **bytes)
{
    uint64_t key;

    if (*at >= end)
        return false;
    key = take_number(at);
    *field = key >> 3;
    *number = take_number(at);
    *bytes = *at;
    cr_assert((key & 7) == 0 || (key & 7) == 2);
    if ((key & 7) == 2)
        *at += *number;
    cr_assert_leq(*at, end);
    return true;
}

struct decoded {
    const uint8_t *strings[64];
    size_t string_bytes[64], string_count;
    uint64_t sample_types, samples, values[2], locations, functions, duration;
    uint64_t label_samples;  /* samples whose label is "sampler" */
    uint64_t location_lines; /* lines of all locations */
};

static void decode_sample(const uint8_t *at, const uint8_t *end, struct decoded *to)
{
    uint64_t field, number, values = 0, value = 0;
    const uint8_t *bytes;

    to->samples++;
    while (next_field(&at, end, &field, &number, &bytes)) {
        if (field == 2) {
            cr_assert_lt(values, 2);
            value = values == 0 ? number : value;
            to->values[values++] += number;
        }
        if (field == 3) {
            const uint8_t *label = bytes;
            uint64_t string;

            while (next_field(&label, bytes + number, &field, &string, &(const uint8_t *){NULL}))
                if (field == 2 && to->string_bytes[string] == 7 && memcmp(to->strings[string], "sampler", 7) == 0)
                    to->label_samples += value;
        }
    }
}

static struct decoded decode(void)
{
    struct decoded to = {.samples = 0};
    const uint8_t *at = (const uint8_t *)output, *end = at + used, *bytes, *line;
    uint64_t field, number, part;

    while (next_field(&at, end, &field, &number, &bytes)) {
        to.sample_types += field == 1;
        to.functions += field == 5;
        to.duration = field == 10 ? number : to.duration;
        if (field == 2)
            decode_sample(bytes, bytes + number, &to);
        if (field == 4) {
            to.locations++;
            for (line = bytes; next_field(&line, bytes + number, &field, &part, &(const uint8_t *){NULL});)
                to.location_lines += field == 4;
        } else if (field == 6) {
            to.strings[to.string_count] = bytes;
            to.string_bytes[to.string_count++] = number;
        }
    }
    return to;
}

Test(profile_formats, pprof_has_samples_locations_and_functions)
{
    struct decoded decoded;

    cr_assert_eq(txtap_profile_pprof(profile, writer), TXTAP_OK);
    decoded = decode();
    cr_assert_eq(decoded.string_bytes[0], 0, "string 0 must be empty");
    cr_assert_eq(decoded.sample_types, 2);
    cr_assert_eq(decoded.samples, 5);
    cr_assert_eq(decoded.values[0], 7);
    cr_assert_eq(decoded.values[1], 7000000);
    cr_assert_eq(decoded.duration, 7000000);
    cr_assert_eq(decoded.locations, 5);
    cr_assert_eq(decoded.location_lines, 7);
    cr_assert_eq(decoded.functions, 4, "loop, step, filter and (asleep): each once");
    cr_assert_eq(decoded.label_samples, 4);
}
