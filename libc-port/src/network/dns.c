/* SPDX-License-Identifier: MIT */
/* One question is asked at a time: to each server in turn, each for `timeout` seconds, `attempts` times. An answer that
 * the server had to cut short is used as far as it goes. */
#include "libc-port/src/network/dns.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define BLANKS " \t\r\n"
#define SERVERS 3
#define SEARCH_DOMAINS 6
#define PORT 53
#define HEADER_BYTES 12
#define LABEL_BYTES 63
#define QUESTION_BYTES (HEADER_BYTES + RESOLVE_NAME_BYTES + 4)
#define ANSWER_BYTES 4096
#define POINTERS 64 /* of one compressed name; more are a loop */

/* Flags and answers of the header's second word. */
#define IS_ANSWER 0x8000
#define WANTS_RECURSION 0x0100
#define CODE(flags) ((flags)&0xf)
#define NO_SUCH_NAME 3

enum record {
	RECORD_A = 1,
	RECORD_CNAME = 5,
	RECORD_PTR = 12,
	RECORD_AAAA = 28,
};

struct settings {
	int servers, domains, ndots, timeout_s, attempts;
	struct resolve_address server[SERVERS];
	char domain[SEARCH_DOMAINS][RESOLVE_NAME_BYTES];
};

/* A message being read. */
struct reader {
	const uint8_t *at;
	size_t bytes, next;
	int failed; /* the message ends too soon */
};

static void read_option(struct settings *settings, const char *option)
{
	if (sscanf(option, "ndots:%d", &settings->ndots) == 1 && settings->ndots > 15)
		settings->ndots = 15;
	if (sscanf(option, "timeout:%d", &settings->timeout_s) == 1 &&
	    (settings->timeout_s < 1 || settings->timeout_s > 30))
		settings->timeout_s = 30;
	if (sscanf(option, "attempts:%d", &settings->attempts) == 1 &&
	    (settings->attempts < 1 || settings->attempts > 5))
		settings->attempts = 5;
}

static void read_line(struct settings *settings, char *line)
{
	char *rest, *word;
	const char *key = strtok_r(line, BLANKS, &rest);
	if (!key || *key == '#' || *key == ';')
		return;
	if (!strcmp(key, "search") || !strcmp(key, "domain"))
		settings->domains = 0;
	while ((word = strtok_r(NULL, BLANKS, &rest))) {
		if (!strcmp(key, "nameserver") && settings->servers < SERVERS)
			settings->servers += resolve_number(word, &settings->server[settings->servers]);
		else if ((!strcmp(key, "search") || !strcmp(key, "domain")) && settings->domains < SEARCH_DOMAINS)
			snprintf(settings->domain[settings->domains++], RESOLVE_NAME_BYTES, "%s", word);
		else if (!strcmp(key, "options"))
			read_option(settings, word);
	}
}

/* As in resolv.conf(5): without a server, the one of this machine is asked. */
static void read_settings(struct settings *settings)
{
	FILE *file = fopen("/etc/resolv.conf", "re");
	char *line = NULL;
	size_t room = 0;
	*settings = (struct settings){.ndots = 1, .timeout_s = 5, .attempts = 2};
	while (file && getline(&line, &room, file) >= 0)
		read_line(settings, line);
	free(line);
	if (file)
		fclose(file);
	if (!settings->servers)
		settings->servers = resolve_number("127.0.0.1", &settings->server[0]);
}

static size_t put_uint16(uint8_t *to, unsigned value)
{
	to[0] = (uint8_t)(value >> 8);
	to[1] = (uint8_t)value;
	return 2;
}

/* Writes a question. Returns its length, or 0 if the text is no name. */
static size_t write_question(uint8_t question[QUESTION_BYTES], unsigned number, const char *name, enum record record)
{
	size_t bytes = 0;
	const unsigned header[] = {number, WANTS_RECURSION, 1, 0, 0, 0};
	for (size_t i = 0; i < sizeof(header) / sizeof(header[0]); i++)
		bytes += put_uint16(question + bytes, header[i]);
	while (*name) {
		size_t length = strcspn(name, ".");
		if (!length || length > LABEL_BYTES || bytes + length + 2 > HEADER_BYTES + RESOLVE_NAME_BYTES - 1)
			return 0;
		question[bytes++] = (uint8_t)length;
		memcpy(question + bytes, name, length);
		bytes += length;
		name += length + (name[length] == '.');
	}
	question[bytes++] = 0;
	bytes += put_uint16(question + bytes, record);
	return bytes + put_uint16(question + bytes, 1 /* the internet */);
}

