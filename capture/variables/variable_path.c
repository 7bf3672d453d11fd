/* SPDX-License-Identifier: MIT */
/* Members, elements and types. The file may be damaged, so the number of steps of each search is limited. */
#include "variables/variable_path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"

#define DEPTH_MAX     16     /* of unnamed structs, base classes, and elements in elements */
#define MEMBERS_MAX   100000 /* entries visited for one member; damaged structs may contain each other */
#define POINTER_BYTES 4u
#define BYTES_MAX     UINT32_MAX

/* A place within a variable. */
struct place {
    const struct variable_request *request;
    Dwarf_Die type;     /* without typedefs and qualifiers; of an array's element, the array */
    unsigned dimension; /* of an array: number of indexes that were given */
    uint64_t offset;    /* bytes from the variable's start or, after a pointer, from the pointer's target */
    bool follows;       /* a pointer was followed */
    uint64_t pointer;   /* offset of this pointer */
    Dwarf_Die member;   /* the last member, if is_member is true */
    bool is_member;
};

static enum txtap_status wrong(const struct place *place, const char *path, const char *cause, struct error *error)
{
    const char *text = place->request->expression;

    return failure(error, TXTAP_ERROR_USAGE, "'%.*s': %.150s", (int)(path - text), text, cause);
}

/* ---- arrays ---- */

/* Returns the number of elements in a dimension of an array. 0: not known, as for a flexible array. False: there is no
 * such dimension. */
static bool dimension_of(Dwarf_Die *array, unsigned dimension, uint64_t *count)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    unsigned seen = 0;
    Dwarf_Die child;

    if (dwarf_child(array, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) != DW_TAG_subrange_type || seen++ < dimension)
            continue;
        *count = 0;
        if (dwarf_attr_integrate(&child, DW_AT_count, &attribute) != NULL && dwarf_formudata(&attribute, &number) == 0)
            *count = number;
        else if (dwarf_attr_integrate(&child, DW_AT_upper_bound, &attribute) != NULL &&
                 dwarf_formudata(&attribute, &number) == 0)
            *count = number + 1;
        return true;
    } while (die_next(&child) && seen < DEPTH_MAX);
    return false;
}

/* Sets *bytes to the size of the type, after `dimension` indexes. False: not known, or too large. */
static bool size_of(Dwarf_Die *type, unsigned dimension, uint64_t *bytes)
{
    Dwarf_Die at = *type;
    uint64_t factor = 1, count;
    int size;

    for (unsigned depth = 0; dwarf_tag(&at) == DW_TAG_array_type; depth++) {
        for (unsigned i = depth == 0 ? dimension : 0; dimension_of(&at, i, &count); i++) {
            if (count == 0 || factor > BYTES_MAX / count)
                return false;
            factor *= count;
        }
        if (depth == DEPTH_MAX || !die_type(&at, &at))
            return false;
    }
    size = dwarf_bytesize(&at);
    if (size <= 0 && (dwarf_tag(&at) == DW_TAG_pointer_type || dwarf_tag(&at) == DW_TAG_reference_type))
        size = (int)POINTER_BYTES;
    if (size <= 0 || factor > BYTES_MAX / (uint64_t)size)
        return false;
    *bytes = factor * (uint64_t)size;
    return true;
}

static bool is_pointer(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type ||
           tag == DW_TAG_ptr_to_member_type;
}

static enum txtap_status follow_pointer(struct place *place, const char *path, struct error *error)
{
    if (place->follows)
        return wrong(place, path, "this is a second pointer on the way, and txtap follows one", error);
    if (!is_pointer(&place->type))
        return wrong(place, path, "is no pointer", error);
    place->pointer = place->offset;
    place->offset = 0;
    place->follows = true;
    place->is_member = false;
    if (!die_type(&place->type, &place->type))
        return wrong(place, path, "points to memory without a type", error);
    place->dimension = 0;
    return TXTAP_OK;
}

