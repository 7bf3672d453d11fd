/* SPDX-License-Identifier: MIT */
/*
 * The meaning of an application's user events: names, texts, enumerations and units from a definitions file. There are
 * two formats; only the second format has a line "Start".
 *
 * txtap's own format has one definition on each line. Blanks around a definition, empty lines, and lines that begin
 * with # are ignored.
 *
 *   enum NAME NUMBER=WORD...            words for numbers
 *   flags NAME MASK=WORD...             words for single bits, or for several bits together
 *   event ID "NAME" ["TEXT"]            the event's name, and the meaning of its four words
 *   slice ID ID "NAME"                  the first event begins an interval, the second event ends it
 *   counter ID WORD "NAME"              the event's WORD, 0 to 3, is a value that timelines show
 *   interrupt NUMBER "NAME"             the name of the interrupt that the trace shows with this number
 *   vector NUMBER "NAME"                the handler of a Cortex-M exception, 0 to 511; 16 is the first interrupt
 *   function ADDRESS "NAME"             the function at an address
 *   interrupts exception                the numbers in the trace are numbers of exceptions
 *   interrupts irq                      the numbers in the trace are numbers of exceptions minus 16
 *
 * NAME of enum and flags: letters, digits and _; the first character is not a digit. WORD: any text in quotes, or
 * letters, digits and _ . + - / without quotes. NUMBER and MASK: decimal or 0x hexadecimal; NUMBER may be negative. ID:
 * 0 to 65535, which includes the ids of the kernel. In TEXT, {{ and }} mean single braces, and a field has the form
 *
 *   {WORD[=LABEL][:KIND][ UNIT]}        WORD 0 to 3; LABEL for JSON and CSV, by default info1 to info4
 *
 * KIND: u unsigned (the default), d signed, u/10 to u/1000000000 and d/10 to d/1000000000 with decimal places, x
 * hexadecimal, f IEEE 754 binary32, addr, function, object, wait (none, forever, ticks), ipv4, state (of a thread),
 * tx_status, fx_status, nx_status, ux_status (error codes), enum NAME, flags NAME. UNIT: written after the value.
 *
 * A slice or counter line must follow the event lines of its ids. An event may be in at most one slice or counter line.
 *
 *   enum state 0=idle 1=running 2="out of order"
 *   event 4096 "sample ready" "channel {0=channel} value {1=value:d/1000 V} state {2=state:enum state}"
 *
 * TraceX's .trxc: between lines that are exactly Start and End, each line has at least 13 fields separated by commas:
 * number, name, abbreviation, two colours of three fields each, four labels. An event from a .trxc never replaces an
 * event of the kernel's components. Source: TraceX src/TraceX/TraceXView.xaml.cs, GetLineInfo; user guide, chapter 10.
 */
#ifndef TXTAP_DEFINITIONS_H
#define TXTAP_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

#define TXTAP_DEFINITION_PARTS_MAX 8    /* fields in a text */
#define TXTAP_DEFINITION_NAME_MAX  63   /* bytes of a name, label, word, unit */
#define TXTAP_DEFINITION_TEXT_MAX  255  /* bytes of a text */
#define TXTAP_DEFINITION_FLAGS_MAX 320  /* bytes of all words of a flags line, plus one byte for each word */
#define TXTAP_DEFINITION_LINE_MAX  4096 /* bytes of a line */
#define TXTAP_DEFINITION_LISTS_MAX 256  /* enum and flags lines */

#define TXTAP_DEFINITION_ROWS_MAX 256 /* slice and counter lines */

#define TXTAP_DEFINITION_INTERRUPTS_MAX 256   /* interrupt lines */
#define TXTAP_DEFINITION_VECTORS_MAX    512   /* exceptions of a Cortex-M */
#define TXTAP_DEFINITION_FUNCTIONS_MAX  16384 /* function lines */

/* The meaning of the numbers of interrupts in a trace. */
enum txtap_interrupt_numbers {
    TXTAP_INTERRUPTS_UNKNOWN,
    TXTAP_INTERRUPTS_EXCEPTION, /* number of the exception, as in IPSR: SysTick is 15 */
    TXTAP_INTERRUPTS_IRQ,       /* number of the exception minus 16: SysTick is -1 */
};

/* The role of an event in a timeline. */
enum txtap_definition_role {
    TXTAP_DEFINITION_PLAIN, /* the event is not part of a row */
    TXTAP_DEFINITION_BEGIN,
    TXTAP_DEFINITION_END,
    TXTAP_DEFINITION_COUNTER,
};

