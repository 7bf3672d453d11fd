# SPDX-License-Identifier: MIT
# The OpenOCDs that txtap starts, by their process ids, and random ends of txtap: sourced after e2e_begin.
#
#   PROGRAM        for --openocd-program: OpenOCD, with its process id noted in the file $PIDS
#   UNDER          a command prefix for txtap: env and variables
#   living         prints those that still run
#   nothing_left   for check: none of them still runs, after a moment for the kernel
#   ending SECONDS FROM WAY ARGUMENT...   runs txtap, and ends it that long after its start (FROM: start) or that of its
# OpenOCD (openocd) by the signal WAY, or by closing its output (PIPE)

PROGRAM=$WORK/openocd
export PIDS=$WORK/pids
UNDER=()
printf '#!/bin/sh\necho $$ >>"$PIDS"\nexec openocd "$@"\n' >"$PROGRAM"
chmod +x "$PROGRAM"
: >"$PIDS"

# Prints the processes that still run. After txtap's end a process may exist for a moment, until the kernel has ended
# it, and then as a zombie, which does not count.
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
