/* SPDX-License-Identifier: MIT */
/*
 * Writes a profile as a message of pprof: github.com/google/pprof, proto/profile.proto. A text is an index into a table
 * of strings, which is a repeated field; the texts are written just before the first message that needs them. Each site
 * is a location, with a line for each inlined function. The context is a label of the sample.
 */
#include "txtap/inner/profile.h"

#include <string.h>

#include "format/protobuf.h"

#define MESSAGE_BYTES 1024u /* of one sample, location, function or text */
#define FNV_BASIS     2166136261u
#define FNV_PRIME     16777619u

/* Fields of profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_DURATION_NANOS = 10,
    VALUE_TYPE_TYPE = 1,
    VALUE_TYPE_UNIT = 2,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_STR = 2,
    LOCATION_ID = 1,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    LINE_LINE = 2,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4,
};

struct pprof {
    struct txtap_profile *profile;
    struct txtap_writer writer;
    enum txtap_status status;
    uint64_t strings; /* number of texts written */
    struct protobuf message;
    uint8_t bytes[MESSAGE_BYTES];
};

static void begin(struct pprof *pprof)
{
    pprof->message = (struct protobuf){pprof->bytes, pprof->bytes + sizeof pprof->bytes};
}

static void write_bytes(struct pprof *pprof, const void *bytes, size_t length)
{
    if (pprof->status == TXTAP_OK && length > 0)
        pprof->status = pprof->writer.write(pprof->writer.self, bytes, length);
}

/* Writes the message as a field of the profile. */
static void end(struct pprof *pprof, unsigned field)
{
    size_t length = (size_t)(pprof->message.at - pprof->bytes);
    uint8_t head[2 * PROTOBUF_NUMBER_BYTES], *at = protobuf_put(head, field << 3 | PROTOBUF_BYTES);

    at = protobuf_put(at, length);
    write_bytes(pprof, head, (size_t)(at - head));
    write_bytes(pprof, pprof->bytes, length);
}

/* Writes a text. Returns its index. */
static uint64_t put_string(struct pprof *pprof, const char *text)
{
    begin(pprof);
    protobuf_text(&pprof->message, PROFILE_STRING, text);
    write_bytes(pprof, pprof->bytes, (size_t)(pprof->message.at - pprof->bytes));
    return pprof->strings++;
}

static void put_sample_type(struct pprof *pprof, const char *type, const char *unit)
{
    uint64_t type_string = put_string(pprof, type), unit_string = put_string(pprof, unit);

    begin(pprof);
    protobuf_number(&pprof->message, VALUE_TYPE_TYPE, type_string);
    protobuf_number(&pprof->message, VALUE_TYPE_UNIT, unit_string);
    end(pprof, PROFILE_SAMPLE_TYPE);
}

/* ---- functions ---- */

