#!/bin/bash
# SPDX-License-Identifier: MIT
# hooks.sh header|events|doc: writes what hooks.def says as a C header, as definitions for txtap, as a table to read.
# hooks.sh all: writes the three files beside it again. hooks.sh check: fails if one of them is not up to date.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
table=$here/hooks.def
kernel_events=$here/../../decoder/event/events.def # names and words of ThreadX's events, for the table to read

# Sets hooks, and for hook n: id[n], name[n], macro[n], switch[n], count[n], arg[n, i], kind[n, i], func[n], number[n].
# The script runs with LC_ALL=C and any awk.
read_table='
function fail(why) { printf "hooks.def:%d: %s\n", FNR, why > "/dev/stderr"; failed = 1; exit 1 }
function phase(id) { return (index("0123456789abcdef", substr(id, 4)) - 1) % 8 }
/^# [89a-f][0-9a-f]: / { title[substr($2, 1, 2)] = substr($0, 7) }
/^#/ || !NF { next }
{
    if ($1 !~ /^[89a-f][0-9a-f][0-9a-f][0-9a-f]$/) fail("the number is not 8000 to ffff")
    if ($1 in known) fail("the number is taken")
    if (phase($1) > 4) fail("the phase is not 0 to 4")
    known[$1] = 1
    id[++hooks] = $1; name[hooks] = $2; switch_[hooks] = $3
    macro[hooks] = (substr($1, 1, 2) >= "9f" ? "sys_trace_" : "sys_port_trace_") $2
    for (i = 4; i <= NF && $i != "->"; i++) {
        split($i, part, ":")
        if (part[2] !~ /^[oauadxwer-]$/) fail("not a kind of argument: " $i)
        arg[hooks, ++count[hooks]] = part[1]
        kind[hooks, count[hooks]] = part[2]
    }
    func_[hooks] = $i == "->" ? $(i + 1) : ""
    number[hooks] = $i == "->" ? $(i + 2) : ""
    forms[macro[hooks]]++
}
# The word (1 to 4) of an argument, 0 for none.
function word_of(n, i,   j, word) {
    if (kind[n, i] == "-") return 0
    if (arg[n, i] == "ret" || arg[n, i] == "rc" || kind[n, i] == "r") return 4
    for (j = 1; j <= i; j++) word += kind[n, j] != "-"
    return word
}
function is_own(n) { return number[n] == "" }
'

