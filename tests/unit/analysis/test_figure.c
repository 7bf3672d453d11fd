/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "txtap/figure.h"

Test(figure, each_statistic_has_a_name_of_its_own)
{
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        cr_assert_not_null(txtap_stat_name((enum txtap_stat)stat));
        for (unsigned other = 0; other < stat; other++)
            cr_assert(strcmp(txtap_stat_name((enum txtap_stat)stat), txtap_stat_name((enum txtap_stat)other)) != 0);
    }
    cr_assert_null(txtap_stat_name(TXTAP_STATS));
}
