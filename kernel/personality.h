/* SPDX-License-Identifier: MIT */
/* The differences between the two kinds of image, as one struct of functions. The common kernel calls them as
 * personality.NAME(...). kernel/native/native_personality.c defines it for native images, and
 * kernel/linux/entry/linux_personality.c for the image that runs Linux programs. It is constant and no member is NULL,
 * so nothing is set at run time. "Default" is the behaviour of native images. */
#ifndef KERNEL_PERSONALITY_H
#define KERNEL_PERSONALITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file;
struct trap_frame;
struct vm_backing;

struct personality {
	/* --- Memory --- */

	/** Number of page tables for each 2 MiB of RAM, beyond those that map all of RAM once and densely. They serve
	 * further address spaces and sparsely used memory. Default: 0. */
	unsigned pagetable_more;

	/** Whether memory may be writable and executable at once, and code in anonymous memory is scanned at its first
	 * execution (kernel/linux/patch/jit_pages.h): each such page has one of the two rights at a time.
	 * Default: false. */
	bool exec_is_settled_late;

	/** vm_map_object, vm_unmap, vm_protect and vm_discard of kernel/mm/vm.h, which only call these. Default: the
	 * functions with _plain in their names. Linux programs' mappings of files also get the run's constant seeds,
	 * and their largest size is remembered. */
	int (*vm_map_object)(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing);
	int (*vm_unmap)(uint64_t address, uint64_t bytes);
	int (*vm_protect)(uint64_t address, uint64_t bytes, int prot);
	void (*vm_discard)(uint64_t address, uint64_t bytes);

	/** Called when a range, or a part of it, has become executable. Ends the run if the code must not run. Default:
	 * exec_refuse, which scans it. The code of files that Linux programs map is patched. */
	void (*exec_check)(uint64_t address, uint64_t bytes);

	/** Handles an exception that may come from memory for which exec_is_settled_late holds. Returns whether the
	 * access can be repeated. Default: false. */
	bool (*exec_fault)(struct trap_frame *frame);

	/** Removes the patches from such memory in [address, address + bytes) before it is moved or cleared. Default:
	 * nothing. */
	void (*exec_thaw)(uint64_t address, uint64_t bytes);

	/** Whether [address, address + bytes) consists only of constants, or only of variables, of the program and its
	 * C library in the image itself, beside the kernel's. The linker script (libc-port/image.ld) keeps them in
	 * pages of their own, which are always mapped at their own address. False for Linux programs, which are not in
	 * the image. */
	bool (*image_is_program)(uint64_t address, uint64_t bytes);

	/** Changes the rights of such pages as mprotect(2) does. Returns 0, or -EACCES for PROT_EXEC, because these
	 * bytes were never scanned. */
	int (*image_protect)(uint64_t address, uint64_t bytes, int prot);

	/** A free range of this many bytes for a mapping whose address the program leaves open; 0: none. Default: the
	 * lowest one in the area for mappings. Linux programs get the highest one below their stack. */
	uint64_t (*memory_gap)(uint64_t bytes);

	/** Opens the object of shared anonymous memory; *object is NULL where no other process could share it. Returns
	 * 0 or a negative errno. Default: NULL, because there is one process. */
	int (*memory_shared)(uint64_t bytes, struct file **object);
};

/** Defined once in each image. */
extern const struct personality personality;

#endif
