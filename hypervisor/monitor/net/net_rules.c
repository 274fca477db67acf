/* SPDX-License-Identifier: MIT */
#include "net/net_rules.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "net/net_address.h"

#define ITEM_MAX 300

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), bytes = strlen(end);
	return length >= bytes && !strcmp(text + length - bytes, end);
}

/* Takes `/tcp` or `/udp` from the end of an item. */
static uint8_t take_protocol(char *item)
{
	uint8_t protocol = ends_with(item, "/tcp") ? IPPROTO_TCP : ends_with(item, "/udp") ? IPPROTO_UDP : 0;
	if (protocol)
		item[strlen(item) - 4] = 0;
	return protocol;
}

/* Reads a port. Returns whether it is one. */
static bool read_rule_port(const char *text, uint16_t *port, char **end)
{
	unsigned long number = strtoul(text, end, 10);
	*port = (uint16_t)number;
	return *end != text && *text >= '0' && *text <= '9' && number <= UINT16_MAX;
}

static bool read_ports(const char *text, struct net_rule *rule)
{
	char *end;
	if (!read_rule_port(text, &rule->first, &end))
		return false;
	rule->last = rule->first;
	if (*end == '-' && !read_rule_port(end + 1, &rule->last, &end))
		return false;
	return !*end && rule->first <= rule->last;
}

/* Takes the ports from the end of an item: behind the only colon, or behind the bracket of an IPv6 address. If they are
 * wrong, stores them in *wrong. */
static bool take_ports(char **item, struct net_rule *rule, const char **wrong)
{
	char *colon = strchr(*item, ':');
	rule->first = 0;
	rule->last = UINT16_MAX;
	if (**item == '[') {
		char *bracket = strchr(*item, ']');
		if (!bracket)
			return false;
		colon = bracket[1] == ':' ? bracket + 1 : NULL;
		if (bracket[1] && !colon && bracket[1] != '/')
			return false;
		memmove(bracket, bracket + 1, strlen(bracket)); /* a prefix may follow */
		++*item;
		colon = colon ? colon - 1 : NULL;
	} else if (colon && strchr(colon + 1, ':')) {
		return true; /* an IPv6 address without ports */
	}
	if (!colon)
		return true;
	*colon = 0;
	if (read_ports(colon + 1, rule))
		return true;
	*wrong = colon + 1;
	return false;
}

static bool add_net_rule(struct net_rules *rules, const struct net_rule *rule)
{
	if (rules->count == NET_RULES_MAX)
		return false;
	rules->rules[rules->count++] = *rule;
	return true;
}

/* Whether a text stands for an address of IPv4 in another form than four decimal numbers: `010.0.0.1`, `10.1` and
 * `0xa000001` mean different addresses to different readers (inet_aton(3)), and no host's name looks so. Or it has a
 * scope, which a rule cannot keep. */
static bool is_odd_address(const char *text)
{
	struct in_addr address;
	return strchr(text, '%') || inet_aton(text, &address);
}

/* Adds a rule for each address of a host. */
static bool add_host(struct net_rules *rules, const char *name, struct net_rule rule)
{
	struct addrinfo *found;
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	bool done = true;
	rule.prefix = 128;
	if (!strcmp(name, "host.internal")) {
		rule.prefix = 128;
		net_address_host(AF_INET, rule.bytes);
		done = add_net_rule(rules, &rule);
		net_address_host(AF_INET6, rule.bytes);
		return done && add_net_rule(rules, &rule);
	}
	if (getaddrinfo(name, NULL, &hints, &found))
		return false;
	for (const struct addrinfo *at = found; at && done; at = at->ai_next) {
		struct network_address address;
		net_address_of(at->ai_addr, &address);
		memcpy(rule.bytes, address.bytes, sizeof(rule.bytes));
		done = add_net_rule(rules, &rule);
	}
	freeaddrinfo(found);
	return done;
}

/* Reads an address with or without a prefix. Returns 1; 0 if the text is no address; -EINVAL for a wrong prefix. */
static int read_rule_address(char *text, struct net_rule *rule)
{
	char *slash = strchr(text, '/'), *end;
	struct in_addr v4;
	unsigned most = 128;
	if (slash)
		*slash = 0;
	if (inet_pton(AF_INET, text, &v4) == 1) {
		const struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = v4};
		struct network_address address;
		net_address_of((const struct sockaddr *)&in, &address);
		memcpy(rule->bytes, address.bytes, sizeof(rule->bytes));
		most = 32;
	} else if (inet_pton(AF_INET6, text, rule->bytes) != 1) {
		return slash ? -EINVAL : 0;
	}
	rule->prefix = 128;
	if (!slash)
		return 1;
	unsigned long prefix = strtoul(slash + 1, &end, 10);
	if (slash[1] < '0' || slash[1] > '9' || *end || prefix > most)
		return -EINVAL;
	rule->prefix = (unsigned)prefix + 128 - most;
	return 1;
}

