/* SPDX-License-Identifier: MIT */
/*
 * Known debug probes by their USB ids, each with its configuration in OpenOCD 0.12. Each row was checked against its
 * source. A CMSIS-DAP probe needs no row: its strings identify it.
 */
#include "probe/usb/usb_table.h"

/* The sources of the rows. */
static const char OPENOCD_STLINK[] = "OpenOCD 0.12.0: interface/stlink.cfg, stlink_usb.c";
static const char OPENOCD_CMSIS_DAP[] = "OpenOCD 0.12.0: cmsis_dap_usb_bulk.c, cmsis_dap_usb_hid.c";
static const char OPENOCD_RULES[] = "OpenOCD 0.12.0: contrib/60-openocd.rules";
static const char OPENOCD_INTERFACE[] = "OpenOCD 0.12.0: tcl/interface";
static const char OPENOCD_NEXT[] = "OpenOCD after 0.12.0: stlink_usb.c, contrib/60-openocd.rules";
static const char PROBE_RS[] = "probe-rs 67993c4b6: its tables of probes";
static const char DEBUGPROBE[] = "Raspberry Pi's debugprobe and its udev rules";

static const char STLINK[] = "interface/stlink.cfg";
static const char JLINK[] = "interface/jlink.cfg";
static const char CMSIS_DAP[] = "interface/cmsis-dap.cfg";
static const char WHICH_FTDI[] = "choose one of OpenOCD's interface/ftdi/*.cfg";

#define DAPDIRECT  USB_QUIRK_DAPDIRECT
#define RAW_SERIAL USB_QUIRK_RAW_SERIAL
#define RELEASE    USB_QUIRK_RELEASE
#define RULE       USB_QUIRK_RULE

