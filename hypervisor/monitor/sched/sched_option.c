/* SPDX-License-Identifier: MIT */
/* Parses --sched, with the list of parameters in abi/sched_parameters.h. A value is accepted only if all of it is
 * understood. */
#include "sched/sched_option.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_area.h"
#include "abi/sched_parameters.h"
#include "base/value.h"
#include "sched/sched_profile.h"

#define NAME_BYTES 32

#define TEXT_OF(constant) TEXT_OF_EXPANDED(constant)
#define TEXT_OF_EXPANDED(constant) #constant

enum kind {
	KIND_time,
	KIND_ticks,
	KIND_count,
	KIND_depth,
	KIND_chance,
	KIND_address,
	KIND_counts,
	KIND_profile,
	KIND_pairs
};

struct parameter {
	enum sched_policy_id policy;
	unsigned index;
	enum kind kind;
	uint64_t otherwise;
	const char *name, *text;
};

static const struct parameter parameters[] = {
#define ROW(policy, name, index, kind, otherwise, text) {SCHED_##policy, index, KIND_##kind, otherwise, #name, text},
	SCHED_PARAMETER_LIST(ROW)
#undef ROW
};

#define PARAMETERS (sizeof(parameters) / sizeof(parameters[0]))

static const char *const policy_names[] = {
#define NAME(name, text) #name,
	SCHED_POLICY_LIST(NAME)
#undef NAME
		NULL,
};

static const char *const policy_texts[] = {
#define TEXT(name, text) text,
	SCHED_POLICY_LIST(TEXT)
#undef TEXT
};

static const char *value_form(enum kind kind)
{
	static const char *const forms[] = {
		[KIND_time] = "a time such as 100ms, or 0 for never",
		[KIND_ticks] = "a number of ticks, or a time such as 10ms, more than 0",
		[KIND_count] = "a number from 0 to 4294967295",
		[KIND_depth] = "a number from 1 to " TEXT_OF(SCHED_DEPTH_MAX),
		[KIND_chance] = "a number above 0 and up to 1, such as 0.25",
		[KIND_address] = "an address such as 0x404040, any, or 0 for none",
		[KIND_counts] = "numbers with slashes between, such as 1000/200/200",
		[KIND_profile] = "a file",
		[KIND_pairs] = "at most " TEXT_OF(SCHED_CONSTRAINTS_MAX) " pairs of sites in hexadecimal, such as "
									 "2038a1-203b7c/!2038a1-203c10",
	};
	return forms[kind];
}

const char *sched_option_policy_name(uint64_t policy)
{
	return policy < SCHED_POLICIES ? policy_names[policy] : "?";
}

/* Reads a number and returns the end of its digits. Returns NULL if there are no digits, or, with errno, if the number
 * exceeds 64 bits. */
static const char *read_digits(const char *text, uint64_t *value)
{
	char *end;
	errno = 0;
	if (!isdigit((unsigned char)*text))
		return NULL;
	*value = strtoull(text, &end, 10);
	return errno == ERANGE ? NULL : end;
}

/* Converts a whole number of ns, us, ms or s to ticks. Without a unit, a number is ticks if `bare`; otherwise only 0 is
 * allowed. */
static int read_ticks(const char *text, bool bare, uint64_t *ticks)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	uint64_t number;
	const char *unit = read_digits(text, &number);
	if (!unit)
		return errno ? -ERANGE : -EINVAL;
	*ticks = number;
	if (!*unit)
		return bare || !number ? 0 : -EINVAL;
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i].name))
			return __builtin_mul_overflow(number, units[i].ns * TICKS_PER_NS, ticks) || *ticks > INT64_MAX
			               ? -ERANGE
			               : 0;
	return -EINVAL;
}

/* Converts a decimal fraction of at most nine places to billionths, exactly. */
static int read_chance(const char *text, uint64_t *billionths)
{
	uint64_t whole, unit = SCHED_CHANCE_ONE;
	const char *at = read_digits(text, &whole);
	if (!at || whole > 1)
		return -EINVAL;
	*billionths = whole * SCHED_CHANCE_ONE;
	if (*at == '.')
		for (at++; isdigit((unsigned char)*at) && unit > 1; at++)
			*billionths += (uint64_t)(*at - '0') * (unit /= 10);
	return *at || !*billionths || *billionths > SCHED_CHANCE_ONE ? -EINVAL : 0;
}

/* Reads numbers separated by slashes. Returns how many, or a negative errno. */
static int read_counts(const char *text, uint64_t *counts, unsigned max)
{
	unsigned found = 0;
	do {
		if (found == max)
			return -ERANGE;
		text = read_digits(found ? text + 1 : text, &counts[found]);
		found++;
	} while (text && *text == '/');
	return text && !*text ? (int)found : -EINVAL;
}

/* Reads a site. Returns where its digits end, or NULL. */
static const char *read_site(const char *text, uint64_t *site)
{
	const size_t digits = strspn(text, "0123456789abcdefABCDEF");
	char *end;
	*site = strtoull(text, &end, 16);
	return digits <= 8 && end == text + digits && *site && *site <= SCHED_SITE_MASK ? end : NULL;
}

