/* SPDX-License-Identifier: MIT */
/* Prints the help of a command. argp's own help cannot put common options first. */
#include "options/help.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS     79 /* the last column of a terminal stays free */
#define TEXT_COLUMN 29 /* column of an option's description */
#define LABEL_BYTES 64

/* ---- text ---- */

/* Prints words up to a line feed, a vertical tab or the end of the text. All lines but the first begin at column
 * `indent`. used: columns of the first line that are printed already. Returns the rest of the text. */
static const char *print_wrapped(const char *text, size_t used, size_t indent)
{
    size_t column = used;
    bool first = true;

    while (strchr("\n\v", *text) == NULL) { /* strchr() also finds the NUL at the end */
        size_t length = strcspn(text, " \n\v");

        if (!first && column + 1 + length > COLUMNS) {
            printf("\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        printf("%s%.*s", first ? "" : " ", (int)length, text);
        column += length + !first;
        first = false;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
    return text;
}

/* Prints paragraphs, which a line feed or an empty line separates, up to a vertical tab or the end of the text. */
static void print_paragraphs(const char *text)
{
    while (strchr("\v", *text) == NULL) {
        text = print_wrapped(text, 0, 0);
        text += *text == '\n';
    }
}

/* ---- one option ---- */

static bool is_shown(const struct option_row *row)
{
    return row->option->name != NULL && (row->option->flags & OPTION_HIDDEN) == 0;
}

/* Writes "  -o, --output=FILE". */
static void make_label(char label[static LABEL_BYTES], const struct argp_option *option)
{
    bool optional = (option->flags & OPTION_ARG_OPTIONAL) != 0;
    char key[8] = "      ";

    if (option->key > ' ' && option->key <= '~')
        snprintf(key, sizeof key, "  -%c, ", option->key);
    snprintf(label, LABEL_BYTES, "%s--%s%s%s%s%s", key, option->name, optional ? "[" : "", option->arg ? "=" : "",
             option->arg ? option->arg : "", optional ? "]" : "");
}

static void print_option(const struct option_row *row, const struct options *options)
{
    const struct argp_option *option = row->option;
    char *text = (char *)option->doc, label[LABEL_BYTES];

    if (row->argp->help_filter != NULL)
        text = row->argp->help_filter(option->key, option->doc, (void *)options);
    make_label(label, option);
    if (strlen(label) + 1 > TEXT_COLUMN)
        printf("%s\n%*s", label, TEXT_COLUMN, "");
    else
        printf("%-*s", TEXT_COLUMN, label);
    print_wrapped(text != NULL ? text : "", TEXT_COLUMN, TEXT_COLUMN);
    if (text != option->doc)
        free(text);
}

/* ---- groups ---- */

/* Returns true if `names`, which are separated by blanks, contain the name. */
static bool names_option(const char *names, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = names; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Prints the command's common options in the order of command->common. */
static void print_common(const struct options *options, const struct option_table *table)
{
    const char *names = options->command->common;

    printf("\nCommon options:\n");
    while (*names != '\0') {
        size_t length = strcspn(names, " ");

        for (size_t i = 0; i < table->count; i++)
            if (is_shown(&table->rows[i]) && strlen(table->rows[i].option->name) == length &&
                strncmp(table->rows[i].option->name, names, length) == 0)
                print_option(&table->rows[i], options);
        names += length;
        names += strspn(names, " ");
    }
}

static int by_name(const void *left, const void *right)
{
    const struct option_row *a = left, *b = right;

    return strcasecmp(a->option->name, b->option->name);
}

/* Prints the options of a group, except common options, in the order of their names. Prints nothing if there are no
 * such options. */
static void print_group(const char *head, const struct options *options, const struct option_table *table)
{
    struct option_row rows[OPTION_TABLE_MAX];
    size_t count = 0;

    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].head == head && is_shown(&table->rows[i]) &&
            !names_option(options->command->common, table->rows[i].option->name))
            rows[count++] = table->rows[i];
    if (count > 0)
        printf("\n%s\n", head != NULL ? head : options->command->common != NULL ? "Other options:" : "Options:");
    qsort(rows, count, sizeof *rows, by_name);
    for (size_t i = 0; i < count; i++)
        print_option(&rows[i], options);
}

/* Prints each group where its first option is. Options without a heading come first. */
static void print_groups(const struct options *options, const struct option_table *table)
{
    const char *before = NULL;

    print_group(NULL, options, table);
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].head == before || table->rows[i].head == NULL)
            continue;
        before = table->rows[i].head;
        print_group(before, options, table);
    }
}

void help_print(const struct options *options, const struct option_table *table, bool all)
{
    const struct command *command = options->command;
    const char *more = strchr(command->help, '\v');

    printf("Usage: txtap %s [OPTION...]%s%s\n", command->name, command->operands ? " " : "",
           command->operands ? command->operands : "");
    print_paragraphs(command->help);
    if (command->common != NULL)
        print_common(options, table);
    if (all || command->common == NULL)
        print_groups(options, table);
    if (!all && command->common != NULL) {
        printf("\n'txtap %s --help' shows all options.\n", command->name);
        return;
    }
    if (more != NULL) {
        putchar('\n');
        print_paragraphs(more + 1);
    }
}
