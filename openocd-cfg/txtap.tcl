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

# "txtap none" without a target, else "txtap target NAME ENDIAN READER EXAMINED STATE"; READER is the command to read by.
proc txtap_hello {} {
    if {[catch {target names} names] || [llength $names] == 0} { return "txtap none" }
    if {[catch {target current} name] || $name eq ""} { set name [lindex $names 0] }
    set endian little
    catch { set endian [$name cget -endian] }
    set reader missing
    if {[llength [info commands mem2array]] > 0} { set reader mem2array }
    if {[llength [info commands read_memory]] > 0} { set reader read_memory }
    return "txtap target $name $endian $reader [txtap_examined $name] [txtap_state $name]"
}

# 0 only if OpenOCD says that it has not reached the core.
proc txtap_examined {target} {
    if {[catch {$target was_examined} examined]} { return 1 }
    return $examined
}

proc txtap_state {target} {
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
