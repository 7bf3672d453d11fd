/* SPDX-License-Identifier: MIT */
/* The objects that info lists, in the order of the registry's slots. */
#include "command/info/info.h"

#include <criterion/criterion.h>
#include <string.h>

#include "txtb_bytes.h"

enum { SLOTS = 5, SLOT_BYTES = TXTB_OBJECT_FIXED_BYTES + 32 };

static uint8_t registry[SLOTS][SLOT_BYTES];
static const struct txtap_header header = {.name_bytes = 32};
static struct info_objects list;

static void set_up(void)
{
    memset(registry, 0, sizeof registry);
    put_object(registry[0], TXTAP_LITTLE, 0, TXTAP_OBJECT_THREAD, 0x300, "worker");
    put_object(registry[1], TXTAP_LITTLE, 1, TXTAP_OBJECT_QUEUE, 0x100, "old letters");
    put_object(registry[2], TXTAP_LITTLE, 1, TXTAP_OBJECT_QUEUE, 0x200, "mail");
    put_object(registry[3], TXTAP_LITTLE, 0, TXTAP_OBJECT_QUEUE, 0x100, "letters");
}

static void tear_down(void)
{
    info_objects_free(&list);
}

TestSuite(info_objects, .init = set_up, .fini = tear_down);

Test(info_objects, are_the_slots_that_were_ever_used_by_address)
{
    static const char *const names[] = {"letters", "old letters", "mail", "worker"};

    cr_assert(info_objects_list(&list, &header, registry[0], sizeof registry));
    cr_assert_eq(list.count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_assert_str_eq(list.objects[i].name, names[i]);
    cr_assert(list.objects[0].live && !list.objects[1].live && !list.objects[2].live && list.objects[3].live);
}

Test(info_objects, may_be_none)
{
    cr_assert(info_objects_list(&list, &header, registry[4], SLOT_BYTES));
    cr_assert_eq(list.count, 0);
    info_objects_free(&list);
    cr_assert(info_objects_list(&list, &header, NULL, 0));
    cr_assert_eq(list.count, 0);
}
