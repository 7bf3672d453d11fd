/* SPDX-License-Identifier: MIT */
/*
 * The metadata of a CTF 1.8 trace. It depends only on the clock and the definitions. Its domain and its tracer make
 * viewers of Linux kernel traces accept the trace. These viewers find threads and interrupts in events with LTTng's
 * names.
 */
#include "format/ctf.h"

static const char head[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; byte_order = le; } := uint8_t;\n"
    "typealias integer { size = 16; align = 8; signed = false; byte_order = le; } := uint16_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; byte_order = le; } := uint32_t;\n"
    "typealias integer { size = 32; align = 8; signed = true; byte_order = le; } := int32_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; byte_order = le; base = 16; } := hex32_t;\n"
    "typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; byte_order = le; } := float32_t;\n"
    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; byte_order = le; } := float64_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; byte_order = le; } := uint64_t;\n"
    "trace {\n"
    "    major = 1; minor = 8; byte_order = le;\n"
    "    packet.header := struct { uint32_t magic; uint32_t stream_id; };\n"
    "};\n"
    "env {\n"
    "    hostname = \"target\"; domain = \"kernel\"; sysname = \"ThreadX\";\n"
    "    kernel_release = \"\"; kernel_version = \"\";\n"
    "    tracer_name = \"lttng-modules\"; tracer_major = 2; tracer_minor = 13; tracer_patchlevel = 0;\n"
    "};\n";

static const char stream[] =
    "typealias integer { size = 64; align = 8; signed = false; byte_order = le; map = clock.monotonic.value; } :=\n"
    "    stamp_t;\n"
    "stream {\n"
    "    id = 0;\n"
    "    packet.context := struct {\n"
    "        stamp_t timestamp_begin; stamp_t timestamp_end; uint64_t content_size; uint64_t packet_size;\n"
    "        uint64_t events_discarded; uint32_t cpu_id;\n"
    "    };\n"
    "    event.header := struct { uint16_t id; stamp_t timestamp; };\n"
    "};\n"
    "event { id = 0; stream_id = 0; name = \"sched_switch\"; fields := struct {\n"
    "    string _prev_comm; int32_t _prev_tid; int32_t _prev_prio; uint32_t _prev_state;\n"
    "    string _next_comm; int32_t _next_tid; int32_t _next_prio; }; };\n"
    "event { id = 1; stream_id = 0; name = \"sched_wakeup\"; fields := struct {\n"
    "    string _comm; int32_t _tid; int32_t _prio; int32_t _target_cpu; }; };\n"
    "event { id = 2; stream_id = 0; name = \"irq_handler_entry\"; fields := struct {\n"
    "    int32_t _irq; string _name; }; };\n"
    "event { id = 3; stream_id = 0; name = \"irq_handler_exit\"; fields := struct {\n"
    "    int32_t _irq; int32_t _ret; }; };\n"
    "event { id = 4; stream_id = 0; name = \"threadx:event\"; fields := struct {\n"
    "    int32_t _tid; uint8_t _context; uint32_t _id; hex32_t _info1; hex32_t _info2; hex32_t _info3; hex32_t "
    "_info4;\n"
    "    string _name; }; };\n"
    "event { id = 5; stream_id = 0; name = \"lttng_statedump_process_state\"; fields := struct {\n"
    "    int32_t _tid; int32_t _vtid; int32_t _pid; int32_t _vpid; int32_t _ppid; int32_t _vppid; string _name;\n"
    "    int32_t _type; int32_t _mode; int32_t _submode; int32_t _status; int32_t _ns_level; uint32_t _cpu; }; };\n"
    "event { id = 6; stream_id = 0; name = \"txtap:interrupt\"; fields := struct {\n"
    "    int32_t _irq; string _name; }; };\n"
    "event { id = 7; stream_id = 0; name = \"txtap:gap\"; fields := struct { uint64_t _lost; uint8_t _exact; }; };\n"
    "event { id = 8; stream_id = 0; name = \"txtap:mark\"; fields := struct { string _kind; string _text; }; };\n"
    "event { id = 9; stream_id = 0; name = \"txtap:sample\"; fields := struct {\n"
    "    string _channel; float64_t _value; string _text; string _thread; uint64_t _from; uint64_t _to; }; };\n"
    "event { id = 10; stream_id = 0; name = \"txtap:log\"; fields := struct {\n"
    "    string _channel; string _text; uint64_t _from; uint64_t _to; }; };\n";

_Static_assert(CTF_OTHER == 4 && CTF_ROWS == 11, "the classes above have the numbers of enum ctf_class");

uint64_t ctf_clock_hz(double tick_hz)
{
    if (!(tick_hz > 0))
        return 1000000; /* without a tick rate, a tick is shown as 1 us */
    return tick_hz >= 1 && tick_hz <= 1e10 && (double)(uint64_t)tick_hz == tick_hz ? (uint64_t)tick_hz : 1000000000;
}

#define CLASSES_MAX 65536u /* class numbers have 16 bits */

static uint32_t class_of_definition(const struct txtap_definitions *definitions, const struct txtap_definition *one)
{
    size_t rows, class;

    (void)txtap_event_table(&rows);
    class = CTF_ROWS + rows + (size_t)(one - definitions->memory.events);
    return class < CLASSES_MAX ? (uint32_t) class : CTF_OTHER;
}

uint32_t ctf_class_of(const struct txtap_definitions *definitions, const struct txtap_event_info *info)
{
    size_t count;

    if (info != NULL && info->definition != NULL)
        return class_of_definition(definitions, info->definition);
    return info != NULL ? CTF_ROWS + (uint32_t)(info - txtap_event_table(&count)) : CTF_OTHER;
}

