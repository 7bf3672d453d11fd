/* SPDX-License-Identifier: MIT */
/* The number of the rule that is switched off in copies of sources that rules.awk writes: the value of
 * TXTAP_RULE_OFF; 0: none. */
#ifndef TXTAP_TESTS_RULE_OFF_H
#define TXTAP_TESTS_RULE_OFF_H

extern int rule_off;

#endif
