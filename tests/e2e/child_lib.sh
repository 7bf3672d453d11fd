# SPDX-License-Identifier: MIT
# Functions for tests of the OpenOCDs that txtap starts: finds these processes by id, and ends txtap at random. Source
# it after e2e_begin.
#
#   PROGRAM        for --openocd-program: OpenOCD, with its process id noted in the file $PIDS
#   UNDER          a command prefix for txtap: env and variables
#   living         prints the ids of the OpenOCDs that still run
#   nothing_left   for check: no OpenOCD still runs, after a moment for the kernel
#   ending SECONDS FROM WAY ARGUMENT...   runs txtap. Ends it SECONDS after its own start (FROM is "start") or after
#                  the start of its OpenOCD (FROM is "openocd"), by the signal WAY, or by closing its output (PIPE)

PROGRAM=$WORK/openocd
export PIDS=$WORK/pids
UNDER=()
printf '#!/bin/sh\necho $$ >>"$PIDS"\nexec openocd "$@"\n' >"$PROGRAM"
chmod +x "$PROGRAM"
: >"$PIDS"

# Prints the processes that still run. Zombies do not count. After txtap's end a process may exist for a moment, until
# the kernel has ended it.
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
        # The signal is repeated, because a background job ignores SIGINT until txtap has set its handler.
        while kill "-$way" "$!"; do sleep 0.3; done
    fi
    wait "$!" || true
}
