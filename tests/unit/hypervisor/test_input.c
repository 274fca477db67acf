/* SPDX-License-Identifier: MIT */
/* Standard input: what a guest is given does not depend on whether the descriptor waits, and errors stay errors. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

#include "run/streams/input.h"

static int feed; /* the other end of standard input */

/* Makes standard input a pipe that does not wait. */
static void begin(void)
{
	int ends[2];
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	feed = ends[1];
}

/* As the monitor calls it. */
static ssize_t read_again(struct input *input, void *to, size_t bytes)
{
	ssize_t got;
	do
		got = input_read(input, to, bytes);
	while (got == -EINTR);
	return got;
}

/* A guest that changes its memory when the monitor is about to keep what it has read. */
static char *changing;
void *__real_realloc(void *at, size_t bytes);
void *__wrap_realloc(void *at, size_t bytes);

void *__wrap_realloc(void *at, size_t bytes)
{
	if (changing)
		memset(changing, 'x', 4);
	return __real_realloc(at, bytes);
}

/* The second run of a comparison is given what the first was. */
static void test_changes(void **state)
{
	struct input input = {.keep = true};
	char text[16] = "", again[16] = "";
	(void)state;
	begin();
	assert_int_equal(write(feed, "late", 4), 4);
	changing = text;
	assert_int_equal(read_again(&input, text, sizeof(text)), 4);
	changing = NULL;
	assert_string_equal(text, "late");
	input_rewind(&input);
	assert_int_equal(read_again(&input, again, sizeof(again)), 4);
	assert_string_equal(again, "late");
	close(feed);
	input_fini(&input);
}

/* Posted when the reader is about to wait. */
static sem_t waits;
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	sem_post(&waits);
	return __real_poll(fds, count, timeout);
}

static void *write_later(void *text)
{
	sem_wait(&waits);
	return write(feed, text, strlen(text)) == (ssize_t)strlen(text) ? text : NULL;
}

static void test_waits(void **state)
{
	struct input input = {.keep = true};
	char text[16] = "", late[] = "late";
	pthread_t writer;
	void *written;
	(void)state;
	begin();
	sem_init(&waits, 0, 0);
	assert_int_equal(pthread_create(&writer, NULL, write_later, late), 0);
	assert_int_equal(read_again(&input, text, sizeof(text)), 4);
	assert_string_equal(text, "late");
	pthread_join(writer, &written);
	assert_ptr_equal(written, late);
	close(feed);
	assert_int_equal(read_again(&input, text, sizeof(text)), 0);
	/* The second run of a comparison is given the same. */
	input_rewind(&input);
	assert_int_equal(read_again(&input, text, 3), 3);
	assert_int_equal(read_again(&input, text, sizeof(text)), 1);
	assert_int_equal(read_again(&input, text, sizeof(text)), 0);
	input_fini(&input);
}

static void test_errors(void **state)
{
	struct input input = {0};
	char text[16];
	(void)state;
	int directory = open("/", O_RDONLY | O_DIRECTORY);
	assert_int_equal(dup2(directory, STDIN_FILENO), STDIN_FILENO);
	close(directory);
	assert_int_equal(input_read(&input, text, sizeof(text)), -EISDIR);
	close(STDIN_FILENO);
	assert_int_equal(input_read(&input, text, sizeof(text)), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_waits),
	cmocka_unit_test(test_changes),
	cmocka_unit_test(test_errors),
};

TAP_MAIN(tests)