static unsigned get_byte(struct reader *reader)
{
	if (reader->next >= reader->bytes) {
		reader->failed = 1;
		return 0;
	}
	return reader->at[reader->next++];
}

static unsigned get_number(struct reader *reader)
{
	unsigned high = get_byte(reader);
	return high << 8 | get_byte(reader);
}

/* Reads a name, which may end by a pointer to another place of the message. */
static void get_name(struct reader *reader, char name[RESOLVE_NAME_BYTES])
{
	size_t bytes = 0, back = 0;
	for (int pointers = 0; !reader->failed;) {
		unsigned length = get_byte(reader);
		if (length >= 0xc0) {
			size_t to = (length & 0x3f) << 8 | get_byte(reader);
			back = back ? back : reader->next;
			reader->next = to;
			reader->failed |= ++pointers > POINTERS;
		} else if (length > LABEL_BYTES || bytes + length + 2 > RESOLVE_NAME_BYTES) {
			reader->failed = 1;
		} else if (length) {
			if (bytes)
				name[bytes++] = '.';
			while (length--)
				name[bytes++] = (char)get_byte(reader);
		} else {
			break;
		}
	}
	name[bytes] = 0;
	if (back)
		reader->next = back;
}

/* The name as which the answers know what was asked for. The records of an alias lead from name to name. */
static void read_records(struct reader *reader, unsigned records, enum record wanted, char name[RESOLVE_NAME_BYTES],
                         struct resolve_host *host)
{
	char owner[RESOLVE_NAME_BYTES];
	while (records-- && !reader->failed) {
		get_name(reader, owner);
		unsigned record = get_number(reader);
		get_number(reader);                     /* class */
		get_number(reader), get_number(reader); /* time to live */
		size_t bytes = get_number(reader), next = reader->next + bytes;
		if (reader->failed || next > reader->bytes)
			break;
		if (strcasecmp(owner, name) == 0) {
			if (record == RECORD_CNAME || (record == wanted && wanted == RECORD_PTR))
				get_name(reader, name);
			else if (record == wanted && record == RECORD_A && bytes == sizeof(struct in_addr))
				resolve_add(host, AF_INET, reader->at + reader->next);
			else if (record == wanted && record == RECORD_AAAA && bytes == sizeof(struct in6_addr))
				resolve_add(host, AF_INET6, reader->at + reader->next);
		}
		reader->next = next;
	}
}

/* Reads an answer. Returns 0, EAI_NONAME or EAI_AGAIN as dns_find does; a name is what the answer leads to. */
static int read_answer(const uint8_t *answer, size_t bytes, enum record wanted, char name[RESOLVE_NAME_BYTES],
                       struct resolve_host *host)
{
	struct reader reader = {answer, bytes, 2, 0};
	unsigned flags = get_number(&reader), questions = get_number(&reader), records = get_number(&reader);
	reader.next = HEADER_BYTES;
	if (CODE(flags))
		return CODE(flags) == NO_SUCH_NAME ? EAI_NONAME : EAI_AGAIN;
	while (questions-- && !reader.failed) {
		char asked[RESOLVE_NAME_BYTES];
		get_name(&reader, asked);
		get_number(&reader), get_number(&reader);
	}
	read_records(&reader, records, wanted, name, host);
	return 0;
}

