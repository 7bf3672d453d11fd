# SPDX-License-Identifier: MIT
# Prints the time for which each thread has a core, as "NAME TICKS", from babeltrace2 --clock-cycles.
# field NAME: the text of that field in the line, without quotes
BEGIN { OFMT = CONVFMT = "%.0f" } # large sums as whole numbers
function field(key,  from, rest) {
    from = index($0, " " key " = ")
    rest = substr($0, from + length(key) + 4)
    sub(/^"/, "", rest)
    sub(/"?(,| }).*/, "", rest)
    return rest
}
{ time = substr($1, 2) + 0; core = field("cpu_id") }
/ sched_switch: / {
    if (core in runs)
        sum[runs[core]] += time - since[core]
    runs[core] = field("next_tid")
    name[runs[core]] = field("next_comm")
    since[core] = time
}
END {
    for (core in runs)
        sum[runs[core]] += time - since[core]
    for (tid in sum)
        if (tid > 0 && sum[tid] > 0)
            print name[tid], sum[tid]
}
