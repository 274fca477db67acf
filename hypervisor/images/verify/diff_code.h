/* SPDX-License-Identifier: MIT */
/* How two sealed images differ in what the same program files are patched by. */
#ifndef HYPERVISOR_DIFF_CODE_H
#define HYPERVISOR_DIFF_CODE_H

#include "eri/eri_image.h"

/** Calls `print` with a sign and a line for each file that the runs of a step use in both images, and that is patched
 * otherwise. Ends eremite if an image is not sound. */
void diff_code_print(const struct eri_image *first, const struct eri_image *second, const char *step,
                     void (*print)(char sign, const char *text));

#endif
