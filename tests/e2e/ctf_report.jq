[.figures[] | select(.name == "time_ticks" and (.detail == "running" or .detail == "interrupted") and .subject.kind == "thread")]
| group_by(.subject.address)[] | {subject: .[0].subject, sum: (map(.stats.value.value) | add)} | select(.sum > 0)
| (.subject.name // .subject.address) + " " + (.sum | tostring)
