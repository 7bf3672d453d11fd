# SPDX-License-Identifier: MIT
# Commands whose names differ between OpenOCD 0.11, 0.12 and its development branch. txtap gives this file to an OpenOCD
# that it starts. The configuration of each probe sources this file.

# Selects a transport. For hla_swd, dapdirect_swd and hla_jtag, the development branch has only the names swd and jtag.
# Looks at the adapter's list first, because an unknown name causes an error in the log, even if `catch` is used.
proc txtap_transport {name} {
    if {[string first $name [transport list]] < 0} { set name [lindex [split $name _] end] }
    transport select $name
}

# Chooses the probe with this serial number. "adapter serial" is new in 0.12. In 0.11, some drivers have a command of
# their own. A driver without such a command opens the only probe.
proc txtap_serial {serial} {
    if {![string match "* 0.11.*" [version]]} {
        adapter serial $serial
        return
    }
    foreach command {hla_serial cmsis_dap_serial ftdi_serial kitprog_serial {jlink serial} {st-link serial} {xds110 serial}} {
        if {[llength [info commands [lindex $command 0]]] > 0} { eval $command [list $serial] }
    }
}
