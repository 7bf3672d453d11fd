/* SPDX-License-Identifier: MIT */
/*
 * What holds for every function of libtxtap, unless its header says otherwise:
 *   - Pointers are not NULL and point to as much as is said; numbers are in the range that is said. Bytes that came
 *     from a target or a file may be anything.
 *   - All memory is the caller's. A struct is undefined before the function that fills it (init, open) and needs none
 *     to be given back. What it borrows has to stay until it is used no more, and it may be moved in memory as long as
 *     nothing else was told where it is. Fields are to be read; those that the caller may write are named.
 *   - Nothing is allocated, opened, printed or waited for, and the locale changes nothing.
 *   - There is no state but in those structs: threads may work with different ones at the same time, and with the same
 *     one where a function takes it as const.
 *
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
