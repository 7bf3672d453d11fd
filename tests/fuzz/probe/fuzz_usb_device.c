/* SPDX-License-Identifier: MIT */
/*
 * Identifies a USB device with any descriptors and strings, and shows it as text and as JSON. The input begins with a
 * byte of flags. Strings follow: manufacturer, product, serial, the name of a process, and strings of interfaces. Each
 * string has a byte with its length before it. The rest are the descriptors.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command/probes_show.h"
#include "fuzz.h"

enum { FROM_DESCRIPTORS = 1, NO_UDEV = 2, NO_RULES = 4, STATE_SHIFT = 4 };

struct input {
    const uint8_t *at;
    size_t left;
};

/* Takes `wanted` bytes from the input, or all that remain. Returns a copy of exactly this length. */
static uint8_t *take(struct input *input, size_t wanted, size_t *length)
{
    uint8_t *bytes;

    *length = wanted < input->left ? wanted : input->left;
    bytes = malloc(*length > 0 ? *length : 1);
    REQUIRE(bytes != NULL);
    memcpy(bytes, input->at, *length);
    input->at += *length;
    input->left -= *length;
    return bytes;
}

static size_t take_length(struct input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

static void take_string(struct input *input, unsigned flags, struct usb_string *string)
{
    size_t length;
    uint8_t *bytes = take(input, take_length(input), &length);

    if (flags & FROM_DESCRIPTORS)
        usb_string_from_descriptor(string, bytes, length);
    else
        usb_string_from_sysfs(string, (const char *)bytes, length);
    REQUIRE(string->count <= USB_STRING_UNITS_MAX);
    free(bytes);
}

/* ---- checks of the output ---- */

/*
 * Returns the length of a UTF-8 character. 0: the character is invalid, or a terminal may treat it as a control
 * character.
 */
static size_t harmless(const unsigned char *at)
{
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;

    if (length == 1)
        return at[0] >= ' ' && at[0] != 0x7F;
    if (at[0] == 0xC2 && at[1] < 0xA0)
        return 0; /* a C1 control character */
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

static void check_harmless(const char *text, bool lines)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at != '\0') {
        size_t length = lines && *at == '\n' ? 1 : harmless(at);

        REQUIRE(length > 0);
        at += length;
    }
}

/* Returns the position after a JSON value. */
static const char *skip_value(const char *at, int depth);

static const char *skip_string(const char *at)
{
    REQUIRE(*at == '"');
    for (at++; *at != '"'; at++) {
        REQUIRE(*at != '\0');
        if (*at != '\\')
            continue;
        at++;
        REQUIRE(*at != '\0' && strchr("\"\\/bfnrtu", *at) != NULL);
        if (*at == 'u')
            for (int i = 0; i < 4; i++)
                REQUIRE(isxdigit((unsigned char)*++at));
    }
    return at + 1;
}

/* Skips the array of paths. */
static const char *skip_array(const char *at)
{
    for (at++; *at == '"'; at += *at == ',')
        at = skip_string(at);
    REQUIRE(*at == ']');
    return at + 1;
}

static const char *skip_object(const char *at, int depth)
{
    do {
        at = skip_string(at + 1);
        REQUIRE(*at == ':');
        at = skip_value(at + 1, depth + 1);
    } while (*at == ',');
    REQUIRE(*at == '}');
    return at + 1;
}

static const char *skip_value(const char *at, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t digits = strspn(at, "0123456789");

    REQUIRE(depth < 4);
    if (*at == '{')
        return skip_object(at, depth);
    if (*at == '[')
        return skip_array(at);
    if (*at == '"')
        return skip_string(at);
    for (size_t i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    REQUIRE(digits > 0);
    return at + digits;
}

static void show(const struct usb_probe *probe, const struct usb_list *list, enum probes_event event)
{
    static char text[PROBES_SHOW_BYTES];

    check_harmless(probes_show_text(probe, list, event, text), true);
    REQUIRE(strchr(text, '\n') != NULL);
    check_harmless(probes_show_json(probe, list, text), false);
    REQUIRE(*skip_value(text, 0) == '\0');
}

/* ---- the device ---- */

static void name_holder(struct input *input, struct usb_holder *holder)
{
    size_t length;
    uint8_t *bytes = take(input, take_length(input) % sizeof holder->name, &length);

    memcpy(holder->name, bytes, length);
    holder->name[length] = '\0';
    holder->pid = (pid_t)length;
    free(bytes);
}

static void take_descriptors(struct input input, struct usb_facts *facts)
{
    size_t length;
    uint8_t *bytes = take(&input, input.left, &length);

    (void)usb_descriptors_parse(&facts->descriptors, bytes, length);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static struct usb_facts facts;
    static struct usb_probe both[2]; /* the device, and another device with the same strings */
    struct usb_probe *probe = &both[0];
    struct usb_list list = {.probes = both};
    struct input input = {data, length};
    struct usb_string string;
    unsigned flags;

    memset(&facts, 0, sizeof facts);
    memset(both, 0, sizeof both);
    flags = (unsigned)take_length(&input);
    list.system = (struct usb_system){.udev = !(flags & NO_UDEV), .rules = !(flags & NO_RULES)};
    take_string(&input, flags, &facts.manufacturer);
    take_string(&input, flags, &facts.product);
    take_string(&input, flags, &facts.serial);
    name_holder(&input, &probe->holder);
    take_string(&input, flags, &string);
    take_descriptors(input, &facts);
    REQUIRE(facts.descriptors.interface_count <= USB_INTERFACES_MAX);
    for (size_t i = 0; i < facts.descriptors.interface_count; i++)
        facts.interface_is_dap[i] = (i + flags) % 3 == 0 && usb_string_has(&string, USB_DAP_WORD);
    usb_device_identify(&facts, &probe->identity);
    if (!probe->identity.is_probe)
        return 0;
    REQUIRE(probe->identity.dap_interface <= facts.descriptors.interface_count);
    probe->speed = "full";
    snprintf(probe->node, sizeof probe->node, "/dev/bus/usb/001/005");
    probe->state = (enum usb_state)((flags >> STATE_SHIFT) % (USB_BROKEN + 1));
    both[1] = both[0];
    snprintf(both[1].port, sizeof both[1].port, "1-4.2");
    list.count = 1 + length % 2;
    show(probe, &list, (enum probes_event)(length % (PROBES_REMOVED + 1)));
    return 0;
}
