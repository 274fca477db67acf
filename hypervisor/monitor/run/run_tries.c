/* SPDX-License-Identifier: MIT */
/* Numbers and results in the area are the guest's, so they are copied first, then checked. */
#include "run/run_tries.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "abi/linux_signal.h"
#include "abi/tries.h"
#include "run/run_state.h"

static struct try_request requests[TRIES_BATCH]; /* the last batch; the guest can change the one in the area */

static struct tries_shared *shared_of(const struct run *run)
{
	return (struct tries_shared *)run->tries.base;
}

/* Gives all of standard input to the area. */
static int take_input(struct tries_shared *shared, struct error *error)
{
	uint8_t *to = (uint8_t *)shared + TRIES_INPUT;
	uint64_t bytes = 0;
	ssize_t got;
	do {
		got = read(STDIN_FILENO, to + bytes, TRIES_INPUT_MAX - bytes);
		if (got < 0 && errno != EINTR)
			return error_set(error, errno, "cannot read standard input: %s", strerror(errno));
		if (got > 0)
			bytes += (uint64_t)got;
	} while (got);
	shared->input_bytes = bytes;
	return 0;
}

int run_tries_prepare(struct run *run, struct error *error)
{
	static const struct run_area area = {LAYOUT_TRIES, LAYOUT_TRIES_SIZE, "tries", "the area of tries",
	                                     "; raise 'ulimit -v'"};
	if (!run->config->tries)
		return 0;
	int result = run_area_make(run, &area, &run->tries, error);
	return result ? result : take_input(shared_of(run), error);
}

void run_tries_fini(struct run *run)
{
	host_memory_release(&run->tries);
}

/* Whether a result can be that of a request. */
static bool is_valid(const struct try_result *result, const struct try_request *request)
{
	if (result->number != request->number || result->pairs > SCHED_PAIRS_LISTED)
		return false;
	return result->end == END_EXIT     ? result->status <= UINT8_MAX
	       : result->end == END_SIGNAL ? result->status >= 1 && result->status <= LINUX_NSIG
	                                   : result->end == END_DEADLOCK;
}

/* Writes all of `bytes` bytes to a pipe. Returns 0 or a negative errno. */
static int write_pipe(int fd, const void *from, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t put = write(fd, (const uint8_t *)from + done, bytes - done);
		if (put < 0 && (errno != EINTR || run_is_stopped()))
			return -errno;
		done += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* The entries of the plan of a request, which lie behind those of the requests before it. */
static uint64_t plan_count(const struct try_request *request)
{
	return request->sched.policy == SCHED_near ? request->sched.counts : 0;
}

/* Passes on what became of the plans of the first `count` requests. */
static int give_uses(const struct run *run, uint64_t count)
{
	static uint8_t uses[TRIES_PLANS];
	const struct tries_shared *shared = shared_of(run);
	uint64_t all = 0;
	for (uint64_t i = 0; i < count; i++)
		all += plan_count(&requests[i]);
	for (uint64_t i = 0; i < all; i++) {
		const uint16_t use = __atomic_load_n(&shared->plan[i].use, __ATOMIC_RELAXED);
		uses[i] = use <= SCHED_PLAN_VAIN ? (uint8_t)use : SCHED_PLAN_UNUSED;
	}
	return write_pipe(run->config->tries->out, uses, all);
}

/* Passes `count` results on. */
static int give_results(struct run *run, uint64_t count)
{
	static struct try_result results[TRIES_BATCH]; /* too large for a stack */
	static uint64_t listed[TRIES_PAIRS];
	struct tries_shared *shared = shared_of(run);
	uint64_t pairs = 0;
	guest_memory_copy(results, shared->result, count * sizeof(results[0]));
	for (uint64_t i = 0; i < count; i++) {
		if (!is_valid(&results[i], &requests[i])) {
			run_fail(run, "the guest gave an impossible result of a try");
			return -EPROTO;
		}
		pairs += results[i].pairs;
	}
	guest_memory_copy(listed, shared->pair, pairs * sizeof(listed[0]));
	int result = write_pipe(run->config->tries->out, &count, sizeof(count));
	if (!result)
		result = write_pipe(run->config->tries->out, results, count * sizeof(results[0]));
	if (!result)
		result = write_pipe(run->config->tries->out, listed, pairs * sizeof(listed[0]));
	if (!result)
		result = give_uses(run, count);
	if (result)
		run_fail(run, "cannot pass on the results of tries: %s", strerror(-result));
	return result;
}

/* Reads all of `bytes` bytes. Returns 0, -ENODATA at the end, -EINTR when the run is to stop, or a negative errno. */
static int read_all(int fd, void *to, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = read(fd, (uint8_t *)to + done, bytes - done);
		if (!got)
			return -ENODATA;
		if (got < 0 && errno != EINTR)
			return -errno;
		if (got < 0 && run_is_stopped())
			return -EINTR;
		done += got > 0 ? (size_t)got : 0;
	}
	return 0;
}

