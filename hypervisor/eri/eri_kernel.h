/* SPDX-License-Identifier: MIT */
/* The kernels of Eremite's releases. An image has the kernel that runs its Linux programs, and whoever makes an image
 * can put another one into it: only this list says whose it is. */
#ifndef HYPERVISOR_ERI_KERNEL_H
#define HYPERVISOR_ERI_KERNEL_H

/** A release. The list grows by a line with each release; docs/hacking.md says how. */
struct eri_kernel {
	const char *sha256; /**< of the bytes of lib/linux.image that a run loads (image_loaded_bytes) */
	const char *version, *commit;
};

/** Finds the release that has a kernel, by the SHA-256 in digits of the bytes that a run loads. Returns NULL if no
 * release has it. */
const struct eri_kernel *eri_kernel_find(const char *sha256);

#endif
