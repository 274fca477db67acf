/* SPDX-License-Identifier: MIT */
#include "cmdline/net_option.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "base/text.h"
#include "base/value.h"

#define TEXT_OF(constant) TEXT_OF_EXPANDED(constant)
#define TEXT_OF_EXPANDED(constant) #constant

void net_option_net(struct net_config *net, const char *text)
{
	net->has_route = !strncmp(text, "host", 4) && (!text[4] || text[4] == ':');
	if (!net->has_route && strcmp(text, "none"))
		die("run: --net '%s': give none, or host[:allow=LIST][:deny=LIST], such as "
		    "host:allow=example.org:443/tcp",
		    text);
	net->rules_text = net->has_route ? text + 4 : NULL;
}

void net_option_rules(struct net_config *net)
{
	struct error error;
	if (net->rules_text && net_rules_read(&net->rules, net->rules_text, &error))
		die("run: %s", error.text);
}

/* Reads a port from the start of the text. Returns what follows, or NULL. */
static const char *read_port(const char *text, uint16_t *port)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);
	*port = (uint16_t)number;
	return *text >= '0' && *text <= '9' && number <= UINT16_MAX ? end : NULL;
}

/* Reads the address before the host's port. Returns the text of the port, or NULL. */
static const char *read_address(const char *text, union net_sockaddr *address)
{
	char name[INET6_ADDRSTRLEN];
	const char *guest = strrchr(text, ':'), *port = guest;
	address->in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	while (port && port > text && port[-1] != ':')
		port--;
	if (!port || port == text)
		return text;
	size_t length = (size_t)(port - 1 - text);
	bool is_v6 = length > 2 && *text == '[' && text[length - 1] == ']';
	text += is_v6;
	length -= is_v6 ? 2 : 0;
	if (length >= sizeof(name))
		return NULL;
	memcpy(name, text, length);
	name[length] = 0;
	if (is_v6) {
		address->in6 = (struct sockaddr_in6){.sin6_family = AF_INET6};
		return inet_pton(AF_INET6, name, &address->in6.sin6_addr) == 1 ? port : NULL;
	}
	return inet_pton(AF_INET, name, &address->in.sin_addr) == 1 ? port : NULL;
}

void net_option_publish(struct net_config *net, const char *text)
{
	struct net_publish published = {.protocol = IPPROTO_TCP, .fd = -1};
	uint16_t port = 0;
	const char *wrong = text, *at = read_address(text, &published.address);
	if (at) {
		wrong = at;
		at = read_port(at, &port);
	}
	if (at && *at == ':') {
		wrong = at + 1;
		at = read_port(wrong, &published.port);
	}
	if (at && published.port)
		wrong = at;
	if (at && !strcmp(at, "/udp"))
		published.protocol = IPPROTO_UDP;
	if (!at || !published.port || (*at && strcmp(at, "/udp") && strcmp(at, "/tcp")))
		die("run: --publish '%s': '%s' is wrong: give [ADDRESS:]HOSTPORT:GUESTPORT[/udp], such as 8080:80",
		    text, wrong);
	published.address.in.sin_port = htons(port);
	if (net->published_count == NETWORK_PUBLISHED_MAX)
		die("run: --publish: at most %d ports can be published", NETWORK_PUBLISHED_MAX);
	for (unsigned i = 0; i < net->published_count; i++)
		if (net->published[i].port == published.port && net->published[i].protocol == published.protocol)
			die("run: --publish '%s': the guest's port %u is published already", text, published.port);
	net->published[net->published_count++] = published;
}

void net_option_time(struct net_config *net, const char *text)
{
	net->jumps = !strcmp(text, "jump");
	if (!net->jumps && strcmp(text, "wall"))
		die("run: --net-time '%s': give wall, or jump to wait for nothing outside", text);
}

void net_option_miss(struct net_config *net, const char *text)
{
	if (!strcmp(text, "stop"))
		net->miss = NET_MISS_STOPS;
	else if (!strcmp(text, "refuse"))
		net->miss = NET_MISS_REFUSED;
	else if (!strcmp(text, "passthrough") || !strcmp(text, "record-new"))
		net->miss = NET_MISS_PASSES;
	else
		die("run: --replay-miss '%s': give stop, refuse, passthrough or record-new", text);
}

