# SPDX-License-Identifier: MIT
# Prints the time for which each wire of a value change dump is 1, as "NAME TICKS". Also uses the comments on the
# past.
BEGIN { OFMT = CONVFMT = "%.0f" } # large sums as whole numbers
function level(id, value) {
    if (now[id] == "1")
        sum[id] += time - since[id]
    now[id] = value
    since[id] = time
}
$1 == "$var" && $2 == "wire" { name[$4] = $5; id_of[$5] = $4 }
$1 == "$enddefinitions" { values = 1 }
/^#/ { time = substr($1, 2) + 0 }
values && /^[01x]/ { level(substr($1, 2), substr($1, 1, 1)) }
values && $1 == "$comment" && $3 == "was" && $4 ~ /^(running|ready)$/ { sum[id_of[$2 "_" $4]] += time - $6 }
END {
    for (id in name) {
        level(id, "x")
        if (sum[id] > 0)
            print name[id], sum[id]
    }
}