static enum txtap_status write_text(struct txtap_writer writer, const char *text)
{
    return writer.write(writer.self, text, strlen(text));
}

/* ---- classes ---- */

/* Writes a label as an identifier without "__". Labels of definitions may have any characters. */
static void write_label(struct line *line, const struct txtap_field_info *field, size_t word)
{
    const char *label = field->kind == TXTAP_FIELD_NONE || field->label[0] == '\0' ? "info" : field->label;
    char text[TXTAP_DEFINITION_NAME_MAX + 1];
    size_t length = 0;

    for (const char *at = label; *at != '\0' && length < sizeof text - 1; at++)
        if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9'))
            text[length++] = *at;
        else if (length == 0 || text[length - 1] != '_')
            text[length++] = '_';
    text[length] = '\0';
    line_text(line, text);
    if (field->kind == TXTAP_FIELD_NONE || field->label[0] == '\0')
        line_decimal(line, word + 1);
}

static bool same_label(const struct txtap_event_info *row, size_t a, size_t b)
{
    char rooms[2][LINE_ROOM_BYTES];
    struct line lines[2];
    size_t length;

    line_start(&lines[0], rooms[0]);
    line_start(&lines[1], rooms[1]);
    write_label(&lines[0], &row->field[a], a);
    write_label(&lines[1], &row->field[b], b);
    length = (size_t)(lines[0].at - rooms[0]);
    return length == (size_t)(lines[1].at - rooms[1]) && memcmp(rooms[0], rooms[1], length) == 0;
}

/* Returns true if the label is the name of a field that every class has. */
static bool is_taken(const char *label)
{
    return strcmp(label, "tid") == 0 || strcmp(label, "context") == 0 || strcmp(label, "object") == 0;
}

/*
 * Counts the earlier fields with the same label. Two members must not have the same name, so the second member gets a
 * number at the end of its name. No other label has this number.
 */
static unsigned earlier_with_label(const struct txtap_event_info *row, size_t field)
{
    unsigned count = is_taken(row->field[field].label);

    for (size_t i = 0; i < field; i++)
        count += (row->definition != NULL || row->field[i].kind != TXTAP_FIELD_NONE) && same_label(row, i, field);
    return count;
}

static const char *type_of(enum txtap_field_kind kind)
{
    switch (kind) {
    case TXTAP_FIELD_OBJECT:
    case TXTAP_FIELD_ADDRESS:
    case TXTAP_FIELD_FUNCTION:
    case TXTAP_FIELD_HEX:
    case TXTAP_FIELD_FLAGS:
    case TXTAP_FIELD_NONE:
        return " hex32_t _";
    case TXTAP_FIELD_SIGNED:
        return " int32_t _";
    case TXTAP_FIELD_FLOAT:
        return " float32_t _";
    default:
        return " uint32_t _";
    }
}

static void write_field(struct line *line, const struct txtap_event_info *row, size_t i)
{
    unsigned earlier = earlier_with_label(row, i);

    if (row->field[i].kind == TXTAP_FIELD_NONE && row->definition == NULL)
        return;
    line_text(line, type_of(row->field[i].kind));
    write_label(line, &row->field[i], i);
    if (earlier > 0) {
        line_text(line, row->definition != NULL ? "__" : "_");
        line_decimal(line, earlier + 1);
    }
    line_text(line, ";");
}

static enum txtap_status write_class(struct txtap_writer writer, const struct txtap_event_info *row, uint32_t number)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    line_text(&line, "event { id = ");
    line_decimal(&line, number);
    line_text(&line,
              row->definition != NULL ? "; stream_id = 0; name = \"user:" : "; stream_id = 0; name = \"threadx:");
    line_terminal(&line, row->name);
    line_text(&line, "\"; fields := struct { int32_t _tid; uint8_t _context;");
    for (size_t i = 0; i < 4; i++)
        write_field(&line, row, i);
    line_text(&line, " string _object; }; };\n");
    return writer.write(writer.self, line.start, (size_t)(line.at - line.start));
}

static enum txtap_status write_definitions(struct txtap_writer writer, const struct txtap_definitions *definitions,
                                           uint32_t first)
{
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; definitions != NULL && i < definitions->event_count && status == TXTAP_OK; i++)
        if (first + i < CLASSES_MAX)
            status = write_class(writer, &definitions->memory.events[i].info, first + (uint32_t)i);
    return status;
}

static enum txtap_status write_clock(struct txtap_writer writer, uint64_t hz)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    line_text(&line, "clock { name = \"monotonic\"; freq = ");
    line_decimal(&line, hz);
    line_text(&line, "; offset = 0; };\n");
    return writer.write(writer.self, line.start, (size_t)(line.at - line.start));
}

enum txtap_status ctf_metadata(struct txtap_exporter *self, struct txtap_writer writer)
{
    size_t count;
    const struct txtap_event_info *table = txtap_event_table(&count);
    enum txtap_status status = write_text(writer, head);

    if (status == TXTAP_OK)
        status = write_clock(writer, ctf_clock_hz(self->options.tick_hz));
    if (status == TXTAP_OK)
        status = write_text(writer, stream);
    for (size_t i = 0; i < count && status == TXTAP_OK; i++)
        status = write_class(writer, &table[i], CTF_ROWS + (uint32_t)i);
    return status == TXTAP_OK ? write_definitions(writer, self->definitions, CTF_ROWS + (uint32_t)count) : status;
}