static uint32_t add_to_hash(uint32_t hash, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        hash = (hash ^ (uint8_t)*text) * FNV_PRIME;
    return (hash ^ 0xff) * FNV_PRIME;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static const struct txtap_profile_frame *frame_of(const struct txtap_profile *profile, uint32_t number)
{
    return &profile->sites[number / TXTAP_PROFILE_FRAMES_MAX].frames[number % TXTAP_PROFILE_FRAMES_MAX];
}

/* Returns the number of the first frame with the same function and file; 0: the table is full. *is_new: it is this
 * frame. Numbers begin with 1, because pprof's id 0 means no function. */
static uint32_t find_function(struct txtap_profile *profile, uint32_t number, bool *is_new)
{
    const struct txtap_profile_frame *frame = frame_of(profile, number);
    uint32_t slot = add_to_hash(add_to_hash(FNV_BASIS, frame->function), frame->file) % TXTAP_PROFILE_SLOTS;

    *is_new = false;
    for (uint32_t tries = 0; tries < TXTAP_PROFILE_SLOTS; tries++, slot = (slot + 1) % TXTAP_PROFILE_SLOTS) {
        uint32_t found = profile->function_slots[slot];

        if (found == 0) {
            *is_new = true;
            return profile->function_slots[slot] = number + 1;
        }
        if (same_text(frame_of(profile, found - 1)->function, frame->function) &&
            same_text(frame_of(profile, found - 1)->file, frame->file))
            return found;
    }
    return 0;
}

/* Returns the id of the frame's function, and writes the function if it is new. */
static uint64_t put_function(struct pprof *pprof, uint32_t number)
{
    const struct txtap_profile_frame *frame = frame_of(pprof->profile, number);
    const char *name = frame->function;
    bool is_new;
    uint32_t id = find_function(pprof->profile, number, &is_new);
    uint64_t name_string, file_string;

    if (!is_new)
        return id;
    if (name == NULL)
        name = pprof->profile->sites[number / TXTAP_PROFILE_FRAMES_MAX].context == TXTAP_PROFILE_ASLEEP ? "(asleep)"
                                                                                                        : "(unknown)";
    name_string = put_string(pprof, name);
    file_string = frame->file != NULL ? put_string(pprof, frame->file) : 0;
    begin(pprof);
    protobuf_number(&pprof->message, FUNCTION_ID, id);
    protobuf_number(&pprof->message, FUNCTION_NAME, name_string);
    protobuf_number(&pprof->message, FUNCTION_SYSTEM_NAME, name_string);
    protobuf_number(&pprof->message, FUNCTION_FILENAME, file_string);
    end(pprof, PROFILE_FUNCTION);
    return id;
}

static void put_location(struct pprof *pprof, uint32_t index)
{
    const struct txtap_profile_site *site = &pprof->profile->sites[index];
    uint64_t ids[TXTAP_PROFILE_FRAMES_MAX];

    for (uint32_t i = 0; i < site->frame_count; i++)
        ids[i] = put_function(pprof, index * TXTAP_PROFILE_FRAMES_MAX + i);
    begin(pprof);
    protobuf_number(&pprof->message, LOCATION_ID, index + 1u);
    protobuf_number(&pprof->message, LOCATION_ADDRESS, site->pc);
    for (size_t i = 0; i < site->frame_count; i++) {
        uint8_t *line = protobuf_open(&pprof->message, LOCATION_LINE);

        protobuf_number(&pprof->message, LINE_FUNCTION, ids[i]);
        protobuf_number(&pprof->message, LINE_LINE, site->frames[i].line);
        protobuf_close(&pprof->message, line);
    }
    end(pprof, PROFILE_LOCATION);
}

/* ---- samples ---- */

static void put_sample(struct pprof *pprof, uint32_t index, uint64_t key, uint64_t context)
{
    const struct txtap_profile *profile = pprof->profile;
    const struct txtap_profile_site *site = &profile->sites[index];
    uint8_t *label;

    begin(pprof);
    protobuf_number(&pprof->message, SAMPLE_LOCATION, index + 1u);
    protobuf_number(&pprof->message, SAMPLE_VALUE, site->samples);
    if (profile->duration_us > 0)
        protobuf_number(&pprof->message, SAMPLE_VALUE,
                        (uint64_t)(1e3 * profile->duration_us * (double)site->samples / (double)profile->samples));
    label = protobuf_open(&pprof->message, SAMPLE_LABEL);
    protobuf_number(&pprof->message, LABEL_KEY, key);
    protobuf_number(&pprof->message, LABEL_STR, context);
    protobuf_close(&pprof->message, label);
    end(pprof, PROFILE_SAMPLE);
}

static void put_contexts(struct pprof *pprof)
{
    const struct txtap_profile *profile = pprof->profile;
    uint64_t key = put_string(pprof, "thread");

    for (uint32_t row = 0; row < profile->row_count && pprof->status == TXTAP_OK; row++) {
        char name[TXTAP_PROFILE_NAME_BYTES];
        uint64_t context;

        if (profile->rows[row].level != TXTAP_PROFILE_BY_CONTEXT)
            continue;
        txtap_profile_context_name(profile, profile->rows[row].context, name);
        context = put_string(pprof, name);
        for (uint32_t i = 0; i < profile->site_count; i++)
            if (profile->sites[i].rows[TXTAP_PROFILE_BY_CONTEXT] == row)
                put_sample(pprof, i, key, context);
    }
}

enum txtap_status txtap_profile_pprof(struct txtap_profile *profile, struct txtap_writer writer)
{
    struct pprof pprof = {.profile = profile, .writer = writer};

    memset(profile->function_slots, 0, sizeof profile->function_slots);
    (void)put_string(&pprof, ""); /* index 0 is the empty text */
    put_sample_type(&pprof, "samples", "count");
    if (profile->duration_us > 0)
        put_sample_type(&pprof, "time", "nanoseconds");
    for (uint32_t i = 0; i < profile->site_count; i++)
        put_location(&pprof, i);
    put_contexts(&pprof);
    if (profile->duration_us > 0) {
        begin(&pprof);
        protobuf_number(&pprof.message, PROFILE_DURATION_NANOS, (uint64_t)(1e3 * profile->duration_us));
        write_bytes(&pprof, pprof.bytes, (size_t)(pprof.message.at - pprof.bytes));
    }
    return pprof.status;
}
