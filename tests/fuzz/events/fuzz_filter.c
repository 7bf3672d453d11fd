/* SPDX-License-Identifier: MIT */
/*
 * Gives any texts to the options that choose events. The input is a list of texts, each of which ends with a NUL. The
 * first byte of a text selects the option. The last two texts are a pattern and a name. For them the result must equal
 * that of a second matcher, which tries all possibilities.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/option_values.h"
#include "fuzz.h"
#include "options/options.h"
#include "txtap/inner/pattern.h"

#define TEXTS_MAX 80
#define TEXT_MAX  64 /* maximum length of patterns and names for the second matcher */

static jmp_buf refused;

/* Replaces the program's function, which would end the process. */
void option_error(const struct argp_state *state, const char *format, ...)
{
    char text[400];
    va_list values;

    (void)state;
    va_start(values, format);
    REQUIRE(vsnprintf(text, sizeof text, format, values) > 0);
    va_end(values);
    longjmp(refused, 1);
}

/* ---- the second matcher ---- */

struct element {
    bool star;
    bool takes[256];
};

static void take_case(struct element *element, unsigned byte)
{
    element->takes[byte] = true;
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'))
        element->takes[byte ^ 0x20] = true;
}

static unsigned byte_at(const char *pattern, size_t *at)
{
    if (pattern[*at] == '\\' && pattern[*at + 1] != '\0')
        (*at)++;
    return (unsigned char)pattern[(*at)++];
}

/* Parses a set from the byte after its '['. Returns the offset after the set; 0: the set has no end. */
static size_t parse_set(const char *pattern, size_t at, struct element *element)
{
    bool negated = pattern[at] == '!' || pattern[at] == '^';

    at += negated;
    for (size_t first = at; pattern[at] != '\0';) {
        unsigned low, high;

        if (pattern[at] == ']' && at > first) {
            for (size_t i = 0; i < 256 && negated; i++)
                element->takes[i] = !element->takes[i];
            return at + 1;
        }
        low = high = byte_at(pattern, &at);
        if (pattern[at] == '-' && pattern[at + 1] != ']' && pattern[at + 1] != '\0') {
            at++;
            high = byte_at(pattern, &at);
        }
        for (; low <= high; low++)
            take_case(element, low);
    }
    return 0;
}

static size_t parse_pattern(const char *pattern, struct element elements[TEXT_MAX])
{
    size_t count = 0, at = 0;

    while (pattern[at] != '\0') {
        struct element *element = &elements[count++];
        size_t behind = 0;

        memset(element, 0, sizeof *element);
        if (pattern[at] == '*' || pattern[at] == '?') {
            element->star = pattern[at++] == '*';
            memset(element->takes, true, sizeof element->takes);
            continue;
        }
        if (pattern[at] == '[')
            behind = parse_set(pattern, at + 1, element);
        if (behind > 0) {
            at = behind;
        } else {
            memset(element->takes, 0, sizeof element->takes);
            take_case(element, byte_at(pattern, &at));
        }
    }
    return count;
}

static bool matches(const char *pattern, const char *text)
{
    static struct element elements[TEXT_MAX];
    bool reached[TEXT_MAX + 1] = {true}; /* reached[n]: the elements so far can match the first n bytes of the text */
    size_t count = parse_pattern(pattern, elements), length = strlen(text);

    for (size_t i = 0; i < count; i++) {
        bool before = reached[0];

        reached[0] = elements[i].star && reached[0];
        for (size_t j = 1; j <= length; j++) {
            bool here = reached[j], taken = elements[i].takes[(unsigned char)text[j - 1]];

            reached[j] = elements[i].star ? here || reached[j - 1] : before && taken;
            before = here;
        }
    }
    return reached[length];
}

/* ---- options ---- */

static void give_options(struct filter_options *options, double tick_hz, char *const *texts, size_t count)
{
    const struct option_rate rate = {tick_hz, count % 2 == 0};
    struct argp_state state = {.flags = ARGP_NO_EXIT};
    size_t rows = 0, meanings = 0;

    while (filter_option_rows[rows].name != NULL)
        rows++;
    while (meaning_option_rows[meanings].name != NULL)
        meanings++;
    for (size_t i = 0; i < count; i++) {
        size_t which = (unsigned char)texts[i][0] % (rows + meanings);
        int key = which < rows ? filter_option_rows[which].key : meaning_option_rows[which - rows].key;

        if (texts[i][0] != '\0')
            (void)filter_option(options, rate, key, texts[i] + 1, &state);
    }
    (void)filter_option(options, rate, ARGP_KEY_END, NULL, &state);
}

static void use(const struct filter_options *options, const char *name)
{
    struct txtap_object objects[2] = {{.pointer = 0x100, .type = TXTAP_OBJECT_THREAD, .live = true},
                                      {.pointer = 0x200, .type = TXTAP_OBJECT_QUEUE, .live = true, .name = "samples"}};
    struct txtap_event event = {.thread = 0x100, .info = {0x200, 0x100, 0, 3}, .ticks = 1000};
    struct txtap_registry registry;

    REQUIRE(options->filter.count <= TXTAP_FILTER_RULES_MAX && options->definitions_count <= DEFINITIONS_FILES_MAX);
    REQUIRE(options->filter.from_ticks <= options->filter.to_ticks);
    snprintf(objects[0].name, sizeof objects[0].name, "%s", name);
    txtap_registry_init(&registry, objects, 2);
    registry.count = 2;
    for (event.id = 60; event.id < 70; event.id++) {
        event.context = (enum txtap_context)(event.id % 4);
        (void)txtap_filter_passes(&options->filter, &registry, &event, txtap_event_find(event.id, 0), NULL);
    }
    event.id = 3; /* enters an interrupt */
    (void)txtap_filter_passes(&options->filter, &registry, &event, txtap_event_find(event.id, 0), name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static const double rates[] = {0, 1, 1000, 168e6, 1e18, 0.001};
    struct filter_options *options = calloc(1, sizeof *options);
    char *copy = malloc(length + 1), *texts[TEXTS_MAX];
    size_t count = 0;

    REQUIRE(options != NULL && copy != NULL);
    memcpy(copy, data, length);
    copy[length] = '\0';
    for (size_t at = 1; at < length && count < TEXTS_MAX; at += strlen(copy + at) + 1)
        texts[count++] = copy + at;
    if (count >= 2 && strlen(texts[count - 1]) < TEXT_MAX && strlen(texts[count - 2]) < TEXT_MAX) {
        REQUIRE(txtap_pattern_matches(texts[count - 2], texts[count - 1]) ==
                matches(texts[count - 2], texts[count - 1]));
        if (setjmp(refused) == 0) {
            give_options(options, rates[data[0] % 6], texts, count - 2);
            use(options, texts[count - 1]);
        }
    }
    free(copy);
    free(options);
    return 0;
}
