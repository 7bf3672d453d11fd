/* SPDX-License-Identifier: MIT */
/* The rows of a dump: threads, objects with a count, and rows that are reserved for threads that become known later. */
#include "format/vcd.h"

#define LATE 8u  /* rows reserved for threads that are not known at the start */
#define ALL  24u /* number of reserved rows if no thread is known at the start */

/* ---- names ---- */

static bool is_identifier(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9');
}

void vcd_write_word(struct line *line, const char *text, bool identifier)
{
    char word[TEXT_BYTES];
    size_t length = 0;

    for (; text[length] != '\0' && length < sizeof word - 1; length++) {
        bool stays = identifier ? is_identifier(text[length]) : text[length] > ' ' && text[length] < 0x7F;

        word[length] = stays ? text[length] : '_';
    }
    word[length] = '\0';
    line_text(line, word);
}

/* Returns the object's name. "": the name is uncertain or unknown. */
static const char *name_of(const struct txtap_exporter *self, uint32_t address, uint8_t type)
{
    const struct txtap_object *object = txtap_registry_find(self->registry, address);

    return object != NULL && object->type == type ? txtap_registry_name(self->registry, address) : "";
}

void vcd_write_name(const struct txtap_exporter *self, struct line *line, uint32_t address, uint8_t type)
{
    const char *name = name_of(self, address, type);

    if (name[0] != '\0')
        vcd_write_word(line, name, false);
    else
        line_hex(line, address, 8);
}

void vcd_write_row_name(const struct txtap_exporter *self, struct line *line, const struct row *row)
{
    const char *name = name_of(self, row->address, row->type);

    if (row->late > 0) {
        line_text(line, "late_");
        line_decimal(line, row->late);
        return;
    }
    if (row->type != TXTAP_OBJECT_THREAD || name[0] == '\0' || (name[0] >= '0' && name[0] <= '9')) {
        vcd_write_word(line, txtap_object_type_name(row->type), true); /* every type that has rows also has a name */
        line_text(line, "_");
    }
    if (name[0] != '\0')
        vcd_write_word(line, name, true);
    if (name[0] != '\0' && row->shared)
        line_text(line, "_");
    if (name[0] == '\0' || row->shared)
        line_hex(line, row->address, 8);
}

/*
 * Returns true if the identifier ends with a suffix for wires. The identifier of a thread's wire is the identifier of
 * the thread's row and such a suffix.
 */
static bool ends_as_made(const char *text)
{
    const char *end = strrchr(text, '_');

    return end != NULL && (strcmp(end, "_running") == 0 || strcmp(end, "_ready") == 0);
}

/* Marks rows that have the same name. Rows with the same hash count as rows with the same name. Threads and objects
 * have separate scopes. */
static void find_shared_names(const struct txtap_exporter *self, struct vcd *vcd)
{
    for (struct row *row = vcd->rows; row < vcd->rows + vcd->declared; row++) {
        char room[LINE_ROOM_BYTES];
        struct line line;

        line_start(&line, room);
        vcd_write_row_name(self, &line, row);
        *line.at = '\0';
        row->shared = row->late == 0 && ends_as_made(room);
        row->hash = 2166136261u; /* FNV-1a */
        for (const char *at = room; at < line.at; at++)
            row->hash = (row->hash ^ (unsigned char)*at) * 16777619u;
    }
    for (uint32_t i = 0; i < vcd->declared; i++)
        for (uint32_t j = 0; j < vcd->declared; j++)
            if (i != j && vcd->rows[i].hash == vcd->rows[j].hash && (i < vcd->threads) == (j < vcd->threads) &&
                vcd->rows[i].late == 0)
                vcd->rows[i].shared = true;
}

/* ---- rows ---- */

static size_t rows_max(const struct txtap_change_limits *limits)
{
    return limits->threads + ALL + limits->objects;
}

size_t vcd_state_bytes(const struct txtap_change_limits *limits)
{
    return sizeof(struct vcd) + rows_max(limits) * sizeof(struct row) +
           (limits->threads + limits->objects) * sizeof(uint32_t);
}

static bool has_count(uint8_t type)
{
    return type == TXTAP_OBJECT_QUEUE || type == TXTAP_OBJECT_SEMAPHORE || type == TXTAP_OBJECT_MUTEX ||
           type == TXTAP_OBJECT_BLOCK_POOL || type == TXTAP_OBJECT_BYTE_POOL;
}

/* Adds rows for the registry's threads, or for its objects with a count, in the order of their addresses. most: the
 * maximum number of all rows. */
static void add_rows(struct vcd *vcd, const struct txtap_registry *registry, bool threads, uint32_t most)
{
    for (size_t i = 0; i < registry->count && vcd->declared < most; i++) {
        const struct txtap_object *object = &registry->objects[i];
        bool wanted = threads ? object->type == TXTAP_OBJECT_THREAD : has_count(object->type);

        for (uint32_t j = vcd->declared; j > 0 && vcd->rows[j - 1].address == object->pointer; j--)
            wanted = wanted && vcd->rows[j - 1].type != object->type;
        if (wanted)
            vcd->rows[vcd->declared++] = (struct row){.address = object->pointer, .type = object->type};
    }
}

void vcd_make_rows(struct txtap_exporter *self)
{
    const struct txtap_change_limits *limits = &self->changes.limits;
    struct vcd *vcd = vcd_of(self);
    uint32_t lates;

    vcd->of_number = (uint32_t *)(vcd->rows + rows_max(limits));
    add_rows(vcd, self->registry, true, limits->threads);
    lates = vcd->declared > 0 ? LATE : ALL;
    for (uint8_t late = 1; late <= lates; late++)
        vcd->rows[vcd->declared++] = (struct row){.type = TXTAP_OBJECT_THREAD, .late = late};
    vcd->threads = vcd->declared;
    if (!vcd_only_wires(self))
        add_rows(vcd, self->registry, false, vcd->threads + limits->objects);
    find_shared_names(self, vcd);
}

#define NO_ROW UINT32_MAX

/* Returns the index of the row plus one. */
static uint32_t look_up(struct vcd *vcd, const struct txtap_change_party *party)
{
    for (uint32_t i = 0; i < vcd->declared; i++) {
        struct row *row = &vcd->rows[i];

        if (row->late > 0 && row->address == 0 && party->type == TXTAP_OBJECT_THREAD)
            row->address = party->address;
        if (row->address == party->address && row->type == party->type)
            return i + 1;
    }
    vcd->left_out += party->type == TXTAP_OBJECT_THREAD;
    return NO_ROW;
}

struct row *vcd_row_of(struct txtap_exporter *self, const struct txtap_change_party *party)
{
    const struct txtap_change_limits *limits = &self->changes.limits;
    bool thread = party->type == TXTAP_OBJECT_THREAD;
    struct vcd *vcd = vcd_of(self);
    uint32_t *row;

    if (party->number >= (thread ? limits->threads : limits->objects))
        return NULL;
    row = &vcd->of_number[thread ? party->number : limits->threads + party->number];
    if (*row == 0)
        *row = look_up(vcd, party);
    return *row == NO_ROW ? NULL : &vcd->rows[*row - 1];
}
