/* SPDX-License-Identifier: MIT */
/* Vector state that an area calls in use, but that is zero, is clean on the processor after it was restored: no SSE
 * code pays for it. XGETBV with ECX = 1 shows what the processor considers in use (SDM 1, 13.6). */
#include "tests/unit/fakes/tap.h"

#include <cpuid.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "abi/boot.h"
#include "abi/layout.h"
#include "kernel/arch/direct_map.h"
#include "kernel/linux/cpu/cpu.h"

#define OSXSAVE_AND_AVX (3U << 27)
#define XGETBV1 4
#define STATUS_SKIPPED 77

static uint8_t area[CPU_AREA_BYTES] __attribute__((aligned(64)));
static const uint8_t zeros[16];
static uint32_t looked_at = CPU_STATE_AVX;

static uint32_t xgetbv(uint32_t index)
{
	uint32_t low, high;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(index));
	return low;
}

static void load_zeros(void)
{
	__asm__ volatile("vinsertf128 $1, %0, %%ymm0, %%ymm0" : : "m"(zeros) : "xmm0");
}

/* Why this processor cannot show it; NULL: it can. Also maps the flags by which the kernel knows the processor. */
static const char *look_at_processor(void)
{
	unsigned int a, b, c, d;
	if (!__get_cpuid(1, &a, &b, &c, &d) || (c & OSXSAVE_AND_AVX) != OSXSAVE_AND_AVX || (xgetbv(0) & 6) != 6)
		return "the processor has no AVX";
	if (!__get_cpuid_count(13, 1, &a, &b, &c, &d) || !(a & XGETBV1))
		return "the processor does not show which states are in use (XGETBV with ECX = 1)";
	const uint64_t page = LAYOUT_DIRECT_MAP + LAYOUT_BOOT_INFO;
	if (mmap((void *)page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
	         0) != (void *)page)
		return "the address of the kernel's flags is taken";
	struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	boot->flags = BOOT_FLAG_CPU_UPPER;
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX512BW && b & bit_AVX512DQ &&
	    (xgetbv(0) & CPU_STATE_WIDE) == CPU_STATE_WIDE) {
		boot->flags |= BOOT_FLAG_CPU_WIDE;
		looked_at |= CPU_STATE_WIDE;
	}
	load_zeros();
	if (!(xgetbv(1) & CPU_STATE_AVX))
		return "the processor does not consider loaded zeros to be in use";
	__asm__ volatile("vzeroupper");
	return xgetbv(1) & looked_at ? "the processor considers states in use after VZEROUPPER" : NULL;
}

/* Returns which of the states are in use on the processor. */
static uint32_t restore(uint8_t states)
{
	area[CPU_FXSAVE_BYTES] = states;
	cpu_restore_upper(area);
	return xgetbv(1) & looked_at;
}

static void zeros_are_clean(void **state)
{
	(void)state;
	memset(area, 0, sizeof(area));
	load_zeros();
	assert_int_equal(restore(CPU_STATE_AVX | CPU_STATE_WIDE), 0);
	load_zeros();
	assert_int_equal(restore(0), 0);
}

static void values_are_loaded(void **state)
{
	uint8_t upper[16];
	(void)state;
	memset(area, 0, sizeof(area));
	memset(area + CPU_UPPER_OFFSET + 16 * 5, 0x5a, sizeof(upper));
	const uint32_t in_use = restore(CPU_STATE_AVX);
	__asm__ volatile("vextractf128 $1, %%ymm5, %0\n\tvzeroupper" : "=m"(upper));
	assert_int_equal(in_use, CPU_STATE_AVX);
	assert_memory_equal(upper, area + CPU_UPPER_OFFSET + 16 * 5, sizeof(upper));
}

static void states_not_in_use_are_cleared(void **state)
{
	(void)state;
	memset(area, 0x5a, sizeof(area));
	assert_int_equal(restore(CPU_STATE_AVX), CPU_STATE_AVX);
	assert_int_equal(restore(0), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeros_are_clean),
		cmocka_unit_test(values_are_loaded),
		cmocka_unit_test(states_not_in_use_are_cleared),
	};
	const char *reason = look_at_processor();
	if (reason) {
		puts(reason);
		return STATUS_SKIPPED;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
