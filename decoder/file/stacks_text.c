/* SPDX-License-Identifier: MIT */
/* The deepest use of stacks as text, which a recording keeps. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/stacks.h"

/* Writes the name without control characters, because a line feed ends a line. */
static void put_name(char out[TXTAP_OBJECT_NAME_BYTES], const char *name)
{
    size_t length = 0;

    for (; name[length] != '\0' && length + 1 < TXTAP_OBJECT_NAME_BYTES; length++)
        out[length] = (unsigned char)name[length] < ' ' ? '?' : name[length];
    out[length] = '\0';
}

size_t txtap_stacks_put(char text[TXTAP_STACKS_TEXT_BYTES], const struct txtap_stack_use *list, size_t count)
{
    char name[TXTAP_OBJECT_NAME_BYTES];
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && i < TXTAP_STACKS_MAX; i++) {
        put_name(name, list[i].name);
        length += (size_t)snprintf(text + length, TXTAP_STACKS_LINE_BYTES + 1,
                                   "%08" PRIx32 " %08" PRIx32 " %" PRIu32 " %" PRIu32 " %s %s\n", list[i].thread,
                                   list[i].start, list[i].bytes, list[i].used, list[i].exact ? "exact" : "least", name);
    }
    return length;
}

/* Takes a number and the blank after it. */
static bool take_number(const char **at, unsigned base, uint32_t *number)
{
    uint64_t value = 0;
    const char *begin = *at;

    for (;; ++*at) {
        char c = **at;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 99;

        if (digit >= base)
            break;
        value = value * base + digit;
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return *at > begin && *(*at)++ == ' ';
}

static bool take_line(const char *at, const char *end, struct txtap_stack_use *use)
{
    size_t length;

    if (!take_number(&at, 16, &use->thread) || !take_number(&at, 16, &use->start) ||
        !take_number(&at, 10, &use->bytes) || !take_number(&at, 10, &use->used) || end - at < 6)
        return false;
    use->exact = strncmp(at, "exact ", 6) == 0;
    length = (size_t)(end - at) - 6;
    if (use->bytes == 0 || use->used > use->bytes || length >= sizeof use->name ||
        (!use->exact && strncmp(at, "least ", 6) != 0))
        return false;
    memcpy(use->name, at + 6, length);
    use->name[length] = '\0';
    return true;
}

size_t txtap_stacks_take(struct txtap_stack_use list[TXTAP_STACKS_MAX], const char *text)
{
    size_t count = 0;

    while (*text != '\0' && count < TXTAP_STACKS_MAX) {
        const char *end = strchr(text, '\n');

        if (end == NULL)
            break; /* a line that was cut */
        count += take_line(text, end, &list[count]);
        text = end + 1;
    }
    return count;
}
