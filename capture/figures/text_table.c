/* SPDX-License-Identifier: MIT */
/* Finds the width of each column, and prints the table. */
#include "figures/text_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "figures/columns.h"

#define INDENT     2
#define WIDTH_MIN  40u
#define NAME_MIN   8 /* a name is not cut to fewer columns */
#define ROOM_BYTES 4096

void text_table_begin(struct text_table *table, const struct text_column *columns, size_t column_count)
{
    assert(column_count <= TEXT_TABLE_COLUMNS);
    *table = (struct text_table){.columns = columns, .column_count = column_count};
}

void text_table_put(struct text_table *table, const char *text)
{
    size_t bytes = strlen(text) + 1, room = table->cells_room > 0 ? table->cells_room : ROOM_BYTES;
    char *cells = table->cells;

    while (room < table->cells_bytes + bytes)
        room *= 2;
    if (room > table->cells_room)
        cells = realloc(table->cells, room);
    if (cells == NULL || table->failed) {
        table->failed = true;
        return;
    }
    table->cells = cells;
    table->cells_room = room;
    memcpy(cells + table->cells_bytes, text, bytes);
    table->cells_bytes += bytes;
    table->cell_count++;
}

struct widths {
    int of[TEXT_TABLE_COLUMNS]; /* 0: the column is not shown */
};

static int line_length(const struct text_table *table, const struct widths *widths)
{
    int length = INDENT - 1;

    for (size_t i = 0; i < table->column_count; i++)
        length += widths->of[i] > 0 ? widths->of[i] + 1 : 0;
    return length;
}

static void measure(const struct text_table *table, struct widths *widths)
{
    const char *cell = table->cells;

    *widths = (struct widths){0};
    for (size_t i = 0; i < table->column_count; i++) {
        int length = column_length(table->columns[i].head);

        widths->of[i] = table->columns[i].kept > 0 && length > NAME_MIN ? 0 : length;
    }
    for (size_t i = 0; i < table->cell_count; i++, cell += strlen(cell) + 1) {
        int *width = &widths->of[i % table->column_count], length = column_length(cell);

        *width = length > *width ? length : *width;
    }
}

/* Drops columns until the line fits, or until no column may be dropped. */
static void drop(const struct text_table *table, struct widths *widths, int most)
{
    while (line_length(table, widths) > most) {
        size_t least = table->column_count;

        for (size_t i = 0; i < table->column_count; i++)
            if (table->columns[i].drop > 0 && widths->of[i] > 0 &&
                (least == table->column_count || table->columns[i].drop > table->columns[least].drop))
                least = i;
        if (least == table->column_count)
            return;
        widths->of[least] = 0;
    }
}

/* Makes the widest name narrower until the line fits. */
static void cut_names(const struct text_table *table, struct widths *widths, int most)
{
    while (line_length(table, widths) > most) {
        size_t widest = table->column_count;

        for (size_t i = 0; i < table->column_count; i++)
            if (table->columns[i].kept > 0 && widths->of[i] > NAME_MIN &&
                (widest == table->column_count || widths->of[i] > widths->of[widest]))
                widest = i;
        if (widest == table->column_count)
            return;
        widths->of[widest]--;
    }
}

/* Makes the line fit: drops columns first, then cuts names. A name column keeps its minimum width when columns are
 * dropped. */
static void fit(const struct text_table *table, struct widths *widths, unsigned width)
{
    int most = (int)(width > WIDTH_MIN ? width : WIDTH_MIN);
    const struct widths full = *widths;

    if (width == TEXT_ENDLESS)
        return;
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].kept > 0 && widths->of[i] > table->columns[i].kept)
            widths->of[i] = table->columns[i].kept;
    drop(table, widths, most);
    for (size_t i = 0; i < table->column_count; i++)
        widths->of[i] = widths->of[i] > 0 ? full.of[i] : 0;
    cut_names(table, widths, most);
}

/* Widens columns to their minimum width, where the line has room. */
static void widen(const struct text_table *table, struct widths *widths, unsigned width)
{
    for (size_t i = 0; i < table->column_count; i++)
        while (widths->of[i] > 0 && widths->of[i] < table->columns[i].least &&
               (width == TEXT_ENDLESS || line_length(table, widths) < (int)width))
            widths->of[i]++;
}

/* Prints a cell. blanks: number of blanks to print before the next text. They are printed only then, so that no
 * line ends in a blank. */
static void put_cell(FILE *out, const char *text, int width, bool is_name, int *blanks)
{
    int length = column_length(text);

    if (length == 0) {
        *blanks += width;
        return;
    }
    *blanks += !is_name && length < width ? width - length : 0;
    fprintf(out, "%*s", *blanks, "");
    if (is_name && length > width) {
        (void)column_put(out, text, width - 1);
        fputc('~', out);
    } else {
        (void)column_put(out, text, length);
    }
    *blanks = is_name && length < width ? width - length : 0;
}

static void put_row(const struct text_table *table, const struct widths *widths, const char *const texts[], FILE *out)
{
    int blanks = INDENT - 1;

    for (size_t i = 0; i < table->column_count; i++) {
        if (widths->of[i] == 0)
            continue;
        blanks++;
        put_cell(out, texts[i], widths->of[i], table->columns[i].kept > 0, &blanks);
    }
    fputc('\n', out);
}

static void put_head(const struct text_table *table, const struct widths *widths, FILE *out)
{
    const char *texts[TEXT_TABLE_COLUMNS];
    bool any = false, alone = column_length(table->columns[0].head) > widths->of[0];

    for (size_t i = 0; i < table->column_count; i++) {
        texts[i] = i == 0 && alone ? "" : table->columns[i].head;
        any = any || (*texts[i] != '\0' && widths->of[i] > 0);
    }
    if (alone)
        fprintf(out, "%*s%s\n", INDENT, "", table->columns[0].head);
    if (any)
        put_row(table, widths, texts, out);
}

bool text_table_end(struct text_table *table, unsigned width, FILE *out)
{
    const char *texts[TEXT_TABLE_COLUMNS], *cell = table->cells;
    struct widths widths;
    bool failed = table->failed;

    measure(table, &widths);
    fit(table, &widths, width);
    widen(table, &widths, width);
    if (!failed && table->cell_count > 0)
        put_head(table, &widths, out);
    for (size_t i = 0; !failed && i < table->cell_count; i++, cell += strlen(cell) + 1) {
        texts[i % table->column_count] = cell;
        if ((i + 1) % table->column_count == 0)
            put_row(table, &widths, texts, out);
    }
    free(table->cells);
    table->cells = NULL;
    return !failed;
}
