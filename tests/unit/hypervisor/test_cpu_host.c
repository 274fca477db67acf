/* SPDX-License-Identifier: MIT */
/* What a host has to have for --cpu v3 and v4: each feature alone is missed by its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abi/cpu_model.h"
#include "guest/cpu_host.h"

static const struct cpu_host whole = {CPU_V3_LEAF1_ECX, CPU_V3_LEAF7_EBX | CPU_V4_LEAF7_EBX, CPU_V3_EXTENDED_ECX, 4,
                                      CPU_V4_XCR0};

static const char *lacks(const struct cpu_host *host, enum cpu_model model)
{
	const char *feature = cpu_host_lacks(host, model);
	return feature ? feature : "nothing";
}

static const char *without(uint32_t leaf1, uint32_t leaf7, uint32_t extended, uint32_t xcr0)
{
	const struct cpu_host host = {whole.leaf1_ecx & ~leaf1, whole.leaf7_ebx & ~leaf7,
	                              whole.extended_ecx & ~extended, whole.leafd_eax, whole.xcr0 & ~xcr0};
	assert_string_equal(lacks(&host, CPU_V3), lacks(&host, CPU_V4));
	return lacks(&host, CPU_V3);
}

/* What v4 needs more. */
static const char *without_wide(uint32_t leaf7, uint32_t leafd, uint32_t xcr0)
{
	const struct cpu_host host = {whole.leaf1_ecx, whole.leaf7_ebx & ~leaf7, whole.extended_ecx,
	                              whole.leafd_eax & ~leafd, whole.xcr0 & ~xcr0};
	assert_null(cpu_host_lacks(&host, CPU_V3));
	return lacks(&host, CPU_V4);
}

static void test_each_feature(void **state)
{
	(void)state;
	assert_null(cpu_host_lacks(&whole, CPU_V3));
	assert_null(cpu_host_lacks(&whole, CPU_V4));
	assert_string_equal(without(1U << 26, 0, 0, 0), "XSAVE");
	assert_string_equal(without(1U << 27, 0, 0, 0), "XSAVE");
	assert_string_equal(without(1U << 28, 0, 0, 0), "AVX");
	assert_string_equal(without(0, 0, 0, 4), "AVX state");
	assert_string_equal(without(0, 1U << 5, 0, 0), "AVX2");
	assert_string_equal(without(1U << 12, 0, 0, 0), "FMA");
	assert_string_equal(without(0, 1U << 3, 0, 0), "BMI1");
	assert_string_equal(without(0, 1U << 8, 0, 0), "BMI2");
	assert_string_equal(without(1U << 29, 0, 0, 0), "F16C");
	assert_string_equal(without(1U << 22, 0, 0, 0), "MOVBE");
	assert_string_equal(without(0, 0, 1U << 5, 0), "LZCNT");
	assert_string_equal(without(UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX), "XSAVE");
	assert_string_equal(without_wide(1U << 16, 0, 0), "AVX512F");
	assert_string_equal(without_wide(1U << 17, 0, 0), "AVX512DQ");
	assert_string_equal(without_wide(1U << 28, 0, 0), "AVX512CD");
	assert_string_equal(without_wide(1U << 30, 0, 0), "AVX512BW");
	assert_string_equal(without_wide(1U << 31, 0, 0), "AVX512VL");
	assert_string_equal(without_wide(0, 0, 0x20), "AVX-512 state");
	assert_string_equal(without_wide(0, 0, 0x40), "AVX-512 state");
	assert_string_equal(without_wide(0, 0, 0x80), "AVX-512 state");
	assert_string_equal(without_wide(0, 4, 0), "XGETBV with ECX 1");
}

/* A host that lacks a feature is told which one, and the greatest model that it has. */
static void test_refuse(void **state)
{
	struct error error = {0};
	struct cpu_host host = whole;
	(void)state;
	assert_false(cpu_host_refuse(&host, CPU_V4, &error));
	assert_false(cpu_host_refuse(&host, CPU_V3, &error));
	assert_string_equal(error.text, "");
	host.leaf7_ebx &= ~(1U << 17);
	assert_false(cpu_host_refuse(&host, CPU_V3, &error));
	assert_true(cpu_host_refuse(&host, CPU_V4, &error));
	assert_string_equal(error.text,
	                    "the host's processor or kernel lacks AVX512DQ, which the processor model v4 needs; give "
	                    "--cpu v3");
	host.leaf7_ebx &= ~(1U << 5);
	assert_true(cpu_host_refuse(&host, CPU_V4, &error));
	assert_string_equal(
		error.text,
		"the host's processor or kernel lacks AVX2, which the processor model v4 needs; give --cpu v2");
	assert_true(cpu_host_refuse(&host, CPU_V3, &error));
	assert_string_equal(error.text,
	                    "the host's processor or kernel lacks AVX2, which the processor model v3, the default for "
	                    "Linux programs, needs; give --cpu v2");
}

/* What the model says that it has is what is asked of the host. */
static void test_model(void **state)
{
	(void)state;
	for (enum cpu_model model = CPU_V3; model <= CPU_V4; model++) {
		const struct cpu_host as_told = {
			cpu_model_avx_leaf(model, 1, 0).ecx, cpu_model_avx_leaf(model, 7, 0).ebx,
			cpu_model_avx_leaf(model, 0x80000001, 0).ecx, 4, cpu_model_avx_leaf(model, 0xd, 0).eax};
		assert_null(cpu_host_lacks(&as_told, model));
		uint32_t end = 0;
		for (uint32_t i = 2; i < 32; i++) {
			const struct cpu_leaf part = cpu_model_avx_leaf(model, 0xd, i);
			assert_int_equal(part.eax != 0, as_told.xcr0 >> i & 1);
			assert_true(!part.eax || part.ebx >= end);
			end = part.eax ? part.eax + part.ebx : end;
		}
		assert_int_equal(cpu_model_avx_leaf(model, 0xd, 0).ebx, end);
	}
}

/* Reading does not fail, whatever the host has. */
static void test_read(void **state)
{
	struct cpu_host host;
	(void)state;
	cpu_host_read(&host);
	cpu_host_lacks(&host, CPU_V4);
	assert_int_not_equal(host.leaf1_ecx, 0);
}

/* What a processor calls itself is printable, whatever it is. */
static void test_name(void **state)
{
	char names[2][CPU_HOST_NAME];
	(void)state;
	cpu_host_name(names[0], names[1]);
	for (unsigned i = 0; i < 2; i++) {
		size_t bytes = strnlen(names[i], CPU_HOST_NAME);
		assert_in_range(bytes, 1, CPU_HOST_NAME - 1);
		for (size_t k = 0; k < bytes; k++)
			assert_in_range(names[i][k], ' ', '~');
		assert_true(names[i][0] != ' ' && names[i][bytes - 1] != ' ');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_feature), cmocka_unit_test(test_refuse), cmocka_unit_test(test_model),
		cmocka_unit_test(test_read),         cmocka_unit_test(test_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
