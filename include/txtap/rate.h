/* SPDX-License-Identifier: MIT */
/* The rate of the time stamps. */
#ifndef TXTAP_RATE_H
#define TXTAP_RATE_H

/* How the rate was found. */
enum txtap_rate_how {
    TXTAP_RATE_UNKNOWN = 0,
    TXTAP_RATE_GIVEN = 1,    /* by the user */
    TXTAP_RATE_MEASURED = 2, /* by the host's clock */
    TXTAP_RATE_FIRMWARE = 3, /* the firmware's variable SystemCoreClock, with which the measurement agrees */
};

#define TXTAP_RATE_HZ_MAX 1e12

struct txtap_rate {
    enum txtap_rate_how how;
    double hz;        /* ticks per second: the best known value; 0 if it is unknown */
    double low, high; /* bounds of the measured rate; both 0: it was not measured */
};

#endif
