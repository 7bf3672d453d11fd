# SPDX-License-Identifier: MIT
# The procedures that txtap calls over OpenOCD's Tcl port. They only read target memory and OpenOCD's own settings.
# txtap sends this file when it connects. A configuration may also source the file, which has no effect. A reply is a
# flat list of words, and begins with a tag, because the port does not distinguish an error from a result.

# Returns a reply to the port, but keeps it off OpenOCD's console. OpenOCD prints every result on its console: all
# memory that was read, as hexadecimal text. It blocks if nobody reads the console. There are two ways to prevent this.
# OpenOCD up to 0.12 does not print a result with the return code `exit` (6). Later versions close the connection at
# this code. The caller then connects again and uses `nul`: a first byte of 0 ends the text on the console.
proc txtap_quietly {how reply} {
    if {$how eq "exit"} { return -code 6 $reply }
    return "\x00$reply"
}

# Returns "txtap target NAME ENDIAN READER EXAMINED STATE NAMES" for the wanted target, or by default for OpenOCD's
# current target. READER is the command that reads memory. NAMES lists all targets if there are several. Returns "txtap
# none" if there is no target, and "txtap missing NAMES" if the wanted target does not exist.
proc txtap_hello {{wanted ""}} {
    if {[catch {target names} names] || [llength $names] == 0} { return "txtap none" }
    if {[catch {target current} name] || $name eq ""} { set name [lindex $names 0] }
    if {$wanted ne "" && [lsearch -exact $names $wanted] < 0} { return "txtap missing $names" }
    if {$wanted ne ""} { set name $wanted }
    if {[llength $names] == 1} { set names "" }
    set endian little
    catch { set endian [$name cget -endian] }
    set reader missing
    if {[llength [info commands mem2array]] > 0} { set reader mem2array }
    if {[llength [info commands read_memory]] > 0} { set reader read_memory }
    set examined [txtap_examined $name]
    if {$reader eq "mem2array" && [txtap_is_nothing $name]} { set examined 0 }
    return "txtap target $name $endian $reader $examined [txtap_state $name] $names"
}

# Returns 1 if the access port is missing: OpenOCD 0.11 then reads zeros. The CPUID of a real core is never zero.
proc txtap_is_nothing {target} {
    if {[catch {$target cget -type} type] || $type ne "cortex_m"} { return 0 }
    if {[catch {$target mem2array data 32 0xe000ed00 1}]} { return 0 }
    return [expr {$data(0) == 0}]
}

# Returns 0 only if OpenOCD reports that it has not reached the core.
proc txtap_examined {target} {
    if {[catch {$target was_examined} examined]} { return 1 }
    return $examined
}

# Returns the core's state. If txtap has started this OpenOCD, it does not poll its core, so txtap_look_at_core polls
# first.
proc txtap_state {target} {
    if {[llength [info commands txtap_look_at_core]] > 0 && [catch {txtap_look_at_core $target}]} { return unknown }
    if {[catch {$target curstate} state] || $state eq ""} { return unknown }
    return $state
}

# Returns "txtap speed KHZ": the adapter's clock; 0 if the adapter has no such setting.
proc txtap_speed {} {
    set khz 0
    catch {adapter speed} text
    regexp {([0-9]+) kHz} $text all khz
    return "txtap speed $khz"
}

# Reads the pieces in order, and returns "ok WORD WORD ...". Appends the words to one string, because OpenOCD would
# quote each word of a nested list, which takes 60 times as long.
proc txtap_read {target args} {
    set reply ok
    foreach {address words} $args {
        if {[catch {$target read_memory $address 32 $words} data]} {
            return [txtap_failure $target $address $words $data]
        }
        append reply { } $data
    }
    return $reply
}

# Does the same as txtap_read for OpenOCD 0.11, whose mem2array fills an array.
proc txtap_read_array {target args} {
    set reply ok
    foreach {address words} $args {
        catch { unset data }
        if {[catch {$target mem2array data 32 $address $words} reason]} {
            return [txtap_failure $target $address $words $reason]
        }
        for {set i 0} {$i < $words} {incr i} { append reply [format " 0x%x" $data($i)] }
    }
    return $reply
}

# Returns the reply for a failed read: "fault ADDRESS WORDS REASON" if only this address fails, otherwise "target STATE
# REASON".
proc txtap_failure {target address words reason} {
    if {[txtap_examined $target] == 0} { return "target unexamined $reason" }
    if {![txtap_answers $target]} { return "target [txtap_state $target] $reason" }
    return "fault $address $words $reason"
}

# Returns 1 if the target answers. Reads the CPUID, which every Cortex-M has: if this read fails, the whole target
# fails. OpenOCD's own state is not enough, because OpenOCD notices an unplugged target only at its next poll.
proc txtap_answers {target} {
    if {[catch {$target cget -type} type]} { return 1 }
    if {$type ne "cortex_m" && $type ne "hla_target"} { return 1 }
    if {[llength [info commands read_memory]] > 0} {
        return [expr {[catch {$target read_memory 0xe000ed00 32 1}] == 0}]
    }
    return [expr {[catch {$target mem2array data 32 0xe000ed00 1}] == 0}]
}

# Returns what OpenOCD would do to the target if a debugger connected to this GDB port. "txtap gdb runs TARGET": the
# target keeps running. "txtap gdb acts TARGET EVENT BODY": OpenOCD runs this body, which may do anything; the default
# body of gdb-attach stops the core. "txtap gdb breakpoints TARGET": OpenOCD removes existing breakpoints, which writes
# to the target. "txtap gdb elsewhere PORT ...": the port does not belong to this OpenOCD.
proc txtap_gdb {port} {
    set ports {}
    foreach target [target names] {
        set served unknown
        catch { set served [$target cget -gdb-port] }
        append ports { } $served
        if {$served ne $port} { continue }
        foreach event {gdb-attach gdb-detach gdb-end} {
            set body {(unknown)}
            catch { set body [string trim [$target cget -event $event] "\t\r\n"] }
            if {$body eq "" && $event ne "gdb-attach"} { continue }
            if {![txtap_harmless $body]} { return "txtap gdb acts $target $event [string range $body 0 79]" }
        }
        if {[txtap_breakpoints]} { return "txtap gdb breakpoints $target" }
        return "txtap gdb runs $target"
    }
    return "txtap gdb elsewhere[string range $ports 0 199]"
}

# Returns 1 if the body has only comments and echoes of plain text. An empty body is not harmless: OpenOCD then uses its
# default.
proc txtap_harmless {body} {
    if {$body eq "" || [string first "\[" $body] >= 0 || [string first "\\" $body] >= 0} { return 0 }
    set rest [string trim $body]
    while {$rest ne ""} {
        if {![regexp "^(#\[^\n\]*|echo +(\"\[^\"\]*\"|\[^\"{};\n\]*) *)(;|\n|\$)" $rest command]} { return 0 }
        set rest [string trim [string range $rest [string length $command] end]]
    }
    return 1
}

# Returns 1 if the current target has breakpoints or watchpoints. Without an argument, bp and wp only list them.
proc txtap_breakpoints {} {
    set list {}
    catch { append list [capture {bp}] }
    catch { append list [capture {wp}] }
    return [expr {[string trim $list] ne ""}]
}
