/* SPDX-License-Identifier: MIT */
/* Finds variables by their names, in the debug information of the firmware. One walk over all units serves all
 * requests. */
#include "variables/variable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "variables/variable_path.h"

#define DEPTH_MAX    16 /* of namespaces, functions and blocks */
#define SCOPE_BYTES  256
#define DECLARED_MAX 8 /* declarations of a variable, as in classes */
#define FILE_BYTES   64
#define TYPE_TEXT    "give its type, such as :u32"

/* How well a variable matches. A better match has a larger number. */
enum match { MATCH_NONE, MATCH_SUFFIX, MATCH_STATIC, MATCH_GLOBAL };

/* A name to find, and the best variable so far. */
struct wanted {
    const struct variable_request *request;
    bool follows;     /* the expression begins with '*' */
    const char *file; /* of file_length bytes; 0: any file */
    size_t file_length;
    const char *name; /* of name_length bytes, with "::" */
    size_t name_length;
    const char *last; /* the part of the name after the last "::" */
    size_t last_length;
    const char *path; /* the rest of the expression */

    enum match match;
    bool ambiguous; /* several variables match equally well */
    uint32_t address;
    Dwarf_Die die;
    char files[2][FILE_BYTES]; /* of the first two variables that match */
    bool without_place;        /* a variable has the name, but no constant address */
    struct {
        Dwarf_Off at;
        enum match match;
    } declared[DECLARED_MAX]; /* declarations in classes and namespaces; definitions refer to them */
    size_t declared_count;
};

/* ---- expressions ---- */

static size_t name_length(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
    size_t length = strspn(text, letters);

    while (length > 0 && text[length] == ':' && text[length + 1] == ':' && strspn(text + length + 2, letters) > 0)
        length += 2 + strspn(text + length + 2, letters);
    return length;
}

static struct wanted wanted_of(const struct variable_request *request)
{
    const char *text = request->expression, *colon;
    struct wanted wanted = {.request = request};

    wanted.follows = *text == '*';
    text += wanted.follows;
    colon = strchr(text, ':');
    if (colon != NULL && colon[1] != ':') {
        wanted.file = text;
        wanted.file_length = (size_t)(colon - text);
        text = colon + 1;
    }
    wanted.name = wanted.last = text;
    wanted.name_length = name_length(text);
    wanted.path = text + wanted.name_length;
    for (const char *at = text; at < wanted.path; at++)
        if (*at == ':')
            wanted.last = at + 1;
    wanted.last_length = (size_t)(wanted.path - wanted.last);
    return wanted;
}

/* ---- variables in the debug information ---- */

struct walk {
    struct wanted *wanted;
    size_t count;
    char scope[SCOPE_BYTES]; /* "name::name"; "": outside of all scopes */
    uint64_t left;           /* entries that may still be visited: entries of a damaged file may contain each other */
};

static bool address_of(Dwarf_Die *die, uint32_t *address)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    uint64_t at;

    if (dwarf_attr_integrate(die, DW_AT_location, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0 || count > 2 ||
        operations[0].atom != DW_OP_addr || (count == 2 && operations[1].atom != DW_OP_plus_uconst))
        return false;
    at = operations[0].number + (count == 2 ? operations[1].number : 0);
    *address = (uint32_t)at;
    return at <= UINT32_MAX;
}

/* Returns how well the declaration matches to which a definition refers. MATCH_NONE: there is no such declaration. */
static enum match match_of_declaration(const struct wanted *wanted, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Die declaration;

    if (dwarf_attr(die, DW_AT_specification, &attribute) == NULL || dwarf_formref_die(&attribute, &declaration) == NULL)
        return MATCH_NONE;
    for (size_t i = 0; i < wanted->declared_count; i++)
        if (wanted->declared[i].at == dwarf_dieoffset(&declaration))
            return wanted->declared[i].match;
    return MATCH_NONE;
}

static enum match match_of(const struct walk *walk, const struct wanted *wanted, Dwarf_Die *die)
{
    size_t before = wanted->name_length - wanted->last_length, scope = strlen(walk->scope);
    bool external = dwarf_hasattr_integrate(die, DW_AT_external);
    enum match whole = external ? MATCH_GLOBAL : MATCH_STATIC, declared;

    if (!die_is_named(die, wanted->last, wanted->last_length))
        return MATCH_NONE;
    declared = match_of_declaration(wanted, die);
    if (declared != MATCH_NONE)
        return declared;
    if (before == 0)
        return scope == 0 ? whole : MATCH_SUFFIX;
    before -= 2; /* "::" */
    if (scope < before || memcmp(walk->scope + scope - before, wanted->name, before) != 0)
        return MATCH_NONE;
    return scope == before ? whole : walk->scope[scope - before - 1] == ':' ? MATCH_SUFFIX : MATCH_NONE;
}

