/* SPDX-License-Identifier: MIT */
/* The processor models that a guest can see. v2: x86-64-v2 (SSE4.2, POPCNT, CMPXCHG16B), without AVX, XSAVE and RDRAND.
 * Native images always have it. v3, for Linux programs: x86-64-v3 (AVX2, FMA, BMI1, BMI2, F16C, MOVBE, LZCNT), without
 * RDRAND. v4, for Linux programs: x86-64-v4 (v3 and AVX512F, BW, CD, DQ, VL).
 *
 * The monitor (KVM_SET_CPUID2) and the kernel (emulated CPUID) use the same tables. Leaves are as in the SDM, volume
 * 2A, table 3-8. The vendor is GenuineIntel because libraries select code by vendor. */
#ifndef ABI_CPU_MODEL_H
#define ABI_CPU_MODEL_H

#include <stdint.h>

struct cpu_leaf {
	uint32_t function, index;
	uint32_t eax, ebx, ecx, edx;
};

_Static_assert(sizeof(struct cpu_leaf) == 24, "cpu_leaf");

enum cpu_model {
	CPU_V2,
	CPU_V3,
	CPU_V4,
	CPU_MODELS,
};

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
	X(0x80000001, 0, 0, 0, 0x00000001, 0x28100800) \
	X(0x80000002, 0, 0x6d657245, 0x20657469, 0x2d363878, 0x762d3436) \
	X(0x80000003, 0, 0x00000032, 0, 0, 0) \
	X(0x80000004, 0, 0, 0, 0, 0) \
	X(0x80000006, 0, 0, 0, 0x01006040, 0) \
	X(0x80000007, 0, 0, 0, 0, 0x00000100) \
	X(0x80000008, 0, 0x00003028, 0, 0, 0)

/* Features that v3 adds to v2. ECX of leaf 1: FMA MOVBE XSAVE OSXSAVE AVX F16C. EBX of leaf 7: BMI1 AVX2 BMI2. ECX of
 * leaf 0x80000001: LZCNT. */
#define CPU_V3_LEAF1_ECX 0x3c401000U
#define CPU_V3_LEAF7_EBX 0x00000128U
#define CPU_V3_EXTENDED_ECX 0x00000020U

/* XCR0 of v3: x87, SSE and AVX state. The others: the XSAVE area, and the place of AVX state in it (SDM 1, 13.4). */
#define CPU_V3_XCR0 7U
#define CPU_V3_XSAVE_BYTES 832
#define CPU_V3_AVX_OFFSET 576
#define CPU_V3_AVX_BYTES 256

/* The leaves that v3 and v4 share. The parameters are the differences: family, model and stepping; EBX of leaf 7; the
 * state components and their size; the last letter of the name. Leaf 0xd has the sizes of an XSAVE area; the compacted
 * format is not offered. */
#define CPU_MODEL_AVX_LEAVES(X, signature, leaf7_ebx, xcr0, xsave_bytes, letter) \
	X(0x0, 0, CPU_MODEL_BASIC_MAX, 0x756e6547, 0x6c65746e, 0x49656e69) \
	X(0x1, 0, signature, 0x00010800, 0x80982201 | CPU_V3_LEAF1_ECX, CPU_MODEL_LEAF1_EDX) \
	X(0x2, 0, 0x00000001, 0, 0, 0x00000000) \
	X(0x4, 0, 0x00000121, 0x01c0003f, 0x0000003f, 0) \
	X(0x4, 1, 0x00000122, 0x00c0003f, 0x0000007f, 0) \
	X(0x4, 2, 0x00000143, 0x01c0003f, 0x000001ff, 0) \
	X(0x4, 3, 0x00000163, 0x03c0003f, 0x00001fff, 0) \
	X(0x7, 0, 0, 0x00000001 | (leaf7_ebx), 0, 0) \
	X(0xd, 0, xcr0, xsave_bytes, xsave_bytes, 0) \
	X(0xd, 1, 0, 0, 0, 0) \
	X(0xd, 2, CPU_V3_AVX_BYTES, CPU_V3_AVX_OFFSET, 0, 0) \
	X(0x80000000, 0, CPU_MODEL_EXTENDED_MAX, 0, 0, 0) \
	X(0x80000001, 0, 0, 0, 0x00000001 | CPU_V3_EXTENDED_ECX, 0x28100800) \
	X(0x80000002, 0, 0x6d657245, 0x20657469, 0x2d363878, 0x762d3436) \
	X(0x80000003, 0, letter, 0, 0, 0) \
	X(0x80000004, 0, 0, 0, 0, 0) \
	X(0x80000006, 0, 0, 0, 0x01006040, 0) \
	X(0x80000007, 0, 0, 0, 0, 0x00000100) \
	X(0x80000008, 0, 0x00003028, 0, 0, 0)

/* Family 6, model 60 (Haswell), stepping 3. */
#define CPU_MODEL_V3_LEAVES(X) \
	CPU_MODEL_AVX_LEAVES(X, 0x000306c3, CPU_V3_LEAF7_EBX, CPU_V3_XCR0, CPU_V3_XSAVE_BYTES, '3')