header_text='
function value(n, i) {
    if (kind[n, i] == "w") return "TXTAP_ZEPHYR_TICKS(" arg[n, i] ")"
    if (kind[n, i] == "r") return "TXTAP_ZEPHYR_RESULT(" arg[n, i - 1] ", ##__VA_ARGS__)"
    return "TXTAP_ZEPHYR_WORD(" arg[n, i] ")"
}
function parameters(n,   i, text) {
    for (i = 1; i <= count[n]; i++) text = text (i > 1 ? ", " : "") arg[n, i]
    return text
}
# Arguments as a function of ThreadX-like events takes them: pointers as they are.
function as_they_are(n,   i, text) {
    for (i = 1; i <= count[n]; i++)
        text = text (i > 1 ? ", " : "") (kind[n, i] ~ /[oa]/ ? "(" arg[n, i] ")" : value(n, i))
    return text
}
# The words up to the last, or all four.
function words(n, last, pointer,   i, w, at, text) {
    for (i = 1; i <= count[n]; i++) if ((w = word_of(n, i)) > 0) at[w] = value(n, i)
    if (pointer) at[1] = "(" arg[n, 1] ")"
    for (w = 1; w <= last; w++) text = text ", " (at[w] != "" ? at[w] : "0u")
    return text
}
function call(n,   i, w, last, result) {
    if (func_[n] != "" && (number[n] != "" || !count[n])) return "txtap_zephyr_" func_[n] "(" as_they_are(n) ")"
    if (func_[n] != "") return "txtap_zephyr_" func_[n] "(0x" id[n] "u" words(n, 4, 1) ")"
    if (phase(id[n]) == 2) return "txtap_zephyr_blocking(0x" id[n] "u" words(n, 4) ")"
    for (i = 1; i <= count[n]; i++) {
        w = word_of(n, i)
        if (w == 4 && (arg[n, i] == "ret" || arg[n, i] == "rc" || kind[n, i] == "r")) result = value(n, i)
        else if (w > last) last = w
    }
    if (result != "" && last < 3)
        return "txtap_zephyr_result" last + 0 "(0x" id[n] "u" words(n, last) ", " result ")"
    if (result != "") last = 4
    return "txtap_zephyr_event" last + 0 "(0x" id[n] "u" words(n, last) ")"
}
# isr_* and idle*: the kernel calls functions.
function is_function(n) { return id[n] ~ /^(9f|a0)/ }
function form_of(n) { return "txtap_zephyr_form_" name[n] "_" count[n] }
function define(n,   m) {
    m = forms[macro[n]] > 1 ? form_of(n) : macro[n]
    printf "#define %s(%s) %s\n", m, parameters(n), call(n)
}
# A hook that comes with one, two or three arguments: who calls it decides.
function define_choice(n,   j, at) {
    for (j = 1; j <= hooks; j++) if (macro[j] == macro[n]) at[count[j]] = form_of(j)
    printf "#define %s(...) TXTAP_ZEPHYR_FOURTH(__VA_ARGS__", macro[n]
    for (j = 3; j > 0; j--) printf ", %s", at[j] != "" ? at[j] : "txtap_zephyr_no_such_form"
    printf ", 0)(__VA_ARGS__)\n"
}
function undefine(n) { if (!(macro[n] in undone)) printf "#undef %s\n", macro[n]; undone[macro[n]] = 1 }
function off(n) { if (!(macro[n] in offed)) printf "#define %s(...)\n", macro[n]; offed[macro[n]] = 1 }
function on(n) {
    define(n)
    if (forms[macro[n]] > 1 && ++defined_[macro[n]] == forms[macro[n]]) define_choice(n)
}
END {
    if (failed) exit 1
    print "/* SPDX-License-Identifier: MIT */"
    print "/* Made by hooks.sh from hooks.def: change that, not this. */"
    print "#ifndef TXTAP_ZEPHYR_HOOKS_H\n#define TXTAP_ZEPHYR_HOOKS_H\n\n/* clang-format off */\n"
    print "#include \"txtap_zephyr.h\"\n"
    print "/*\n * What is recorded: as Zephyr is configured. A build can say it itself, with -DTXTAP_ZEPHYR_GPIO=1 or =0, where a"
    print " * version of Zephyr has the hooks and not the switch.\n */"
    for (n = 1; n <= hooks; n++) {
        s = switch_[n]
        if (s in switches) continue
        switches[s] = 1
        option = s == "ALWAYS" || s == "RTIO" ? "CONFIG_TRACING" : "CONFIG_TRACING_" s
        printf "#ifndef TXTAP_ZEPHYR_%s\n#ifdef %s\n#define TXTAP_ZEPHYR_%s 1\n#else\n#define TXTAP_ZEPHYR_%s 0\n#endif\n#endif\n", s, option, s, s
    }
    print "\n/* Numbers of own events that txtap_zephyr.c records without being told the number. */"
    for (n = 1; n <= hooks; n++)
        if (func_[n] != "" && is_own(n) && !count[n]) printf "#define TXTAP_ZEPHYR_ID_%s 0x%su\n", name[n], id[n]
    for (n = 1; n <= hooks; n = m) {
        for (m = n; m <= hooks && substr(id[m], 1, 2) == substr(id[n], 1, 2) && switch_[m] == switch_[n]; m++) {}
        if (is_function(n)) continue
        printf "\n/* %s */\n", title[substr(id[n], 1, 2)]
        for (i = n; i < m; i++) undefine(i)
        printf "#if TXTAP_ZEPHYR_%s\n", switch_[n]
        for (i = n; i < m; i++) on(i)
        print "#else"
        for (i = n; i < m; i++) off(i)
        print "#endif"
    }
    print "\n/* clang-format on */\n\n#endif"
}'

# What Zephyr's C libraries call the errors.
errors='1=EPERM 2=ENOENT 3=ESRCH 4=EINTR 5=EIO 6=ENXIO 7=E2BIG 8=ENOEXEC 9=EBADF 10=ECHILD 11=EAGAIN 12=ENOMEM
13=EACCES 14=EFAULT 15=ENOTBLK 16=EBUSY 17=EEXIST 18=EXDEV 19=ENODEV 20=ENOTDIR 21=EISDIR 22=EINVAL 23=ENFILE 24=EMFILE
25=ENOTTY 26=ETXTBSY 27=EFBIG 28=ENOSPC 29=ESPIPE 30=EROFS 31=EMLINK 32=EPIPE 33=EDOM 34=ERANGE 35=ENOMSG 45=EDEADLK
46=ENOLCK 60=ENOSTR 61=ENODATA 62=ETIME 63=ENOSR 71=EPROTO 77=EBADMSG 88=ENOSYS 90=ENOTEMPTY 91=ENAMETOOLONG 92=ELOOP
95=EOPNOTSUPP 96=EPFNOSUPPORT 104=ECONNRESET 105=ENOBUFS 106=EAFNOSUPPORT 107=EPROTOTYPE 108=ENOTSOCK 109=ENOPROTOOPT
110=ESHUTDOWN 111=ECONNREFUSED 112=EADDRINUSE 113=ECONNABORTED 114=ENETUNREACH 115=ENETDOWN 116=ETIMEDOUT 117=EHOSTDOWN
118=EHOSTUNREACH 119=EINPROGRESS 120=EALREADY 121=EDESTADDRREQ 122=EMSGSIZE 123=EPROTONOSUPPORT 124=ESOCKTNOSUPPORT
125=EADDRNOTAVAIL 126=ENETRESET 127=EISCONN 128=ENOTCONN 129=ETOOMANYREFS 134=ENOTSUP 138=EILSEQ 139=EOVERFLOW
140=ECANCELED'

