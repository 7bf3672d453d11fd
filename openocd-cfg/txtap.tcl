# SPDX-License-Identifier: MIT
# The procedures txtap calls over OpenOCD's Tcl port. txtap sends this file when it connects; sourcing it from a
# configuration is allowed and changes nothing. They read target memory and OpenOCD's own settings, nothing else.
# Replies are flat words behind a tag, because the port itself does not tell an error from a result.

# Hands a reply to the port but not to OpenOCD's console, on which OpenOCD prints every result too: as hexadecimal text of
# all memory read, and waiting for whoever reads that console. OpenOCD up to 0.12 prints no result that comes with the
# code `exit` (6) and takes no other notice of the code. Later versions hang up on it, which is how the caller learns that
# it has to use `nul`: their console then stops printing at the first byte.
proc txtap_quietly {how reply} {
    if {$how eq "exit"} { return -code 6 $reply }
    return "\x00$reply"
}

# "txtap none" without a target, "txtap missing NAMES" without the one that is wanted, else "txtap target NAME ENDIAN READER
# EXAMINED STATE NAMES": of the wanted one, or OpenOCD's current one. READER is the command to read by, NAMES are those of
# all targets if there are several.
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

# OpenOCD 0.11 takes an access port that is not there for one behind which all is zero. No core's CPUID is.
proc txtap_is_nothing {target} {
    if {[catch {$target cget -type} type] || $type ne "cortex_m"} { return 0 }
    if {[catch {$target mem2array data 32 0xe000ed00 1}]} { return 0 }
    return [expr {$data(0) == 0}]
}

# 0 only if OpenOCD says that it has not reached the core.
proc txtap_examined {target} {
    if {[catch {$target was_examined} examined]} { return 1 }
    return $examined
}

# An OpenOCD that txtap started does not look at its core by itself, and has a procedure for it: txtap_look_at_core.
proc txtap_state {target} {
    if {[llength [info commands txtap_look_at_core]] > 0 && [catch {txtap_look_at_core $target}]} { return unknown }
    if {[catch {$target curstate} state] || $state eq ""} { return unknown }
    return $state
}

# "txtap speed KHZ"; 0 where the adapter has no such setting.
proc txtap_speed {} {
    set khz 0
    catch {adapter speed} text
    regexp {([0-9]+) kHz} $text all khz
    return "txtap speed $khz"
}

# Pieces in order: "ok WORD WORD ...". append keeps the words one string: a nested list would be quoted word by word,
# at 60 times the cost.
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

# "fault ADDRESS WORDS REASON" if the target is well but for this address, else "target STATE REASON".
proc txtap_failure {target address words reason} {
    if {[txtap_examined $target] == 0} { return "target unexamined $reason" }
    if {![txtap_answers $target]} { return "target [txtap_state $target] $reason" }
    return "fault $address $words $reason"
}

# Every Cortex-M can be asked for its CPUID: when that fails, it is not the address that is wrong. OpenOCD itself
# learns of an unplugged target only at its next poll.
proc txtap_answers {target} {
    if {[catch {$target cget -type} type]} { return 1 }
    if {$type ne "cortex_m" && $type ne "hla_target"} { return 1 }
    if {[llength [info commands read_memory]] > 0} {
        return [expr {[catch {$target read_memory 0xe000ed00 32 1}] == 0}]
    }
    return [expr {[catch {$target mem2array data 32 0xe000ed00 1}] == 0}]
}

# What OpenOCD would do if a debugger connected to this GDB port, found out before one does. "txtap gdb runs TARGET": it
# leaves the target running. "txtap gdb acts TARGET EVENT BODY": it runs this body, which may do anything; without a body
# of its own, gdb-attach has one that stops the core. "txtap gdb breakpoints TARGET": it removes those that are set, which
# it writes to the target. "txtap gdb elsewhere PORT ...": it is none of this OpenOCD's ports.
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

# A body of nothing but echoes of plain text, and comments. OpenOCD itself takes an empty one for none.
proc txtap_harmless {body} {
    if {$body eq "" || [string first "\[" $body] >= 0 || [string first "\\" $body] >= 0} { return 0 }
    set rest [string trim $body]
    while {$rest ne ""} {
        if {![regexp "^(#\[^\n\]*|echo +(\"\[^\"\]*\"|\[^\"{};\n\]*) *)(;|\n|\$)" $rest command]} { return 0 }
        set rest [string trim [string range $rest [string length $command] end]]
    }
    return 1
}

# Whether any are set for the current target. Without an argument both commands list, and do nothing else.
proc txtap_breakpoints {} {
    set list {}
    catch { append list [capture {bp}] }
    catch { append list [capture {wp}] }
    return [expr {[string trim $list] ne ""}]
}
