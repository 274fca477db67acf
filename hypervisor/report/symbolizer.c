/* SPDX-License-Identifier: MIT */
/* The client of eremite-symbolize. One process serves all stacks of a report, because opening an image takes about 10
 * ms. Its answers are as untrusted as the image. */
#include "report/symbolizer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/array.h"
#include "base/child.h"
#include "base/die.h"
#include "base/own_path.h"
#include "confine/keeper.h"
#include "guest/guest_virtual.h"
#include "library_names.h"

#define DEADLINE_MS 20000
#define RED_ZONE 128
#define GAP_PAGES 16

/* Limits in bytes: of one answer, of all answers, and of all stacks together. */
#define ANSWER_MAX 0x10000UL
#define ANSWERS_MAX 0x8000000UL
#define STACKS_MAX 0x8000000UL
#define STACK_MIN 0x1000UL

/* Returns the stack pointer of a thread for which a policy runs on a separate stack, or 0 if none does. */
static uint64_t asking_stack(uint64_t rsp, const struct guest_memory *memory)
{
	const uint64_t top = LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP;
	uint64_t address = 0;
	if (rsp < top && rsp >= top - LAYOUT_SCHED_STACK_BYTES)
		guest_memory_read(memory, gpa(LAYOUT_SCHED_STACK_TOP - sizeof(address)), &address, sizeof(address));
	return address;
}

/* Appends one request: the registers and the stack from the red zone upwards. Returns 0 or -1. */
static int write_request(int fd, const struct symbolizer_query *query, const struct guest_memory *memory,
                         uint8_t *stack, uint64_t stack_max)
{
	struct symbolize_request request = {.magic = query->wants_type ? SYMBOLIZE_MAGIC_TYPED : SYMBOLIZE_MAGIC,
	                                    .object = query->object};
	uint64_t rsp = query->registers[SYMBOLIZE_RSP];
	memcpy(request.registers, query->registers, sizeof(request.registers));
	request.next_address = asking_stack(rsp, memory);
	/* After a stack overflow the stack pointer, or only the red zone, is in pages that are not mapped. */
	request.stack_address = rsp - RED_ZONE;
	uint64_t room = stack_max;
	if (request.next_address)
		room = LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP - request.stack_address;
	if (room > stack_max)
		room = stack_max;
	for (unsigned i = 0; i < GAP_PAGES && !request.stack_bytes; i++) {
		if (i)
			request.stack_address = (request.stack_address + PAGE_SIZE) & ~(PAGE_SIZE - 1);
		request.stack_bytes = guest_virtual_read_some(memory, request.stack_address, stack, room);
	}
	if (request.next_address)
		request.next_bytes = guest_virtual_read_some(memory, request.next_address, stack + request.stack_bytes,
		                                             stack_max - request.stack_bytes);
	ssize_t bytes = (ssize_t)(request.stack_bytes + request.next_bytes);
	return write(fd, &request, sizeof(request)) == (ssize_t)sizeof(request) &&
	                       write(fd, stack, (size_t)bytes) == bytes
	               ? 0
	               : -1;
}