events_text='
END {
    if (failed) exit 1
    print "# Made by hooks.sh from hooks.def: change that, not this."
    print "# What Zephyr'\''s hooks say in the trace where ThreadX has no such event: txtap tail --definitions zephyr.events"
    printf "enum result"
    errors_ = split(errors, error, " ")
    for (i = errors_; i > 0; i--) {
        sub(/=/, "=-", error[i])
        printf " -%s", error[i]
    }
    print ""
    split("o object a addr u u d d x x w wait e enum_result ", pair, " ")
    for (i = 1; i in pair; i += 2) shown[pair[i]] = pair[i + 1]
    shown["e"] = shown["r"] = "enum result"
    for (n = 1; n <= hooks; n++) {
        if (!is_own(n)) continue
        printf "event 0x%s \"%s\" \"", id[n], name[n]
        blank = ""
        for (i = 1; i <= count[n]; i++) {
            if (word_of(n, i) == 0) continue
            label = kind[n, i] == "r" ? "ret" : arg[n, i]
            printf "%s%s={%d=%s:%s}", blank, label, word_of(n, i) - 1, label, shown[kind[n, i]]
            blank = " "
        }
        print "\""
    }
}'

doc_text='
# TX(12, SYMBOL, "name", patched, OBJ(label), NIL, ...), on one line or two.
function read_kernel_events(   line, more, number_, rest, i, label, labels) {
    while ((getline line < kernel_events) > 0) {
        if (line !~ /^TX\(/) continue
        while (line !~ /\)$/ || gsub(/\(/, "(", line) != gsub(/\)/, ")", line)) {
            if ((getline more < kernel_events) <= 0) break
            sub(/^ +/, " ", more)
            line = line more
        }
        number_ = substr(line, 4)
        sub(/,.*/, "", number_)
        match(line, /"[^"]*"/)
        kernel_name[number_] = substr(line, RSTART + 1, RLENGTH - 2)
        rest = substr(line, RSTART + RLENGTH + 1)
        labels = ""
        while (match(rest, /(NIL|[A-Z0-9]+\([a-z0-9_]+\))/)) {
            label = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            if (label == "NIL") continue
            gsub(/^[A-Z0-9]+\(|\)$/, "", label)
            labels = labels (labels == "" ? "" : ", ") "`" label "`"
        }
        kernel_words[number_] = labels
    }
    close(kernel_events)
}
function own_words(n,   i, text) {
    for (i = 1; i <= count[n]; i++)
        if (word_of(n, i) > 0)
            text = text (text == "" ? "" : ", ") word_of(n, i) " `" (kind[n, i] == "r" ? "ret" : arg[n, i]) "`"
    return text
}
function shown_arguments(n,   i, text) {
    for (i = 1; i <= count[n]; i++) text = text (i > 1 ? ", " : "") arg[n, i]
    return text
}
END {
    if (failed) exit 1
    split("call enter blocking exit init", phases, " ")
    read_kernel_events()
    for (n = 1; n <= hooks; n++) {
        group = substr(id[n], 1, 2)
        if (group != last) {
            printf "\n## %s, 0x%s00\n\n", title[group], group
            print "| hook | switch | phase | event | words |\n|---|---|---|---|---|"
            last = group
        }
        if (is_own(n)) event = "0x" id[n]
        else event = number[n] " " kernel_name[number[n]]
        printf "| `%s(%s)` | %s | %s | %s | %s |\n", macro[n], shown_arguments(n), switch_[n],
            phases[phase(id[n]) + 1], event, is_own(n) ? own_words(n) : kernel_words[number[n]]
    }
}'

run() { # PROGRAM-TEXT [VARIABLE=VALUE]
    LC_ALL=C awk "${@:2}" "$read_table$1" "$table"
}

make() {
    case $1 in
    header) run "$header_text" ;;
    events) run "$events_text" -v "errors=${errors//$'\n'/ }" ;;
    doc) cat "$here/hooks.head.md" && run "$doc_text" -v "kernel_events=$kernel_events" ;;
    esac
}

declare -A file=([header]=include/txtap_zephyr_hooks.h [events]=zephyr.events [doc]=HOOKS.md)

case ${1:-} in
header | events | doc)
    make "$1"
    ;;
all)
    for what in header events doc; do
        make "$what" >"$here/${file[$what]}.new"
        mv "$here/${file[$what]}.new" "$here/${file[$what]}"
    done
    ;;
check)
    for what in header events doc; do
        if ! diff -u --label "$what made from hooks.def" --label "${file[$what]}" <(make "$what") "$here/${file[$what]}" >&2; then
            printf 'hooks.sh: %s is not what hooks.def says: run %s all\n' "${file[$what]}" "$0" >&2
            exit 1
        fi
    done
    ;;
*)
    printf 'usage: hooks.sh header|events|doc|all|check\n' >&2
    exit 2
    ;;
esac
