# SPDX-License-Identifier: MIT
# The OpenOCDs that txtap starts, by their numbers, and random ends of txtap: sourced after e2e_begin.
#
#   PROGRAM        for --openocd-program: OpenOCD, whose number is noted in the file $PIDS
#   UNDER          a command that becomes txtap: env and variables
#   living         prints which of them still run
#   nothing_left   for check: none of them does, once the kernel had its moment
#   ending SECONDS FROM WAY ARGUMENT...   runs txtap, and ends it so long after its start (FROM: start) or that of its
#                  OpenOCD (openocd) by the signal WAY, or by its reader going away (PIPE)

PROGRAM=$WORK/openocd
export PIDS=$WORK/pids
UNDER=()
printf '#!/bin/sh\necho $$ >>"$PIDS"\nexec openocd "$@"\n' >"$PROGRAM"
chmod +x "$PROGRAM"
: >"$PIDS"

# What outlived txtap for the moment that the kernel takes, and who waits for it, is not txtap's any more.
living() {
    local pid
    while read -r pid; do
        if [[ -e /proc/$pid ]] && ! grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null; then echo "$pid"; fi
    done < <(cat "$PIDS"*)
}
none_lives() { [[ ! $(living) ]]; }
nothing_left() { await $$ none_lives || { echo "# left behind: $(living | tr '\n' ' ')"; return 1; }; }

ending() {
    local seconds=$1 from=$2 way=$3 reads=$1
    [[ $way == PIPE ]] || reads=1000
    "${UNDER[@]}" "$BUILD/capture/txtap" "${@:4}" > >(exec timeout "$reads" cat >/dev/null) &
    if [[ $way != PIPE ]]; then
        [[ $from == start ]] || await "$!" test -s "$PIDS"
        sleep "$seconds"
        while kill "-$way" "$!"; do sleep 0.3; done # a shell has what it starts ignore SIGINT, until txtap takes it
    fi
    wait "$!" || true
}
