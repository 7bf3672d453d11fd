#!/bin/bash
# SPDX-License-Identifier: MIT
# recorder_off.sh CC ROOT: tests firmware that calls the recorder's functions and is built with TXTAP_TRACE_OFF. It must
# compile as C11 and C++11 without a warning, refer to nothing of txtap, and be told that nothing is recorded. C++ is
# tested only if g++ exists.
set -euo pipefail

cc=${1:?usage: recorder_off.sh CC ROOT}
root=${2:?usage: recorder_off.sh CC ROOT}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

languages=("$cc -x c -std=c11")
if command -v g++ >/dev/null; then languages+=("g++ -x c++ -std=c++11"); fi
flags=(-DTXTAP_TRACE_OFF -Wall -Wextra -Wshadow -Wpedantic -Werror -I"$root/target/recorder" -I"$root/target/zephyr/include")
for language in "${languages[@]}"; do
    # shellcheck disable=SC2086 # words, as written above
    $language "${flags[@]}" -O1 -c "$root/tests/unit/target/recorder_off.c" -o "$work/off.o"
    if nm -u "$work/off.o" | grep -E 'txtap_|_tx_trace'; then
        echo "recorder_off: $language: these are referred to, although there is no recorder" >&2
        exit 1
    fi
    "$cc" "$work/off.o" -o "$work/off"
    "$work/off" || { echo "recorder_off: $language: a function says that it records" >&2; exit 1; }
done
# The object must define only the variables that a kernel sets.
"$cc" -std=c11 "${flags[@]}" -c "$root/target/recorder/txtap_trace.c" -o "$work/trace.o"
nm --defined-only "$work/trace.o" | awk '{ print $3 }' | sort >"$work/defined"
diff - "$work/defined" >&2 <<'END' || { echo "recorder_off: txtap_trace.c defines these (>)" >&2; exit 1; }
txtap_trace_preempt_disable
txtap_trace_system_state
txtap_trace_thread
txtap_trace_thread_priority
END
