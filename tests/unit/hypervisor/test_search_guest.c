/* SPDX-License-Identifier: MIT */
/* The channel to a guest that makes tries: neither a monitor that says a part of a message, nor one that takes none of
 * its tries, nor one that does not end, can make a search wait. The test plays the monitor. */
#include "search/search_guest.h"

#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/run_tries.h"

#define TRIES 1000U
#define COUNTS 60U /* of each */

static struct search_guest guest;
static int from_search, to_search;
static bool waits_no_longer; /* waiting for a child ends at once */

int search_slot_start_guest(struct search_slot *slot, const struct search_option *option,
                            const struct tries_channel *channel, int input, const sigset_t *mask)
{
	int ready[2];
	char byte;
	(void)option, (void)input, (void)mask;
	from_search = fcntl(channel->in, F_DUPFD_CLOEXEC, 0);
	to_search = fcntl(channel->out, F_DUPFD_CLOEXEC, 0);
	assert_int_equal(pipe(ready), 0);
	slot->child = fork();
	if (!slot->child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nothing */
		signal(SIGTERM, SIG_IGN);
		for (int fd = 3; fd < 64; fd++)
			if (fd != ready[1])
				close(fd); /* the test alone has the ends of the channel */
		if (write(ready[1], "", 1) == 1)
			for (;;)
				pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return 0;
}

static void schedule_of(const void *context, uint64_t number, struct sched_config *config)
{
	(void)context;
	*config = (struct sched_config){.boot = {.seed = number, .counts = COUNTS}};
	config->counts = calloc(COUNTS, sizeof(config->counts[0]));
	assert_non_null(config->counts);
	config->counts[COUNTS - 1] = number;
}

int __real_poll(struct pollfd *polled, nfds_t count, int ms);
int __wrap_poll(struct pollfd *polled, nfds_t count, int ms);

int __wrap_poll(struct pollfd *polled, nfds_t count, int ms)
{
	return __real_poll(polled, count, waits_no_longer ? 0 : ms);
}

static void begin(void)
{
	assert_int_equal(search_guest_start(&guest, NULL, -1, NULL), 0);
}

/* The child ignores SIGTERM, so that it has to be killed. */
static void end(void)
{
	waits_no_longer = true;
	search_guest_end(&guest);
	waits_no_longer = false;
	assert_int_equal(guest.slot.child, 0);
	assert_true(WIFSIGNALED(guest.slot.status) && WTERMSIG(guest.slot.status) == SIGKILL);
	close(from_search);
	close(to_search);
}

static void say_bytes(const void *from, size_t bytes)
{
	assert_int_equal(write(to_search, from, bytes), bytes);
}

/* The first message: it has reached the point. */
static void say_ready(void)
{
	const uint64_t none = 0;
	say_bytes(&none, sizeof(none));
	assert_int_equal(search_guest_take(&guest), 0);
	assert_true(guest.is_ready);
}

/* Takes as much of a batch as there is. */
static size_t drain(uint8_t *to, size_t room)
{
	size_t done = 0;
	ssize_t got;
	assert_int_equal(fcntl(from_search, F_SETFL, O_NONBLOCK), 0);
	while (done < room && (got = read(from_search, to + done, room - done)) > 0)
		done += (size_t)got;
	return done;
}

static void test_parts(void **state)
{
	struct try_result results[2] = {{.number = 5, .status = 1}, {.number = 6, .status = 2}};
	const uint64_t count = 2;
	uint8_t message[sizeof(count) + sizeof(results)];
	(void)state;
	begin();
	say_ready();
	assert_int_equal(search_guest_take(&guest), -EAGAIN);
	assert_int_equal(search_guest_give(&guest, schedule_of, NULL, 5, 2), 0);
	memcpy(message, &count, sizeof(count));
	memcpy(message + sizeof(count), results, sizeof(results));
	for (size_t i = 0; i < sizeof(message); i++) {
		assert_int_equal(search_guest_take(&guest), -EAGAIN);
		say_bytes(&message[i], 1);
	}
	assert_int_equal(search_guest_take(&guest), 0);
	assert_int_equal(guest.result_count, 2);
	assert_memory_equal(guest.results, results, sizeof(results));
	end();
}

static void test_large_batch(void **state)
{
	static uint8_t took[16 + TRIES * (sizeof(struct try_request) + COUNTS * sizeof(uint64_t))];
	const uint64_t expected[2] = {TRIES, TRIES * COUNTS};
	uint64_t last;
	size_t bytes = 0;
	unsigned rounds = 0;
	(void)state;
	begin();
	say_ready();
	assert_int_equal(search_guest_give(&guest, schedule_of, NULL, 1, TRIES), 0);
	assert_int_equal(guest.count, TRIES);
	assert_non_null(guest.unsent); /* more than a pipe holds */
	search_guest_send(&guest);     /* the pipe is full: nothing is lost, and nothing waits */
	assert_non_null(guest.unsent);
	while (bytes < sizeof(took)) {
		bytes += drain(took + bytes, sizeof(took) - bytes);
		if (guest.unsent)
			search_guest_send(&guest);
		assert_true(rounds++ < 1000);
	}
	assert_null(guest.unsent);
	assert_memory_equal(took, expected, sizeof(expected));
	memcpy(&last, took + sizeof(took) - sizeof(last), sizeof(last));
	assert_int_equal(last, TRIES);
	end();
}

static void test_impossible(void **state)
{
	const struct try_result wrong = {.number = 8};
	const uint64_t many = 3, one = 1;
	(void)state;
	begin();
	say_ready();
	assert_int_equal(search_guest_give(&guest, schedule_of, NULL, 7, 2), 0);
	say_bytes(&many, sizeof(many));
	assert_int_equal(search_guest_take(&guest), -EPROTO);
	end();
	begin();
	say_ready();
	assert_int_equal(search_guest_give(&guest, schedule_of, NULL, 7, 2), 0);
	say_bytes(&one, sizeof(one));
	say_bytes(&wrong, sizeof(wrong));
	assert_int_equal(search_guest_take(&guest), -EPROTO);
	end();
}

/* A monitor that ends in the middle of a message, and while it is given a batch. */
static void test_end(void **state)
{
	const uint64_t one = 1;
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	begin();
	say_ready();
	assert_int_equal(search_guest_give(&guest, schedule_of, NULL, 1, TRIES), 0);
	say_bytes(&one, sizeof(one));
	close(from_search);
	close(to_search);
	search_guest_send(&guest);
	assert_null(guest.unsent);
	waits_no_longer = true;
	assert_int_equal(search_guest_take(&guest), 1);
	waits_no_longer = false;
	assert_int_equal(guest.slot.child, 0);
	assert_int_equal(guest.result_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_large_batch),
		cmocka_unit_test(test_impossible),
		cmocka_unit_test(test_end),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(guest.results);
	return failed;
}
