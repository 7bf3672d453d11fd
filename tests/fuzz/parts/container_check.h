/* SPDX-License-Identifier: MIT */
/* Opens and reads any bytes as a container. Checks what txtap/container.h promises about segments. */
#ifndef TXTAP_TESTS_FUZZ_CONTAINER_CHECK_H
#define TXTAP_TESTS_FUZZ_CONTAINER_CHECK_H

#include "txtap/container.h"

void container_check(const uint8_t *bytes, size_t length);

#endif