/* Reads pairs of sites separated by slashes. Returns how many, or a negative errno. */
static int read_pairs(const char *text, uint64_t *pairs)
{
	unsigned found = 0;
	for (const char *at = text; at; at++) {
		uint64_t from, to;
		const bool avoided = *at == '!';
		if (found == SCHED_CONSTRAINTS_MAX)
			return -ERANGE;
		at = read_site(at + avoided, &from);
		const bool is_order = at && *at == '+';
		at = at && (is_order || *at == '-') ? read_site(at + 1, &to) : NULL;
		if (!at)
			return -EINVAL;
		pairs[found++] =
			from << 32 | to | (avoided ? SCHED_PAIR_AVOIDED : 0) | (is_order ? SCHED_PAIR_ORDER : 0);
		if (!*at)
			return (int)found;
		if (*at != '/')
			return -EINVAL;
	}
	return -EINVAL;
}

/* Sets sched_config.counts by a parameter of the kinds `counts`, `profile` and `pairs`. */
static int set_counts(struct sched_config *config, const struct parameter *parameter, const char *value,
                      struct error *error)
{
	if (config->counts)
		return error_set(error, EINVAL,
		                 "--sched: %s sets the counts, which are set already; give one of the two",
		                 parameter->name);
	config->counts = calloc(SCHED_COUNTS_MAX, sizeof(uint64_t));
	if (!config->counts)
		return error_set(error, ENOMEM, "out of memory");
	int found = parameter->kind == KIND_profile ? sched_profile_read(value, config->counts, SCHED_COUNTS_MAX, error)
	            : parameter->kind == KIND_pairs ? read_pairs(value, config->counts)
	                                            : read_counts(value, config->counts, SCHED_COUNTS_MAX);
	config->boot.counts = found > 0 ? (uint64_t)found : 0;
	return found < 0 ? found : 0;
}

static int set_value(struct sched_config *config, const struct parameter *parameter, const char *value,
                     struct error *error)
{
	uint64_t *to = parameter->index < SCHED_PARAMETERS ? &config->boot.parameters[parameter->index] : NULL;
	int result = 0;
	error->text[0] = 0;
	switch (parameter->kind) {
	case KIND_time:
		result = read_ticks(value, false, to);
		if (!result && !*to)
			*to = SCHED_NEVER;
		break;
	case KIND_ticks:
		result = read_ticks(value, true, to);
		if (!result && !*to)
			result = -EINVAL;
		else if (!result && *to > INT64_MAX)
			result = -ERANGE;
		break;
	case KIND_count:
		result = value_number(value, to);
		if (!result && *to > UINT32_MAX)
			result = -ERANGE;
		break;
	case KIND_depth:
		result = value_number(value, to);
		if (!result && (!*to || *to > SCHED_DEPTH_MAX))
			result = -ERANGE;
		break;
	case KIND_chance:
		result = read_chance(value, to);
		break;
	case KIND_address:
		if (!strcmp(value, "any"))
			*to = SCHED_OBJECT_ANY;
		else
			result = value_number(value, to);
		break;
	case KIND_counts:
	case KIND_profile:
	case KIND_pairs:
		result = set_counts(config, parameter, value, error);
		break;
	}
	if (result == -ERANGE && !error->text[0] && (parameter->kind == KIND_time || parameter->kind == KIND_ticks))
		return error_set(error, ERANGE, "--sched: %s=%.80s is too large: give at most %" PRIu64 "s",
		                 parameter->name, value, (uint64_t)INT64_MAX / TICKS_PER_NS / 1000000000);
	if (result && !error->text[0])
		return error_set(error, -result, "--sched: %s=%.80s: give %s", parameter->name, value,
		                 value_form(parameter->kind));
	return result;
}

/* Reports that a word is not in names[], lists these, and suggests a similar one. Returns -EINVAL. */
static int refuse_word(const char *what, const char *word, const char *const *names, struct error *error)
{
	const char *nearest = value_nearest(word, names);
	const char *verb = !names[0] ? "are none" : !names[1] ? "is" : "are";
	const size_t max = sizeof(error->text);
	size_t used = (size_t)snprintf(error->text, max, "--sched: there is no %s '%.60s'; there %s", what, word, verb);
	for (; *names && used < max; names++)
		used += (size_t)snprintf(error->text + used, max - used, " %s", *names);
	if (nearest && used < max)
		snprintf(error->text + used, max - used, "; did you mean %s?", nearest);
	return -EINVAL;
}

