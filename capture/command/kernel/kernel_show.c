/* SPDX-License-Identifier: MIT */
/* Prints the result of a walk over a kernel's lists. The columns come from the table of the library, so each kernel has
 * the same. */
#include "command/kernel/kernel_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "figures/text_table.h"
#include "kernel/kernel_names.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/json_head.h"

#define CELL_BYTES     256
#define NAME_KEPT      16
#define NAME_KEPT_REST 12

struct show {
    const struct kernel_reader *reader;
    const struct txtap_kernel *kernel;
    const struct txtap_kernel_object *objects;
    size_t count;
    FILE *out;
};

static struct show show_of(const struct kernel_reader *reader, FILE *out)
{
    struct show show = {.reader = reader, .kernel = reader->kernel, .out = out};

    show.objects = txtap_kernel_objects(show.kernel, &show.count);
    return show;
}

/* The class as a key of JSON and as a title. */
static const struct {
    const char *key, *title;
} classes[TXTAP_KERNEL_CLASSES] = {
    [TXTAP_OBJECT_THREAD] = {"threads", "THREAD"},
    [TXTAP_OBJECT_TIMER] = {"timers", "TIMER"},
    [TXTAP_OBJECT_QUEUE] = {"queues", "QUEUE"},
    [TXTAP_OBJECT_SEMAPHORE] = {"semaphores", "SEMAPHORE"},
    [TXTAP_OBJECT_MUTEX] = {"mutexes", "MUTEX"},
    [TXTAP_OBJECT_EVENT_FLAGS] = {"event_flags", "EVENT FLAGS"},
    [TXTAP_OBJECT_BLOCK_POOL] = {"block_pools", "BLOCK POOL"},
    [TXTAP_OBJECT_BYTE_POOL] = {"byte_pools", "BYTE POOL"},
};

/* ---- text ---- */

/* Returns the name of the object at the address, for a terminal. */
static const char *object_name(const struct show *show, uint32_t address, char cell[static CELL_BYTES])
{
    char name[KERNEL_NAME_BYTES];

    kernel_object_name(show->reader, address, name);
    return txtap_escape_terminal(cell, CELL_BYTES, name);
}

static const char *code_name(const struct show *show, uint32_t address, char cell[static CELL_BYTES])
{
    char name[KERNEL_NAME_BYTES];

    kernel_code_name(show->reader, address, name);
    return txtap_escape_terminal(cell, CELL_BYTES, name);
}

static const char *state_name(const struct show *show, const struct txtap_kernel_object *object,
                              char cell[static CELL_BYTES])
{
    const char *name = txtap_kernel_state_name(show->reader->layout.ops, object->values[KERNEL_STATE]);

    if (object->running && name != NULL && object->values[KERNEL_STATE] == 0)
        name = "running";
    if (name == NULL)
        snprintf(cell, CELL_BYTES, "state %" PRIu32, object->values[KERNEL_STATE]);
    else
        snprintf(cell, CELL_BYTES, "%s", name);
    return cell;
}

/* Writes a number of bytes of a stack, with its share of the stack's size. */
static const char *stack_cell(const struct txtap_kernel_object *object, uint32_t bytes, char cell[static CELL_BYTES])
{
    uint32_t size = object->values[KERNEL_STACK_SIZE];
    const char *limit = object->peak_at_least ? ">=" : "";

    if (size > 0)
        snprintf(cell, CELL_BYTES, "%s%" PRIu32 " %" PRIu64 "%%", limit, bytes, UINT64_C(100) * bytes / size);
    else
        snprintf(cell, CELL_BYTES, "%s%" PRIu32, limit, bytes);
    return cell;
}

