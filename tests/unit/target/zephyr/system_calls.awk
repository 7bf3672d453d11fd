# SPDX-License-Identifier: MIT
# Reads system_calls.c, and makes the macros that Zephyr's build would make: each macro makes a system call between its
# two hooks.
/^#include "system_calls.inc"/ { exit }
/^static .*\)$/ {
    type = name = substr($0, 8, index($0, "(") - 8)
    sub(/[A-Za-z0-9_]+$/, "", type)
    name = substr(name, length(type) + 1)
    count = split(substr($0, index($0, "(") + 1, length($0) - index($0, "(") - 1), parameter, ",")
    names = ""
    for (i = 1; i <= count && parameter[i] != "void"; i++) {
        sub(/.*[ *]/, "", parameter[i])
        names = names ", " parameter[i]
    }
    call = name "(" substr(names, 3) ")"
    hook = "(" ++calls ", " name names
    if (type == "void ")
        printf "#define %s do { sys_port_trace_syscall_enter%s); %s; sys_port_trace_syscall_exit%s); } while (0)\n",
            call, hook, call, hook
    else
        printf "#define %s __extension__({ %sRESULT; sys_port_trace_syscall_enter%s); RESULT = %s; sys_port_trace_syscall_exit%s, RESULT); RESULT; })\n",
            call, type, hook, call, hook
}