/* Takes "[INDEX]". */
static enum txtap_status enter_element(struct place *place, const char **path, struct error *error)
{
    char *end;
    uint64_t index = strtoul(*path + 1, &end, 0), count = 0, bytes;
    const char *from = *path;

    if (end == *path + 1 || *end != ']' || (*path)[1] == '-' || index > UINT32_MAX)
        return wrong(place, from, "an index is a number from 0 on: [2]", error);
    *path = end + 1;
    if (is_pointer(&place->type)) {
        enum txtap_status status = follow_pointer(place, from, error);

        if (status != TXTAP_OK)
            return status;
    } else {
        if (dwarf_tag(&place->type) != DW_TAG_array_type || !dimension_of(&place->type, place->dimension, &count))
            return wrong(place, from, "is no array", error);
        place->dimension++;
    }
    if (count > 0 && index >= count)
        return failure(error, TXTAP_ERROR_USAGE, "'%.*s' has only %" PRIu64 " elements",
                       (int)(from - place->request->expression), place->request->expression, count);
    if (!size_of(&place->type, place->dimension, &bytes) || index * bytes > BYTES_MAX)
        return wrong(place, from, "its elements have no known size", error);
    place->offset += index * bytes;
    place->is_member = false;
    if (dwarf_tag(&place->type) == DW_TAG_array_type && !dimension_of(&place->type, place->dimension, &count)) {
        if (!die_type(&place->type, &place->type))
            return wrong(place, from, "its elements have no known type", error);
        place->dimension = 0;
    }
    return TXTAP_OK;
}

/* ---- members ---- */

struct search {
    const char *name; /* of `length` bytes; NULL: only offers all names to `similar` */
    size_t length;
    struct similar *similar;
    unsigned visited;
    Dwarf_Die found;
};

static bool is_compound(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Finds a member, also in unnamed members and in base classes. Adds its offset to *offset. */
static bool find_member(struct search *search, Dwarf_Die *structure, unsigned depth, uint64_t *offset)
{
    bool is_union = dwarf_tag(structure) == DW_TAG_union_type;
    Dwarf_Die child, type;
    Dwarf_Word own;

    if (depth == DEPTH_MAX || dwarf_child(structure, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);
        const char *name = dwarf_diename(&child);
        bool inner = tag == DW_TAG_inheritance || name == NULL;

        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !die_offset(&child, is_union, &own) ||
            own > BYTES_MAX)
            continue;
        if (search->visited++ == MEMBERS_MAX)
            return false;
        if (!inner && search->similar != NULL)
            similar_offer(search->similar, name);
        *offset += own;
        if (!inner && search->similar == NULL && die_is_named(&child, search->name, search->length)) {
            search->found = child;
            return true;
        }
        if (inner && die_type(&child, &type) && is_compound(&type) && find_member(search, &type, depth + 1, offset))
            return true;
        *offset -= own;
    } while (die_next(&child));
    return false;
}

/* Takes the name of a member at *path. */
static enum txtap_status enter_member(struct place *place, const char *from, const char **path, struct error *error)
{
    char name[SIMILAR_NAME_BYTES], hint[SIMILAR_TEXT_BYTES];
    const char *text = place->request->expression;
    struct search search = {.name = *path, .length = strcspn(*path, ".[-")};
    struct similar similar;
    uint64_t ignored = 0;

    if (!is_compound(&place->type))
        return wrong(place, from, is_pointer(&place->type) ? "is a pointer: its members follow ->" : "has no members",
                     error);
    if (!die_complete(&place->type))
        return wrong(place, from, "nothing describes the members of this struct: compile with -g", error);
    if (search.length == 0)
        return wrong(place, *path, "the name of a member is missing", error);
    if (find_member(&search, &place->type, 0, &place->offset)) {
        place->member = search.found;
        place->is_member = true;
        place->dimension = 0;
        *path += search.length;
        return die_type(&search.found, &place->type) ? TXTAP_OK : wrong(place, *path, "has no type", error);
    }
    snprintf(name, sizeof name, "%.*s", (int)search.length, *path);
    similar_init(&similar, name);
    search = (struct search){.similar = &similar};
    (void)find_member(&search, &place->type, 0, &ignored);
    return failure(error, TXTAP_ERROR_USAGE, "'%.*s' has no member '%s'%s", (int)(from - text), text, name,
                   similar_text(&similar, hint));
}

