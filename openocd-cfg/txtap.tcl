# SPDX-License-Identifier: MIT
# The procedures that txtap calls over OpenOCD's Tcl port. txtap sends this file when it connects; sourcing it from a
# configuration is allowed and changes nothing. They read target memory and OpenOCD's own settings, nothing else.
# Replies are flat lists of words after a tag, because the port itself does not distinguish an error from a result.

# Returns a reply to the port but not to OpenOCD's console. OpenOCD also prints every result on its console: all memory
# read, as hexadecimal text, and it blocks if the console is not read. OpenOCD up to 0.12 prints no result that comes
# with the code `exit` (6) and otherwise ignores the code. Later versions close the connection on it; then the caller
# knows that it has to use `nul`: their console stops printing at the first byte.
proc txtap_quietly {how reply} {
    if {$how eq "exit"} { return -code 6 $reply }
    return "\x00$reply"
}

# "txtap none" without a target, "txtap missing NAMES" without the wanted target, else "txtap target NAME ENDIAN READER
# EXAMINED STATE NAMES" for the wanted target or OpenOCD's current target. READER is the command for reading. NAMES
# lists all targets if there are several.
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

# OpenOCD 0.11 takes a missing access port for a port whose memory is all zero. No core has a CPUID of zero.
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

# An OpenOCD that txtap started does not examine its core by itself; it has the procedure txtap_look_at_core for that.
proc txtap_state {target} {
    if {[llength [info commands txtap_look_at_core]] > 0 && [catch {txtap_look_at_core $target}]} { return unknown }
    if {[catch {$target curstate} state] || $state eq ""} { return unknown }
    return $state
}

# "txtap speed KHZ"; 0 if the adapter has no such setting.
proc txtap_speed {} {
    set khz 0
    catch {adapter speed} text
    regexp {([0-9]+) kHz} $text all khz
    return "txtap speed $khz"
}

# Reads pieces in order: "ok WORD WORD ...". append keeps the words in one string: a nested list would be quoted word by
# word, which takes 60 times as long.
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

# The same for OpenOCD 0.11, which fills an array.
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

# "fault ADDRESS WORDS REASON" if only this address fails, else "target STATE REASON".
proc txtap_failure {target address words reason} {
    if {[txtap_examined $target] == 0} { return "target unexamined $reason" }
    if {![txtap_answers $target]} { return "target [txtap_state $target] $reason" }
    return "fault $address $words $reason"
}

# Every Cortex-M has a readable CPUID: if reading it fails, the address is not the cause. OpenOCD itself notices an
# unplugged target only at its next poll.
proc txtap_answers {target} {
    if {[catch {$target cget -type} type]} { return 1 }
    if {$type ne "cortex_m" && $type ne "hla_target"} { return 1 }
    if {[llength [info commands read_memory]] > 0} {
        return [expr {[catch {$target read_memory 0xe000ed00 32 1}] == 0}]
    }
    return [expr {[catch {$target mem2array data 32 0xe000ed00 1}] == 0}]
}

# The effects on the target if a debugger connected to this GDB port, determined before a debugger connects. "txtap gdb
# runs TARGET": the target keeps running. "txtap gdb acts TARGET EVENT BODY": OpenOCD runs this body, which may do
# anything; gdb-attach without a body of its own has a body that stops the core. "txtap gdb breakpoints TARGET": OpenOCD
# removes existing breakpoints, which writes to the target. "txtap gdb elsewhere PORT ...": the port does not belong to
# this OpenOCD.
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

# Does the body have only echoes of plain text, and comments? OpenOCD itself treats an empty body as none.
proc txtap_harmless {body} {
    if {$body eq "" || [string first "\[" $body] >= 0 || [string first "\\" $body] >= 0} { return 0 }
    set rest [string trim $body]
    while {$rest ne ""} {
        if {![regexp "^(#\[^\n\]*|echo +(\"\[^\"\]*\"|\[^\"{};\n\]*) *)(;|\n|\$)" $rest command]} { return 0 }
        set rest [string trim [string range $rest [string length $command] end]]
    }
    return 1
}

# Does the current target have any? Without an argument both commands only list them.
proc txtap_breakpoints {} {
    set list {}
    catch { append list [capture {bp}] }
    catch { append list [capture {wp}] }
    return [expr {[string trim $list] ne ""}]
}
