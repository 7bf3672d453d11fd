# SPDX-License-Identifier: MIT
# An emulated debug probe on USB, connected to a virtual board: for end-to-end tests, sourced after e2e_begin.
#
#   start_usb_board KIND [OPTION]... ELF   a board that fits the probe: stlink-v2-1, stlink-v3 or cmsis-dap
#   start_usb_probe KIND [OPTION]...       the probe on that board, plugged in; sets USB_PID USB_LOG USB_CONTROL. From then
#                                          on start_openocd starts an OpenOCD that sees the probe: start_openocd -f CONFIGURATION
#   unplug; plug [SERIAL]                  as by its cable; SERIAL: another probe in its place
#   usb COMMAND                            any command of the control port; fails unless the answer is "ok", prints the rest
#   usb_state NAME                         prints a number of the probe's state: plugged, claimed, device, opened (handles so far), transfers, or a fault's hits
#   usb_hit NAME COUNT                     for await: the fault NAME has hit COUNT answers
#   usb_is_free                            for await: no program has its interface. The probe notices a closed
#                                          handle a moment late
#   under_usb COMMAND...                   runs another program that sees the probe
#   stop_usb_probe

USBPROBE=$BUILD/target/usbprobe/txtap-usbprobe

start_usb_board() {
    local options=()
    # The board imitates a V3 without delays on the wire, because the emulated USB is already slow.
    if [[ $1 == stlink-v3 ]]; then options=(--probe stlink-v3 --swd-khz 0 --command-us 0); fi
    start_board "${options[@]}" "${@:2}"
}

start_usb_probe() {
    E2E_STARTS=$((E2E_STARTS + 1))
    local port_file=$WORK/usb.$E2E_STARTS.port environment=$WORK/usb.$E2E_STARTS.env line
    USB_LOG=$WORK/usb.$E2E_STARTS.log
    TMPDIR=$WORK "$USBPROBE" "$1" --board "$BOARD_PORT" --control-port-file "$port_file" --env-file "$environment" \
        "${@:2}" >"$USB_LOG" 2>&1 &
    USB_PID=$!
    E2E_PIDS+=("$USB_PID")
    await "$USB_PID" test -s "$port_file" || die "the USB probe did not start: $(cat "$USB_LOG")"
    USB_CONTROL=$(<"$port_file")
    OPENOCD_UNDER=(env)
    while IFS= read -r line; do OPENOCD_UNDER+=("${line#export }"); done <"$environment"
}

under_usb() { "${OPENOCD_UNDER[@]}" "$@"; }

usb() {
    local answer wire
    exec {wire}<>"/dev/tcp/127.0.0.1/$USB_CONTROL" || return 1
    printf '%s\n' "$1" >&"$wire"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$wire" || answer="no answer"
    exec {wire}>&-
    printf '%s\n' "${answer#ok}"
    [[ $answer == ok* ]]
}

unplug() { usb unplug >/dev/null; }
plug() { usb "plug${1:+ $1}" >/dev/null; }
usb_state() { usb state | sed "s/.* $1 \([0-9]*\).*/\1/"; }
usb_is_free() { [[ $(usb_state claimed) == 0 ]]; }
usb_hit() { (($(usb_state "$1") >= $2)); }

stop_usb_probe() {
    USB_STATUS=0
    kill "$USB_PID" 2>/dev/null || true
    wait "$USB_PID" 2>/dev/null || USB_STATUS=$?
    forget "$USB_PID"
    OPENOCD_UNDER=()
}
