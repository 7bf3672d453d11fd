# SPDX-License-Identifier: MIT
# Commands whose names differ between OpenOCD 0.11, 0.12 and its development branch. txtap sends this to an OpenOCD
# that it starts, and the files of the probes source it.

# hla_swd, dapdirect_swd, hla_jtag: the development branch has only swd and jtag. A name that the adapter does not have
# would be an error in the log, whether it is caught or not.
proc txtap_transport {name} {
    if {[string first $name [transport list]] < 0} { set name [lindex [split $name _] end] }
    transport select $name
}

# "adapter serial" is new in 0.12. A driver of 0.11 has its own command or none; without a command it opens the only
# probe.
proc txtap_serial {serial} {
    if {![string match "* 0.11.*" [version]]} {
        adapter serial $serial
        return
    }
    foreach command {hla_serial cmsis_dap_serial ftdi_serial kitprog_serial {jlink serial} {st-link serial} {xds110 serial}} {
        if {[llength [info commands [lindex $command 0]]] > 0} { eval $command [list $serial] }
    }
}
