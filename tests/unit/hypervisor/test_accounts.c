/* SPDX-License-Identifier: MIT */
/* Where the accounts of a stopped guest can be closed, and what becomes of guests that do not close them. */
#include "tests/unit/fakes/tap.h"

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "run/accounts.h"
#include "run/watch.h"

static const struct image_header image = {.kernel_text = 0x1000, .kernel_text_end = 0x2000, .close_accounts = 0x1800};

/* An engine that comes back as told. The last exit comes again and again. */
static struct engine_exit exits[4];
static unsigned runs, exits_count;
static struct engine_registers set;
static uint64_t now_ns;

uint64_t watch_now_ns(void)
{
	return now_ns;
}

static void run(struct engine *engine, struct engine_exit *exit)
{
	(void)engine;
	*exit = exits[runs < exits_count ? runs : exits_count - 1];
	runs++;
	now_ns += ACCOUNTS_LIMIT_NS / 10;
}

static int set_registers(struct engine *engine, const struct engine_registers *registers)
{
	(void)engine;
	set = *registers;
	return 0;
}

static const struct engine_ops ops = {.run = run, .set_registers = set_registers};

static bool close_by(const struct engine_exit *list, unsigned count)
{
	for (exits_count = 0; exits_count < count; exits_count++)
		exits[exits_count] = list[exits_count];
	runs = 0;
	now_ns = 5;
	return accounts_close(&image, &ops, NULL);
}

static const struct engine_exit interrupted = {.stop = ENGINE_INTERRUPTED};

static struct engine_exit doorbell(uint32_t op)
{
	return (struct engine_exit){.stop = ENGINE_DOORBELL, .doorbell_op = op};
}

static void test_places(void **state)
{
	struct engine_registers at = {0};
	const struct engine_exit broken = {.stop = ENGINE_BROKEN};
	const uint64_t outside[] = {0, 0xfff, 0x2000, UINT64_MAX}, inside[] = {0x1000, 0x1fff};
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		at.general[ENGINE_RIP] = outside[i];
		assert_true(accounts_can_be_closed(&image, &interrupted, &at));
		assert_false(accounts_can_be_closed(&image, &broken, &at));
	}
	for (unsigned i = 0; i < 2; i++) {
		at.general[ENGINE_RIP] = inside[i];
		assert_false(accounts_can_be_closed(&image, &interrupted, &at));
	}
	for (uint32_t op = 0; op < 20; op++) {
		const struct engine_exit exit = doorbell(op);
		bool waits = op == DOORBELL_CONSOLE_FULL || op == DOORBELL_STDIN_READ || op == DOORBELL_TYPED ||
		             op == DOORBELL_OUT_ENTRY || op == DOORBELL_OUT_DATA || op == DOORBELL_NETWORK_WAIT;
		assert_int_equal(accounts_can_be_closed(&image, &exit, &at), waits);
	}
}

static void test_closed(void **state)
{
	const struct engine_exit list[] = {interrupted, interrupted, doorbell(DOORBELL_ACCOUNTS)};
	(void)state;
	assert_true(close_by(list, 3));
	assert_int_equal(runs, 3);
	assert_int_equal(set.general[ENGINE_RIP], 0x1800);
	assert_int_equal(set.general[ENGINE_RSP] % 16, 8);
	assert_in_range(set.general[ENGINE_RSP], LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP - 16,
	                LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP);
}

static void test_hostile(void **state)
{
	const struct engine_exit wrong = doorbell(DOORBELL_STDIN_READ), broken = {.stop = ENGINE_BROKEN};
	(void)state;
	assert_false(close_by(&wrong, 1));
	assert_int_equal(runs, 1);
	assert_false(close_by(&broken, 1));
	assert_int_equal(runs, 1);
	assert_false(close_by(&interrupted, 1));
	assert_int_equal(runs, 10);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_closed),
                                          cmocka_unit_test(test_hostile)};

TAP_MAIN(tests)
