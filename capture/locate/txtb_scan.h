/* SPDX-License-Identifier: MIT */
/* Part of locate: the search of RAM for a header's fixed bytes, and the check that both parts share. */
#ifndef TXTAP_CAPTURE_LOCATE_TXTB_SCAN_H
#define TXTAP_CAPTURE_LOCATE_TXTB_SCAN_H

#include "locate/txtb.h"

/*
 * Reads and checks the header at address (a multiple of 4) and adds it to the candidates, good or not. TXTAP_OK says
 * that it is good; ERROR_NOT_FOUND that it is not; otherwise it could not be read, and nothing was added.
 */
enum txtap_status locate_examine(struct txtap_source source, uint32_t address, enum locate_how how,
                                 struct locate_result *result);

/* Scans the request's regions. The outcome is locate()'s. */
enum txtap_status locate_scan(struct txtap_source source, const struct locate_request *request,
                              struct locate_result *result, struct error *error);

#endif
