/* SPDX-License-Identifier: MIT */
/* The lines of "txtap info" about the variables of --watch. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_VARIABLES_H
#define TXTAP_CAPTURE_COMMAND_INFO_VARIABLES_H

#include "stream/guest.h"

/* Prints the place, the type and the rate of each variable, and the cost of reading all variables once. guests: NULL or
 * without variables: prints nothing. */
void info_variables_print(const struct guests *guests);

#endif