static const struct usb_row rows[] = {
    {0x0483, 0x3744, "ST-Link/V1", "ST-Link V1", USB_OPENOCD, STLINK, "hla_swd", NULL, RAW_SERIAL | RULE,
     OPENOCD_STLINK},
    {0x0483, 0x3748, "ST-Link/V2", "ST-Link V2", USB_OPENOCD, STLINK, "hla_swd", NULL, DAPDIRECT | RAW_SERIAL | RULE,
     OPENOCD_STLINK},
    {0x0483, 0x374b, "ST-Link/V2-1", "ST-Link V2-1", USB_OPENOCD, STLINK, "hla_swd", NULL,
     DAPDIRECT | RAW_SERIAL | RULE, OPENOCD_STLINK},
    {0x0483, 0x3752, "ST-Link/V2-1 without mass storage", "ST-Link V2-1", USB_OPENOCD, STLINK, "hla_swd", NULL,
     DAPDIRECT | RAW_SERIAL | RULE, OPENOCD_STLINK},
    {0x0483, 0x374a, "ST-Link/V2-1 with audio", "ST-Link V2-1", USB_UNKNOWN, NULL, NULL, NULL, RAW_SERIAL, PROBE_RS},
    {0x0483, 0x3742, "ST-Link/V2-1 without mass storage", "ST-Link V2-1", USB_UNKNOWN, NULL, NULL, NULL, RAW_SERIAL,
     PROBE_RS},
    {0x0483, 0x374d, "STLINK-V3 boot loader", "ST-Link V3", USB_UNUSABLE, NULL, NULL,
     "its firmware waits for an update: use ST's updater", RULE, OPENOCD_STLINK},
    {0x0483, 0x374e, "STLINK-V3E", "ST-Link V3", USB_OPENOCD, STLINK, "hla_swd", NULL, DAPDIRECT | RULE,
     OPENOCD_STLINK},
    {0x0483, 0x374f, "STLINK-V3SET/V3S", "ST-Link V3", USB_OPENOCD, STLINK, "hla_swd", NULL, DAPDIRECT | RULE,
     OPENOCD_STLINK},
    {0x0483, 0x3753, "STLINK-V3 with two VCPs", "ST-Link V3", USB_OPENOCD, STLINK, "hla_swd", NULL, DAPDIRECT | RULE,
     OPENOCD_STLINK},
    {0x0483, 0x3754, "STLINK-V3E without mass storage", "ST-Link V3", USB_OPENOCD, STLINK, "hla_swd", NULL,
     DAPDIRECT | RULE, OPENOCD_STLINK},
    {0x0483, 0x3755, "STLINK-V3PWR boot loader", "ST-Link V3", USB_UNUSABLE, NULL, NULL,
     "its firmware waits for an update: use ST's updater", 0, OPENOCD_NEXT},
    {0x0483, 0x3757, "STLINK-V3PWR", "ST-Link V3", USB_TOO_NEW, NULL, NULL, NULL, 0, OPENOCD_NEXT},
    {0x1366, 0x0101, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x0102, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x0103, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x0104, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x0105, "J-Link OB/PRO", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x0107, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x0108, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1010, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1011, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1012, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1013, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1014, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1015, "J-Link OB", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1016, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1017, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1018, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1020, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1051, "J-Link OB K22", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1055, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x1366, 0x1061, "J-Link", "SEGGER J-Link", USB_OPENOCD, JLINK, "swd", NULL, RULE, OPENOCD_RULES},
    {0x0d28, 0x0204, "DAPLink", "CMSIS-DAP", USB_OPENOCD, CMSIS_DAP, "swd", NULL, 0, OPENOCD_CMSIS_DAP},
    {0x2e8a, 0x000c, "Raspberry Pi Debug Probe", "CMSIS-DAP v2", USB_OPENOCD, CMSIS_DAP, "swd", NULL, RELEASE,
     PROBE_RS},
    {0x2e8a, 0x0004, "Picoprobe with old firmware", "picoprobe", USB_UNUSABLE, NULL, NULL,
     "load debugprobe_on_pico.uf2, which speaks CMSIS-DAP", 0, DEBUGPROBE},
    {0x03eb, 0x2111, "Atmel EDBG", "CMSIS-DAP v1", USB_OPENOCD, CMSIS_DAP, "swd", NULL, 0, PROBE_RS},
    {0x03eb, 0x2141, "Atmel-ICE", "CMSIS-DAP v1", USB_OPENOCD, CMSIS_DAP, "swd", NULL, 0, PROBE_RS},
    {0x04b4, 0xf138, "Cypress KitProg in CMSIS-DAP mode", "CMSIS-DAP v1", USB_OPENOCD, CMSIS_DAP, "swd", NULL, RULE,
     OPENOCD_RULES},
    {0x04b4, 0xf139, "Cypress KitProg in KitProg mode", "KitProg", USB_OPENOCD, "interface/kitprog.cfg", "swd", NULL,
     RULE, OPENOCD_INTERFACE},
    {0xc251, 0x2710, "Keil ULINK2", "ULINK", USB_OPENOCD, "interface/ulink.cfg", "jtag", NULL, RULE, OPENOCD_INTERFACE},
    {0x1a86, 0x8012, "WCH-LinkE, ARM mode", "CMSIS-DAP", USB_OPENOCD, CMSIS_DAP, "swd",
     "cmsis_dap_vid_pid 0x1a86 0x8012", 0, PROBE_RS},
    {0x1a86, 0x55dd, "WCH CH347T", "CH347", USB_TOO_NEW, NULL, NULL, NULL, 0, OPENOCD_NEXT},
    {0x1a86, 0x55de, "WCH CH347F", "CH347", USB_TOO_NEW, NULL, NULL, NULL, 0, OPENOCD_NEXT},
    {0x1d50, 0x6018, "Black Magic Probe", "Black Magic", USB_UNUSABLE, NULL, NULL,
     "its GDB server, on /dev/ttyACM*, reads no running target", 0, PROBE_RS},
    {0x0451, 0xbef3, "TI XDS110", "XDS110", USB_OPENOCD, "interface/xds110.cfg", "swd", NULL, RULE, OPENOCD_INTERFACE},
    {0x0451, 0xbef4, "TI XDS110", "XDS110", USB_OPENOCD, "interface/xds110.cfg", "swd", NULL, RULE, OPENOCD_INTERFACE},
    {0x1cbe, 0x02a5, "TI XDS110, older", "XDS110", USB_OPENOCD, "interface/xds110.cfg", "swd", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x1cbe, 0x00ff, "TI XDS110/ICDI in DFU mode", "DFU", USB_UNUSABLE, NULL, NULL, "its firmware waits for an update",
     RULE, OPENOCD_RULES},
    {0x1cbe, 0x00fd, "TI Stellaris/Tiva ICDI", "TI ICDI", USB_OPENOCD, "interface/ti-icdi.cfg", "hla_jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0416, 0x511b, "Nuvoton Nu-Link", "Nu-Link", USB_OPENOCD, "interface/nulink.cfg", "hla_swd", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0416, 0x511c, "Nuvoton Nu-Link", "Nu-Link", USB_OPENOCD, "interface/nulink.cfg", "hla_swd", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0416, 0x511d, "Nuvoton Nu-Link", "Nu-Link", USB_OPENOCD, "interface/nulink.cfg", "hla_swd", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0416, 0x5200, "Nuvoton Nu-Link2", "Nu-Link", USB_OPENOCD, "interface/nulink.cfg", "hla_swd", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0416, 0x5201, "Nuvoton Nu-Link2", "Nu-Link", USB_OPENOCD, "interface/nulink.cfg", "hla_swd", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0x6010, "FT2232C/D/H", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, RULE, OPENOCD_RULES},
    {0x0403, 0x6011, "FT4232H", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, RULE, OPENOCD_RULES},
    {0x0403, 0x6014, "FT232H", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, RULE, OPENOCD_RULES},
    {0x0403, 0x6001, "FT232R", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, RULE, OPENOCD_RULES},
    {0x0403, 0x6015, "FT231X", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, RULE, OPENOCD_RULES},
    {0x0403, 0x6040, "FT2233HP", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, 0, OPENOCD_RULES},
    {0x0403, 0x6041, "FT4233HP", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, 0, OPENOCD_RULES},
    {0x0403, 0x6042, "FT2232HP", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, 0, OPENOCD_RULES},
    {0x0403, 0x6043, "FT4232HP", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, 0, OPENOCD_RULES},
    {0x0403, 0x6044, "FT233HP", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, 0, OPENOCD_RULES},
    {0x0403, 0x6045, "FT232HP", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, 0, OPENOCD_RULES},
    {0x0403, 0x6048, "FT4232HA", "FTDI", USB_PERHAPS, NULL, NULL, WHICH_FTDI, 0, OPENOCD_RULES},
    {0x15ba, 0x0003, "Olimex ARM-USB-OCD", "FTDI", USB_OPENOCD, "interface/ftdi/olimex-arm-usb-ocd.cfg", "jtag", NULL,
     RULE, OPENOCD_INTERFACE},
    {0x15ba, 0x0004, "Olimex ARM-USB-TINY", "FTDI", USB_OPENOCD, "interface/ftdi/olimex-jtag-tiny.cfg", "jtag", NULL,
     RULE, OPENOCD_INTERFACE},
    {0x15ba, 0x002a, "Olimex ARM-USB-TINY-H", "FTDI", USB_OPENOCD, "interface/ftdi/olimex-arm-usb-tiny-h.cfg", "jtag",
     NULL, RULE, OPENOCD_INTERFACE},
    {0x15ba, 0x002b, "Olimex ARM-USB-OCD-H", "FTDI", USB_OPENOCD, "interface/ftdi/olimex-arm-usb-ocd-h.cfg", "jtag",
     NULL, RULE, OPENOCD_INTERFACE},
    {0x15ba, 0x001e, "Olimex ARM-JTAG-EW", "Olimex", USB_OPENOCD, "interface/arm-jtag-ew.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xcff8, "Amontec JTAGkey", "FTDI", USB_OPENOCD, "interface/ftdi/jtagkey.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xbbe2, "Kristech KT-Link", "FTDI", USB_OPENOCD, "interface/ftdi/kt-link.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0x8220, "Distortec JTAG-lock-pick Tiny 2", "FTDI", USB_OPENOCD, "interface/ftdi/jtag-lock-pick_tiny_2.cfg",
     "jtag", NULL, RULE, OPENOCD_INTERFACE},
    {0x0403, 0x8a98, "TUMPA", "FTDI", USB_OPENOCD, "interface/ftdi/tumpa.cfg", "jtag", NULL, RULE, OPENOCD_INTERFACE},
    {0x0403, 0x8a99, "TUMPA Lite", "FTDI", USB_OPENOCD, "interface/ftdi/tumpa-lite.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xbcd9, "Luminary/Stellaris evaluation board", "FTDI", USB_OPENOCD, "interface/ftdi/luminary.cfg", "jtag",
     NULL, RULE, OPENOCD_INTERFACE},
    {0x0403, 0xbcda, "Luminary ICDI board", "FTDI", USB_OPENOCD, "interface/ftdi/luminary-icdi.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xbdc8, "Turtelizer 2", "FTDI", USB_OPENOCD, "interface/ftdi/turtelizer2-revC.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xbaf8, "OOCDLink", "FTDI", USB_OPENOCD, "interface/ftdi/oocdlink.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xa6d0, "TI XDS100v2", "FTDI", USB_OPENOCD, "interface/ftdi/xds100v2.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xa6d1, "TI XDS100v3", "FTDI", USB_OPENOCD, "interface/ftdi/xds100v3.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xbca0, "Signalyzer", "FTDI", USB_OPENOCD, "interface/ftdi/signalyzer.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xbca1, "Signalyzer Lite", "FTDI", USB_OPENOCD, "interface/ftdi/signalyzer-lite.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0403, 0xc140, "Section5 ICEbear", "FTDI", USB_OPENOCD, "interface/ftdi/icebear.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x0640, 0x0026, "Hitex LPC1768-Stick", "FTDI", USB_OPENOCD, "interface/ftdi/hitex_lpc1768stick.cfg", "jtag", NULL,
     RULE, OPENOCD_INTERFACE},
    {0x0640, 0x002d, "Hitex STM32-PerformanceStick", "FTDI", USB_OPENOCD, "interface/ftdi/stm32-stick.cfg", "jtag",
     NULL, RULE, OPENOCD_INTERFACE},
    {0x058b, 0x0043, "Infineon DAP miniWiggler v3", "FTDI", USB_OPENOCD, "interface/ftdi/miniwiggler.cfg", "jtag", NULL,
     RULE, OPENOCD_INTERFACE},
    {0x0b6b, 0x0040, "Ashling Opella-LD", "FTDI", USB_OPENOCD, "interface/ftdi/ashling-opella-ld-swd.cfg", "swd", NULL,
     0, OPENOCD_INTERFACE},
    {0x138e, 0x9000, "Raisonance RLink", "Raisonance", USB_OPENOCD, "interface/rlink.cfg", "jtag", NULL, RULE,
     OPENOCD_INTERFACE},
    {0x03eb, 0x204f, "opendous or eStick", "opendous", USB_CHOOSE, NULL, NULL,
     "interface/opendous.cfg or interface/estick.cfg", RULE, OPENOCD_INTERFACE},
    {0x1457, 0x5118, "Neo1973 debug board or 100ask OpenJTAG", "FTDI", USB_CHOOSE, NULL, NULL,
     "interface/ftdi/neodb.cfg or interface/ftdi/100ask-openjtag.cfg", RULE, OPENOCD_INTERFACE},
};

const struct usb_row *usb_table_row(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

const struct usb_row *usb_table_find(uint16_t vendor, uint16_t product)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].vendor == vendor && rows[i].product == product)
            return &rows[i];
    return NULL;
}