static const char *text_cell(const struct show *show, const struct txtap_kernel_object *object,
                             const struct txtap_kernel_column *column, char cell[static CELL_BYTES])
{
    uint32_t value = object->values[column->value];

    cell[0] = '\0';
    if (!txtap_kernel_knows(object, column->value))
        return cell;
    if (column->value == KERNEL_STACK_PEAK)
        return stack_cell(object, value, cell);
    switch (column->format) {
    case KERNEL_STATE_NAME:
        return state_name(show, object, cell);
    case KERNEL_OBJECT:
        return value == 0 ? cell : object_name(show, value, cell);
    case KERNEL_CODE:
        return code_name(show, value, cell);
    case KERNEL_YES_NO:
        return value != 0 ? "yes" : "no";
    case KERNEL_BITS:
    case KERNEL_ADDRESS:
        snprintf(cell, CELL_BYTES, "0x%08" PRIx32, value);
        return cell;
    case KERNEL_INTEGER:
        snprintf(cell, CELL_BYTES, "%" PRId32, (int32_t)value);
        return cell;
    case KERNEL_NUMBER:
    case KERNEL_SIZE:
    case KERNEL_TICKS:
        snprintf(cell, CELL_BYTES, "%" PRIu32, value);
        return cell;
    }
    return cell;
}

/* Returns true if the value of the object is known, and differs from the value that most objects have. */
static bool is_worth_a_look(const struct txtap_kernel_object *object, enum txtap_kernel_value value)
{
    if (!txtap_kernel_knows(object, value))
        return false;
    if (value == KERNEL_THRESHOLD)
        return object->values[KERNEL_THRESHOLD] != object->values[KERNEL_PRIORITY];
    return value != KERNEL_SLICE || object->values[KERNEL_SLICE] != 0;
}

/* Returns true if at least one object of the class has a value for the column. */
static bool is_worth_a_column(const struct show *show, uint8_t type, const struct txtap_kernel_column *column)
{
    for (size_t i = 0; i < show->count && column->head != NULL; i++)
        if (show->objects[i].type == type && is_worth_a_look(&show->objects[i], column->value))
            return true;
    return false;
}

static bool is_name(const struct txtap_kernel_column *column)
{
    return column->format == KERNEL_STATE_NAME || column->format == KERNEL_OBJECT || column->format == KERNEL_CODE;
}

static bool put_class(const struct show *show, uint8_t type, unsigned width)
{
    struct text_column heads[TEXT_TABLE_COLUMNS] = {{classes[type].title, NAME_KEPT, 0, NAME_KEPT}};
    const struct txtap_kernel_column *shown[TEXT_TABLE_COLUMNS];
    size_t count, used = 1;
    const struct txtap_kernel_column *columns = txtap_kernel_columns(type, &count);
    struct text_table table;
    char cell[CELL_BYTES];

    for (size_t i = 0; i < count && used < TEXT_TABLE_COLUMNS; i++) {
        if (!is_worth_a_column(show, type, &columns[i]))
            continue;
        shown[used] = &columns[i];
        heads[used++] = (struct text_column){columns[i].head, is_name(&columns[i]) ? NAME_KEPT_REST : 0,
                                             columns[i].drop, (uint8_t)strlen(columns[i].head)};
    }
    text_table_begin(&table, heads, used);
    for (size_t i = 0; i < show->count; i++) {
        if (show->objects[i].type != type)
            continue;
        text_table_put(&table, object_name(show, show->objects[i].address, cell));
        for (size_t k = 1; k < used; k++)
            text_table_put(&table, text_cell(show, &show->objects[i], shown[k], cell));
    }
    return text_table_end(&table, width, show->out);
}

/* Prints a line about a list that could not be read as a whole. */
static void put_doubt(const struct show *show, uint8_t type)
{
    struct txtap_kernel_list list = txtap_kernel_list(show->kernel, type);

    const char *cause = "the list changed during each attempt to read it, or is damaged";

    if (list.complete)
        return;
    if (list.too_long)
        cause = "txtap does not show more";
    else if (show->reader->layout.assumed >> type & 1u)
        cause = "the kernel seems to have options that change its layout: compile the firmware with -g";
    fprintf(show->out, "  %s: incomplete, %" PRIu32, classes[type].key, list.found);
    if (list.counted)
        fprintf(show->out, " of %" PRIu32, list.created);
    fprintf(show->out, " shown: %s\n", cause);
}