/* Makes a file with all requests. Returns a descriptor or -1. */
static int make_requests(const struct symbolizer_query *queries, unsigned count, const struct guest_memory *memory)
{
	uint64_t stack_max = STACKS_MAX / count;
	if (stack_max > SYMBOLIZE_STACK_MAX)
		stack_max = SYMBOLIZE_STACK_MAX;
	if (stack_max < STACK_MIN)
		stack_max = STACK_MIN;
	uint8_t *stack = malloc(stack_max);
	int fd = memfd_create("symbolize", MFD_CLOEXEC);
	bool good = stack && fd >= 0;
	for (unsigned i = 0; good && i < count; i++)
		good = !write_request(fd, &queries[i], memory, stack, stack_max);
	free(stack);
	if (good && !lseek(fd, 0, SEEK_SET))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int symbolizer_start(int image, int request, pid_t *child)
{
	static char path[PATH_MAX];
	char name[] = SYMBOLIZER, locale[] = "LC_ALL=C";
	char *arguments[] = {name, NULL}, *environment[] = {locale, NULL};
	int pipe_fds[2];
	if (image < 0 || own_program(SYMBOLIZER, path) || pipe2(pipe_fds, O_CLOEXEC))
		return -1;
	const struct child_plan plan = {
		.path = path,
		.arguments = arguments,
		.environment = environment,
		.dir = -1,
		.fds = {request, pipe_fds[1], pipe_fds[1], image}, /* what the loader says is an answer, too */
	};
	int error = child_start(&plan, child);
	close(pipe_fds[1]);
	if (!error)
		return pipe_fds[0];
	close(pipe_fds[0]);
	return -1;
}

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads the answers until their end, the deadline or `max` bytes, and appends a NUL. Returns NULL without memory. */
static char *read_answers(int fd, size_t max)
{
	size_t used = 0, room = 0;
	char *text = NULL;
	int64_t deadline = now_ms() + DEADLINE_MS, left;
	while (used < max && (left = deadline - now_ms()) > 0) {
		if (!array_reserve(text, room, used + ANSWER_MAX))
			break;
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		int ready = poll(&wait, 1, (int)left);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			break;
		ssize_t got = read(fd, text + used, room - used - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	if (text)
		text[used] = 0;
	return text;
}

/* Returns the text up to the next end mark, and moves *at behind the mark. The last text may lack the mark. */
static char *next_part(char **at)
{
	char *part = *at, *end = strchrnul(part, SYMBOLIZE_END);
	*at = *end ? end + 1 : end;
	*end = 0;
	return part;
}

/* Replaces all but printable characters and the ends of lines, because the text goes to a terminal. A line that is no
 * frame is joined with the one before: it might pass for a message of eremite. */
static void make_text(char *text)
{
	for (; *text; text++) {
		bool ends_line =
			*text == '\n' && (!text[1] || text[1] == SYMBOLIZE_END || !strncmp(text + 1, "  #", 3));
		if (!ends_line && *text != SYMBOLIZE_END && (*text < ' ' || *text > '~'))
			*text = '?';
	}
}

/* Returns the text about an object, without the line about its type. */
static const char *take_object(struct symbolizer_answer *answer, char *text)
{
	char *line = strstr(text, SYMBOLIZE_PLAIN);
	answer->is_plain = line;
	if (line)
		*line = 0;
	return text;
}

/* Takes the line about CPython off the end of the frames. */
static void take_python(struct symbolizer_answer *answer)
{
	char *line = strstr(answer->frames, SYMBOLIZE_PYTHON);
	if (!line || (line > answer->frames && line[-1] != '\n'))
		return;
	if (sscanf(line + strlen(SYMBOLIZE_PYTHON), "0x%lx 0x%lx", &answer->python.runtime, &answer->python.version) !=
	    2)
		answer->python.runtime = 0;
	*line = 0;
}

/* Ends the symbolizer, which has closed its output or exceeded its time. */
static void end(pid_t child)
{
	if (keeper_is_there()) {
		keeper_symbolize_end();
		return;
	}
	kill(child, SIGKILL);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Whether an answer is the loader's, which did not find a library: sets *why. */
static bool is_loader_answer(const char *text, struct error *why)
{
	static const char said[] = "error while loading shared libraries: ";
	static const char *const known[][2] = {
		{LIBRARY_DW, PACKAGE_DW}, {LIBRARY_ELF, PACKAGE_ELF}, {LIBRARY_Z, PACKAGE_Z}};
	const char *name = strchr(text, SYMBOLIZE_END) ? NULL : strstr(text, said),
		   *package = "the package that has it";
	if (!name)
		return false;
	name += strlen(said);
	while (strcspn(name, "/") < strcspn(name, ":\n")) /* a path, of a file that is no library */
		name += strcspn(name, "/") + 1;
	const int length = (int)strcspn(name, ":\n");
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(name, known[i][0], (size_t)length) && !known[i][0][length])
			package = known[i][1];
	error_set(why, ELIBACC, "%.*s, which " SYMBOLIZER " needs, is missing; install %s", length < 100 ? length : 100,
	          name, package);
	return true;
}

#define SYMBOLIZER_ABSENT SYMBOLIZER " is missing; install eremite in one piece, with libexec/eremite"

bool symbolizer_is_missing(struct error *why)
{
	char path[PATH_MAX];
	pid_t child;
	int empty = memfd_create("symbolize", MFD_CLOEXEC);
	int answer = own_program(SYMBOLIZER, path) ? -1 : symbolizer_start(empty, empty, &child);
	char *text = answer >= 0 ? read_answers(answer, ANSWER_MAX) : NULL;
	bool is_missing = answer < 0;
	if (is_missing)
		error_set(why, ENOENT, "%s", SYMBOLIZER_ABSENT);
	else
		is_missing = text && is_loader_answer(text, why);
	if (answer >= 0) {
		close(answer);
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (empty >= 0)
		close(empty);
	free(text);
	return is_missing;
}

/* Says, once, why stacks have no names and lines. */
static void say_missing(const char *why)
{
	static bool is_said;
	if (!is_said)
		say(SYMBOLIZER_MISSING "%s", why);
	is_said = true;
}

/* The answers that are complete: two for each stack. */
static size_t count_ends(const char *text)
{
	size_t count = 0;
	for (; (text = strchr(text, SYMBOLIZE_END)); text++)
		count++;
	return count;
}

/* Asks about `count` stacks in a file, which this closes. */
static int ask(struct symbolizer_answers *answers, int image, int requests, unsigned count)
{
	pid_t child = 0;
	static char none[] = "";
	struct error why;
	size_t max = count < ANSWERS_MAX / ANSWER_MAX ? count * ANSWER_MAX : ANSWERS_MAX;
	int answer_fd = -1;
	if (requests >= 0 && keeper_is_there())
		answer_fd = keeper_symbolize(image, requests);
	else if (requests >= 0)
		answer_fd = symbolizer_start(image, requests, &child);
	if (requests >= 0)
		close(requests);
	if (requests >= 0 && image >= 0 && answer_fd < 0)
		say_missing(SYMBOLIZER " cannot start; eremite info --host says why");
	if (answer_fd >= 0) {
		answers->text = read_answers(answer_fd, max);
		close(answer_fd);
		end(child);
	}
	char *at = answers->text ? answers->text : none;
	make_text(at);
	if (is_loader_answer(at, &why)) {
		say_missing(why.text);
		*at = 0;
	} else if (answer_fd >= 0 && image >= 0 && answers->at && count_ends(at) < 2 * (size_t)count) {
		say_missing(SYMBOLIZER " ended early; give the host more memory or time");
	}
	for (unsigned i = 0; answers->at && i < count; i++) {
		answers->at[i].object = take_object(&answers->at[i], next_part(&at));
		answers->at[i].frames = next_part(&at);
		take_python(&answers->at[i]);
	}
	return answers->at ? 0 : -ENOMEM;
}

int symbolizer_ask(struct symbolizer_answers *answers, int image, const struct guest_memory *memory,
                   const struct symbolizer_query *queries, unsigned count)
{
	*answers = (struct symbolizer_answers){.at = calloc(count, sizeof(*answers->at))};
	return ask(answers, image, answers->at ? make_requests(queries, count, memory) : -1, count);
}

bool symbolizer_keep(struct symbolizer_queue *queue, const struct guest_memory *memory,
                     const struct symbolizer_query *query)
{
	const uint64_t stack_max = STACKS_MAX / SYMBOLIZER_QUEUE_MAX;
	if (!queue->requests)
		queue->requests = memfd_create("symbolize", MFD_CLOEXEC);
	uint8_t *stack = malloc(stack_max);
	const bool fits = stack && queue->requests > 0 && queue->count < SYMBOLIZER_QUEUE_MAX &&
	                  !write_request(queue->requests, query, memory, stack, stack_max);
	free(stack);
	queue->count += fits;
	return fits;
}

int symbolizer_ask_kept(struct symbolizer_answers *answers, int image, struct symbolizer_queue *queue)
{
	const unsigned count = queue->count;
	const int requests = queue->requests;
	*queue = (struct symbolizer_queue){0};
	*answers = (struct symbolizer_answers){.at = calloc(count, sizeof(*answers->at))};
	lseek(requests, 0, SEEK_SET);
	return ask(answers, image, requests, count);
}

void symbolizer_free(struct symbolizer_answers *answers)
{
	free(answers->text);
	free(answers->at);
	*answers = (struct symbolizer_answers){0};
}
