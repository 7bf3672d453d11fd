/* SPDX-License-Identifier: MIT */
/* The lines of a configuration file, .txtap or that of a lab: NAME = VALUE, sections, comments. Knows no option. */
#ifndef TXTAP_CAPTURE_OPTIONS_SETTINGS_FILE_H
#define TXTAP_CAPTURE_OPTIONS_SETTINGS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define SETTINGS_BYTES_MAX 16384 /* size of a file .txtap */
#define SETTINGS_MAX       256   /* settings in a file .txtap */

struct setting {
    unsigned line;       /* from 1 */
    const char *section; /* a word, or "WORD NAME" if sections have names; "" before the first section */
    const char *name;    /* lower-case letters, digits and hyphens; not empty, but for a section */
    const char *value;   /* not empty; without blanks at both ends, without control bytes */
};

struct settings {
    struct setting *rows; /* the caller's memory for `room` settings; the first `count` are in use */
    size_t room, count;
    bool section_has_name; /* a section may have a name, [board b1], and is itself a setting with the name "" */
    unsigned line;         /* after a failure: the invalid line */
    const char *problem;   /* after a failure: its cause and the next step */
};

/* Parses `length` bytes. The caller sets rows, room and section_has_name. text[length] must be writable. Changes the
 * text; the settings borrow their strings from it. Returns false if a line is invalid. */
bool settings_parse(struct settings *settings, char *text, size_t length);

#endif