static void put_head(const struct show *show)
{
    char version[KERNEL_NAME_BYTES], escaped[TXTAP_ESCAPED_BYTES(KERNEL_NAME_BYTES)];
    const struct txtap_kernel_ops *ops = show->reader->layout.ops;
    uint32_t options;

    kernel_version(show->reader, version);
    fprintf(show->out, "%s", txtap_escape_terminal(escaped, sizeof escaped, version));
    if (ops->options != NULL && txtap_kernel_word(show->kernel, ops->options_word, &options))
        for (size_t i = 0; i < ops->option_count; i++)
            if (options >> ops->options[i].bit & 1u)
                fprintf(show->out, ", %s", ops->options[i].name);
    fputc('\n', show->out);
    if (ops->is_started != NULL && !ops->is_started(show->kernel))
        fprintf(show->out, "The firmware has not started the kernel yet.\n");
}

static bool knows_a_stack(const struct show *show)
{
    for (size_t i = 0; i < show->count; i++)
        if (txtap_kernel_knows(&show->objects[i], KERNEL_STACK_SIZE))
            return true;
    return false;
}

bool kernel_show_text(const struct kernel_reader *reader, unsigned width, FILE *out)
{
    const struct show show = show_of(reader, out);
    bool ok = true;

    put_head(&show);
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES && ok; type++) {
        struct txtap_kernel_list list = txtap_kernel_list(show.kernel, type);

        if (!list.present || (list.complete && list.found == 0))
            continue;
        fputc('\n', out);
        ok = put_class(&show, type, width);
        put_doubt(&show, type);
    }
    if (!txtap_kernel_fills_stacks(show.kernel) && knows_a_stack(&show))
        fprintf(out,
                "\nNo stack contains the fill word 0x%08" PRIx32 ", so MAX is not known: compile the firmware %s.\n",
                reader->layout.ops->fill, reader->layout.ops->fill_option);
    return ok;
}

/* ---- JSON ---- */

static void put_string(FILE *out, const char *text)
{
    char quoted[TXTAP_ESCAPED_JSON_BYTES(KERNEL_NAME_BYTES)];

    fputs(txtap_escape_json(quoted, sizeof quoted, text), out);
}

static void put_object(const struct show *show, uint32_t address)
{
    const struct txtap_kernel_object *object = txtap_kernel_find(show->kernel, address);
    char name[KERNEL_NAME_BYTES];

    if (address == 0) {
        fputs("null", show->out);
        return;
    }
    kernel_object_name(show->reader, address, name);
    fprintf(show->out, "{\"address\":\"0x%08" PRIx32 "\",\"type\":", address);
    if (object != NULL)
        put_string(show->out, txtap_object_type_name(object->type));
    else
        fputs("null", show->out);
    fputs(",\"name\":", show->out);
    put_string(show->out, name);
    fputc('}', show->out);
}

static void put_value(const struct show *show, const struct txtap_kernel_object *object,
                      const struct txtap_kernel_column *column)
{
    uint32_t value = object->values[column->value];
    char name[KERNEL_NAME_BYTES], cell[CELL_BYTES];

    if (!txtap_kernel_knows(object, column->value)) {
        fputs("null", show->out);
        return;
    }
    switch (column->format) {
    case KERNEL_STATE_NAME:
        put_string(show->out, state_name(show, object, cell));
        break;
    case KERNEL_OBJECT:
        put_object(show, value);
        break;
    case KERNEL_CODE:
        kernel_code_name(show->reader, value, name);
        put_string(show->out, name);
        break;
    case KERNEL_YES_NO:
        fputs(value != 0 ? "true" : "false", show->out);
        break;
    case KERNEL_BITS:
    case KERNEL_ADDRESS:
        fprintf(show->out, "\"0x%08" PRIx32 "\"", value);
        break;
    case KERNEL_INTEGER:
        fprintf(show->out, "%" PRId32, (int32_t)value);
        break;
    case KERNEL_NUMBER:
    case KERNEL_SIZE:
    case KERNEL_TICKS:
        fprintf(show->out, "%" PRIu32, value);
        break;
    }
}

