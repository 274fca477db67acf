/* SPDX-License-Identifier: MIT */
/* cmocka, which wants these headers before it, and the main function that all unit tests have. */
#ifndef TESTS_UNIT_TAP_H
#define TESTS_UNIT_TAP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TAP_MAIN(tests) \
	int main(void) \
	{ \
		cmocka_set_message_output(CM_OUTPUT_TAP); \
		return cmocka_run_group_tests(tests, NULL, NULL); \
	}

#endif
