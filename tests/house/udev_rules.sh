#!/bin/bash
# SPDX-License-Identifier: MIT
# udev_rules.sh ROOT [--update]: fails unless integrations/udev/60-txtap.rules has a rule for each probe that txtap drives
# itself, as capture/probe/usb/usb_table.c lists them. --update writes the rules.
set -euo pipefail

ROOT=${1:?usage: udev_rules.sh ROOT [--update]}
TABLE=$ROOT/capture/probe/usb/usb_table.c
RULES=$ROOT/integrations/udev/60-txtap.rules

# Joins the lines of each row. The drivers of txtap itself are for the probes of these three interface files of OpenOCD.
rows() {
    tr '\n' ' ' <"$TABLE" | grep -oE '\{0x[0-9a-f]{4}, 0x[0-9a-f]{4}, [^{}]*\}' |
        grep -E 'USB_OPENOCD, (STLINK|JLINK|CMSIS_DAP)\b|"ST-Link V' |
        sed -E 's/^\{0x(....), 0x(....), "([^"]*)".*/\1 \2 \3/' | sort -u
}

write_rules() {
    local vendor product name
    cat <<'TEXT'
# SPDX-License-Identifier: MIT
# Access to debug probes, without root, for the user who is logged in at the computer itself and for the group plugdev.
# Written by tests/house/udev_rules.sh from capture/probe/usb/usb_table.c: do not edit.
ACTION!="add|change|bind", GOTO="txtap_end"
SUBSYSTEM!="usb|hidraw", GOTO="txtap_end"

# Any CMSIS-DAP, by its name.
ATTRS{product}=="*CMSIS-DAP*", MODE="0660", GROUP="plugdev", TAG+="uaccess"

TEXT
    while read -r vendor product name; do
        printf '# %s\nATTRS{idVendor}=="%s", ATTRS{idProduct}=="%s", MODE="0660", GROUP="plugdev", TAG+="uaccess"\n' "$name" "$vendor" "$product"
    done < <(rows)
    printf '\nLABEL="txtap_end"\n'
}

count=$(rows | wc -l)
((count >= 30)) || { echo "udev_rules: only $count probes found in $TABLE: has the table another form?"; exit 1; }
if [[ ${2:-} == --update ]]; then
    write_rules >"$RULES"
elif ! diff -u "$RULES" <(write_rules); then
    echo "udev_rules: the rules differ from the table: tests/house/udev_rules.sh . --update"
    exit 1
fi
echo "udev_rules: $count probes"