static void put_json_object(const struct show *show, const struct txtap_kernel_object *object)
{
    char name[KERNEL_NAME_BYTES];
    size_t count;
    const struct txtap_kernel_column *columns = txtap_kernel_columns(object->type, &count);

    kernel_object_name(show->reader, object->address, name);
    fputs("{\"name\":", show->out);
    put_string(show->out, name);
    fprintf(show->out, ",\"address\":\"0x%08" PRIx32 "\"", object->address);
    for (size_t i = 0; i < count; i++) {
        fprintf(show->out, ",\"%s\":", columns[i].key);
        put_value(show, object, &columns[i]);
        if (columns[i].value == KERNEL_STACK_PEAK && txtap_kernel_knows(object, KERNEL_STACK_PEAK))
            fprintf(show->out, ",\"stack_used_max_exact\":%s", object->peak_at_least ? "false" : "true");
    }
    fputc('}', show->out);
}

static void put_json_list(const struct show *show, uint8_t type)
{
    struct txtap_kernel_list list = txtap_kernel_list(show->kernel, type);
    bool first = true;

    fprintf(show->out, ",\"%s\":{\"created\":", classes[type].key);
    if (!list.present) {
        fputs("null,\"complete\":false,\"list\":[]}", show->out);
        return;
    }
    if (list.counted || list.complete)
        fprintf(show->out, "%" PRIu32, list.counted ? list.created : list.found);
    else
        fputs("null", show->out);
    fprintf(show->out, ",\"complete\":%s,\"list\":[", list.complete ? "true" : "false");
    for (size_t i = 0; i < show->count; i++) {
        if (show->objects[i].type != type)
            continue;
        fputs(first ? "" : ",", show->out);
        put_json_object(show, &show->objects[i]);
        first = false;
    }
    fputs("]}", show->out);
}

static void put_json_options(const struct show *show)
{
    const struct txtap_kernel_ops *ops = show->reader->layout.ops;
    bool first = true;
    uint32_t options;

    fputs(",\"options\":", show->out);
    if (ops->options == NULL || !txtap_kernel_word(show->kernel, ops->options_word, &options)) {
        fputs("null", show->out);
        return;
    }
    fputc('[', show->out);
    for (size_t i = 0; i < ops->option_count; i++)
        if (options >> ops->options[i].bit & 1u) {
            fputs(first ? "" : ",", show->out);
            put_string(show->out, ops->options[i].name);
            first = false;
        }
    fputc(']', show->out);
}

void kernel_show_json(const struct kernel_reader *reader, FILE *out)
{
    const struct show show = show_of(reader, out);
    const struct txtap_kernel_ops *ops = reader->layout.ops;
    char version[KERNEL_NAME_BYTES], head[TXTAP_JSON_HEAD_BYTES];

    kernel_version(reader, version);
    fprintf(out, "{%s,\"kernel\":", txtap_json_head(head, TXTAP_SCHEMA_KERNEL));
    put_string(out, ops->name);
    fputs(",\"kernel_version\":", out);
    put_string(out, version);
    fprintf(out, ",\"started\":%s", ops->is_started == NULL || ops->is_started(show.kernel) ? "true" : "false");
    put_json_options(&show);
    fprintf(out, ",\"stacks_filled\":%s", txtap_kernel_fills_stacks(show.kernel) ? "true" : "false");
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++)
        put_json_list(&show, type);
    fprintf(out,
            ",\"walk\":{\"us\":%" PRIu64 ",\"exchanges\":%" PRIu64 ",\"reads\":%" PRIu64 ",\"bytes\":%" PRIu64 "}}\n",
            reader->walk.us, reader->walk.exchanges, reader->walk.reads, reader->walk.bytes);
}
