/* SPDX-License-Identifier: MIT */
#include "session/redact_option.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "base/text.h"

struct redact *redact_option_open(char **expressions, unsigned count)
{
	struct redact *redact;
	struct error error;
	if (!count)
		return NULL;
	if (redact_create(&redact, expressions, count, &error))
		die("run: %s", error.text);
	return redact;
}

/* Whether a match in mask[from, kept) has no byte behind it: nothing of it can be replaced. */
static bool is_all_kept(const uint8_t *mask, size_t bytes, size_t from, size_t kept)
{
	for (size_t i = from; i < kept; i++) {
		size_t start = i;
		while (i < bytes && mask[i])
			i++;
		if (i > start && i <= kept)
			return true;
	}
	return false;
}

/* Replaces the matches in text + from, but for the first `kept` bytes of the text. Returns the text itself without a
 * match, or a copy. Stores whether a match has none but kept bytes. */
static char *replace_matches(const struct redact *redact, char *text, size_t from, size_t kept, bool *is_needed)
{
	size_t bytes = strlen(text), replaced = 0;
	uint8_t *mask = calloc(1, bytes + 1);
	char *copy = strdup(text);
	if (!mask || !copy || redact_mask(redact, (const uint8_t *)text + from, bytes - from, mask + from) < 0)
		die("out of memory for --redact");
	*is_needed = is_all_kept(mask, bytes, from, kept);
	for (size_t i = kept; i < bytes; i++) {
		copy[i] = mask[i] ? REDACT_BYTE : copy[i];
		replaced += mask[i];
	}
	free(mask);
	if (replaced)
		return copy;
	free(copy);
	return text;
}

static void refuse_needed(const char *what)
{
	die("run: --redact matches %s, which a replay needs; give an expression that does not match it", what);
}

char *redact_option_input(const struct redact *redact, char *input)
{
	bool is_needed, is_env = !strncmp(input, "--env=", 6), is_argv0 = !strncmp(input, "--argv0=", 8);
	const char *value = strchr(input, '=');
	if (!redact || !value)
		return input;
	size_t from = (size_t)(value + 1 - input), kept = is_argv0 ? from : strlen(input);
	if (is_env)
		kept = from + strcspn(input + from, "=") + 1;
	if (kept > strlen(input))
		kept = strlen(input);
	char *redacted = replace_matches(redact, input, from, kept, &is_needed);
	if (is_needed && is_env)
		refuse_needed("the name of a variable of --env");
	if (is_needed) {
		char name[64];
		snprintf(name, sizeof(name), "the value of %.*s", (int)(from - 1), input);
		refuse_needed(name);
	}
	return redacted;
}

char *redact_option_argument(const struct redact *redact, char *argument, bool is_program)
{
	bool is_needed;
	if (!redact)
		return argument;
	argument = replace_matches(redact, argument, 0, is_program ? strlen(argument) : 0, &is_needed);
	if (is_needed)
		refuse_needed("the name of the program");
	return argument;
}

void redact_option_say(const struct redact_counts *counts, bool says_counts)
{
	if (says_counts)
		say("--redact replaced %" PRIu64 " byte%s of %" PRIu64 " match%s in what came and what was sent",
		    counts->bytes - counts->unseen, text_s(counts->bytes - counts->unseen), counts->matches,
		    counts->matches == 1 ? "" : "es");
	if (counts->unseen)
		say("warning: --redact replaced %" PRIu64 " bytes without a match, because more than %lu MiB waited "
		    "for the end of their connections; a replay has them as '%c'",
		    counts->unseen, REDACT_HELD_MAX >> 20, REDACT_BYTE);
	if (counts->tls)
		say("warning: %" PRIu64 " connection%s TLS, where --redact sees no text; whoever has the recording "
		    "can compute the keys from its seed",
		    counts->tls, counts->tls == 1 ? " is" : "s are");
}

void redact_option_say_used(const struct replay *replay)
{
	char where[64];
	if (!replay->redacted.is)
		return;
	if (replay->redacted.is_input)
		snprintf(where, sizeof(where), "standard input");
	else if (!replay->redacted.flow)
		snprintf(where, sizeof(where), "a datagram");
	else
		snprintf(where, sizeof(where), "what came by the %s connection %u",
		         replay->redacted.flow & NETWORK_INCOMING ? "incoming" : "outgoing",
		         replay->redacted.flow & ~NETWORK_INCOMING);
	if (replay->redacted.was_given)
		say("the recording was redacted: the first byte that was replaced is byte %" PRIu64 " of %s",
		    replay->redacted.at, where);
	else
		say("the recording was redacted (--redact), but the program was given no byte that was replaced by "
		    "the network or standard input; it may have been in an argument or in the environment");
}
