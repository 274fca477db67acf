/* SPDX-License-Identifier: MIT */
/* The exception that a signal of Linux reports, also if the frame has the number of an earlier one. */
#include "tests/unit/fakes/tap.h"

#include <signal.h>

#include "engine/process/stub/vector.h"

#define STALE 14U /* a page fault was the last exception with a number */

static void test_takes_the_number(void **state)
{
	(void)state;
	assert_int_equal(vector_of(SIGSEGV, SEGV_MAPERR, 14), 14);
	assert_int_equal(vector_of(SIGSEGV, SEGV_ACCERR, 14), 14);
	assert_int_equal(vector_of(SIGSEGV, SI_KERNEL, 13), 13);
	assert_int_equal(vector_of(SIGSEGV, SI_KERNEL, 4), 4);
	assert_int_equal(vector_of(SIGBUS, SI_KERNEL, 12), 12);
	assert_int_equal(vector_of(SIGBUS, BUS_ADRALN, 17), 17);
	assert_int_equal(vector_of(SIGTRAP, SI_KERNEL, 3), 3);
	assert_int_equal(vector_of(SIGTRAP, TRAP_TRACE, 1), 1);
	assert_int_equal(vector_of(SIGFPE, FPE_INTDIV, 0), 0);
	assert_int_equal(vector_of(SIGILL, ILL_ILLOPN, 6), 6);
}

/* AMX without permission is SIGILL, ILL_ILLOPC, and Linux leaves the number as it was. */
static void test_no_signal_repeats_an_earlier_fault(void **state)
{
	(void)state;
	assert_int_equal(vector_of(SIGILL, ILL_ILLOPC, STALE), 6);
	assert_int_equal(vector_of(SIGILL, ILL_ILLOPC, 13), 6);
	assert_int_equal(vector_of(SIGILL, ILL_ILLOPC, 0), 6);
	assert_int_equal(vector_of(SIGSEGV, SI_KERNEL, STALE), 13);
	assert_int_equal(vector_of(SIGSEGV, SI_KERNEL, 32), 13);
	assert_int_equal(vector_of(SIGTRAP, SI_KERNEL, STALE), 13);
	assert_int_equal(vector_of(SIGFPE, FPE_FLTDIV, STALE), 13);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_takes_the_number),
	cmocka_unit_test(test_no_signal_repeats_an_earlier_fault),
};

TAP_MAIN(tests)
