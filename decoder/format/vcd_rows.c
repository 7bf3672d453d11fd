/* SPDX-License-Identifier: MIT */
/* Which rows a value change dump has, what they are called, and how ticks become its time. */
#include "format/vcd_rows.h"

#define TEXT_BYTES 160u /* a longer text is cut; NUL included */

/* ---- memory ---- */

size_t vcd_state_bytes(const struct txtap_change_limits *limits)
{
    return sizeof(struct vcd) + (limits->threads + VCD_ALL + limits->objects) * sizeof(struct vcd_row) +
           (limits->threads + limits->objects) * sizeof(uint32_t);
}

static void lay_out(struct vcd *vcd, const struct txtap_change_limits *limits)
{
    vcd->threads.rows = (struct vcd_row *)(vcd + 1);
    vcd->threads.capacity = limits->threads + VCD_ALL;
    vcd->objects.rows = vcd->threads.rows + vcd->threads.capacity;
    vcd->objects.capacity = limits->objects;
    vcd->threads.of_number = (uint32_t *)(vcd->objects.rows + vcd->objects.capacity);
    vcd->threads.numbers = limits->threads;
    vcd->objects.of_number = vcd->threads.of_number + limits->threads;
    vcd->objects.numbers = limits->objects;
}

_Static_assert(_Alignof(struct vcd_row) <= _Alignof(struct vcd), "rows may follow the state");
_Static_assert(_Alignof(uint32_t) <= _Alignof(struct vcd_row), "numbers may follow the rows");

/* ---- names ---- */

/* The newest name at that address, unless there were several or it is not certain. */
static const char *name_of(const struct txtap_registry *registry, uint32_t address, uint8_t type)
{
    const struct txtap_object *object = txtap_registry_find(registry, address), *end;

    if (object == NULL || object->unknown || object->type != type || object->name[0] == '\0')
        return NULL;
    end = registry->objects + registry->count;
    for (const struct txtap_object *older = object + 1; older < end && older->pointer == address; older++)
        if (older->type == type && strcmp(older->name, object->name) != 0)
            return NULL;
    return object->name;
}

static bool is_identifier(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9');
}

/* A piece that is no text of txtap's own: one character for each byte. */
static void write_word(struct line *line, const char *text, bool identifier)
{
    char word[TEXT_BYTES];
    size_t length = 0;

    for (; text[length] != '\0' && length < sizeof word - 1; length++) {
        bool stays = identifier ? is_identifier(text[length]) : text[length] > ' ' && text[length] < 0x7F;

        word[length] = '_';
        if (stays)
            word[length] = text[length];
    }
    word[length] = '\0';
    line_text(line, word);
}

void vcd_write_text(struct line *line, const char *text)
{
    write_word(line, text, false);
}

void vcd_write_name(const struct txtap_exporter *self, struct line *line, uint32_t address, uint8_t type)
{
    const char *name = name_of(self->registry, address, type);

    if (name != NULL)
        write_word(line, name, false);
    else
        line_hex(line, address, 8);
}

static void write_address(struct line *line, uint32_t address)
{
    line_text(line, "_");
    line_hex(line, address, 8);
}

/* The name without what makes it unique. */
static void write_first_name(const struct txtap_exporter *self, struct line *line, const struct vcd_row *row)
{
    const char *name = row->late > 0 ? NULL : name_of(self->registry, row->address, row->type);
    const char *type = txtap_object_type_name(row->type);

    if (row->late > 0) {
        line_text(line, "late_");
        line_decimal(line, row->late);
        return;
    }
    if (name == NULL || row->type != TXTAP_OBJECT_THREAD || (name[0] >= '0' && name[0] <= '9')) {
        write_word(line, type != NULL ? type : "object", true);
        if (name != NULL)
            line_text(line, "_");
    }
    if (name != NULL)
        write_word(line, name, true);
    else
        write_address(line, row->address);
}

void vcd_write_row_name(const struct txtap_exporter *self, struct line *line, const struct vcd_row *row)
{
    write_first_name(self, line, row);
    if (row->shared)
        write_address(line, row->address);
}

/* Does the identifier end as those that are made of another one? */
static bool ends_as_made(const char *text, size_t length)
{
    static const char *const ends[] = {"_running", "_ready"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);

        if (length >= end && memcmp(text + length - end, ends[i], end) == 0)
            return true;
    }
    return false;
}

/* Two rows with the same hash count as two with the same name. */
static void find_shared_names(const struct txtap_exporter *self, struct vcd_rows *rows)
{
    for (uint32_t i = 0; i < rows->declared; i++) {
        struct vcd_row *row = &rows->rows[i];
        char room[LINE_ROOM_BYTES];
        struct line line;

        line_start(&line, room);
        write_first_name(self, &line, row);
        row->shared = row->late == 0 && ends_as_made(room, (size_t)(line.at - room));
        row->hash = 2166136261u; /* FNV-1a */
        for (const char *at = room; at < line.at; at++)
            row->hash = (row->hash ^ (unsigned char)*at) * 16777619u;
    }
    for (uint32_t i = 0; i < rows->declared; i++)
        for (uint32_t j = 0; j < rows->declared; j++)
            if (i != j && rows->rows[i].hash == rows->rows[j].hash && rows->rows[i].late == 0)
                rows->rows[i].shared = true;
}

/* ---- rows ---- */

