/* SPDX-License-Identifier: MIT */
#include "libc-port/src/network/resolve.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libc-port/src/network/dns.h"

#define BLANKS " \t\r\n"

/* The contents of /etc/hosts where there is none. */
static const char *const own_hosts[] = {"127.0.0.1 localhost", "::1 localhost ip6-localhost ip6-loopback"};

/* An entry of /etc/hosts. Its names are in the line. */
struct line {
	struct resolve_address address;
	char *name;    /* the canonical one */
	char *aliases; /* the rest of the line */
};

/* Called with each entry until it returns something else than 0. */
typedef int each_line(const struct line *line, void *context);

int resolve_number(const char *text, struct resolve_address *address)
{
	*address = (struct resolve_address){.family = AF_INET};
	if (inet_aton(text, &address->v4))
		return 1;
	address->family = AF_INET6;
	return inet_pton(AF_INET6, text, &address->v6) == 1;
}

void resolve_add(struct resolve_host *host, int family, const void *address)
{
	if (host->count == RESOLVE_ADDRESSES)
		return;
	struct resolve_address *to = &host->addresses[host->count++];
	to->family = family;
	memcpy(&to->v6, address, family == AF_INET ? sizeof(to->v4) : sizeof(to->v6));
}

static void set_host_name(char to[RESOLVE_NAME_BYTES], const char *name)
{
	snprintf(to, RESOLVE_NAME_BYTES, "%s", name);
}

/* Splits a line and shows it to the function. A line that is no entry is skipped. */
static int show(char *text, each_line *function, void *context)
{
	struct line line;
	char *rest;
	text[strcspn(text, "#")] = 0;
	const char *number = strtok_r(text, BLANKS, &rest);
	if (!number || !resolve_number(number, &line.address))
		return 0;
	line.name = strtok_r(NULL, BLANKS, &rest);
	line.aliases = rest;
	return line.name ? function(&line, context) : 0;
}

static int show_own(each_line *function, void *context)
{
	char text[64];
	int result = 0;
	for (size_t i = 0; i < sizeof(own_hosts) / sizeof(own_hosts[0]) && !result; i++) {
		strcpy(text, own_hosts[i]);
		result = show(text, function, context);
	}
	return result;
}

static int show_hosts(each_line *function, void *context)
{
	FILE *file = fopen("/etc/hosts", "re");
	char *text = NULL;
	size_t room = 0;
	int result = 0;
	if (!file)
		return show_own(function, context);
	while (!result && getline(&text, &room, file) >= 0)
		result = show(text, function, context);
	free(text);
	fclose(file);
	return result;
}

static int has_name(const struct line *line, const char *name)
{
	char *rest = line->aliases;
	int has = !strcasecmp(line->name, name);
	for (const char *alias; !has && (alias = strtok_r(NULL, BLANKS, &rest));)
		has = !strcasecmp(alias, name);
	return has;
}

struct wanted {
	const char *name;
	int family, known;
	struct resolve_host *host;
};

static int take_address(const struct line *line, void *context)
{
	struct wanted *wanted = context;
	if (!has_name(line, wanted->name))
		return 0;
	wanted->known = 1;
	if (wanted->family != AF_UNSPEC && wanted->family != line->address.family)
		return 0;
	if (!wanted->host->count)
		set_host_name(wanted->host->name, line->name);
	resolve_add(wanted->host, line->address.family, &line->address.v6);
	return 0;
}

int resolve_host(const char *name, int family, struct resolve_host *host)
{
	struct wanted wanted = {name, family, 0, host};
	size_t length = strlen(name);
	host->count = 0;
	if (!length || length >= RESOLVE_NAME_BYTES || strpbrk(name, BLANKS))
		return EAI_NONAME;
	show_hosts(take_address, &wanted);
	if (host->count)
		return 0;
	return wanted.known ? EAI_ADDRFAMILY : dns_find(name, family, host);
}

struct sought {
	const struct resolve_address *address;
	char *name;
};

static int take_name(const struct line *line, void *context)
{
	const struct sought *sought = context;
	size_t bytes = sought->address->family == AF_INET ? sizeof(sought->address->v4) : sizeof(sought->address->v6);
	if (line->address.family != sought->address->family ||
	    memcmp(&line->address.v6, &sought->address->v6, bytes) != 0)
		return 0;
	set_host_name(sought->name, line->name);
	return 1;
}

int resolve_name(const struct resolve_address *address, char name[RESOLVE_NAME_BYTES])
{
	struct sought sought = {address, name};
	return show_hosts(take_name, &sought) ? 0 : dns_find_name(address, name);
}
