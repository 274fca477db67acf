/* SPDX-License-Identifier: MIT */
/* Reads JSON that a stranger may have written: each function ends eremite with one sentence if a member is missing or
 * not valid. Texts are made fit for a terminal (clean_text.h), except by json_in_bytes(). */
#ifndef HYPERVISOR_JSON_IN_H
#define HYPERVISOR_JSON_IN_H

#include <stddef.h>
#include <stdint.h>

#include "library/cjson.h"

/** A file, and what messages say of it. */
struct json_in {
	const char *verb, *option; /**< "search", "--resume" */
	const char *path;
	const char *what; /**< "the results of a search" */
};

/** Integers up to here are exact in a double. */
#define JSON_IN_COUNT_MAX (1UL << 53)

/** Parses a text. The caller calls cjson.Delete. */
cJSON *json_in_parse(const struct json_in *in, const char *text, size_t bytes);

/** Reads and parses the file, a regular one of at most 1 GiB. The caller calls cjson.Delete. */
cJSON *json_in_read(const struct json_in *in);

/** Ends eremite because of a member. */
_Noreturn void json_in_reject(const struct json_in *in, const char *member);

/** A number that is not negative. */
double json_in_real(const struct json_in *in, const cJSON *object, const char *name);

/** An integer from min to max. */
uint64_t json_in_number(const struct json_in *in, const cJSON *object, const char *name, uint64_t min, uint64_t max);

/** A text, which stays the object's. */
const char *json_in_text(const struct json_in *in, const cJSON *object, const char *name);

/** A text, or NULL for null or a member that is not there. */
const char *json_in_text_or_null(const struct json_in *in, const cJSON *object, const char *name);

/** A text whose bytes are kept, such as a command line with arguments of several lines. It stays the object's. It may
 * reach a terminal through image_text_put_words() or say() only. */
const char *json_in_bytes(const struct json_in *in, const cJSON *object, const char *name);

/** The first element of an array; its `next` is the one behind it. NULL: the array is empty. */
const cJSON *json_in_array(const struct json_in *in, const cJSON *object, const char *name);

/** A text of several lines, each with a newline; "" for null or a member that is not there. The caller frees it. */
char *json_in_block(const struct json_in *in, const cJSON *object, const char *name);

/** The lines of an array of texts, each with a newline. The caller frees them. */
char *json_in_lines(const struct json_in *in, const cJSON *object, const char *name);

#endif