/* Returns true if the path ends with the file's name. */
static bool is_in_file(const struct wanted *wanted, Dwarf_Die *die)
{
    const char *path = wanted->file_length > 0 ? dwarf_decl_file(die) : NULL;
    size_t length = path != NULL ? strlen(path) : 0, wished = wanted->file_length;

    if (wished == 0)
        return true;
    return length >= wished && memcmp(path + length - wished, wanted->file, wished) == 0 &&
           (length == wished || path[length - wished - 1] == '/');
}

static void note_file(char file[static FILE_BYTES], Dwarf_Die *die)
{
    const char *path = dwarf_decl_file(die), *slash = path != NULL ? strrchr(path, '/') : NULL;

    path = slash != NULL ? slash + 1 : path != NULL ? path : "?";
    (void)printable(file, FILE_BYTES, path, strlen(path));
}

static void consider(const struct walk *walk, struct wanted *wanted, Dwarf_Die *die)
{
    enum match match = match_of(walk, wanted, die);
    uint32_t address;

    if (match == MATCH_NONE)
        return;
    if (dwarf_hasattr(die, DW_AT_declaration)) {
        if (wanted->declared_count < DECLARED_MAX) {
            wanted->declared[wanted->declared_count].at = dwarf_dieoffset(die);
            wanted->declared[wanted->declared_count++].match = match;
        }
        return;
    }
    if (!is_in_file(wanted, die))
        return;
    if (!address_of(die, &address)) {
        wanted->without_place = true;
        return;
    }
    if (match < wanted->match || (match == wanted->match && address == wanted->address))
        return;
    wanted->ambiguous = match == wanted->match;
    if (wanted->ambiguous) {
        note_file(wanted->files[1], die);
        return;
    }
    wanted->match = match;
    wanted->address = address;
    wanted->die = *die;
    note_file(wanted->files[0], die);
}

static bool is_scope(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
           tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static void walk_children(struct walk *walk, Dwarf_Die *parent, unsigned depth)
{
    size_t length = strlen(walk->scope);
    Dwarf_Die child;

    if (depth == DEPTH_MAX || dwarf_child(parent, &child) != 0)
        return;
    do {
        int tag = dwarf_tag(&child);
        const char *name;

        if (walk->left == 0)
            return;
        walk->left--;
        if (tag == DW_TAG_variable || tag == DW_TAG_member)
            for (size_t i = 0; i < walk->count; i++)
                consider(walk, &walk->wanted[i], &child);
        if (!is_scope(tag))
            continue;
        name = dwarf_diename(&child);
        if (name != NULL && tag != DW_TAG_lexical_block)
            snprintf(walk->scope + length, sizeof walk->scope - length, "%s%.100s", length > 0 ? "::" : "", name);
        walk_children(walk, &child, depth + 1);
        walk->scope[length] = '\0';
    } while (die_next(&child));
}

/* Returns the size of the debug information. No valid file has more entries than bytes. */
static uint64_t entries_most(const struct elf_file *elf)
{
    Elf_Scn *section = NULL;
    uint64_t bytes = 0;
    Elf32_Shdr *header;

    while ((section = elf_nextscn(elf_libelf(elf), section)) != NULL)
        if ((header = elf32_getshdr(section)) != NULL && (header->sh_flags & SHF_ALLOC) == 0)
            bytes += header->sh_flags & SHF_COMPRESSED ? 8u * (uint64_t)header->sh_size : header->sh_size;
    return bytes;
}

static void walk_units(Dwarf *dwarf, struct walk *walk)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;

    while (walk->left > 0 && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        walk->left--;
        for (size_t i = 0; i < walk->count; i++)
            walk->wanted[i].declared_count = 0; /* a definition refers to a declaration in its own unit */
        walk_children(walk, &die, 0);
    }
}

/* ---- the result for a request ---- */

static enum txtap_status not_found(const struct wanted *wanted, const struct elf_file *elf, bool described,
                                   struct error *error)
{
    char name[SIMILAR_NAME_BYTES], hint[SIMILAR_TEXT_BYTES];
    struct elf_symbol symbol;
    struct similar similar;

    snprintf(name, sizeof name, "%.*s", (int)wanted->name_length, wanted->name);
    if (wanted->without_place)
        return failure(error, TXTAP_ERROR_USAGE,
                       "'%.63s' has no fixed address: the compiler keeps it in registers, or removed it\nmake it "
                       "volatile or global",
                       name);
    if (wanted->file_length == 0 && elf_symbol_find(elf, name, &symbol) == TXTAP_OK)
        return failure(error, TXTAP_ERROR_USAGE, "%.80s: nothing describes '%.63s'\ncompile with -g, or " TYPE_TEXT,
                       elf_path(elf), name);
    if (!described)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.100s has no debug information, so '%.63s' is unknown\ncompile with -g, or give an address: "
                       "*0x20000100:u32",
                       elf_path(elf), name);
    similar_init(&similar, name);
    elf_symbols_offer(elf, &similar);
    return failure(error, TXTAP_ERROR_USAGE, "%.80s has no variable '%.63s'%s", elf_path(elf), name,
                   similar_text(&similar, hint));
}

