/* SPDX-License-Identifier: MIT */
/* Byte order, and internet addresses as text (inet(3), inet_pton(3)). */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef htonl
#undef htons
#undef ntohl
#undef ntohs

const struct in6_addr in6addr_any = IN6ADDR_ANY_INIT;
const struct in6_addr in6addr_loopback = IN6ADDR_LOOPBACK_INIT;

uint32_t htonl(uint32_t x)
{
	return __builtin_bswap32(x);
}

uint16_t htons(uint16_t x)
{
	return __builtin_bswap16(x);
}

uint32_t ntohl(uint32_t x)
{
	return __builtin_bswap32(x);
}

uint16_t ntohs(uint16_t x)
{
	return __builtin_bswap16(x);
}

/* Reads one to four numbers, decimal, octal or hexadecimal; the last one fills the remaining bytes. */
int inet_aton(const char *text, struct in_addr *addr)
{
	unsigned long part[4];
	int count = 0;
	char *end;
	do {
		if (!isdigit((unsigned char)*text) || count == 4)
			return 0;
		part[count++] = strtoul(text, &end, 0);
		text = end + 1;
	} while (*end == '.');
	if (*end && !isspace((unsigned char)*end))
		return 0;
	uint32_t value = 0;
	for (int i = 0; i < count - 1; i++) {
		if (part[i] > 255)
			return 0;
		value |= (uint32_t)part[i] << (24 - 8 * i);
	}
	if (part[count - 1] > 0xffffffffUL >> 8 * (count - 1))
		return 0;
	if (addr)
		addr->s_addr = htonl(value | (uint32_t)part[count - 1]);
	return 1;
}

in_addr_t inet_addr(const char *text)
{
	struct in_addr addr;
	return inet_aton(text, &addr) ? addr.s_addr : INADDR_NONE;
}

char *inet_ntoa(struct in_addr addr)
{
	static char text[INET_ADDRSTRLEN];
	return (char *)(unsigned long)inet_ntop(AF_INET, &addr, text, sizeof(text));
}

/* Reads exactly four decimal numbers without leading zeros. */
static int parse_v4(const char *text, uint8_t *bytes)
{
	for (int i = 0; i < 4; i++) {
		unsigned value = 0, digits = 0;
		for (; isdigit((unsigned char)*text); text++, digits++) {
			value = value * 10 + (unsigned)(*text - '0');
			if (value > 255 || (digits && value < 10))
				return 0;
		}
		if (!digits || *text++ != (i < 3 ? '.' : 0))
			return 0;
		bytes[i] = (uint8_t)value;
	}
	return 1;
}

static int parse_v6(const char *text, uint8_t *bytes)
{
	uint8_t found[16] = {0};
	int count = 0, gap = -1;
	if (text[0] == ':' && *++text != ':')
		return 0;
	while (*text) {
		if (*text == ':') {
			if (gap >= 0)
				return 0;
			gap = count;
			text++;
			continue;
		}
		const char *start = text;
		unsigned value = 0;
		for (; isxdigit((unsigned char)*text) && text - start < 4; text++)
			value = value << 4 |
			        (unsigned)(isdigit((unsigned char)*text) ? *text - '0' : (*text | 32) - 'a' + 10);
		if (*text == '.') {
			if (count > 12 || !parse_v4(start, found + count))
				return 0;
			count += 4;
			break;
		}
		if (text == start || count > 14)
			return 0;
		found[count++] = (uint8_t)(value >> 8);
		found[count++] = (uint8_t)value;
		if (*text == ':' && !*++text)
			return 0;
		else if (*text && text[-1] != ':')
			return 0;
	}
	if (gap < 0 ? count != 16 : count > 14)
		return 0;
	memset(bytes, 0, 16);
	memcpy(bytes, found, (size_t)(gap < 0 ? 16 : gap));
	if (gap >= 0)
		memcpy(bytes + 16 - (count - gap), found + gap, (size_t)(count - gap));
	return 1;
}

int inet_pton(int family, const char *restrict text, void *restrict addr)
{
	if (family == AF_INET)
		return parse_v4(text, addr);
	if (family == AF_INET6)
		return parse_v6(text, addr);
	errno = EAFNOSUPPORT;
	return -1;
}

/* RFC 5952: "::" replaces the longest run of two or more zero groups, or the first of several. */
static void print_v6(const uint8_t *bytes, char *text)
{
	unsigned group[8];
	int best = -1, best_length = 1;
	for (int i = 0; i < 8; i++)
		group[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
	for (int i = 0; i < 8; i++) {
		int length = 0;
		while (i + length < 8 && group[i + length] == 0)
			length++;
		if (length > best_length) {
			best = i;
			best_length = length;
		}
	}
	int mapped = best == 0 && (best_length == 6 || (best_length == 5 && group[5] == 0xffff));
	for (int i = 0; i < 8; i++) {
		if (i == best) {
			text += sprintf(text, i + best_length == 8 ? "::" : ":");
			i += best_length - 1;
		} else if (i == 6 && mapped) {
			sprintf(text, ":%d.%d.%d.%d", bytes[12], bytes[13], bytes[14], bytes[15]);
			return;
		} else {
			text += sprintf(text, "%s%x", i ? ":" : "", group[i]);
		}
	}
}

const char *inet_ntop(int family, const void *restrict addr, char *restrict buf, socklen_t size)
{
	char text[INET6_ADDRSTRLEN];
	const uint8_t *bytes = addr;
	if (family == AF_INET) {
		sprintf(text, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
	} else if (family == AF_INET6) {
		print_v6(bytes, text);
	} else {
		errno = EAFNOSUPPORT;
		return NULL;
	}
	if (strlen(text) >= size) {
		errno = ENOSPC;
		return NULL;
	}
	return strcpy(buf, text);
}
