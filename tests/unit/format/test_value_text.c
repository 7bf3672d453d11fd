/* SPDX-License-Identifier: MIT */
/* Values of counters as text: each kind, with decimals and units. */
#include <criterion/criterion.h>
#include <string.h>

#include "txtap/inner/user_value.h"

static const char lines[] = "enum mode -1=fault 0=idle 1=\"out of order\"\nflags alarm 1=hot 4=door\n"
                            "event 1 \"a\" \"{0=x:u/100 kWh} {1=y:d/10 C} {2=z:f} {3=m:enum mode}\"\n"
                            "event 2 \"b\" \"{0=s:flags alarm} {1=o:object} {2=i:ipv4} {3=t:tx_status}\"\n"
                            "event 3 \"c\" \"{0=q:x Hz}\"\n";

static struct txtap_definition events[4];
static struct txtap_word words[8];
static char strings[512];
static struct txtap_definitions definitions;
static struct txtap_object objects[2];
static struct txtap_registry registry;

static void open_all(void)
{
    struct txtap_definitions_problem problem;
    struct txtap_object object = {.pointer = 0x20001000, .type = TXTAP_OBJECT_QUEUE};

    txtap_definitions_init(&definitions,
                           (struct txtap_definitions_memory){events, 4, words, 8, strings, sizeof strings});
    cr_assert_eq(txtap_definitions_parse(&definitions, lines, sizeof lines - 1, &problem), TXTAP_OK, "%s",
                 problem.text);
    txtap_registry_init(&registry, objects, 2);
    strcpy(object.name, "samples");
    objects[0] = object;
    registry.count = 1;
}

static void is_shown(uint32_t id, unsigned word, uint32_t number, const char *expected)
{
    char text[TXTAP_VALUE_TEXT_BYTES];
    size_t length = txtap_value_text(&registry, txtap_definitions_find(&definitions, id), word, number, text);

    cr_expect_str_eq(text, expected);
    cr_expect_eq(length, strlen(expected));
}

Test(value_text, each_kind)
{
    open_all();
    is_shown(1, 0, 1234567, "12345.67 kWh");
    is_shown(1, 0, UINT32_MAX, "42949672.95 kWh");
    is_shown(1, 1, (uint32_t)-5, "-0.5 C");
    is_shown(1, 1, 0x80000000u, "-214748364.8 C");
    is_shown(1, 2, 0x3FC00000u, "1.5");
    is_shown(1, 2, 0x7FC00000u, "nan");
    is_shown(1, 2, 0xFF800000u, "-inf");
    is_shown(1, 3, 1, "out of order");
    is_shown(1, 3, UINT32_MAX, "fault");
    is_shown(1, 3, (uint32_t)-7, "-7");
    is_shown(2, 0, 5, "hot|door");
    is_shown(2, 0, 2, "0x2");
    is_shown(2, 1, 0x20001000, "samples");
    is_shown(2, 1, 0x20009999, "0x20009999");
    is_shown(2, 2, 0xC0A80102u, "192.168.1.2");
    is_shown(2, 3, 11, "queue_full");
    is_shown(3, 0, 31, "0x1f Hz");
    is_shown(3, 1, 31, "31");
}
