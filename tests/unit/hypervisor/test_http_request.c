/* SPDX-License-Identifier: MIT */
/* Requests of HTTP are found wherever the bytes of a stream are divided. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <string.h>

#include "record/http_request.h"

static char found[512];

/* Feeds a text in pieces of that size, and notes what is found: a key, `.` for an end, `!` for what is no request. */
static void feed(const char *text, size_t piece)
{
	struct http_request request = {0};
	size_t bytes = strlen(text), taken;
	found[0] = 0;
	for (size_t at = 0; at < bytes;) {
		size_t run = bytes - at < piece ? bytes - at : piece;
		enum http_found what = HTTP_MORE;
		for (size_t done = 0; what != HTTP_RAW; done += taken) {
			what = http_request_take(&request, (const uint8_t *)text + at + done, run - done, &taken);
			char *end = found + strlen(found);
			if (what == HTTP_MORE)
				break;
			snprintf(end, (size_t)(found + sizeof(found) - end), "%s",
			         what == HTTP_HEAD  ? request.key
			         : what == HTTP_END ? "."
			                            : "!");
		}
		if (what == HTTP_RAW)
			break;
		at += run;
	}
	http_request_free(&request);
}

static void expect(const char *text, const char *wanted)
{
	for (size_t piece = 1; piece <= strlen(text); piece++) {
		feed(text, piece);
		assert_string_equal(found, wanted);
	}
}

static void test_requests(void **state)
{
	(void)state;
	expect("GET /a HTTP/1.1\r\nHost: x:80\r\n\r\n", "GET /a x:80.");
	expect("GET / HTTP/1.0\n\n", "GET / .");
	expect("GET /a HTTP/1.1\r\nhost:x\r\n\r\nHEAD /b HTTP/1.1\r\nHost: y \r\n\r\n", "GET /a x.HEAD /b y.");
	expect("M-SEARCH * HTTP/1.1\r\n\r\n", "M-SEARCH * .");
}

static void test_bodies(void **state)
{
	(void)state;
	expect("PUT /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nGET /GET /b HTTP/1.1\r\n\r\n", "PUT /a .GET /b .");
	expect("PUT /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nGET ", "PUT /a ");
	expect("PUT /a HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: "
	       "u\r\n\r\n"
	       "GET /b HTTP/1.1\r\n\r\n",
	       "PUT /a .GET /b .");
}

static void test_what_is_none(void **state)
{
	(void)state;
	expect("\x16\x03\x01", "!");
	expect("get / HTTP/1.1\r\n\r\n", "!");
	expect("HELO example.org\r\n", "!");
	expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "!");
	expect("CONNECT a:443 HTTP/1.1\r\n\r\n\x16\x03\x01", "CONNECT a:443 .!");
	expect("GET /", "");
	expect("PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\nabc", "!");
	expect("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc", "PUT / !");
}

static void test_too_long(void **state)
{
	static char text[HTTP_HEAD_MAX + 100];
	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	memcpy(text, "GET /", 5);
	feed(text, 1000);
	assert_string_equal(found, "!");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_requests),
	cmocka_unit_test(test_bodies),
	cmocka_unit_test(test_what_is_none),
	cmocka_unit_test(test_too_long),
};

TAP_MAIN(tests)
