/* SPDX-License-Identifier: MIT */
/* Part of txtb: searches RAM for the fixed bytes of a header. Both parts share locate_examine(). */
#ifndef TXTAP_CAPTURE_LOCATE_TXTB_SCAN_H
#define TXTAP_CAPTURE_LOCATE_TXTB_SCAN_H

#include "locate/txtb.h"

/*
 * Reads and checks the header at address (a multiple of 4), and adds it to the candidates. TXTAP_OK: it is good;
 * ERROR_NOT_FOUND: it is not; otherwise it could not be read, and was not added.
 */
enum txtap_status locate_examine(struct txtap_source source, uint32_t address, enum locate_how how,
                                 struct locate_result *result);

/* Scans the request's regions. Returns as locate(). */
enum txtap_status locate_scan(struct txtap_source source, const struct locate_request *request,
                              struct locate_result *result, struct error *error);

#endif
