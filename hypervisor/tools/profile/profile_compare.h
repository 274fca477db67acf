/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_PROFILE_COMPARE_H
#define HYPERVISOR_PROFILE_COMPARE_H

/** Prints which functions take other virtual times in the profile.json `b` than in `a`. Returns the exit status: 1 if
 * all of b takes longer than all of a, else 0. Ends eremite if one cannot be read. */
int profile_compare(const char *a, const char *b);

#endif