/* Features that v4 adds to v3, in EBX of leaf 7: AVX512F, DQ, CD, BW, VL. */
#define CPU_V4_LEAF7_EBX 0xd0030000U

/* State of v4, in this order: the mask registers, the upper halves of zmm0 to zmm15, and zmm16 to zmm31. */
#define CPU_V4_XCR0 0xe7U
#define CPU_V4_XSAVE_BYTES 2688
#define CPU_V4_MASKS_OFFSET 1088
#define CPU_V4_MASKS_BYTES 64
#define CPU_V4_HIGH_OFFSET 1152
#define CPU_V4_HIGH_BYTES 512
#define CPU_V4_MORE_OFFSET 1664
#define CPU_V4_MORE_BYTES 1024

/* Family 6, model 85 (Skylake-SP), stepping 4. */
#define CPU_MODEL_V4_LEAVES(X) \
	CPU_MODEL_AVX_LEAVES(X, 0x00050654, CPU_V3_LEAF7_EBX | CPU_V4_LEAF7_EBX, CPU_V4_XCR0, CPU_V4_XSAVE_BYTES, '4') \
	X(0xd, 5, CPU_V4_MASKS_BYTES, CPU_V4_MASKS_OFFSET, 0, 0) \
	X(0xd, 6, CPU_V4_HIGH_BYTES, CPU_V4_HIGH_OFFSET, 0, 0) \
	X(0xd, 7, CPU_V4_MORE_BYTES, CPU_V4_MORE_OFFSET, 0, 0)

#define CPU_MODEL_ENTRY(f, i, a, b, c, d) {f, i, a, b, c, d},

/** Whether a leaf depends on the index in ECX (SDM volume 2A, CPUID). */
#define CPU_MODEL_HAS_INDEX(function) ((function) == 4 || (function) == 7 || (function) == 0xd)

/** A leaf of v2 as CPUID returns it; zeros when the table does not have it. */
static inline struct cpu_leaf cpu_model_leaf(uint32_t function, uint32_t index)
{
	static const struct cpu_leaf leaves[] = {CPU_MODEL_LEAVES(CPU_MODEL_ENTRY)};
	for (unsigned n = 0; n < sizeof(leaves) / sizeof(leaves[0]); n++)
		if (leaves[n].function == function && (!CPU_MODEL_HAS_INDEX(function) || leaves[n].index == index))
			return leaves[n];
	return (struct cpu_leaf){function, index, 0, 0, 0, 0};
}

/** A leaf of v3 or v4 as CPUID returns it; zeros when the table does not have it. */
static inline struct cpu_leaf cpu_model_avx_leaf(enum cpu_model model, uint32_t function, uint32_t index)
{
	static const struct cpu_leaf v3[] = {CPU_MODEL_V3_LEAVES(CPU_MODEL_ENTRY)};
	static const struct cpu_leaf v4[] = {CPU_MODEL_V4_LEAVES(CPU_MODEL_ENTRY)};
	const struct cpu_leaf *leaf = model == CPU_V4 ? v4 : v3;
	const struct cpu_leaf *end = leaf + (model == CPU_V4 ? sizeof(v4) : sizeof(v3)) / sizeof(*leaf);
	for (; leaf < end; leaf++)
		if (leaf->function == function && (!CPU_MODEL_HAS_INDEX(function) || leaf->index == index))
			return *leaf;
	return (struct cpu_leaf){function, index, 0, 0, 0, 0};
}

#undef CPU_MODEL_ENTRY

/** Maximum number of processors that a Linux program can see: leaf 4 can count this many, and one word of
 * sched_setaffinity(2) has a bit for each. */
#define CPU_PROCESSORS_MAX 64U

/** Changes a leaf of any model to describe several processors, all of them cores of one package (SDM volume 2A, CPUID,
 * leaves 1, 4 and 0xb; 3A, 9.9). `processor` is the one that executes CPUID. With one processor the leaf is
 * unchanged. */
static inline struct cpu_leaf cpu_model_topology(struct cpu_leaf leaf, uint32_t processors, uint32_t processor)
{
	if (processors <= 1)
		return leaf;
	const uint32_t bits = 32U - (uint32_t)__builtin_clz(processors - 1), others = (1U << bits) - 1;
	if (leaf.function == 1) {
		leaf.ebx = (leaf.ebx & 0xffffU) | processors << 16 | processor << 24;
		leaf.edx |= 1U << 28; /* HTT: the count in EBX is valid */
	} else if (leaf.function == 4 && leaf.eax) {
		leaf.eax |=
			others << 26 | ((leaf.eax >> 5 & 7) == 3 ? others << 14 : 0); /* the third level is shared */
	} else if (leaf.function == 0xb) {
		leaf.eax = leaf.index == 1 ? bits : 0;
		leaf.ebx = leaf.index == 0 ? 1 : leaf.index == 1 ? processors : 0;
		leaf.ecx = (leaf.index & 0xffU) | (leaf.index == 0 ? 1U << 8 : leaf.index == 1 ? 2U << 8 : 0);
		leaf.edx = processor;
	}
	return leaf;
}

#endif
