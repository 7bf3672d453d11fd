/* SPDX-License-Identifier: MIT */
/*
 * A variable of the firmware that txtap reads while the firmware runs. A request is the user's text; a variable is the
 * request with its place in memory and its type, both from the ELF file.
 *
 *   EXPRESSION [ ':' FORM ] [ '@' RATE ] [ '!' UNIT ]       the suffixes may have any order
 *
 * EXPRESSION: NAME or FILE ':' NAME, followed by any number of .MEMBER, [INDEX] and ->MEMBER; or *NAME...; or *ADDRESS.
 * FORM: enum hex signed unsigned float bool; or a type: u8 s8 u16 s16 u32 s32 u64 s64 f32 f64.
 * RATE: 100 (per second), 2kHz, or a period such as 10ms.
 */
#ifndef TXTAP_CAPTURE_VARIABLES_VARIABLE_H
#define TXTAP_CAPTURE_VARIABLES_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "locate/elf_file.h"
#include "txtap/header.h"
#include "txtap/sample.h"

#define VARIABLES_MAX              64u
#define VARIABLE_PERIOD_US_DEFAULT 10000u

enum variable_form {
    VARIABLE_FORM_OWN, /* as the variable's type says */
    VARIABLE_FORM_ENUM,
    VARIABLE_FORM_HEX,
    VARIABLE_FORM_SIGNED,
    VARIABLE_FORM_UNSIGNED,
    VARIABLE_FORM_FLOAT,
    VARIABLE_FORM_BOOL,
    VARIABLE_FORM_TYPE, /* request->type and request->type_bytes */
};

/* How the bits in memory are a number. */
enum variable_type { VARIABLE_UNSIGNED, VARIABLE_SIGNED, VARIABLE_FLOAT };

struct variable_request {
    char expression[TXTAP_CHANNEL_NAME_BYTES]; /* without blanks and suffixes */
    char unit[TXTAP_CHANNEL_UNIT_BYTES];       /* "": no unit */
    enum variable_form form;
    enum variable_type type; /* VARIABLE_FORM_TYPE: the type */
    unsigned type_bytes;     /* VARIABLE_FORM_TYPE: size of the type; 0: no type was given */
    uint64_t period_us;      /* the shortest time between two samples */
    bool has_rate;           /* the user gave a rate */
};

struct variable_requests {
    struct variable_request at[VARIABLES_MAX];
    size_t count;
};

/*
 * Adds the requests in a list, which are separated by commas. False: `error` has one line, and the requests before the
 * wrong one were added.
 */
bool variable_requests_add(struct variable_requests *requests, const char *list, struct error *error);

/* Returns true if a request has this expression. */
bool variable_requests_have(const struct variable_requests *requests, const char *expression);

struct variable {
    uint32_t address; /* of the value; if `follows` is true, of the pointer */
    uint32_t offset;  /* bytes from the pointer's target to the value */
    bool follows;     /* the value is in the memory to which a pointer points */
    uint32_t bytes;   /* size of the value in memory, 1 to 8 */
    unsigned shift;   /* number of bits below the value; 0 unless the variable is a bit field */
    unsigned bits;    /* number of bits of the value */
    enum variable_type type;
    enum txtap_channel_form form;
    enum txtap_endian endian;
    struct txtap_channel_word *words; /* of the form STATE: sorted by number. The caller frees them */
    uint32_t word_count;
};

/* Returns the value in the form of the variable's channel. bytes: variable->bytes bytes as they are in memory. */
uint64_t variable_value(const struct variable *variable, const uint8_t *bytes);

/*
 * Finds the variables of all requests. elf: the firmware's file, closed by the caller at any time later; NULL: only
 * addresses can be found. TXTAP_ERROR_USAGE: error is one line about the first request that has no variable. After any
 * result, the caller calls variables_free().
 */
enum txtap_status variables_find(struct variable *variables, const struct variable_requests *requests,
                                 const struct elf_file *elf, struct error *error);
void variables_free(struct variable *variables, size_t count);

#endif