void net_option_say_missed(const struct net_misses *misses)
{
	const uint64_t counts[] = {misses->connections, misses->questions, misses->datagrams};
	static const char *const names[][2] = {{"connection", "connections"},
	                                       {"question to a name server", "questions to name servers"},
	                                       {"other datagram", "other datagrams"}};
	char text[160] = "";
	size_t at = 0;
	for (unsigned i = 0; i < 3; i++)
		if (counts[i])
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%" PRIu64 " %s", at ? ", " : "",
			                       counts[i], names[i][counts[i] != 1]);
	if (at)
		say("the recording had no answer to %s, which went to the network: the digest of such a run is not "
		    "promised",
		    text);
}

/* Reads a rate: a percentage, with up to four digits behind the point. Returns whether it is one. */
static bool read_rate(const char *text, uint32_t *per_million)
{
	uint32_t rate = 0, digit = 10000;
	bool has_point = false, has_digit = false;
	for (; *text && *text != '%'; text++) {
		if (*text == '.' && !has_point) {
			has_point = true;
			continue;
		}
		if (*text < '0' || *text > '9' || rate > 1000000 || digit == 1)
			return false;
		has_digit = true;
		if (!has_point)
			rate = rate * 10 + (uint32_t)(*text - '0') * 10000;
		else
			rate += (uint32_t)(*text - '0') * (digit /= 10);
	}
	*per_million = rate;
	return has_digit && !strcmp(text, "%") && rate <= 1000000;
}

/* Reads two durations with .. between them; *has_two: or only one, which is then both. Returns whether they are right.
 */
static bool read_range(const char *text, uint64_t *least_ns, uint64_t *most_ns, bool *has_two)
{
	char first[32];
	const char *dots = strstr(text, "..");
	size_t bytes = dots ? (size_t)(dots - text) : strlen(text);
	*has_two = dots;
	if (bytes >= sizeof(first))
		return false;
	memcpy(first, text, bytes);
	first[bytes] = 0;
	return !value_duration(first, least_ns) && !value_duration(dots ? dots + 2 : first, most_ns) &&
	       *least_ns <= *most_ns;
}

/* Adds a partition. Returns NULL, or what to give instead of *wrong. */
static const char *add_partition(struct boot_faults *faults, char *text, const char **wrong)
{
	struct boot_partition partition = {.kind = BOOT_PARTITION_ALL};
	bool has_two;
	unsigned i = 0;
	char *slash = strchr(text, '/');
	if (slash)
		*slash++ = 0;
	if (slash && strcmp(slash, "half") && strcmp(slash, "oneway")) {
		*--slash = '/';
		*wrong = slash;
		return "/half or /oneway, or nothing, after the times of a partition";
	}
	if (slash)
		partition.kind = *slash == 'h' ? BOOT_PARTITION_HALF : BOOT_PARTITION_ONEWAY;
	if (!read_range(text, &partition.begin_ns, &partition.end_ns, &has_two) || !has_two ||
	    partition.begin_ns == partition.end_ns)
		return "partition=BEGIN..END with the later END, such as partition=2s..5s";
	while (i < BOOT_PARTITIONS_MAX && faults->partitions[i].end_ns)
		i++;
	if (i == BOOT_PARTITIONS_MAX)
		return "at most " TEXT_OF(BOOT_PARTITIONS_MAX) " partitions";
	faults->partitions[i] = partition;
	return NULL;
}

