/* SPDX-License-Identifier: MIT */
/* The scheduler's random stream: its seed, and that what is drawn from it has the distribution it should have. Seeds
 * are fixed, and so are the results; bounds of chi-square are those that one in a thousand streams would exceed. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/rand/chacha20.h"
#include "kernel/sched/policy_state.h"
#include "tests/unit/sched/model.h"

static void begin(uint64_t seed)
{
	model_boot(SCHED_random, seed);
	policy_random_init();
}

/* The sum of (seen - expected)^2 / expected. */
static double chi_square(const uint64_t *seen, const double *expected, unsigned classes)
{
	double sum = 0;
	for (unsigned i = 0; i < classes; i++)
		sum += ((double)seen[i] - expected[i]) * ((double)seen[i] - expected[i]) / expected[i];
	return sum;
}

static void test_words_are_chacha20(void **state)
{
	const char label[] = "Eremite scheduler stream";
	uint32_t key[CHACHA20_KEY_WORDS] = {0x9abcdef0, 0x12345678};
	uint64_t block[CHACHA20_BLOCK_BYTES / 8];
	(void)state;
	memcpy(key + 2, label, 24);
	begin(0x123456789abcdef0);
	for (unsigned i = 0; i < 80; i++) {
		if (i % 8 == 0)
			chacha20_block(key, i / 8, 0, (uint8_t *)block);
		assert_int_equal(policy_random_word(), block[i % 8]);
	}
}

static void test_seeds_differ(void **state)
{
	uint64_t first[64];
	(void)state;
	for (uint64_t seed = 0; seed < 64; seed++) {
		begin(seed);
		first[seed] = policy_random_word();
		for (uint64_t other = 0; other < seed; other++)
			assert_int_not_equal(first[seed], first[other]);
	}
	begin(5);
	((struct boot_info *)phys_to_virt(LAYOUT_BOOT_INFO))->seed = 77; /* the program's */
	assert_int_equal(policy_random_word(), first[5]);
	begin(1UL << 63);
	assert_int_not_equal(policy_random_word(), first[0]);
}

static void test_below_is_uniform(void **state)
{
	static const double bound[] = {[2] = 10.83, [3] = 13.82, [6] = 20.52, [7] = 22.46, [20] = 43.82};
	(void)state;
	begin(11);
	for (unsigned below = 2; below < sizeof(bound) / sizeof(bound[0]); below++) {
		uint64_t seen[20] = {0};
		double expected[20];
		if (bound[below] == 0)
			continue;
		for (unsigned i = 0; i < 60000; i++)
			seen[policy_random_below(below)]++;
		for (unsigned i = 0; i < below; i++)
			expected[i] = 60000.0 / below;
		assert_true(chi_square(seen, expected, below) < bound[below]);
	}
}

/* 3 * 2^62 does not divide 2^64: without care the lowest third would come as often as the other two together. */
static void test_below_large(void **state)
{
	uint64_t seen[3] = {0};
	const double expected[3] = {10000, 10000, 10000};
	(void)state;
	begin(12);
	for (unsigned i = 0; i < 30000; i++)
		seen[policy_random_below(3UL << 62) >> 62]++;
	assert_true(chi_square(seen, expected, 3) < 13.82);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(policy_random_below(1), 0);
		assert_true(policy_random_below(UINT64_MAX) < UINT64_MAX);
	}
}

static void test_distance_is_geometric(void **state)
{
	(void)state;
	begin(13);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(policy_random_distance(0), 1);
	for (unsigned parts = 2; parts <= 5; parts++) { /* p = 1 / parts */
		uint64_t seen[12] = {0}, chance = (uint64_t)(((unsigned __int128)1 << 64) / parts);
		double expected[12], left = 50000;
		for (unsigned i = 0; i < 11; i++) {
			expected[i] = left / parts;
			left -= expected[i];
		}
		expected[11] = left;
		for (unsigned i = 0; i < 50000; i++) {
			uint64_t distance = policy_random_distance(chance);
			assert_true(distance >= 1);
			seen[distance <= 11 ? distance - 1 : 11]++;
		}
		assert_true(chi_square(seen, expected, 12) < 31.26);
	}
}

/* Rare events: each tenth of an exponential distribution is as likely as the others. */
static void test_distance_of_rare_events(void **state)
{
	static const double tenth[] = {0.105360516, 0.223143551, 0.356674944, 0.510825624, 0.693147181,
	                               0.916290732, 1.203972804, 1.609437912, 2.302585093};
	static const uint64_t means[] = {1000000000, 40000, 1UL << 50};
	(void)state;
	begin(14);
	for (unsigned m = 0; m < 3; m++) {
		uint64_t seen[10] = {0}, chance = (uint64_t)(((unsigned __int128)1 << 64) / means[m]);
		double expected[10];
		for (unsigned i = 0; i < 10; i++)
			expected[i] = 2000;
		for (unsigned i = 0; i < 20000; i++) {
			double distance = (double)policy_random_distance(chance) / (double)means[m];
			unsigned part = 0;
			while (part < 9 && distance > tenth[part])
				part++;
			seen[part]++;
		}
		assert_true(chi_square(seen, expected, 10) < 27.88);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_words_are_chacha20),    cmocka_unit_test(test_seeds_differ),
	cmocka_unit_test(test_below_is_uniform),      cmocka_unit_test(test_below_large),
	cmocka_unit_test(test_distance_is_geometric), cmocka_unit_test(test_distance_of_rare_events),
};

int main(void)
{
	model_map();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
