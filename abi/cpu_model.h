/* SPDX-License-Identifier: MIT */
/* The processor that a guest sees: x86-64-v2 (SSE4.2, POPCNT, CMPXCHG16B), no AVX, no XSAVE, no RDRAND.
 *
 * One table for the monitor (KVM_SET_CPUID2) and the kernel (emulated CPUID). Leaves as in the SDM, volume 2A,
 * table 3-8. The vendor is named as it is because libraries choose code by it. */
#ifndef ABI_CPU_MODEL_H
#define ABI_CPU_MODEL_H

#include <stdint.h>

struct cpu_leaf {
	uint32_t function, index;
	uint32_t eax, ebx, ecx, edx;
};

#define CPU_MODEL_NAME "v2"
#define CPU_MODEL_LEAF1_EDX 0x0789a171
#define CPU_MODEL_BASIC_MAX 0xdU
#define CPU_MODEL_EXTENDED_MAX 0x80000008U

/* Family 6, model 26 (Nehalem), stepping 3. EDX of leaf 1: FPU TSC MSR PAE CX8 PGE CMOV PAT CLFSH MMX FXSR SSE
 * SSE2; ECX: SSE3 SSSE3 CX16 SSE4.1 SSE4.2 POPCNT HYPERVISOR. Leaf 7: FSGSBASE, which the kernel's CR4 needs and
 * KVM refuses without it. */
#define CPU_MODEL_LEAVES(X) \
	X(0x0, 0, CPU_MODEL_BASIC_MAX, 0x756e6547, 0x6c65746e, 0x49656e69) \
	X(0x1, 0, 0x000106a3, 0x00010800, 0x80982201, CPU_MODEL_LEAF1_EDX) \
	X(0x2, 0, 0x00000001, 0, 0, 0x00000000) \
	X(0x4, 0, 0x00000121, 0x01c0003f, 0x0000003f, 0) \
	X(0x4, 1, 0x00000122, 0x00c0003f, 0x0000007f, 0) \
	X(0x4, 2, 0x00000143, 0x01c0003f, 0x000001ff, 0) \
	X(0x4, 3, 0x00000163, 0x03c0003f, 0x00001fff, 0) \
	X(0x7, 0, 0, 0x00000001, 0, 0) \
	X(0x80000000, 0, CPU_MODEL_EXTENDED_MAX, 0, 0, 0) \
	X(0x80000001, 0, 0, 0, 0x00000001, 0x20100800) \
	X(0x80000002, 0, 0x6d657245, 0x20657469, 0x2d363878, 0x762d3436) \
	X(0x80000003, 0, 0x00000032, 0, 0, 0) \
	X(0x80000004, 0, 0, 0, 0, 0) \
	X(0x80000006, 0, 0, 0, 0x01006040, 0) \
	X(0x80000007, 0, 0, 0, 0, 0x00000100) \
	X(0x80000008, 0, 0x00003028, 0, 0, 0)

/** A leaf as CPUID returns it; zeros for what is not in the table. */
static inline struct cpu_leaf cpu_model_leaf(uint32_t function, uint32_t index)
{
#define CPU_MODEL_ENTRY(f, i, a, b, c, d) {f, i, a, b, c, d},
	static const struct cpu_leaf leaves[] = {CPU_MODEL_LEAVES(CPU_MODEL_ENTRY)};
#undef CPU_MODEL_ENTRY
	for (unsigned n = 0; n < sizeof(leaves) / sizeof(leaves[0]); n++)
		if (leaves[n].function == function && (function != 4 || leaves[n].index == index))
			return leaves[n];
	return (struct cpu_leaf){function, index, 0, 0, 0, 0};
}

#endif
