/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Makes text from the target safe to print.
 */
#ifndef TXTAP_INNER_ESCAPE_H
#define TXTAP_INNER_ESCAPE_H

#include <stddef.h>

/* The buffer size for any text of `bytes` bytes after escaping, NUL included. */
#define TXTAP_ESCAPED_BYTES(bytes) (4 * (bytes) + 1)

/*
 * Copies text for a terminal. Bytes that are not printable UTF-8 become \xNN. Characters that change the direction of a
 * line (U+202E and others) also become \xNN. Quotes and backslashes get a backslash. out: size bytes (> 0),
 * NUL-terminated; the text is cut if out is too small, and always at 4 KiB. Returns out.
 */
char *txtap_escape_terminal(char *out, size_t size, const char *text);

/* The buffer size for any text of `bytes` bytes as a JSON string, NUL included. */
#define TXTAP_ESCAPED_JSON_BYTES(bytes) (6 * (bytes) + 3)

/*
 * Makes a JSON string from text, with quotes. Bytes that are not UTF-8 become \ufffd. Control characters, and
 * characters that change the direction of a line, become \uNNNN. out: size bytes (>= 3), NUL-terminated. A text that is
 * longer than 1 KiB, or that does not fit into out, becomes "". Returns out.
 */
char *txtap_escape_json(char *out, size_t size, const char *text);

/* The buffer size for any text of `bytes` bytes in XML, NUL included. */
#define TXTAP_ESCAPED_XML_BYTES(bytes) (6 * (bytes) + 1)

/*
 * Copies text for XML, as an attribute's value or between tags. Bytes that are not UTF-8, and characters that are
 * invalid in XML, become U+FFFD. out: size bytes (> 0), NUL-terminated; the text is cut before the first character that
 * does not fit. Returns out.
 */
char *txtap_escape_xml(char *out, size_t size, const char *text);

#endif