static enum txtap_status step(struct place *place, const char **path, struct error *error)
{
    const char *from = *path;
    enum txtap_status status = TXTAP_OK;

    if (*from == '[')
        return enter_element(place, path, error);
    if (from[0] == '-' && from[1] == '>') {
        status = follow_pointer(place, from, error);
        *path += 2;
    } else if (*from == '.') {
        *path += 1;
    } else {
        return failure(error, TXTAP_ERROR_USAGE, "'%.100s': expected .member, ->member or [index] at '%.40s'",
                       place->request->expression, from);
    }
    return status == TXTAP_OK ? enter_member(place, from, path, error) : status;
}

/* ---- types ---- */

static int compare_words(const void *a, const void *b)
{
    const struct txtap_channel_word *first = a, *second = b;

    return (first->number > second->number) - (first->number < second->number);
}

/* Returns the value of the variable after the number is stored in it. */
static int64_t as_contained(const struct variable *variable, uint64_t number)
{
    if (variable->bits >= 64)
        return (int64_t)number;
    number &= (UINT64_C(1) << variable->bits) - 1;
    if (variable->type == VARIABLE_SIGNED && (number >> (variable->bits - 1) & 1) != 0)
        number |= ~UINT64_C(0) << variable->bits;
    return (int64_t)number;
}

/* Sets *number to the value of an enumerator, and *negative to true if the number is negative. */
static bool enumerator_number(Dwarf_Die *die, uint64_t *number, bool *negative)
{
    Dwarf_Attribute attribute;
    Dwarf_Sword number_signed;
    Dwarf_Word number_unsigned;
    unsigned form;

    if (dwarf_attr_integrate(die, DW_AT_const_value, &attribute) == NULL)
        return false;
    form = dwarf_whatform(&attribute);
    if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
        if (dwarf_formsdata(&attribute, &number_signed) != 0)
            return false;
        *number = (uint64_t)number_signed;
        *negative = *negative || number_signed < 0;
        return true;
    }
    if (dwarf_formudata(&attribute, &number_unsigned) != 0)
        return false;
    *number = number_unsigned;
    return true;
}

/* Adds the word of an enumerator. Of several words for a number, the first stays. */
static void add_word(struct variable *variable, const char *text, uint64_t number)
{
    struct txtap_channel_word word = {.number = (int64_t)number};

    for (uint32_t i = 0; i < variable->word_count; i++)
        if (variable->words[i].number == word.number)
            return;
    snprintf(word.text, sizeof word.text, "%.*s", (int)sizeof word.text - 1, text);
    for (char *at = word.text; *at != '\0'; at++)
        if ((unsigned char)*at <= ' ' || (unsigned char)*at > '~' || *at == '"' || *at == '\\')
            *at = '?';
    variable->words[variable->word_count++] = word;
}

static bool take_words(struct variable *variable, Dwarf_Die *type)
{
    bool negative = false;
    uint64_t number;
    Dwarf_Die child;

    variable->words = calloc(TXTAP_CHANNEL_WORDS_MAX, sizeof *variable->words);
    if (variable->words == NULL)
        return false;
    if (dwarf_child(type, &child) == 0)
        do {
            const char *name = dwarf_diename(&child);

            if (dwarf_tag(&child) == DW_TAG_enumerator && name != NULL && *name != '\0' &&
                enumerator_number(&child, &number, &negative) && variable->word_count < TXTAP_CHANNEL_WORDS_MAX)
                add_word(variable, name, number);
        } while (die_next(&child));
    variable->type = negative ? VARIABLE_SIGNED : VARIABLE_UNSIGNED;
    return true;
}