static int connect_to(const struct resolve_address *server)
{
	const struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr = server->v4};
	const struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(PORT), .sin6_addr = server->v6};
	int fd = socket(server->family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (server->family == AF_INET ? connect(fd, (const struct sockaddr *)&v4, sizeof(v4))
	                              : connect(fd, (const struct sockaddr *)&v6, sizeof(v6))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Sends a question to one server and waits for its answer, which has the question's number. Returns its length; 0:
 * none.
 */
static size_t ask_server(const struct resolve_address *server, int timeout_s, const uint8_t *question, size_t bytes,
                         uint8_t answer[ANSWER_BYTES])
{
	int fd = connect_to(server);
	ssize_t got = 0;
	if (fd < 0)
		return 0;
	if (send(fd, question, bytes, MSG_NOSIGNAL) == (ssize_t)bytes) {
		struct pollfd file = {fd, POLLIN, 0};
		while (poll(&file, 1, timeout_s * 1000) > 0) {
			got = recv(fd, answer, ANSWER_BYTES, 0);
			if (got <= 0 || (got >= HEADER_BYTES && !memcmp(answer, question, 2) && answer[2] >> 7))
				break;
			got = 0;
		}
	}
	close(fd);
	return got > 0 ? (size_t)got : 0;
}

/* Asks for the records of one name. Returns 0, EAI_NONAME or EAI_AGAIN. */
static int ask_records(const struct settings *settings, enum record wanted, char name[RESOLVE_NAME_BYTES],
                       struct resolve_host *host)
{
	uint8_t question[QUESTION_BYTES];
	uint16_t number;
	int result = EAI_AGAIN;
	getrandom(&number, sizeof(number), 0);
	size_t bytes = write_question(question, number, name, wanted);
	uint8_t *answer = bytes ? malloc(ANSWER_BYTES) : NULL;
	if (!answer)
		return bytes ? EAI_MEMORY : EAI_NONAME;
	for (int i = 0; i < settings->attempts * settings->servers && result == EAI_AGAIN; i++) {
		size_t got = ask_server(&settings->server[i % settings->servers], settings->timeout_s, question, bytes,
		                        answer);
		if (got)
			result = read_answer(answer, got, wanted, name, host);
	}
	free(answer);
	return result;
}

static int is_full(const char *name)
{
	return name[strlen(name) - 1] == '.';
}

/* Finds the addresses of a name as it is. */
static int find_full(const struct settings *settings, const char *name, int family, struct resolve_host *host)
{
	static const enum record records[] = {RECORD_A, RECORD_AAAA};
	int result = EAI_NONAME;
	for (int i = 0; i < 2; i++) {
		if (family == (i ? AF_INET : AF_INET6))
			continue;
		snprintf(host->name, sizeof(host->name), "%.*s", (int)(strlen(name) - is_full(name)), name);
		result = ask_records(settings, records[i], host->name, host);
		if (result)
			break;
	}
	return host->count ? 0 : result ? result : EAI_NODATA;
}

static int dots_of(const char *name)
{
	int dots = 0;
	for (; *name; name++)
		dots += *name == '.';
	return dots;
}

int dns_find(const char *name, int family, struct resolve_host *host)
{
	struct settings *settings = malloc(sizeof(*settings));
	char full[RESOLVE_NAME_BYTES];
	int result = EAI_NONAME;
	if (!settings)
		return EAI_MEMORY;
	read_settings(settings);
	int first = is_full(name) || dots_of(name) >= settings->ndots;
	if (first)
		result = find_full(settings, name, family, host);
	for (int i = 0; i < settings->domains && !is_full(name) && (result == EAI_NONAME || result == EAI_NODATA);
	     i++) {
		if (snprintf(full, sizeof(full), "%s.%s", name, settings->domain[i]) < (int)sizeof(full))
			result = find_full(settings, full, family, host);
	}
	if (!first && (result == EAI_NONAME || result == EAI_NODATA))
		result = find_full(settings, name, family, host);
	free(settings);
	return result;
}

int dns_find_name(const struct resolve_address *address, char name[RESOLVE_NAME_BYTES])
{
	struct settings *settings = malloc(sizeof(*settings));
	char asked[RESOLVE_NAME_BYTES], *at = name;
	const uint8_t *bytes = (const uint8_t *)&address->v6;
	if (!settings)
		return EAI_MEMORY;
	if (address->family == AF_INET) {
		sprintf(name, "%u.%u.%u.%u.in-addr.arpa", bytes[3], bytes[2], bytes[1], bytes[0]);
	} else {
		for (int i = 15; i >= 0; i--)
			at += sprintf(at, "%x.%x.", bytes[i] & 0xf, bytes[i] >> 4);
		strcpy(at, "ip6.arpa");
	}
	strcpy(asked, name);
	read_settings(settings);
	int result = ask_records(settings, RECORD_PTR, name, NULL);
	free(settings);
	return result ? result : strcmp(asked, name) ? 0 : EAI_NONAME;
}
