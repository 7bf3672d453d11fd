/* SPDX-License-Identifier: MIT */
/* The number of the rule to switch off in the copies that rules.awk writes. It is the value of the environment
 * variable TXTAP_RULE_OFF; 0: no rule is off. */
#ifndef TXTAP_TESTS_RULE_OFF_H
#define TXTAP_TESTS_RULE_OFF_H

extern int rule_off;

#endif
