/* SPDX-License-Identifier: MIT */
/* Sets the constant seeds in programs' data (abi/constant_seeds.h) from --seed, in private writable mappings. With seed
 * 0 they keep the file's value. The file itself never changes. */
#ifndef KERNEL_LINUX_PATCH_CONSTANT_SEEDS_H
#define KERNEL_LINUX_PATCH_CONSTANT_SEEDS_H

#include <stdint.h>

struct vm_backing;

/** Sets the seeds in all mappings of an object that the caller has just learnt about. */
void constant_seeds_set_all(const void *object);

/** personality.vm_map_object, vm_protect and vm_discard: set the seeds in the range that has changed. */
int constant_seeds_map_object(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing);
int constant_seeds_protect(uint64_t address, uint64_t bytes, int prot);
void constant_seeds_discard(uint64_t address, uint64_t bytes);

#endif
