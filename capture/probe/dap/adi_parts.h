/* SPDX-License-Identifier: MIT */
/* What the parts of adi.c share. */
#ifndef TXTAP_CAPTURE_PROBE_DAP_ADI_PARTS_H
#define TXTAP_CAPTURE_PROBE_DAP_ADI_PARTS_H

#include "probe/dap/adi.h"

/* A command that returns a status of the probe, whatever that is. */
enum dap_result adi_run(struct adi *adi, const struct dap_packet *packet);

/* hangs: as in dap_make_abort(). */
enum dap_result adi_clear_errors(struct adi *adi, bool hangs);

/* Does what is still missing until awake and ready, and the link's self-test if it is due. Sets adi->obstacle. */
enum dap_result adi_get_ready(struct adi *adi);

/* DAP_SILENT: the debug port has lost its state, and is to be woken up again. */
enum dap_result adi_check_power(struct adi *adi);

#endif
