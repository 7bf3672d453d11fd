# SPDX-License-Identifier: MIT
# Makes C code from data/zephyr_hooks.csv: the table of the rows, and for each row a function that calls its hook as the
# kernel does.
BEGIN { FS = "," }
FNR == 1 { next }
{
    n++
    count[n] = split($4, name, " ")
    call = ""
    declared = $3 == "SYSCALL_EXIT" ? "    __attribute__((unused)) const int syscall__retval = ret;\n\n" : ""
    for (i = 1; i <= count[n]; i++) {
        names[n] = names[n] "\"" name[i] "\", "
        # A socket's timeout is in milliseconds.
        # A system call's result is recognised by the name of its variable.
        if ($3 == "SYSCALL_EXIT" && name[i] == "ret") call = call ", syscall__retval"
        else call = call ", " ($1 == "socket" && name[i] == "timeout" ? "timeout_ms" : name[i])
    }
    if ($3 == "PLAIN" || $3 ~ /^SYSCALL/) call = $5 "(" substr(call, 3) ")"
    else if ($3 == "OBJ_INIT") call = "SYS_PORT_TRACING_OBJ_INIT(" $1 call ")"
    else call = "SYS_PORT_TRACING_" $3 "(" $1 ", " $2 call ")"
    if ($3 == "OBJ_INIT" || $3 == "OBJ_FUNC") {
        track = $5
        sub(/trace/, "track", track)
        if (!(track in tracked)) printf "#define %s(...)\n", track
        tracked[track] = 1
    }
    if (!($6 in switches)) {
        option = $6 == "RTIO" || $6 == "ALWAYS" ? "CONFIG_TRACING" : "CONFIG_TRACING_" $6
        printf "#ifdef %s\n#define SWITCH_%s true\n#else\n#define SWITCH_%s false\n#endif\n", option, $6, $6
    }
    switches[$6] = 1
    printf "static void row_%d(void)\n{\n%s    %s;\n}\n", n, declared, call
    row[n] = "\"" $3 "\", \"" $5 "\", SWITCH_" $6 ", " count[n] ", {" names[n] "NULL}, row_" n
}
END {
    print "const struct zephyr_row zephyr_rows[] = {"
    for (i = 1; i <= n; i++) printf "    {%s},\n", row[i]
    print "};"
    printf "const size_t zephyr_row_count = %d;\n", n
}