/* Reads the plans of `count` requests, which list no pairs, into the area. */
static int read_plans(int fd, struct tries_shared *shared, uint64_t count)
{
	uint64_t all = 0;
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t more = plan_count(&requests[i]);
		if (more > TRIES_PLANS - all || (more && requests[i].counts_at != all))
			return -EPROTO;
		all += more;
	}
	for (uint64_t i = 0; i < count && all; i++)
		if (requests[i].sched.flags & SCHED_FLAG_READS)
			return -EPROTO;
	return read_all(fd, shared->plan, all * sizeof(shared->plan[0]));
}

/* Reads requests into the area, and their number. */
static int read_requests(int fd, struct tries_shared *shared, uint64_t *count)
{
	uint64_t head[2];
	int result = read_all(fd, head, sizeof(head));
	if (!result && (head[0] > TRIES_BATCH || head[1] > TRIES_COUNTS))
		result = -EPROTO;
	if (!result)
		result = read_all(fd, requests, head[0] * sizeof(requests[0]));
	if (!result)
		result = read_all(fd, shared->counts, head[1] * sizeof(shared->counts[0]));
	if (!result)
		result = read_plans(fd, shared, head[0]);
	if (!result)
		memcpy(shared->request, requests, head[0] * sizeof(requests[0]));
	*count = head[0];
	return result;
}

static void take_requests(struct run *run)
{
	struct tries_shared *shared = shared_of(run);
	uint64_t count;
	int result = read_requests(run->config->tries->in, shared, &count);
	if (result == -EINTR)
		return;
	if (result == -ENODATA) {
		run->ended = true;
		run->result->end = RUN_EXIT;
		run->result->status = 0;
		return;
	}
	if (result) {
		run_fail(run, "cannot read which tries are wanted: %s", strerror(-result));
		return;
	}
	shared->requests = count;
	run->tries_given = count;
}

int64_t run_serve_tries(struct run *run, const uint64_t *args)
{
	(void)args;
	if (!run->tries.base) {
		run_fail(run, "the guest asked for tries, but it makes none");
		return -EPROTO;
	}
	const uint64_t made = __atomic_load_n(&shared_of(run)->results, __ATOMIC_RELAXED);
	if (made != run->tries_given) {
		run_fail(run, "the guest says that it has made %lu tries of %lu", made, run->tries_given);
		return -EPROTO;
	}
	if (!give_results(run, made))
		take_requests(run);
	shared_of(run)->results = 0;
	return 0;
}

void run_tries_finish(struct run *run)
{
	if (!run->tries.base || !run->tries_given || run->result->end == RUN_EXIT)
		return;
	const uint64_t made = __atomic_load_n(&shared_of(run)->results, __ATOMIC_RELAXED);
	give_results(run, made < run->tries_given ? made : run->tries_given - 1); /* it has ended in one of them */
}
