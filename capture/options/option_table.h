/* SPDX-License-Identifier: MIT */
/* All options of a command in one table, and the check that a command line names only these. */
#ifndef TXTAP_CAPTURE_OPTIONS_OPTION_TABLE_H
#define TXTAP_CAPTURE_OPTIONS_OPTION_TABLE_H

#include <argp.h>
#include <stddef.h>

#define OPTION_TABLE_MAX 128

struct option_row {
    const struct argp_option *option;
    const struct argp *argp; /* the argp with this option */
    const char *head;        /* heading of its group, or NULL */
};

struct option_table {
    struct option_row rows[OPTION_TABLE_MAX]; /* `count` rows, group by group; also hidden options */
    size_t count;
};

/* Collects the options of `argp` and of all its children. */
void option_table_make(struct option_table *table, const struct argp *argp);

/* Finds an option by its long name, of which the first `length` bytes are given. Returns NULL if no option has this
 * name, or if the name is only a prefix and several options begin with it. */
const struct argp_option *option_table_find(const struct option_table *table, const char *name, size_t length);

/* Finds an option by its short name; NULL: no option has it. */
const struct argp_option *option_table_find_short(const struct option_table *table, char key);

/*
 * Checks every option in words[1] to words[count - 1]: it exists, and has a value if it needs one. An invalid option
 * ends the program with a usage error that starts with words[0] and names similar options.
 */
void option_table_check(const struct option_table *table, int count, char **words);

/* Calls see() for each option of the words, which option_table_check() has accepted, with its value or NULL, and for
 * each operand, with NULL as the option. */
void option_table_walk(const struct option_table *table, int count, char **words,
                       void (*see)(void *self, const struct argp_option *option, const char *value), void *self);

#endif