/* Adds the rules of one item: HOST|ADDRESS[/PREFIX], [:PORT[-PORT]], [/tcp|/udp]. */
static int add_item(struct net_rules *rules, const char *text, bool denies, struct error *error)
{
	char copy[ITEM_MAX], *item = copy;
	const char *wrong = NULL;
	struct net_rule rule = {.denies = denies};
	if (strlen(text) >= sizeof(copy))
		return error_set(error, EINVAL, "--net: '%.40s...' is too long for a host", text);
	strcpy(copy, text);
	rule.protocol = take_protocol(copy);
	bool has_ports = take_ports(&item, &rule, &wrong);
	if (wrong && *item)
		return error_set(
			error, EINVAL,
			"--net: '%.40s' of '%.100s' is not a port up to 65535, or a range such as 8000-8080, with "
			"/tcp, /udp or nothing behind it",
			wrong, text);
	if (!has_ports || !*item)
		return error_set(error, EINVAL,
		                 "--net: '%.100s' is not HOST[:PORT[-PORT]][/tcp|/udp]; an IPv6 address with a port is "
		                 "[ADDRESS]:PORT",
		                 text);
	int is_address = read_rule_address(item, &rule);
	if (is_address < 0)
		return error_set(error, EINVAL, "--net: '%.100s' is not an address with a prefix, such as 10.1.0.0/16",
		                 text);
	if (!is_address && is_odd_address(item))
		return error_set(
			error, EINVAL,
			"--net: '%.100s' is an address that can be read in more than one way; give four decimal "
			"numbers without leading zeros, or an IPv6 address without a scope",
			text);
	if (is_address ? !add_net_rule(rules, &rule) : !add_host(rules, item, rule))
		return error_set(error, EINVAL,
		                 rules->count == NET_RULES_MAX
		                         ? "--net: '%.100s' is one rule too many: give fewer than 256 addresses"
		                         : "--net: '%.100s' is not a host that can be found; give its address",
		                 text);
	return 0;
}

int net_rules_read(struct net_rules *rules, const char *text, struct error *error)
{
	memset(rules, 0, sizeof(*rules));
	char *copy = strdup(text), *at = copy;
	int result = copy ? 0 : -ENOMEM;
	while (copy && *at && !result) {
		bool denies = !strncmp(at, ":deny=", 6);
		if (!denies && strncmp(at, ":allow=", 7)) {
			result = error_set(error, EINVAL,
			                   "--net host%.100s: give :allow=LIST or :deny=LIST after 'host'", at);
			break;
		}
		at += denies ? 6 : 7;
		rules->allows |= !denies;
		char *allow = strstr(at, ":allow="), *deny = strstr(at, ":deny=");
		char *end = allow && (!deny || allow < deny) ? allow : deny ? deny : at + strlen(at);
		for (bool more = true; more && !result;) {
			size_t length = strcspn(at, ",");
			char *next = at + length < end ? at + length : end, kept = *next;
			more = next < end;
			*next = 0;
			result = add_item(rules, at, denies, error);
			*next = kept;
			at = more ? next + 1 : next;
		}
	}
	free(copy);
	return result;
}

static bool has_prefix(const uint8_t *bytes, const uint8_t *of, unsigned prefix)
{
	unsigned whole = prefix / 8, rest = prefix % 8;
	return !memcmp(bytes, of, whole) && (!rest || (bytes[whole] ^ of[whole]) >> (8 - rest) == 0);
}

static bool fits(const struct net_rule *rule, const struct network_address *to, uint8_t protocol)
{
	if (network_is_v4(to->bytes) != network_is_v4(rule->bytes)) /* ::/0 is not all of IPv4 */
		return false;
	return (!rule->protocol || rule->protocol == protocol) && rule->first <= to->port && to->port <= rule->last &&
	       has_prefix(to->bytes, rule->bytes, rule->prefix);
}

/* Whether a rule fits an address, or the one that it stands for on the host. */
static bool fits_either(const struct net_rule *rule, const struct network_address *to, uint8_t protocol)
{
	union net_sockaddr host;
	struct network_address real;
	net_address_to_host(to, &host);
	net_address_of(&host.any, &real);
	return fits(rule, to, protocol) || fits(rule, &real, protocol);
}

/* Whether a rule means all addresses of a family. */
static bool is_whole_family(const struct net_rule *rule)
{
	return rule->prefix <= (network_is_v4(rule->bytes) ? 96U : 0U);
}

/* Whether a rule denies an address. The host's loopback and its name server have an address of each family in the
 * guest: who denies one of them, denies the other. */
static bool is_denied(const struct net_rule *rule, const struct network_address *to, uint8_t protocol)
{
	struct network_address twin;
	if (!rule->denies || fits_either(rule, to, protocol))
		return rule->denies;
	return !is_whole_family(rule) && net_address_twin(to, &twin) && fits_either(rule, &twin, protocol);
}

bool net_rules_permit(const struct net_rules *rules, const struct network_address *to, uint8_t protocol)
{
	bool is_permitted = !rules->allows || net_address_is_resolver(to);
	if (!net_address_is_host(to))
		return false;
	for (unsigned i = 0; i < rules->count; i++) {
		if (is_denied(&rules->rules[i], to, protocol))
			return false;
		is_permitted |= !rules->rules[i].denies && fits(&rules->rules[i], to, protocol);
	}
	return is_permitted;
}
