/* SPDX-License-Identifier: MIT */
/* The rules of --net: which texts are refused, and which addresses a list permits. */
#include "tests/unit/fakes/tap.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "net/net_address.h"
#include "net/net_rules.h"

static bool reads(const char *text)
{
	struct net_rules rules;
	struct error error;
	return !net_rules_read(&rules, text, &error);
}

/* Whether the rules permit a connection of TCP. */
static bool permits(const char *text, const char *address, uint16_t port)
{
	struct net_rules rules;
	struct network_address to;
	struct error error;
	union net_sockaddr host = {.in = {.sin_family = AF_INET, .sin_port = htons(port)}};
	assert_int_equal(net_rules_read(&rules, text, &error), 0);
	if (inet_pton(AF_INET, address, &host.in.sin_addr) != 1) {
		host.in6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port)};
		assert_int_equal(inet_pton(AF_INET6, address, &host.in6.sin6_addr), 1);
	}
	net_address_of(&host.any, &to);
	return net_rules_permit(&rules, &to, IPPROTO_TCP);
}

static void test_addresses_that_can_be_read_in_two_ways_are_refused(void **state)
{
	static const char *const odd[] = {"010.0.0.1",  "10.1",      "10",         "0xa000001",
	                                  "10.0.0.0x1", "10.0.0.08", "192.168.257"};
	(void)state;
	for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		char text[64];
		snprintf(text, sizeof(text), ":allow=%s", odd[i]);
		assert_false(reads(text));
		snprintf(text, sizeof(text), ":deny=%s:80/tcp", odd[i]);
		assert_false(reads(text));
	}
	assert_false(reads(":allow=10.1/16"));
	assert_false(reads(":allow=010.1.0.0/16"));
	assert_false(reads(":deny=[fe80::1%lo]:80"));
	assert_false(reads(":deny=fe80::1%lo"));
	assert_true(reads(":allow=10.0.0.1,10.1.0.0/16,[2001:db8::1]:443,fd00::/8"));
}

static void test_the_host_is_denied_in_both_families(void **state)
{
	static const char *const lists[] = {":deny=10.0.2.2",  ":deny=fd00::2",      ":deny=127.0.0.1",
	                                    ":deny=::1",       ":deny=10.0.2.0/24",  ":deny=127.0.0.0/8",
	                                    ":deny=fd00::/16", ":deny=host.internal"};
	(void)state;
	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		assert_false(permits(lists[i], "10.0.2.2", 80));
		assert_false(permits(lists[i], "fd00::2", 80));
		assert_true(permits(lists[i], "192.0.2.1", 80));
		assert_true(permits(lists[i], "2001:db8::1", 80));
	}
}

static void test_a_port_is_denied_in_both_families_alone(void **state)
{
	(void)state;
	assert_false(permits(":deny=10.0.2.2:80", "fd00::2", 80));
	assert_true(permits(":deny=10.0.2.2:80", "fd00::2", 81));
	assert_true(permits(":deny=10.0.2.2:80/udp", "fd00::2", 80));
}

static void test_a_whole_family_says_nothing_of_the_other(void **state)
{
	(void)state;
	assert_false(permits(":deny=::/0", "fd00::2", 80));
	assert_true(permits(":deny=::/0", "10.0.2.2", 80));
	assert_false(permits(":deny=0.0.0.0/0", "10.0.2.2", 80));
	assert_true(permits(":deny=0.0.0.0/0", "fd00::2", 80));
}

static void test_what_is_permitted_in_one_family_is_not_in_the_other(void **state)
{
	(void)state;
	assert_true(permits(":allow=10.0.2.2", "10.0.2.2", 80));
	assert_false(permits(":allow=10.0.2.2", "fd00::2", 80));
	assert_true(permits(":allow=host.internal", "fd00::2", 80));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses_that_can_be_read_in_two_ways_are_refused),
		cmocka_unit_test(test_the_host_is_denied_in_both_families),
		cmocka_unit_test(test_a_port_is_denied_in_both_families_alone),
		cmocka_unit_test(test_a_whole_family_says_nothing_of_the_other),
		cmocka_unit_test(test_what_is_permitted_in_one_family_is_not_in_the_other),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("net_rules", tests, NULL, NULL);
}