/* Brings the words into the range of the variable. The number of bits of a bit field must be known. */
static void finish_words(struct variable *variable)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < variable->word_count; i++)
        variable->words[i].number = as_contained(variable, (uint64_t)variable->words[i].number);
    if (variable->word_count > 0)
        qsort(variable->words, variable->word_count, sizeof *variable->words, compare_words);
    for (uint32_t i = 0; i < variable->word_count; i++)
        if (kept == 0 || variable->words[kept - 1].number != variable->words[i].number)
            variable->words[kept++] = variable->words[i];
    variable->word_count = kept;
}

/* Sets the form that belongs to a base type. False: txtap does not read this type. */
static bool take_base(struct variable *variable, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding;

    if (dwarf_attr_integrate(type, DW_AT_encoding, &attribute) == NULL || dwarf_formudata(&attribute, &encoding) != 0)
        return false;
    switch (encoding) {
    case DW_ATE_boolean:
        variable->form = TXTAP_FORM_BOOL;
        return true;
    case DW_ATE_float:
        variable->type = VARIABLE_FLOAT;
        variable->form = TXTAP_FORM_FLOAT;
        return variable->bytes == 4 || variable->bytes == 8;
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        variable->type = VARIABLE_SIGNED;
        variable->form = TXTAP_FORM_SIGNED;
        return true;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        variable->form = TXTAP_FORM_UNSIGNED;
        return true;
    default:
        return false;
    }
}

static enum txtap_status take_type(struct variable *variable, struct place *place, struct error *error)
{
    const char *end = place->request->expression + strlen(place->request->expression);
    uint64_t bytes;
    bool known = true;

    if (is_compound(&place->type))
        return wrong(place, end, "is a struct: give one of its members", error);
    if (dwarf_tag(&place->type) == DW_TAG_array_type)
        return wrong(place, end, "is an array: give one of its elements, such as [0]", error);
    if (!size_of(&place->type, 0, &bytes) || bytes > 8)
        return wrong(place, end, "txtap reads only numbers of 1 to 8 bytes, enums and pointers", error);
    variable->bytes = (uint32_t)bytes;
    variable->bits = (unsigned)bytes * 8;
    variable->type = VARIABLE_UNSIGNED;
    if (is_pointer(&place->type)) {
        variable->form = TXTAP_FORM_ADDRESS;
    } else if (dwarf_tag(&place->type) == DW_TAG_enumeration_type) {
        variable->form = TXTAP_FORM_STATE;
        known = take_words(variable, &place->type);
    } else {
        known = dwarf_tag(&place->type) == DW_TAG_base_type && take_base(variable, &place->type);
    }
    return known ? TXTAP_OK : wrong(place, end, "txtap reads only numbers of 1 to 8 bytes, enums and pointers", error);
}

/* ---- bit fields ---- */

static bool number_of(Dwarf_Die *die, unsigned name, int64_t *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Sword value;
    Dwarf_Word unsigned_value;

    if (dwarf_attr_integrate(die, name, &attribute) == NULL)
        return false;
    if (dwarf_whatform(&attribute) == DW_FORM_sdata || dwarf_whatform(&attribute) == DW_FORM_implicit_const) {
        *number = dwarf_formsdata(&attribute, &value) == 0 ? (int64_t)value : INT64_MIN;
        return true;
    }
    *number = dwarf_formudata(&attribute, &unsigned_value) == 0 ? (int64_t)unsigned_value : INT64_MIN;
    return true;
}

/*
 * Sets the bits of a bit field, and adds the whole bytes before it to the offset. Since DWARF 4, data_bit_offset counts
 * the bits from the start of the struct. Before, bit_offset counts the bits from the most significant bit of a unit of
 * byte_size bytes at the member's offset. Bits are counted from the lowest in a little-endian target, and from the
 * highest in a big-endian target.
 */
