.figures[] | select(.name == "time_ticks" and (.detail == "running" or .detail == "ready") and .subject.kind == "thread")
| select(.stats.value.value > 0)
| ((.subject.name // "") as $n | if $n == "" then "thread_" + .subject.address else ($n | gsub("[^A-Za-z0-9]"; "_")) end) + "_" + .detail + " " + (.stats.value.value | tostring)
