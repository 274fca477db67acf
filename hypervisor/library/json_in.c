/* SPDX-License-Identifier: MIT */
#include "library/json_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/die.h"
#include "base/memory.h"
#include "base/text.h"

#define JSON_IN_BYTES_MAX (1L << 30)

cJSON *json_in_parse(const struct json_in *in, const char *text, size_t bytes)
{
	const char *end = text;
	cJSON *json = cjson.ParseWithLengthOpts(text, bytes, &end, false);
	while (json && end < text + bytes && (*end == ' ' || *end == '\t' || *end == '\r' || *end == '\n'))
		end++;
	if (!json || end != text + bytes)
		die("%s: %s: %s is not JSON; give a file of --results=json:FILE", in->verb, in->option, in->path);
	return json;
}

cJSON *json_in_read(const struct json_in *in)
{
	struct stat st;
	int fd = open(in->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st))
		die("%s: %s: cannot open %s: %s", in->verb, in->option, in->path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > JSON_IN_BYTES_MAX)
		die("%s: %s: %s is not a file with %s", in->verb, in->option, in->path, in->what);
	char *text = memory_or_die(malloc((size_t)st.st_size + 1));
	if (read(fd, text, (size_t)st.st_size) != st.st_size)
		die("%s: %s: cannot read %s", in->verb, in->option, in->path);
	close(fd);
	cJSON *json = json_in_parse(in, text, (size_t)st.st_size);
	free(text);
	return json;
}

void json_in_reject(const struct json_in *in, const char *member)
{
	die("%s: %s: %s is not %s: its %s is missing or not valid", in->verb, in->option, in->path, in->what, member);
}

double json_in_real(const struct json_in *in, const cJSON *object, const char *name)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(object, name);
	if (!cjson.IsNumber(found) || !(found->valuedouble >= 0 && found->valuedouble < (double)JSON_IN_COUNT_MAX))
		json_in_reject(in, name);
	return found->valuedouble;
}

uint64_t json_in_number(const struct json_in *in, const cJSON *object, const char *name, uint64_t min, uint64_t max)
{
	const double value = json_in_real(in, object, name);
	if (value != (double)(uint64_t)value || value < (double)min || value > (double)max)
		json_in_reject(in, name);
	return (uint64_t)value;
}

const char *json_in_text(const struct json_in *in, const cJSON *object, const char *name)
{
	const char *text = json_in_text_or_null(in, object, name);
	if (!text)
		json_in_reject(in, name);
	return text;
}

const char *json_in_text_or_null(const struct json_in *in, const cJSON *object, const char *name)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(object, name);
	if (!found || cjson.IsNull(found))
		return NULL;
	if (!cjson.IsString(found))
		json_in_reject(in, name);
	clean_text(found->valuestring, strlen(found->valuestring));
	return found->valuestring;
}

const char *json_in_bytes(const struct json_in *in, const cJSON *object, const char *name)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(object, name);
	if (!cjson.IsString(found))
		json_in_reject(in, name);
	return found->valuestring;
}

const cJSON *json_in_array(const struct json_in *in, const cJSON *object, const char *name)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(object, name);
	if (!cjson.IsArray(found))
		json_in_reject(in, name);
	return found->child;
}

char *json_in_block(const struct json_in *in, const cJSON *object, const char *name)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(object, name);
	const bool is_there = found && !cjson.IsNull(found);
	if (is_there && !cjson.IsString(found))
		json_in_reject(in, name);
	char *block = text_copy(is_there ? found->valuestring : "");
	for (char *line = block; *line;) {
		const size_t length = strcspn(line, "\n");
		clean_text(line, length);
		line += length + (line[length] == '\n');
	}
	return block;
}

char *json_in_lines(const struct json_in *in, const cJSON *object, const char *name)
{
	struct text_made made;
	FILE *to = text_open(&made);
	for (const cJSON *at = json_in_array(in, object, name); at; at = at->next) {
		if (!cjson.IsString(at))
			json_in_reject(in, name);
		clean_text(at->valuestring, strlen(at->valuestring));
		fprintf(to, "%s\n", at->valuestring);
	}
	return text_close(&made);
}
