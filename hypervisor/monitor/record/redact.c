/* SPDX-License-Identifier: MIT */
#include "record/redact.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct redact {
	unsigned count;
	regex_t compiled[REDACT_MOST];
};

int redact_create(struct redact **out, char *const *expressions, unsigned count, struct error *error)
{
	char why[128];
	if (count > REDACT_MOST)
		return error_set(error, E2BIG, "--redact is given %u times; give it at most %d times", count,
		                 REDACT_MOST);
	struct redact *redact = calloc(1, sizeof(*redact));
	if (!redact)
		return error_set(error, ENOMEM, "out of memory for --redact");
	for (; redact->count < count; redact->count++) {
		regex_t *compiled = &redact->compiled[redact->count];
		int result = *expressions[redact->count]
		                     ? regcomp(compiled, expressions[redact->count], REG_EXTENDED | REG_NEWLINE)
		                     : REG_BADPAT;
		if (!result)
			continue;
		if (*expressions[redact->count])
			regerror(result, compiled, why, sizeof(why));
		else
			strcpy(why, "it is empty");
		error_set(error, EINVAL, "--redact '%.60s': %s; give an extended regular expression, see regex(7)",
		          expressions[redact->count], why);
		redact_destroy(redact);
		return -EINVAL;
	}
	*out = redact;
	return 0;
}

void redact_destroy(struct redact *redact)
{
	for (unsigned i = 0; redact && i < redact->count; i++)
		regfree(&redact->compiled[i]);
	free(redact);
}

unsigned redact_count(const struct redact *redact)
{
	return redact->count;
}

int redact_find(const struct redact *redact, unsigned expression, const uint8_t *text, size_t bytes, size_t from,
                bool begins, bool ends, struct redact_range *match)
{
	int flags = REG_STARTEND | (begins ? 0 : REG_NOTBOL) | (ends ? 0 : REG_NOTEOL);
	while (from < bytes) {
		regmatch_t found = {.rm_so = (regoff_t)from, .rm_eo = (regoff_t)bytes};
		int result = regexec(&redact->compiled[expression], (const char *)text, 1, &found, flags);
		if (result)
			return result == REG_NOMATCH ? 0 : -ENOMEM;
		*match = (struct redact_range){(size_t)found.rm_so, (size_t)found.rm_eo};
		if (match->end > match->start)
			return 1;
		from = match->start + 1; /* an empty match hides nothing */
	}
	return 0;
}

int redact_mask(const struct redact *redact, const uint8_t *text, size_t bytes, uint8_t *mask)
{
	struct redact_range match;
	int result, count = 0;
	for (unsigned i = 0; i < redact->count; i++) {
		for (size_t from = 0; (result = redact_find(redact, i, text, bytes, from, true, true, &match)) > 0;
		     from = match.end) {
			memset(mask + match.start, 1, match.end - match.start);
			count++;
		}
		if (result < 0)
			return result;
	}
	return count;
}

/* Replaces the matches in a text. */
static int replace_secrets(const struct redact *redact, char *text, size_t bytes)
{
	uint8_t *mask = calloc(1, bytes + 1);
	int found = mask ? redact_mask(redact, (const uint8_t *)text, bytes, mask) : -ENOMEM;
	for (size_t i = 0; i < bytes && found > 0; i++)
		text[i] = mask[i] ? REDACT_BYTE : text[i];
	free(mask);
	return found < 0 ? found : 0;
}

int redact_paths(const struct redact *redact, char *list, size_t bytes)
{
	const char *end = list + bytes;
	int result = 0;
	while (list < end && !result) {
		char *next = memchr(list, '\n', (size_t)(end - list));
		char *size = memchr(list, ' ', (size_t)(end - list));
		char *path = size ? memchr(size + 1, ' ', (size_t)(end - size - 1)) : NULL;
		next = next ? next : list + (end - list);
		if (path && path < next)
			result = replace_secrets(redact, path + 1, (size_t)(next - path - 1));
		list = next + 1;
	}
	return result;
}
