/* SPDX-License-Identifier: MIT */
/* Variables from which programs begin to draw random numbers and that are constants in their files: no random number of
 * the system's comes in, so that --seed would not decide what they draw. The monitor finds them by their symbols
 * (hypervisor/code/code_seeds.h), the kernel sets them (kernel/linux/patch/constant_seeds.h). */
#ifndef ABI_CONSTANT_SEEDS_H
#define ABI_CONSTANT_SEEDS_H

/** X(NAME, symbol, what people call it, low, high): words of 32 bits, valid from low to high. */
#define CONSTANT_SEEDS(X) \
	/* OpenJDK's os::random(), a Lehmer generator modulo 2^31 - 1 (Park and Miller, CACM 31:10), begins with \
	 * 1234567. The generators of identity hash codes, one in each thread, begin with what it gives. */ \
	X(OS_RANDOM, "_ZN2os10_rand_seedE", "os::_rand_seed", 1U, 2147483646U)

/** Which one it is: code_patch.reason of a CODE_SEED. */
enum constant_seed {
#define X(name, ...) CONSTANT_SEED_##name,
	CONSTANT_SEEDS(X)
#undef X
		CONSTANT_SEEDS_COUNT
};

#define CONSTANT_SEED_BYTES 4U

#endif
