/* SPDX-License-Identifier: MIT */
/* Constants in programs' data that random numbers begin with (abi/constant_seeds.h) are made of --seed, where a private
 * mapping that may be written to shows them. With seed 0 they are as the file has them, and the file always is. */
#ifndef KERNEL_LINUX_PATCH_CONSTANT_SEEDS_H
#define KERNEL_LINUX_PATCH_CONSTANT_SEEDS_H

#include <stdint.h>

/** Sets those in [address, address + bytes) that still are what the file has. Ends the run without memory. */
void constant_seeds_set(uint64_t address, uint64_t bytes);

/** The same wherever an object is mapped that has just become known to the caller. */
void constant_seeds_set_all(const void *object);

#endif
