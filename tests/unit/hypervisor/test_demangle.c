/* SPDX-License-Identifier: MIT */
/* Names of C++ and Rust, and symbols that are none or are cut. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "symbolize/demangle.h"

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(demangle("main"), "main");
	assert_string_equal(demangle("_ZL7requesti"), "request(int)");
	assert_string_equal(demangle("_ZN6Server4findEi"), "Server::find(int)");
	assert_string_equal(demangle("_ZN5count4main17hfd6c068d27331f41E"), "count::main");
	assert_string_equal(demangle("_ZN4core3ptr40drop_in_place$LT$std..rt..lang_start$GT$17h9a9ba1e5983b7cc3E"),
	                    "core::ptr::drop_in_place<std::rt::lang_start>");
	assert_string_equal(demangle("_RNvNtNtCsgEmfK2I1SDS_4core3str5count"), "core::str::count");
	assert_string_equal(
		demangle("_RNvNvMs0_NtNtNtCsjrHSEGnQ3l9_3std3sys6thread4unixNtB7_6Thread3new12thread_start"),
		"std::sys::thread::unix::Thread::new::thread_start");
}

static void test_odd(void **state)
{
	static const char *const odd[] = {
		"", "_", "_Z", "_ZN", "_ZN99999999999foo", "_R", "_RN", "_RNv9", "_RNv99999999999999999999x"};
	(void)state;
	for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		assert_non_null(demangle(odd[i]));
	for (size_t bytes = 100; bytes < 200000; bytes *= 7) {
		char *name = malloc(bytes + 3);
		memset(name, 'x', bytes + 2);
		memcpy(name, "_Z", 2);
		name[bytes + 2] = 0;
		assert_true(strlen(demangle(name)) <= bytes + 2);
		memset(name + 2, 'P', bytes);
		assert_non_null(demangle(name));
		free(name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_odd)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
