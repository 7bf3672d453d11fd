/* SPDX-License-Identifier: MIT */
/* Goes from the type of a variable to the member or element that the user asks for. */
#ifndef TXTAP_CAPTURE_VARIABLES_VARIABLE_PATH_H
#define TXTAP_CAPTURE_VARIABLES_VARIABLE_PATH_H

#include "locate/dwarf_die.h"
#include "variables/variable.h"

/*
 * Completes *variable, whose address and endian are set. type: type of the variable at this address. path: the part of
 * request->expression after the variable's name. follows: the expression begins with '*'. TXTAP_ERROR_USAGE: error is
 * one line.
 */
enum txtap_status variable_path_follow(struct variable *variable, const struct variable_request *request,
                                       const char *path, bool follows, Dwarf_Die *type, struct error *error);

/* Sets the form and the type as the user asks. bytes, type and form are set for a variable with this type. Returns the
 * statuses of variable_path_follow(). */
enum txtap_status variable_form_set(struct variable *variable, const struct variable_request *request,
                                    struct error *error);

#endif
