/* SPDX-License-Identifier: MIT */
/* `bytecode` is how 0.9.0 gave Python sources their times: it remains for its images and recordings. */
#include "session/file_times.h"

#include <string.h>

#include "base/value.h"

#define CONTENT "content"

bool file_times_take(struct run_config *run, const char *text)
{
	int64_t time_ns = FILE_TIMES_FIXED_NS;
	if (!strcmp(text, CONTENT))
		text = DEFAULT_FILE_TIMES;
	const bool is_host = !strcmp(text, "host"), is_bytecode = !strcmp(text, "bytecode");
	const bool is_content = !strncmp(text, CONTENT ":", strlen(CONTENT ":"));
	if (!strcmp(text, "epoch"))
		time_ns = 0;
	else if (!is_host && !is_bytecode && value_time(text + (is_content ? strlen(CONTENT ":") : 0), &time_ns))
		return false;
	run->file_times = text;
	run->file_time_ns = time_ns;
	run->host_file_times = is_host;
	run->bytecode_file_times = is_bytecode || is_content;
	run->content_file_times = is_content;
	return true;
}
