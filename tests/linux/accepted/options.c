/* SPDX-License-Identifier: MIT */
/* setsockopt(2) and getsockopt(2): each option by its number, with names where there are any. */
#include "tests/linux/accepted/accepted.h"

#define OPTION_NUMBERS 90
#define NETFILTER 64 /* first option of level IP that belongs to packet filters */

struct level {
	const char *name;
	int number, count;
};

static const struct level levels[] = {{"SOCKET", SOL_SOCKET, OPTION_NUMBERS},
                                      {"IP", 0, NETFILTER},
                                      {"IPV6", 41, OPTION_NUMBERS},
                                      {"TCP", 6, 50},
                                      {"UDP", 17, 110},
                                      {"RAW", 255, 8},
                                      {"NETLINK", 270, 14},
                                      {"TLS", 282, 6},
                                      {"999", 999, 4}};

/* Options whose value is a descriptor, a secret or a table of the host are not asked for. */
static bool is_left_out(const struct level *level, int option)
{
	bool is_tables = level->number == 41 && (option == 64 || option == 65 || option == 68 || option == 69);
	return is_tables;
}

static void show_get(int fd, int level, int option)
{
	uint8_t value[256] = {0};
	socklen_t bytes = sizeof(value);
	if (getsockopt(fd, level, option, value, &bytes))
		printf(" %s", result_of(-1));
	else
		printf(" "), show_bytes(value, bytes, 8);
}

struct value {
	const char *name;
	int32_t numbers[4];
	socklen_t bytes;
};

static const struct value values[] = {
	{"0", {0}, 4},    {"1", {1}, 4},     {"-1", {-1}, 4},
	{"2", {2}, 4},    {"200", {200}, 4}, {"1000000", {1000000}, 4},
	{"byte", {1}, 1}, {"empty", {1}, 0}, {"long", {1}, 16},
};

static void try_value(const struct kind *kind, enum state state, const struct level *level, int option,
                      const struct value *value)
{
	struct pair pair;
	pair_make(kind, state, &pair);
	printf("%s %s setsockopt %s/%d=%s\t", kind->name, state_names[state], level->name, option, value->name);
	printf("%s", result_of(setsockopt(pair.own, level->number, option, value->numbers, value->bytes)));
	show_get(pair.own, level->number, option);
	printf("\n");
	pair_close(&pair);
}

static void try_option(const struct kind *kind, enum state state, const struct level *level, int option)
{
	unsigned count = state == STATE_FRESH ? COUNT(values) : 2;
	struct pair pair;
	pair_make(kind, state, &pair);
	printf("%s %s getsockopt %s/%d\t", kind->name, state_names[state], level->name, option);
	show_get(pair.own, level->number, option);
	printf("\n");
	pair_close(&pair);
	for (unsigned i = 0; i < count; i++)
		try_value(kind, state, level, option, &values[i]);
}

static void try_levels(const struct kind *kind, enum state state)
{
	for (unsigned i = 0; i < COUNT(levels); i++) {
		bool is_whole = kind->family != AF_UNIX || levels[i].number == SOL_SOCKET;
		for (int option = 0; option < (is_whole ? levels[i].count : 3); option++)
			if (!is_left_out(&levels[i], option))
				try_option(kind, state, &levels[i], option);
	}
}

void part_options(void)
{
	for (unsigned i = 0; i < kind_count; i++)
		for (int state = 0; state < STATES; state++) {
			struct pair pair;
			if (!pair_make(&kinds[i], state, &pair))
				continue;
			pair_close(&pair);
			try_levels(&kinds[i], state);
		}
}