/* A symbol without a description can be read if the user gives its type. */
static bool take_symbol(struct variable *variable, const struct wanted *wanted, const struct elf_file *elf)
{
    const struct variable_request *request = wanted->request;
    char name[TXTAP_CHANNEL_NAME_BYTES];
    struct elf_symbol symbol;

    snprintf(name, sizeof name, "%.*s", (int)wanted->name_length, wanted->name);
    if (request->form != VARIABLE_FORM_TYPE || *wanted->path != '\0' || wanted->follows || wanted->file_length > 0 ||
        elf_symbol_find(elf, name, &symbol) != TXTAP_OK)
        return false;
    variable->address = symbol.address;
    variable->bytes = request->type_bytes;
    variable->bits = 8 * request->type_bytes;
    return true;
}

static enum txtap_status take(struct variable *variable, struct wanted *wanted, const struct elf_file *elf,
                              bool described, struct error *error)
{
    Dwarf_Die type;

    variable->endian = elf_endian(elf);
    if (wanted->name_length == 0)
        return failure(error, TXTAP_ERROR_USAGE, "'%.100s' has no name", wanted->request->expression);
    if (wanted->match == MATCH_NONE)
        return take_symbol(variable, wanted, elf) ? variable_form_set(variable, wanted->request, error)
                                                  : not_found(wanted, elf, described, error);
    if (wanted->ambiguous)
        return failure(error, TXTAP_ERROR_USAGE, "'%.*s' is in %.60s and in %.60s\ngive the file: %.60s:%.*s",
                       (int)wanted->name_length, wanted->name, wanted->files[0], wanted->files[1], wanted->files[1],
                       (int)wanted->name_length, wanted->name);
    variable->address = wanted->address;
    if (!die_type(&wanted->die, &type))
        return failure(error, TXTAP_ERROR_USAGE, "'%.*s' has no type", (int)wanted->name_length, wanted->name);
    return variable_path_follow(variable, wanted->request, wanted->path, wanted->follows, &type, error);
}

/* ---- addresses ---- */

static bool is_address(const struct variable_request *request)
{
    return request->expression[0] == '*' && request->expression[1] >= '0' && request->expression[1] <= '9';
}

static enum txtap_status take_address(struct variable *variable, const struct variable_request *request,
                                      struct error *error)
{
    unsigned bytes = request->type_bytes > 0 ? request->type_bytes : 4;
    char *end;
    unsigned long address = strtoul(request->expression + 1, &end, 0);

    if (*end != '\0' || address > UINT32_MAX || address + bytes > UINT64_C(1) << 32)
        return failure(error, TXTAP_ERROR_USAGE, "'%.100s' is no address: give *0x20000100:u32", request->expression);
    variable->address = (uint32_t)address;
    variable->bytes = bytes;
    variable->bits = 8 * bytes;
    variable->form = TXTAP_FORM_UNSIGNED;
    return variable_form_set(variable, request, error);
}

/* ---- all ---- */

enum txtap_status variables_find(struct variable *variables, const struct variable_requests *requests,
                                 const struct elf_file *elf, struct error *error)
{
    struct wanted *wanted = calloc(VARIABLES_MAX, sizeof *wanted);
    struct walk walk = {.wanted = wanted};
    Dwarf *dwarf = elf != NULL ? dwarf_begin_elf(elf_libelf(elf), DWARF_C_READ, NULL) : NULL;
    enum txtap_status status = wanted != NULL ? TXTAP_OK : failure(error, TXTAP_ERROR_SYSTEM, "no memory");

    memset(variables, 0, VARIABLES_MAX * sizeof *variables);
    for (size_t i = 0; i < requests->count && status == TXTAP_OK; i++)
        if (!is_address(&requests->at[i]))
            wanted[walk.count++] = wanted_of(&requests->at[i]);
    if (walk.count > 0 && elf == NULL)
        status = failure(error, TXTAP_ERROR_USAGE,
                         "'%.100s': names are in the firmware's ELF file\ngive the ELF file, or an address: "
                         "*0x20000100:u32",
                         wanted[0].request->expression);
    walk.left = dwarf != NULL ? entries_most(elf) : 0;
    if (status == TXTAP_OK && walk.count > 0)
        walk_units(dwarf, &walk);
    for (size_t i = 0, named = 0; i < requests->count && status == TXTAP_OK; i++)
        status = is_address(&requests->at[i]) ? take_address(&variables[i], &requests->at[i], error)
                                              : take(&variables[i], &wanted[named++], elf, dwarf != NULL, error);
    (void)dwarf_end(dwarf);
    free(wanted);
    return status;
}

void variables_free(struct variable *variables, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(variables[i].words);
        variables[i].words = NULL;
    }
}
