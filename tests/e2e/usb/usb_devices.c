/* SPDX-License-Identifier: MIT */
/* Twelve devices, with the ids and strings of real devices. */
#include "usb_devices.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct device devices[] = {
    {"root", 0x1d6b, 0x0002, 0x0601, 9, "Linux", "xHCI Host Controller", "0000:00:14.0", "09 I", "usb1", 1, NULL},
    {"hub", 0x05e3, 0x0608, 0x6070, 9, "GenesysLogic", "USB2.0 Hub", NULL, "09 I", "1-1", 2, NULL},
    {"stlink", 0x0483, 0x374b, 0x0100, 0xEF, "STMicroelectronics", "STM32 STLink", "066DFF343339415043184719",
     "FF oii ST-Link Debug;08 oi;02 I", "1-1.1", 3, NULL},
    {"stlink-raw", 0x0483, 0x3748, 0x0100, 0, "STMicroelectronics", "STM32 STLink",
     "W\xc3\xbfr\x06rW\x1b[2J\x01\xc2\x9b", "FF oii ST Link", "1-1.2", 4, NULL},
    {"stlink-v3", 0x0483, 0x374f, 0x0100, 0xEF, "STMicroelectronics", "STLINK-V3", "0029003F3438511134313939",
     "FF oii;08 oi", "1-2", 5, NULL},
    {"dap-v1", 0x0d28, 0x0204, 0x1000, 0, "ARM", "DAPLink CMSIS-DAP",
     "0240000034544e45001a00018aa900292011000097969900", "03 I CMSIS-DAP v1;08 oi", "1-3", 6, "hidraw7"},
    {"dap-v2", 0x2e8a, 0x000c, 0x0221, 0, "Raspberry Pi", "Debug Probe (CMSIS-DAP)", "E6616407E3646B29",
     "FF oi CMSIS-DAP v2 Interface;02 I", "1-1.3", 7, NULL},
    {"jlink", 0x1366, 0x0105, 0x0100, 0xEF, "SEGGER", "J-Link", "000051014439", "FF oi BULK interface", "1-5", 8, NULL},
    {"ftdi", 0x0403, 0x6010, 0x0700, 0, "FTDI", "Dual RS232-HS", NULL, "FF io A;FF io B", "1-6", 9, NULL},
    {"keyboard", 0x046d, 0xc31c, 0x6400, 0, "Logitech", "USB Keyboard", NULL, "03 I", "1-7", 10, "hidraw8"},
    {"stick", 0x0781, 0x5567, 0x0100, 0, "SanDisk", "Cruzer Blade", "4C530001", "08 io", "1-8", 11, NULL},
    {"stlink-v3pwr", 0x0483, 0x3757, 0x0100, 0xEF, "STMicroelectronics", "STLINK-V3PWR", "004400253033510D35333834",
     "FF oii", "1-9", 12, NULL},
    /* the port of "deep" is below a hub that does not exist */
    {"deep", 0x0483, 0x374b, 0x0100, 0xEF, "STMicroelectronics", "STM32 STLink", "FFFF", "FF oii", "1-4.1.2", 13, NULL},
};

const struct device *device_find(const char *name)
{
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strcmp(devices[i].name, name) == 0)
            return &devices[i];
    return NULL;
}

size_t device_interfaces(const struct device *device, struct interface interfaces[static INTERFACES_MAX])
{
    const char *at = device->interfaces;
    size_t count = 0;

    for (; at != NULL && count < INTERFACES_MAX; count++) {
        struct interface *interface = &interfaces[count];

        memset(interface, 0, sizeof *interface);
        sscanf(at, "%x %7[oiI] %63[^;]", &interface->class, interface->endpoints, interface->text);
        at = strchr(at, ';');
        at = at != NULL ? at + 1 : NULL;
    }
    return count;
}

/* ---- descriptors: USB 2.0, 9.6 ---- */

static void put_u16(uint8_t *bytes, unsigned value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

/* Writes an interface and its endpoints. Returns their length. */
static size_t put_interface(uint8_t *bytes, const struct interface *interface, size_t number)
{
    size_t endpoints = strlen(interface->endpoints), at = 9;
    const uint8_t head[9] = {9,
                             4,
                             (uint8_t)number,
                             0,
                             (uint8_t)endpoints,
                             (uint8_t)interface->class,
                             0,
                             0,
                             interface->text[0] != '\0' ? (uint8_t)(4 + number) : 0};

    memcpy(bytes, head, sizeof head);
    for (size_t i = 0; i < endpoints; i++, at += 7) {
        bool in = interface->endpoints[i] != 'o', bulk = interface->endpoints[i] != 'I';
        const uint8_t endpoint[7] = {7, 5, (uint8_t)((in ? 0x80 : 0) | (i + 1)), bulk ? 2 : 3, 64, 0, 1};

        memcpy(bytes + at, endpoint, sizeof endpoint);
    }
    return at;
}

size_t device_descriptors(const struct device *device, uint8_t bytes[static DESCRIPTORS_BYTES_MAX])
{
    static const uint8_t head[18 + 9] = {18, 1, 0, 2, 0, 0, 0, 64, [17] = 1, 9, 2, [23] = 1, [25] = 0x80, 50};
    struct interface interfaces[INTERFACES_MAX];
    size_t count = device_interfaces(device, interfaces), length = sizeof head;

    memset(bytes, 0, DESCRIPTORS_BYTES_MAX);
    memcpy(bytes, head, sizeof head);
    bytes[4] = (uint8_t)device->class;
    put_u16(bytes + 8, device->vendor);
    put_u16(bytes + 10, device->product);
    put_u16(bytes + 12, device->release);
    bytes[14] = device->manufacturer != NULL ? 1 : 0;
    bytes[15] = device->product_text != NULL ? 2 : 0;
    bytes[16] = device->serial != NULL ? 3 : 0;
    for (size_t i = 0; i < count; i++)
        length += put_interface(bytes + length, &interfaces[i], i);
    put_u16(bytes + 20, (unsigned)(length - 18));
    bytes[22] = (uint8_t)count;
    return length;
}