/* Sets one part, NAME=VALUE. Returns NULL, or what to give instead of *wrong, the value or, with a wrong name, all. */
static const char *set_fault(struct boot_faults *faults, char *part, const char **wrong)
{
	static const char *const names[] = {
#define NAME(NAME, name) name,
		BOOT_FAULT_LIST(NAME)
#undef NAME
	};
	const char *const otherwise = "refuse, reset, short, loss, dup, reorder, dns-fail or only with a rate such as "
				      "0.1%, delay=1ms..50ms, dns-delay=2s, partition=2s..5s, or seed=N";
	size_t bytes = strcspn(part, "=");
	bool has_two;
	*wrong = part;
	if (!part[bytes])
		return otherwise;
	*wrong = part + bytes + 1;
	if (!strncmp(part, "seed=", 5))
		return value_number(part + 5, &faults->seed) ? "seed=N, a number of 64 bits" : NULL;
	if (!strncmp(part, "partition=", 10))
		return add_partition(faults, part + 10, wrong);
	if (!strncmp(part, "delay=", 6))
		return read_range(part + 6, &faults->delay_least_ns, &faults->delay_most_ns, &has_two)
		               ? NULL
		               : "delay=5ms, or the shortest and the longest such as delay=1ms..50ms";
	if (!strncmp(part, "dns-delay=", 10))
		return read_range(part + 10, &faults->dns_least_ns, &faults->dns_most_ns, &has_two)
		               ? NULL
		               : "dns-delay=2s, or the shortest and the longest such as dns-delay=1s..20s";
	if (!strncmp(part, "only=", 5))
		return read_rate(part + 5, &faults->only_per_million) && faults->only_per_million
		               ? NULL
		               : "only with the share of connections that have faults, such as only=30%";
	for (unsigned i = 0; i < BOOT_FAULTS; i++)
		if (strlen(names[i]) == bytes && !memcmp(names[i], part, bytes))
			return read_rate(part + bytes + 1, &faults->per_million[i]) ? NULL
			                                                            : "a rate up to 100%, such as 0.1%";
	*wrong = part;
	return otherwise;
}

void net_option_fault(struct boot_faults *faults, const char *text)
{
	char *copy = text_copy(text), *rest = copy, *part;
	const char *give, *wrong;
	while ((part = strsep(&rest, ",")))
		if ((give = set_fault(faults, part, &wrong)))
			die("run: --net-fault '%s': '%s' is wrong: give %s", text, wrong, give);
	free(copy);
}

/* Appends the addresses of a list. */
static void list_addresses(char *text, size_t size, const struct network_address *addresses)
{
	char address[NET_ADDRESS_TEXT];
	size_t at = 0;
	for (unsigned i = 0; i < STATS_OUTSIDE && addresses[i].protocol; i++) {
		net_address_text(&addresses[i], address);
		at += (size_t)snprintf(text + at, size - at, "%s%s", i ? "," : "", address);
	}
}

/* Says that the program met the guest's own loopback where it may have meant the host's. */
static void say_own_loopback(const struct run_result *result)
{
	static const uint8_t v6[16] = {[15] = 1};
	if (result->end != RUN_EXIT || !result->status)
		return;
	for (unsigned i = 0; i < STATS_OUTSIDE && result->stats.outside[i].protocol; i++) {
		const struct network_address *at = &result->stats.outside[i];
		if ((network_is_v4(at->bytes) && at->bytes[12] == 127) || !memcmp(at->bytes, v6, sizeof(v6))) {
			say("nothing in the guest listens on port %u of its loopback; if you mean this host's "
			    "127.0.0.1, type 10.0.2.2:%u in its place",
			    at->port, at->port);
			return;
		}
	}
}

void net_option_say_unreachable(const struct net_config *net, const struct run_result *result, int verbosity)
{
	char text[STATS_OUTSIDE * NET_ADDRESS_TEXT] = "";
	const bool are_more = result->stats.outside_addresses > STATS_OUTSIDE;
	if (verbosity < 0)
		return;
	if (result->forbidden[0].protocol) {
		list_addresses(text, sizeof(text), result->forbidden);
		say("the program tried to reach addresses that --net does not permit: %s%s", text,
		    net->rules.allows ? "; add them to allow=" : "");
	} else if (result->stats.outside_addresses && !net->has_route) {
		list_addresses(text, sizeof(text), result->stats.outside);
		say("the program tried to reach addresses outside the guest, and got ENETUNREACH: --net "
		    "host:allow=%s%s permits them",
		    text, are_more ? ",..." : "");
	} else if (net->has_route && !net->replay) {
		say_own_loopback(result);
	}
}
