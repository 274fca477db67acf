/* SPDX-License-Identifier: MIT */
/* Constant seeds: variables from which programs start to draw random numbers, and whose initial value is a constant in
 * the program's file. No random number of the system enters them, so --seed alone would not change what the program
 * draws. The monitor finds the variables by their symbols (hypervisor/monitor/code/code_seeds.h); the kernel sets them
 * (kernel/linux/patch/constant_seeds.h). */
#ifndef ABI_CONSTANT_SEEDS_H
#define ABI_CONSTANT_SEEDS_H

/** X(NAME, symbol, common name, low, high): each variable is a 32-bit word; low to high are its valid values. */
#define CONSTANT_SEEDS(X) \
	/* OpenJDK's os::random(), a Lehmer generator modulo 2^31 - 1 (Park and Miller, CACM 31:10), begins with \
	 * 1234567. The generators of identity hash codes, one in each thread, begin with its numbers. */ \
	X(OS_RANDOM, "_ZN2os10_rand_seedE", "os::_rand_seed", 1U, 2147483646U)

/** The number of each variable: code_patch.reason of a CODE_SEED. */
enum constant_seed {
#define X(name, ...) CONSTANT_SEED_##name,
	CONSTANT_SEEDS(X)
#undef X
		CONSTANT_SEEDS_COUNT
};

#define CONSTANT_SEED_BYTES 4U

#endif