/* Sets one parameter. Bits of *given mark the entries of parameters[] that have been given. */
static int set_parameter(struct sched_config *config, const char *name, const char *value, uint32_t *given,
                         struct error *error)
{
	const char *names[PARAMETERS + 1];
	char what[64];
	unsigned count = 0;
	for (unsigned i = 0; i < PARAMETERS; i++) {
		if (parameters[i].policy != config->boot.policy)
			continue;
		names[count++] = parameters[i].name;
		if (strcmp(parameters[i].name, name))
			continue;
		if (*given & 1U << i)
			return error_set(error, EINVAL, "--sched: %s is given twice; give it once", name);
		*given |= 1U << i;
		if (!value || !*value)
			return error_set(error, EINVAL, "--sched: %s needs a value, %s", name,
			                 value_form(parameters[i].kind));
		return set_value(config, &parameters[i], value, error);
	}
	names[count] = NULL;
	snprintf(what, sizeof(what), "parameter of %s", policy_names[config->boot.policy]);
	return refuse_word(what, name, names, error);
}

/* Copies the next word up to one of `ends`. Returns where it ends, or NULL when it is too long. */
static const char *take_word(const char *text, const char *ends, char *word, size_t bytes)
{
	size_t length = strcspn(text, ends);
	if (length >= bytes)
		return NULL;
	memcpy(word, text, length);
	word[length] = 0;
	return text + length;
}

static int set_policy(struct sched_config *config, const char *name, struct error *error)
{
	for (unsigned i = 0; i < SCHED_POLICIES; i++) {
		if (strcmp(name, policy_names[i]))
			continue;
		config->boot.policy = i;
		return 0;
	}
	return refuse_word("policy", name, policy_names, error);
}

int sched_option_parse(const char *text, struct sched_config *config, struct error *error)
{
	const size_t value_bytes = strlen(text) + 1; /* counts of all threads are long */
	char name[NAME_BYTES], *value = malloc(value_bytes);
	uint32_t given = 0;
	if (!value)
		return error_set(error, ENOMEM, "out of memory");
	_Static_assert(PARAMETERS <= 32, "bits of given");
	const char *at = take_word(text, ":", name, sizeof(name));
	memset(config->boot.parameters, 0, sizeof(config->boot.parameters));
	int result = at ? set_policy(config, name, error) : refuse_word("policy", text, policy_names, error);
	while (!result && *at) {
		at = take_word(at + 1, "=,", name, sizeof(name));
		bool has_value = at && *at == '=';
		if (has_value)
			at = take_word(at + 1, ",", value, value_bytes);
		result = at ? set_parameter(config, name, has_value ? value : NULL, &given, error)
		            : error_set(error, EINVAL, "--sched: a name in '%.100s...' is too long", text);
	}
	free(value);
	return result;
}

static int describe_value(const struct parameter *parameter, uint64_t value, char *to, size_t bytes)
{
	uint64_t ns = value / TICKS_PER_NS;
	if (parameter->kind == KIND_address && value == SCHED_OBJECT_ANY)
		return snprintf(to, bytes, "%s=any", parameter->name);
	if (value == SCHED_NEVER)
		return snprintf(to, bytes, "%s=0", parameter->name);
	switch (parameter->kind) {
	case KIND_time:
		return ns % 1000000 ? snprintf(to, bytes, "%s=%" PRIu64 "ns", parameter->name, ns)
		                    : snprintf(to, bytes, "%s=%" PRIu64 "ms", parameter->name, ns / 1000000);
	case KIND_chance: {
		int length = snprintf(to, bytes, "%s=%" PRIu64 ".%09" PRIu64, parameter->name, value / SCHED_CHANCE_ONE,
		                      value % SCHED_CHANCE_ONE);
		while (length > 0 && (size_t)length < bytes && to[length - 1] == '0')
			to[--length] = 0;
		if (length > 0 && (size_t)length < bytes && to[length - 1] == '.')
			to[--length] = 0;
		return length;
	}
	case KIND_address:
		return snprintf(to, bytes, "%s=%#" PRIx64, parameter->name, value);
	default:
		return snprintf(to, bytes, "%s=%" PRIu64, parameter->name, value);
	}
}

int sched_option_describe(const struct boot_sched *boot, char *to, size_t bytes)
{
	int used = snprintf(to, bytes, "%s", sched_option_policy_name(boot->policy));
	char separator = ':';
	for (unsigned i = 0; i < PARAMETERS; i++) {
		const struct parameter *parameter = &parameters[i];
		char value[64];
		if (parameter->policy != boot->policy || parameter->index >= SCHED_PARAMETERS)
			continue;
		uint64_t set = boot->parameters[parameter->index];
		describe_value(parameter, set ? set : parameter->otherwise, value, sizeof(value));
		bool room = (size_t)used < bytes;
		used += snprintf(room ? to + used : NULL, room ? bytes - (size_t)used : 0, "%c%s", separator, value);
		separator = ',';
	}
	return used;
}

void sched_option_help(FILE *to)
{
	fprintf(to, "Policies of --sched NAME[:PARAMETER=VALUE,...], and their parameters (docs/scheduling.md):\n");
	for (unsigned policy = 0; policy < SCHED_POLICIES; policy++) {
		fprintf(to, "  %-10s %s\n", policy_names[policy], policy_texts[policy]);
		for (unsigned i = 0; i < PARAMETERS; i++)
			if (parameters[i].policy == policy)
				fprintf(to, "    %-8s %s\n", parameters[i].name, parameters[i].text);
	}
}