struct txtap_definition_row {
    enum txtap_definition_role role;
    uint8_t word;     /* of COUNTER: 0 to 3 */
    uint16_t number;  /* number of the slice or counter line, from 0; BEGIN and END of a slice have the same number */
    const char *name; /* name of the row; unset if role is PLAIN */
};

/* A field in a text. */
struct txtap_definition_part {
    uint16_t at;  /* the field is inserted before this byte of the text */
    uint8_t word; /* 0 to 3 */
    struct txtap_field_info field;
    struct txtap_field_format format;
};

/*
 * All strings are valid UTF-8 without control characters, quotes and backslashes. In addition, labels contain no
 * blanks, commas or equals signs. So no format needs to escape these strings, with one exception: CSV must escape a
 * comma in a name.
 */
struct txtap_definition {
    struct txtap_event_info info; /* component USER, symbol ""; field[n]: the first part that shows word n */
    bool weak;                    /* from a .trxc: the events of the table take precedence */
    const char *text; /* the text without its fields; NULL: no text; the fields are shown with their labels */
    size_t part_count;
    struct txtap_definition_part part[TXTAP_DEFINITION_PARTS_MAX];
    struct txtap_definition_row row;
};

struct txtap_word_list {
    const char *name;
    size_t first, count; /* index of the first word, and number of words */
    bool flags;
};

/* The caller's memory: three arrays. If one of them is full, parsing returns TXTAP_ERROR_SPACE. */
struct txtap_definitions_memory {
    struct txtap_definition *events;
    size_t event_capacity; /* at most 65535 elements are used */
    struct txtap_word *words;
    size_t word_capacity;
    char *strings;
    size_t string_capacity;
};

/* 410 KiB: not for the stack. */
struct txtap_definitions {
    struct txtap_definitions_memory memory; /* borrowed */
    size_t event_count, word_count, string_bytes, list_count, row_count, interrupt_count, function_count;
    enum txtap_interrupt_numbers numbers;
    struct txtap_word interrupts[TXTAP_DEFINITION_INTERRUPTS_MAX]; /* names by the number in the trace */
    const char *vectors[TXTAP_DEFINITION_VECTORS_MAX];             /* handlers by exception; NULL: no handler */
    struct txtap_word functions[TXTAP_DEFINITION_FUNCTIONS_MAX];   /* names by address, sorted; bit 0 cleared */
    struct txtap_word_list lists[TXTAP_DEFINITION_LISTS_MAX];
    uint16_t by_id[65536]; /* 1 + index of the event; 0: no definition */
};

/* Starts without definitions. memory: may have no room; borrowed as long as the definitions are in use. */
void txtap_definitions_init(struct txtap_definitions *definitions, struct txtap_definitions_memory memory);

/* Private: the numbers of interrupts in a trace so far. */
struct txtap_interrupts {
    const struct txtap_definitions *definitions; /* borrowed, or NULL */
    bool seen;                                   /* at least one number was seen */
    bool no_exception, no_irq; /* some number is not the number of an exception, or of an interrupt, with a handler */
};

/* The problem that a parse found; all zero if there was none. */
struct txtap_definitions_problem {
    size_t line;    /* from 1; 0: no line */
    size_t skipped; /* lines of a .trxc that TraceX skips too; line is the first skipped line */
    char text[128]; /* one line, printable ASCII */
};

/*
 * Adds a file's definitions. bytes[0..length): any content, not needed afterwards. A definition replaces an earlier
 * definition of the same event. Takes O(length) steps, plus a linear search for each word. TXTAP_ERROR_FORMAT: a line
 * is invalid, and *problem has the line's number and the reason; or no line of a .trxc is usable. TXTAP_ERROR_SPACE:
 * the caller's memory is too small. After an error the preceding lines are defined. TXTAP_OK with problem->skipped > 0:
 * a .trxc has lines that are not definitions.
 */
enum txtap_status txtap_definitions_parse(struct txtap_definitions *definitions, const char *bytes, size_t length,
                                          struct txtap_definitions_problem *problem);

/*
 * Returns the event's definition, or NULL. The pointer is valid until init. A later parse may replace the definition.
 */
const struct txtap_definition *txtap_definitions_find(const struct txtap_definitions *definitions, uint32_t id);

/*
 * Returns the row that describes an event: from the definitions if they have the event, otherwise from the table. NULL:
 * there is no row. definitions: may be NULL.
 */
const struct txtap_event_info *txtap_definitions_event(const struct txtap_definitions *definitions, uint32_t id,
                                                       unsigned profile);

TXTAP_API_END

#endif