static bool take_bits(struct variable *variable, struct place *place)
{
    int64_t size, first, unit;
    bool big = variable->endian == TXTAP_BIG;

    if (!place->is_member || !number_of(&place->member, DW_AT_bit_size, &size))
        return true;
    if (size < 1 || size > 8 * (int64_t)variable->bytes)
        return false;
    if (!number_of(&place->member, DW_AT_data_bit_offset, &first)) {
        if (!number_of(&place->member, DW_AT_bit_offset, &first))
            first = big ? 0 : 8 * (int64_t)variable->bytes - size; /* a bit field that fills its unit has no offset */
        if (!number_of(&place->member, DW_AT_byte_size, &unit))
            unit = variable->bytes;
        if (unit < 1 || unit > 8 || first < -64 || first > 64)
            return false;
        first = big ? first : unit * 8 - first - size;
    }
    if (first < 0 || first > (int64_t)BYTES_MAX)
        return false;
    place->offset += (uint64_t)first / 8;
    variable->bytes = (uint32_t)((first % 8 + size + 7) / 8);
    variable->shift = (unsigned)(big ? 8 * (int64_t)variable->bytes - first % 8 - size : first % 8);
    variable->bits = (unsigned)size;
    return variable->bytes <= 8;
}

/* ---- the user's form ---- */

enum txtap_status variable_form_set(struct variable *variable, const struct variable_request *request,
                                    struct error *error)
{
    switch (request->form) {
    case VARIABLE_FORM_OWN:
        return TXTAP_OK;
    case VARIABLE_FORM_ENUM:
        if (variable->form == TXTAP_FORM_STATE)
            return TXTAP_OK;
        return failure(error, TXTAP_ERROR_USAGE, "'%.100s' is no enum: leave out ':enum'", request->expression);
    case VARIABLE_FORM_TYPE:
        if (request->type_bytes != variable->bytes || variable->bits != 8 * variable->bytes)
            return failure(error, TXTAP_ERROR_USAGE, "'%.100s' has %u bits: give a type of this size, or no type",
                           request->expression, variable->bits);
        break;
    case VARIABLE_FORM_FLOAT:
        if (variable->bits != 32 && variable->bits != 64)
            return failure(error, TXTAP_ERROR_USAGE, "'%.100s' has %u bits: a float has 32 or 64", request->expression,
                           variable->bits);
        break;
    default:
        break;
    }
    variable->type = request->type;
    variable->word_count = 0;
    variable->form = request->form == VARIABLE_FORM_HEX    ? TXTAP_FORM_ADDRESS
                     : request->form == VARIABLE_FORM_BOOL ? TXTAP_FORM_BOOL
                     : variable->type == VARIABLE_FLOAT    ? TXTAP_FORM_FLOAT
                     : variable->type == VARIABLE_SIGNED   ? TXTAP_FORM_SIGNED
                                                           : TXTAP_FORM_UNSIGNED;
    return TXTAP_OK;
}

/* ---- all ---- */

enum txtap_status variable_path_follow(struct variable *variable, const struct variable_request *request,
                                       const char *path, bool follows, Dwarf_Die *type, struct error *error)
{
    struct place place = {.request = request, .type = *type};
    const char *end = request->expression + strlen(request->expression);
    uint64_t at, offset;
    enum txtap_status status = TXTAP_OK;

    while (*path != '\0' && status == TXTAP_OK)
        status = step(&place, &path, error);
    if (status == TXTAP_OK && follows)
        status = follow_pointer(&place, end, error);
    if (status == TXTAP_OK)
        status = take_type(variable, &place, error);
    if (status != TXTAP_OK)
        return status;
    if (!take_bits(variable, &place))
        return wrong(&place, end, "its bits have no known place", error);
    finish_words(variable);
    at = (uint64_t)variable->address + (place.follows ? place.pointer : place.offset);
    offset = place.follows ? place.offset : 0;
    if (at + variable->bytes > UINT64_C(1) << 32 || offset > BYTES_MAX || (place.follows && at % POINTER_BYTES != 0))
        return wrong(&place, end, "its address is damaged or not aligned", error);
    variable->address = (uint32_t)at;
    variable->offset = (uint32_t)offset;
    variable->follows = place.follows;
    return variable_form_set(variable, request, error);
}
