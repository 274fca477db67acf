/* SPDX-License-Identifier: MIT */
/* What a receiver sees of a connection whose sender holds data back: TCP_CORK, MSG_MORE, TCP_NODELAY. Natively less
 * than a segment is held for at least 200 ms of the host's time, so a case during which the host was slow runs again.
 */
#include "tests/linux/accepted/accepted.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <time.h>

#define LONGEST_NS 150000000LL
#define ATTEMPTS 50
#define DRAWN_CASES 300
#define DRAWN_STEPS 8

static int64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void receive(int fd, int flags, FILE *out)
{
	static char text[300000];
	const long got = recv(fd, text, sizeof(text) - 1, flags);
	text[got > 0 ? got : 0] = 0;
	if (got > 0 && got < 30)
		fprintf(out, " '%s'", text);
	else
		fprintf(out, " %s", result_of(got));
}

static int set(int fd, int option, int value)
{
	return setsockopt(fd, IPPROTO_TCP, option, &value, sizeof(value));
}

/* Runs one step of a case. Small letters are for the sender. */
static void run_step(struct pair *pair, char step, FILE *out)
{
	fprintf(out, " %c", step);
	switch (step) {
	case 'm':
		fprintf(out, "%s", result_of(send(pair->own, "mo", 2, MSG_MORE | MSG_NOSIGNAL)));
		break;
	case 's':
		fprintf(out, "%s", result_of(send(pair->own, "se", 2, MSG_NOSIGNAL)));
		break;
	case 'e':
		fprintf(out, "%s", result_of(send(pair->own, "", 0, MSG_NOSIGNAL)));
		break;
	case 'o':
		fprintf(out, "%s", result_of(send(pair->own, "ob", 2, MSG_OOB | MSG_NOSIGNAL)));
		break;
	case 'c':
	case 'u':
		fprintf(out, "%s", result_of(set(pair->own, TCP_CORK, step == 'c')));
		break;
	case 'd':
	case 'n':
		fprintf(out, "%s", result_of(set(pair->own, TCP_NODELAY, step == 'd')));
		break;
	case 'w':
		fprintf(out, "%s", result_of(shutdown(pair->own, SHUT_WR)));
		break;
	case 'x':
		close(pair->own);
		pair->own = -1;
		break;
	case 'P': /* waits for what is held */
		poll(&(struct pollfd){pair->peer, POLLIN, 0}, 1, 10000);
		break;
	default:
		break;
	}
	receive(pair->peer, MSG_DONTWAIT, out);
}

/* Runs a case; shows it unless the host was slow. Returns whether it was shown. */
static bool run_case(const struct kind *kind, const char *steps)
{
	char *text;
	size_t bytes;
	struct pair pair;
	bool is_slow = false;
	FILE *out = open_memstream(&text, &bytes);
	pair_make(kind, STATE_CONNECTED, &pair);
	int64_t begun = now_ns();
	for (; *steps; steps++) {
		run_step(&pair, *steps, out);
		is_slow = is_slow || (*steps != 'P' && now_ns() - begun > LONGEST_NS);
		begun = *steps == 'P' ? now_ns() : begun;
	}
	close(pair.own);
	pair.own = -1;
	receive(pair.peer, 0, out);
	receive(pair.peer, 0, out);
	fclose(out);
	pair_close(&pair);
	if (!is_slow)
		printf("%s", text);
	free(text);
	return !is_slow;
}

static void try_case(const struct kind *kind, const char *steps)
{
	printf("%s cork %s\t", kind->name, steps);
	for (int i = 0; i < ATTEMPTS && !run_case(kind, steps); i++)
		;
	printf("\n");
}

static void try_drawn(const struct kind *kind, unsigned seed)
{
	static const char letters[] = "mmmsssccuudneow";
	char steps[DRAWN_STEPS + 1] = "";
	uint32_t drawn = seed * 2654435761U;
	for (int i = 0; i < DRAWN_STEPS; i++) {
		drawn = drawn * 1664525 + 1013904223;
		steps[i] = letters[(drawn >> 8) % (sizeof(letters) - 1)];
	}
	printf("%s cork %u: %s\t", kind->name, seed, steps);
	for (int i = 0; i < ATTEMPTS && !run_case(kind, steps); i++)
		;
	printf("\n");
}

/* More than a segment: its first part arrives, and all of it after the end of TCP_CORK. */
static void try_large(const struct kind *kind, size_t bytes, size_t each)
{
	static char large[300000];
	struct pair pair;
	size_t got = 0;
	pair_make(kind, STATE_CONNECTED, &pair);
	set(pair.own, TCP_CORK, 1);
	printf("%s cork large %zu by %zu\t", kind->name, bytes, each);
	size_t sent = 0;
	for (; sent < bytes; sent += each)
		if (send(pair.own, large, bytes - sent < each ? bytes - sent : each, MSG_DONTWAIT) < 0)
			break;
	printf("%s ", sent >= bytes ? "sent" : result_of(-1));
	poll(&(struct pollfd){pair.peer, POLLIN, 0}, 1, 10000);
	printf("%s ", recv(pair.peer, large, sizeof(large), MSG_PEEK) > 0 ? "arrives" : "nothing");
	set(pair.own, TCP_CORK, 0);
	shutdown(pair.own, SHUT_WR);
	for (long piece; (piece = recv(pair.peer, large, sizeof(large), 0)) > 0;)
		got += (size_t)piece;
	printf("%zu\n", got);
	pair_close(&pair);
}

void part_corks(void)
{
	static const char *const cases[] = {"mPs",  "cssPsu", "mmu",   "cmd",    "cdsn", "cdss",  "mx",   "cx",  "csx",
	                                    "csw",  "mw",     "css",   "ss",     "dss",  "mo",    "cos",  "me",  "cse",
	                                    "cPsu", "mPmPs",  "csPsP", "ssssss", "cucu", "csucs", "dmms", "mdms"};
	for (unsigned i = 0; i < kind_count; i++) {
		if (kinds[i].type != SOCK_STREAM)
			continue;
		for (unsigned k = 0; k < COUNT(cases); k++)
			if (kinds[i].family != AF_UNIX || !strchr(cases[k], 'P'))
				try_case(&kinds[i], cases[k]);
		for (unsigned seed = 1; seed <= DRAWN_CASES; seed++)
			try_drawn(&kinds[i], seed);
		if (kinds[i].family == AF_UNIX)
			continue;
		try_large(&kinds[i], 100000, 100000);
		try_large(&kinds[i], 100000, 1000);
		try_large(&kinds[i], 5000, 7);
		try_large(&kinds[i], 250000, 33000);
	}
}
