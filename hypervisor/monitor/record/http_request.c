/* SPDX-License-Identifier: MIT */
#include "record/http_request.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define METHOD_MAX 24

static enum http_found give_up_request(struct http_request *request)
{
	request->state = HTTP_IS_RAW;
	return HTTP_RAW;
}

/* Whether a head may begin like this: a method, a space, and at the end of the line a version. */
static bool may_begin(const char *head, size_t bytes)
{
	size_t method = 0;
	while (method < bytes && method < METHOD_MAX && (isupper((unsigned char)head[method]) || head[method] == '-'))
		method++;
	if (method == bytes)
		return true;
	const char *end = memchr(head, '\n', bytes);
	if (!method || head[method] != ' ' || memchr(head, 0, end ? (size_t)(end - head) : bytes))
		return false;
	if (!end)
		return true;
	if (end[-1] == '\r')
		end--;
	return end - head >= 9 && !memcmp(end - 9, " HTTP/1.", 8) && isdigit((unsigned char)end[-1]);
}

/* The value of a header without spaces around it, and its length; NULL: the head lacks it. */
static const char *header(const char *head, const char *name, size_t *bytes)
{
	size_t length = strlen(name);
	for (const char *line = strchr(head, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
		if (strncasecmp(line + 1, name, length) || line[1 + length] != ':')
			continue;
		const char *value = line + length + 2;
		value += strspn(value, " \t");
		*bytes = strcspn(value, "\r\n");
		while (*bytes && (value[*bytes - 1] == ' ' || value[*bytes - 1] == '\t'))
			(*bytes)--;
		return value;
	}
	return NULL;
}

/* The state after a head: how the body ends. Returns false if the head does not say that rightly. */
static bool begin_body(struct http_request *request)
{
	size_t bytes;
	const char *value = header(request->head, "Transfer-Encoding", &bytes);
	if (value && bytes >= 7 && !strncasecmp(value + bytes - 7, "chunked", 7)) {
		request->state = HTTP_IN_SIZE;
		request->line_bytes = 0;
		return true;
	}
	value = header(request->head, "Content-Length", &bytes);
	if (value && !isdigit((unsigned char)*value))
		return false;
	request->left = value ? strtoull(value, NULL, 10) : 0;
	request->state = HTTP_IN_BODY;
	return true;
}

static enum http_found end_head(struct http_request *request)
{
	size_t target = strcspn(request->head, " ") + 1, host_bytes = 0;
	request->head[request->bytes] = 0;
	target += strcspn(request->head + target, " \r\n");
	const char *host = header(request->head, "Host", &host_bytes);
	free(request->key);
	if (asprintf(&request->key, "%.*s %.*s", (int)target, request->head, (int)host_bytes, host ? host : "") < 0)
		request->key = NULL;
	if (!request->key || !begin_body(request)) { /* the last byte is not taken */
		request->bytes--;
		request->number--;
		return give_up_request(request);
	}
	request->bytes = 0;
	return HTTP_HEAD;
}

/* Takes one byte of a head. */
static enum http_found take_head(struct http_request *request, char byte)
{
	if (!request->bytes)
		request->start = request->number;
	if (!request->head)
		request->head = malloc(HTTP_HEAD_MAX + 1);
	if (!request->head || request->bytes == HTTP_HEAD_MAX)
		return give_up_request(request);
	request->head[request->bytes] = byte;
	size_t bytes = request->bytes + 1;
	bool is_start = bytes <= METHOD_MAX + 1 ||
	                (byte == '\n' && memchr(request->head, '\n', bytes) == request->head + bytes - 1);
	if (is_start && !may_begin(request->head, bytes))
		return give_up_request(request);
	request->bytes = bytes;
	request->number++;
	const char *end = request->head + bytes;
	bool is_end =
		byte == '\n' && bytes > 2 && (end[-2] == '\n' || (end[-2] == '\r' && bytes > 3 && end[-3] == '\n'));
	return is_end ? end_head(request) : HTTP_MORE;
}

static enum http_found end_request(struct http_request *request)
{
	request->state = HTTP_IN_HEAD;
	return HTTP_END;
}

/* Takes one byte of a line between chunks, or of a trailer. */
static enum http_found take_line(struct http_request *request, char byte)
{
	request->number++;
	if (byte != '\n') {
		if (request->line_bytes < sizeof(request->line) - 1)
			request->line[request->line_bytes++] = byte;
		return HTTP_MORE;
	}
	request->line[request->line_bytes] = 0;
	bool is_empty = !request->line[0] || request->line[0] == '\r';
	request->line_bytes = 0;
	if (request->state == HTTP_IN_TRAILER)
		return is_empty ? end_request(request) : HTTP_MORE;
	if (is_empty) /* after the bytes of a chunk */
		return HTTP_MORE;
	if (!isxdigit((unsigned char)request->line[0])) {
		request->start = --request->number;
		return give_up_request(request);
	}
	request->left = strtoull(request->line, NULL, 16);
	request->state = request->left ? HTTP_IN_CHUNK : HTTP_IN_TRAILER;
	return HTTP_MORE;
}

static void take_body(struct http_request *request, size_t bytes, size_t *taken)
{
	size_t run = bytes - *taken;
	run = run < request->left ? run : (size_t)request->left;
	request->left -= run;
	request->number += run;
	*taken += run;
	if (!request->left && request->state == HTTP_IN_CHUNK)
		request->state = HTTP_IN_SIZE;
}

enum http_found http_request_take(struct http_request *request, const uint8_t *data, size_t bytes, size_t *taken)
{
	enum http_found found = HTTP_MORE;
	*taken = 0;
	while (found == HTTP_MORE) {
		if (request->state == HTTP_IS_RAW)
			return HTTP_RAW;
		if (request->state == HTTP_IN_BODY && !request->left)
			return end_request(request);
		if (*taken == bytes)
			return HTTP_MORE;
		if (request->state == HTTP_IN_BODY || request->state == HTTP_IN_CHUNK) {
			take_body(request, bytes, taken);
			continue;
		}
		char byte = (char)data[*taken];
		found = request->state == HTTP_IN_HEAD ? take_head(request, byte) : take_line(request, byte);
		*taken += found != HTTP_RAW;
	}
	return found;
}

void http_request_free(struct http_request *request)
{
	free(request->head);
	free(request->key);
	*request = (struct http_request){0};
}
