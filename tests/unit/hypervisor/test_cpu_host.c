/* SPDX-License-Identifier: MIT */
/* What a host has to have for --cpu v3: each feature alone is missed by its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "abi/cpu_model.h"
#include "cpu_host.h"

static const struct cpu_host whole = {CPU_V3_LEAF1_ECX, CPU_V3_LEAF7_EBX, CPU_V3_EXTENDED_ECX, CPU_V3_XCR0};

static const char *without(uint32_t leaf1, uint32_t leaf7, uint32_t extended, uint32_t xcr0)
{
	const struct cpu_host host = {whole.leaf1_ecx & ~leaf1, whole.leaf7_ebx & ~leaf7,
	                              whole.extended_ecx & ~extended, whole.xcr0 & ~xcr0};
	const char *lacks = cpu_host_lacks(&host);
	return lacks ? lacks : "nothing";
}

static void test_each_feature(void **state)
{
	(void)state;
	assert_null(cpu_host_lacks(&whole));
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
}

/* What the model says that it has is what is asked of the host. */
static void test_model(void **state)
{
	(void)state;
	const struct cpu_host model = {cpu_model_v3_leaf(1, 0).ecx, cpu_model_v3_leaf(7, 0).ebx,
	                               cpu_model_v3_leaf(0x80000001, 0).ecx, cpu_model_v3_leaf(0xd, 0).eax};
	assert_null(cpu_host_lacks(&model));
	assert_int_equal(cpu_model_v3_leaf(0xd, 0).ebx, cpu_model_v3_leaf(0xd, 2).eax + cpu_model_v3_leaf(0xd, 2).ebx);
	assert_int_equal(cpu_model_v3_leaf(0xd, 5).eax, 0);
}

/* Reading does not fail, whatever the host has. */
static void test_read(void **state)
{
	struct cpu_host host;
	(void)state;
	cpu_host_read(&host);
	cpu_host_lacks(&host);
	assert_int_not_equal(host.leaf1_ecx, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_feature),
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
