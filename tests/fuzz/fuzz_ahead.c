/* SPDX-License-Identifier: MIT */
/* Answers ahead: a guest that writes anything into their ring, at any moment, and asks for what it likes. The thread
 * that makes the answers is called here, when the input says so, until it would wait. */
#include "base/beside.h"
#include "hostfs/host_ahead.h"
#include "hostfs/host_check.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tree.h"

static struct host_ahead ahead;
static void *(*answer_all)(void *);

bool beside_has_processor(void)
{
	return true;
}

bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	(void)thread;
	(void)argument;
	answer_all = function;
	return false;
}

int __wrap_pthread_cond_wait(pthread_cond_t *changed, pthread_mutex_t *lock);
int __wrap_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *lock, const struct timespec *due);

int __wrap_pthread_cond_wait(pthread_cond_t *changed, pthread_mutex_t *lock)
{
	(void)changed;
	(void)lock;
	ahead.end = true;
	return 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *lock, const struct timespec *due)
{
	(void)due;
	return __wrap_pthread_cond_wait(changed, lock);
}

static void work(bool is_late)
{
	if (is_late)
		ahead.due_ns = 0;
	answer_all(&ahead);
	ahead.end = false;
}

/* Begins a run, whose first answers have been revoked, so that the thread prepares them as an input says. */
static void begin_ahead(struct host_files *files)
{
	host_ahead_begin(&ahead, files, &memory, gpa(LAYOUT_HOST_AHEAD));
	host_ahead_go_on(&ahead);
	ahead.next = 0;
	ahead.stopped = false;
}

static void write_head(struct fuzz_input *input)
{
	struct host_file_ahead *head = guest_memory_at(&memory, gpa(LAYOUT_HOST_AHEAD), HOST_FILE_AHEAD_BYTES);
	uint64_t kind = fuzz_number(input, 1), number = fuzz_number(input, kind & 128 ? 8 : 1);
	switch (kind & 7) {
	case 0:
		head->count = (uint32_t)number;
		break;
	case 1:
		head->next = number;
		break;
	case 2:
		head->taking = (uint32_t)number;
		break;
	case 3:
		head->revoked = (uint32_t)number;
		break;
	case 4:
		fuzz_take(input, (uint8_t *)head + number % (HOST_FILE_AHEAD_BYTES - 64), 64);
		break;
	default:
		head->taken = (uint32_t)number;
	}
}

static void ask(struct fuzz_input *input)
{
	const struct host_file_piece piece = {ARENA + 0x8000, fuzz_number(input, 1) & 15};
	struct host_file_name name = {.length = 1};
	uint64_t kind = fuzz_number(input, 1);
	struct host_file_request request = {
		.op = 1 + (kind & 3), .handle = (uint32_t)fuzz_number(input, 1), .buffer = ARENA};
	request.buffer_bytes = HOST_FILE_LIST_BYTES;
	request.offset = kind & 4;
	strcpy(request.name, tree_name(kind >> 4));
	guest_memory_write(&memory, gpa(ARENA), &piece, sizeof(piece));
	if (request.op == HOST_FILE_LOAD)
		request.buffer_bytes = sizeof(piece);
	if (request.op == HOST_FILE_LOOK_MANY) {
		guest_memory_write(&memory, gpa(ARENA), &name, sizeof(name));
		guest_memory_write(&memory, gpa(ARENA + sizeof(name)), tree_name(kind >> 4), 1);
		request.offset = 1;
		request.buffer_bytes = 3;
	}
	if (kind & 8)
		fuzz_take(input, (uint8_t *)&request + piece.bytes * 8, 8);
	guest_memory_write(&memory, gpa(ARENA - sizeof(request)), &request, sizeof(request));
	bool failed;
	host_ahead_serve(&ahead, gpa(kind == 255 ? fuzz_address(input) : ARENA - sizeof(request)), &failed);
	ahead.files->error.text[0] = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct host_files files;
	struct fuzz_input input = fuzz_begin(data, size);
	tree_open(&files);
	ahead = (struct host_ahead){.life_ns = 1UL << 60};
	begin_ahead(&files);
	for (unsigned turn = 0; turn < 64 && input.left; turn++) {
		uint64_t step = fuzz_number(&input, 1) & 15;
		if (step < 2) {
			work(step);
		} else if (step < 6) {
			write_head(&input);
		} else if (step == 6) {
			host_ahead_stop(&ahead);
		} else if (step == 7) { /* the next run, which expects what this one has asked for */
			host_ahead_end(&ahead);
			if (host_files_begin(&files))
				abort();
			begin_ahead(&files);
		} else {
			ask(&input);
		}
	}
	host_ahead_end(&ahead);
	if (host_files_check(&files)) /* nobody has changed anything */
		abort();
	host_ahead_close(&ahead);
	host_files_close(&files);
	return 0;
}
