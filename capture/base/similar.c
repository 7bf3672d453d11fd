/* SPDX-License-Identifier: MIT */
/* "Did you mean". This module does not know what the names mean. */
#include "base/similar.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/failure.h"

#define COMPARED_MAX (SIMILAR_NAME_BYTES - 1)
#define TOO_MANY     SIZE_MAX

void similar_init(struct similar *similar, const char *wanted)
{
    *similar = (struct similar){.wanted = wanted};
}

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Fills one row of the table for the optimal string alignment distance: edits from the first i bytes of a to each
 * prefix of b. before, above: the rows of i - 2 and i - 1.
 */
static void fill_row(size_t *row, const size_t *above, const size_t *before, const char *a, size_t i, const char *b,
                     size_t length)
{
    row[0] = i;
    for (size_t j = 1; j <= length; j++) {
        bool equal = lower(a[i - 1]) == lower(b[j - 1]);

        row[j] = least(above[j - 1] + !equal, least(above[j], row[j - 1]) + 1);
        if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
            row[j] = least(row[j], before[j - 2] + 1);
    }
}

static size_t edits_between(const char *a, const char *b)
{
    size_t rows[3][COMPARED_MAX + 1], a_length = strnlen(a, COMPARED_MAX), b_length = strnlen(b, COMPARED_MAX);

    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++)
        fill_row(rows[i % 3], rows[(i + 2) % 3], rows[(i + 1) % 3], a, i, b, b_length);
    return rows[a_length % 3][b_length];
}

/* Returns the distance of two names. A name that contains the other name is similar, but names that differ by a few
 * letters are more similar. */
static size_t distance(const char *wanted, const char *name)
{
    size_t edits = edits_between(wanted, name), longest = strlen(wanted);

    if (edits <= 1 + longest / 4)
        return edits;
    if (longest >= 3 && *name != '\0' && (strcasestr(name, wanted) || strcasestr(wanted, name)))
        return edits + COMPARED_MAX;
    return TOO_MANY;
}

static bool is_known(const struct similar *similar, const char *name)
{
    for (size_t i = 0; i < similar->count; i++)
        if (strcmp(similar->best[i].name, name) == 0)
            return true;
    return false;
}

void similar_offer(struct similar *similar, const char *name)
{
    char shown[SIMILAR_NAME_BYTES];
    size_t edits = distance(similar->wanted, name), at = similar->count;

    printable(shown, sizeof shown, name, strlen(name));
    while (at > 0 && edits < similar->best[at - 1].edits)
        at--;
    if (edits == TOO_MANY || at == SIMILAR_NAMES_MAX || is_known(similar, shown))
        return;
    if (similar->count < SIMILAR_NAMES_MAX)
        similar->count++;
    memmove(&similar->best[at + 1], &similar->best[at], (similar->count - 1 - at) * sizeof *similar->best);
    strcpy(similar->best[at].name, shown);
    similar->best[at].edits = edits;
}

const char *similar_text(const struct similar *similar, char text[static SIMILAR_TEXT_BYTES])
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < similar->count; i++) {
        const char *before = i == 0 ? ": did you mean " : i + 1 == similar->count ? " or " : ", ";

        length += (size_t)snprintf(text + length, SIMILAR_TEXT_BYTES - length, "%s'%s'", before, similar->best[i].name);
    }
    if (similar->count > 0)
        snprintf(text + length, SIMILAR_TEXT_BYTES - length, "?");
    return text;
}
