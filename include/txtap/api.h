/* SPDX-License-Identifier: MIT */
/*
 * What stands around the declarations of every public header: in C++ they are C's, and they are all that the shared
 * library shows of itself. It is compiled with -fvisibility=hidden; a function that no public header declares stays
 * inside.
 */
#ifndef TXTAP_API_H
#define TXTAP_API_H

#if defined(__GNUC__)
#define TXTAP_API_SHOW _Pragma("GCC visibility push(default)")
#define TXTAP_API_DONE _Pragma("GCC visibility pop")
#else
#define TXTAP_API_SHOW
#define TXTAP_API_DONE
#endif

#ifdef __cplusplus
#define TXTAP_API_BEGIN                                                                                                \
    TXTAP_API_SHOW extern "C"                                                                                          \
    {
#define TXTAP_API_END                                                                                                  \
    }                                                                                                                  \
    TXTAP_API_DONE
#else
#define TXTAP_API_BEGIN TXTAP_API_SHOW
#define TXTAP_API_END   TXTAP_API_DONE
#endif

#endif
