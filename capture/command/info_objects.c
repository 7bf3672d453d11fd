/* SPDX-License-Identifier: MIT */
/* Describes each object by the arguments of its tx_..._create(). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/info.h"
#include "txtap/escape.h"

#define DETAIL_BYTES   64
#define NAME_WIDTH_MIN 8
#define NAME_WIDTH_MAX 40
#define HAS_PRIORITY   0x80u /* in reserved1 of a thread, whose lower bits are the priority's upper ones */

static void describe_thread(char detail[static DETAIL_BYTES], const struct txtap_object *object)
{
    int length = snprintf(detail, DETAIL_BYTES, "stack 0x%08" PRIx32 ", %" PRIu32 " bytes", object->parameter[0],
                          object->parameter[1]);

    if (object->reserved[0] & HAS_PRIORITY)
        snprintf(detail + length, DETAIL_BYTES - (size_t)length, ", priority %u",
                 (object->reserved[0] & ~HAS_PRIORITY) << 8 | object->reserved[1]);
}

static void describe_timer(char detail[static DETAIL_BYTES], const struct txtap_object *object)
{
    int length = snprintf(detail, DETAIL_BYTES, "after %" PRIu32 " ticks", object->parameter[0]);

    if (object->parameter[1] != 0)
        snprintf(detail + length, DETAIL_BYTES - (size_t)length, ", then every %" PRIu32, object->parameter[1]);
}

/* Parameters by type as ThreadX's create services register them: common/src/tx_*_create.c. */
static void describe(char detail[static DETAIL_BYTES], const struct txtap_object *object)
{
    const uint32_t *parameter = object->parameter;

    switch (object->type) {
    case TXTAP_OBJECT_THREAD:
        describe_thread(detail, object);
        break;
    case TXTAP_OBJECT_TIMER:
        describe_timer(detail, object);
        break;
    case TXTAP_OBJECT_QUEUE:
        snprintf(detail, DETAIL_BYTES, "%" PRIu32 " bytes, messages of %" PRIu32 " %s", parameter[0], parameter[1],
                 parameter[1] == 1 ? "word" : "words");
        break;
    case TXTAP_OBJECT_SEMAPHORE:
        snprintf(detail, DETAIL_BYTES, "created with a count of %" PRIu32, parameter[0]);
        break;
    case TXTAP_OBJECT_MUTEX:
        snprintf(detail, DETAIL_BYTES, "%s", parameter[0] ? "inherits priorities" : "");
        break;
    case TXTAP_OBJECT_BLOCK_POOL:
        snprintf(detail, DETAIL_BYTES, "%" PRIu32 " bytes, blocks of %" PRIu32, parameter[0], parameter[1]);
        break;
    case TXTAP_OBJECT_BYTE_POOL:
        snprintf(detail, DETAIL_BYTES, "%" PRIu32 " bytes", parameter[0]);
        break;
    default:
        detail[0] = '\0';
        if (parameter[0] != 0 || parameter[1] != 0)
            snprintf(detail, DETAIL_BYTES, "parameters %" PRIu32 ", %" PRIu32, parameter[0], parameter[1]);
    }
}

static size_t name_width(const struct info_objects *list)
{
    char name[TXTAP_ESCAPED_BYTES(TXTAP_OBJECT_NAME_BYTES)];
    size_t width = NAME_WIDTH_MIN;

    for (size_t i = 0; i < list->count; i++) {
        size_t length = strlen(txtap_escape_terminal(name, sizeof name, list->objects[i].name));

        if (length > width)
            width = length;
    }
    return width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}

static void print_object(const struct txtap_object *object, size_t width)
{
    char name[TXTAP_ESCAPED_BYTES(TXTAP_OBJECT_NAME_BYTES)], number[16], detail[DETAIL_BYTES];
    const char *type = txtap_object_type_name(object->type);

    snprintf(number, sizeof number, "type %u", object->type);
    describe(detail, object);
    txtap_escape_terminal(name, sizeof name, object->name);
    if (object->live && *detail == '\0')
        printf("  %-12s 0x%08" PRIx32 "  %s\n", type ? type : number, object->pointer, name);
    else
        printf("  %-12s 0x%08" PRIx32 "  %-*s  %s%s%s\n", type ? type : number, object->pointer, (int)width, name,
               object->live ? "" : "deleted", object->live || *detail == '\0' ? "" : ", ", detail);
}

/* Of two with one address the one that exists comes first. */
static int by_address(const void *left, const void *right)
{
    const struct txtap_object *a = left, *b = right;

    if (a->pointer != b->pointer)
        return a->pointer < b->pointer ? -1 : 1;
    return b->live - a->live;
}

bool info_objects_list(struct info_objects *list, const struct txtap_header *header, const uint8_t *registry,
                       size_t length)
{
    size_t step = txtap_header_object_bytes(header), slots = length / step;

    *list = (struct info_objects){.objects = calloc(slots + 1, sizeof *list->objects)};
    if (list->objects == NULL)
        return false;
    for (size_t i = 0; i < slots; i++)
        list->count += txtap_registry_slot(header, registry + i * step, &list->objects[list->count]);
    qsort(list->objects, list->count, sizeof *list->objects, by_address);
    return true;
}

void info_objects_free(struct info_objects *list)
{
    free(list->objects);
    list->objects = NULL;
}

void info_objects_print(const struct info_objects *list)
{
    size_t width = name_width(list);

    if (list->count > 0)
        printf("\n  %-12s %-10s  %-*s  %s\n", "TYPE", "ADDRESS", (int)width, "NAME", "CREATED WITH");
    for (size_t i = 0; i < list->count; i++)
        print_object(&list->objects[i], width);
}