static bool has_count(uint8_t type)
{
    return type == TXTAP_OBJECT_QUEUE || type == TXTAP_OBJECT_SEMAPHORE || type == TXTAP_OBJECT_MUTEX ||
           type == TXTAP_OBJECT_BLOCK_POOL || type == TXTAP_OBJECT_BYTE_POOL;
}

/* The registry is sorted by address. */
static void add_row(struct vcd_rows *rows, const struct txtap_object *object, uint32_t most)
{
    for (uint32_t i = rows->declared; i > 0 && rows->rows[i - 1].address == object->pointer; i--)
        if (rows->rows[i - 1].type == object->type)
            return;
    if (rows->declared < most)
        rows->rows[rows->declared++] = (struct vcd_row){.address = object->pointer, .type = object->type};
}

void vcd_make_rows(struct txtap_exporter *self)
{
    const struct txtap_registry *registry = self->registry;
    struct vcd *vcd = self->changes.state;
    uint32_t lates;

    lay_out(vcd, &self->changes.limits);
    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *object = &registry->objects[i];

        if (object->type == TXTAP_OBJECT_THREAD)
            add_row(&vcd->threads, object, vcd->threads.capacity - VCD_ALL);
        else if (has_count(object->type))
            add_row(&vcd->objects, object, vcd->objects.capacity);
    }
    lates = vcd->threads.declared > 0 ? VCD_LATE : VCD_ALL;
    for (uint8_t late = 1; late <= lates; late++)
        vcd->threads.rows[vcd->threads.declared++] = (struct vcd_row){.type = TXTAP_OBJECT_THREAD, .late = late};
    find_shared_names(self, &vcd->threads);
    find_shared_names(self, &vcd->objects);
}

#define NO_ROW UINT32_MAX

/* The row plus one. */
static uint32_t look_up(struct vcd_rows *rows, const struct txtap_change_party *party)
{
    for (uint32_t i = 0; i < rows->declared; i++) {
        struct vcd_row *row = &rows->rows[i];

        if (row->late > 0 && row->address == 0)
            row->address = party->address;
        if (row->address == party->address && row->type == party->type)
            return i + 1;
    }
    rows->left_out++;
    return NO_ROW;
}

uint32_t vcd_row_of(struct vcd_rows *rows, const struct txtap_change_party *party)
{
    if (party->number >= rows->numbers)
        return TXTAP_CHANGE_NONE;
    if (rows->of_number[party->number] == 0)
        rows->of_number[party->number] = look_up(rows, party);
    return rows->of_number[party->number] == NO_ROW ? TXTAP_CHANGE_NONE : rows->of_number[party->number] - 1;
}

void vcd_forget(struct vcd *vcd)
{
    for (uint32_t i = 0; i < vcd->threads.declared; i++)
        vcd->threads.rows[i].state = TXTAP_THREAD_UNKNOWN;
    for (uint32_t i = 0; i < vcd->objects.declared; i++)
        vcd->objects.rows[i].known = false;
    for (uint32_t i = 0; i < VCD_CORES; i++)
        vcd->cores[i].what = TXTAP_RUNNING_UNKNOWN;
}

/* ---- time ---- */

#define UNITS    10 /* 1 s, 100 ms, ... 1 ns */
#define NS       UINT64_C(1000000000)
#define TIME_MAX INT64_MAX /* viewers count in 63 bits */

/* 0: it is no whole number, or too large for what follows. */
static uint64_t whole_hz(double tick_hz)
{
    return tick_hz >= 1 && tick_hz <= 1e10 && (double)(uint64_t)tick_hz == tick_hz ? (uint64_t)tick_hz : 0;
}

/* The number of the unit: it lasts 10^-number s. *in_second: how many there are in a second. */
static unsigned unit_of(double tick_hz, uint64_t *in_second)
{
    uint64_t hz = tick_hz > 0 ? whole_hz(tick_hz) : 1000000; /* without a rate a tick is shown as 1 us */
    unsigned unit = 0;

    for (*in_second = 1; *in_second < NS && (hz == 0 || *in_second % hz != 0); unit++)
        *in_second *= 10;
    return unit;
}

const char *vcd_timescale(double tick_hz)
{
    static const char *const units[UNITS] = {
        "$timescale 1 s $end",    "$timescale 100 ms $end", "$timescale 10 ms $end", "$timescale 1 ms $end",
        "$timescale 100 us $end", "$timescale 10 us $end",  "$timescale 1 us $end",  "$timescale 100 ns $end",
        "$timescale 10 ns $end",  "$timescale 1 ns $end",
    };
    uint64_t in_second;

    return units[unit_of(tick_hz, &in_second)];
}

uint64_t vcd_time(uint64_t ticks, double tick_hz)
{
    uint64_t hz = tick_hz > 0 ? whole_hz(tick_hz) : 1000000, in_second;

    (void)unit_of(tick_hz, &in_second);
    if (hz == 0) {
        double time = (double)ticks / tick_hz * (double)in_second;

        return time < 9e18 ? (uint64_t)time : TIME_MAX;
    }
    if (ticks / hz >= TIME_MAX / in_second)
        return TIME_MAX;
    return ticks / hz * in_second + ticks % hz * in_second / hz;
}

void vcd_set_time(struct txtap_exporter *self, uint64_t ticks)
{
    struct vcd *vcd = self->changes.state;
    uint64_t time = vcd_time(ticks, self->options.tick_hz);

    if (time > vcd->time) {
        vcd->time = time;
        vcd->time_written = false;
    }
}
