# SPDX-License-Identifier: MIT
# For the tests of txtap profile. The firmware profile.elf counts the units of work of each function, so the true shares
# are known. Shares are compared among these functions only: QEMU shows other code too often or too rarely.
#   counts                    prints the firmware's counts: sixty thirty ten interrupt
#   true_shares BEFORE AFTER  prints the shares between two outputs of counts, as a JSON object
#   check_exactly SENTENCE POINTS TRUTH   checks shares_are with POINTS on a quiet host. On another host the board does
#                             not run whenever txtap reads, so it allows 10 points more and prints the shares
#   threads_are_right         for check: few samples of sixty(), thirty() and ten() have another thread than theirs. On a
#                             busy host both threads may run between two reads of the running thread
#   shares_are POINTS TRUTH   for check: the shares of the last profile in $OUT (JSON) differ by at most POINTS. On a busy
#                             host, where the board often stands still, wide intervals allow more

PROFILE=$FIRMWARE/profile.elf
FUNCTIONS='{sixty: "sixty", thirty: "thirty", ten: "ten", interrupt: "interrupt_work"}'

counts() {
    local name
    for name in sixty thirty ten interrupt; do
        ELF=$PROFILE value "profile_$name"
    done | tr '\n' ' '
}

true_shares() {
    awk -v before="$1" -v after="$2" 'BEGIN {
        split("sixty thirty ten interrupt", names, " ")
        split(before, b, " ")
        split(after, a, " ")
        for (i = 1; i <= 4; i++) sum += a[i] - b[i]
        for (i = 1; i <= 4; i++) printf "%s\"%s\": %.4f", (i > 1 ? ", " : "{"), names[i], (a[i] - b[i]) / sum
        print "}"
    }'
}

shares_are() {
    jq -e --argjson points "$1" --argjson truth "$2" "
        (.functions | map({(.function): .}) | add) as \$rows
        | ($FUNCTIONS | map_values(\$rows[.] // {samples: 0, low: 0, high: 0})) as \$rows
        | ([\$rows[].samples] | add) as \$sum
        | ([\$points, ([\$rows[] | 0.75 * (.high - .low)] | max)] | max) as \$allowed
        | \$rows | to_entries | all(100 * (.value.samples / \$sum - \$truth[.key]) | fabs <= \$allowed)" "$OUT" >/dev/null ||
        { printf '# true: %s, profile: %s\n' "$2" "$(jq -c '[.functions[] | {(.function): [.percent, .low, .high]}] | add' "$OUT")"; return 1; }
}

check_exactly() {
    if is_quiet; then
        check "$1" shares_are "$2" "$3"
    else
        check "$1, and 10 more on this host" shares_are "$(($2 + 10))" "$3"
        printf '# %s\n' "$(jq -c '[.functions[] | {(.function): .percent}] | add' "$OUT")"
    fi
}

threads_are_right() {
    local limit=0.3
    if is_quiet; then limit=0.02; fi
    jq -e --argjson limit "$limit" '. as $all
        | [.functions_by_thread[] | select(.thread != null and (.function | test("^(sixty|thirty|ten)$")))
            | select((.thread == "compute") != (.function == "sixty")) | .samples]
        | add // 0 | . <= $limit * $all.samples' "$OUT" >/dev/null
}
