/* SPDX-License-Identifier: MIT */
#include "profile/profile_stacks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/sched_account.h"
#include "base/array.h"
#include "base/die.h"
#include "guest/linux_view.h"
#include "profile/profile_frames.h"
#include "report/report.h"

/* A stack is named at once when 1, 2, 4, ... have passed since the last one, until the interpreter is found: each takes
 * some 20 ms, and it runs its first function after some hundred calls. */
#define ASKS_MAX 12
#define MODULE_NAMES_MAX (1UL << 20)
#define ROOT_BYTES 16

/* --- threads and time --- */

/* The place of a thread, or where it would be. Numbers mostly ascend. */
static size_t find_thread(const struct profile_stacks *stacks, uint32_t number)
{
	size_t at = stacks->thread_count;
	while (at && stacks->threads[at - 1].number >= number)
		at--;
	return at;
}

/* Adds a sample, and the time since the thread's last one. */
static void add_sample(struct profile_stacks *stacks, const struct strace_sample *sample)
{
	const size_t at = find_thread(stacks, sample->thread);
	if (!array_reserve(stacks->samples, stacks->room, stacks->count + 1) ||
	    !array_reserve(stacks->threads, stacks->thread_room, stacks->thread_count + 1))
		die("out of memory");
	stacks->samples[stacks->count] = (struct profile_sample){0};
	struct profile_thread *thread = &stacks->threads[at];
	if (at == stacks->thread_count || thread->number != sample->thread) {
		memmove(thread + 1, thread, (stacks->thread_count++ - at) * sizeof(*thread));
		*thread = (struct profile_thread){.number = sample->thread, .last = stacks->count};
	}
	const size_t to = stacks->counts_ahead ? thread->last : stacks->count;
	stacks->samples[to].ns += sample->ran_ns - thread->ran_ns;
	thread->ran_ns = sample->ran_ns;
	thread->last = stacks->count++;
}

/* Adds the time that a thread ran after its last sample. One without a sample has a stack of its own. */
static void add_rest(struct profile_stacks *stacks, const struct sched_account *account,
                     const struct sched_account_process *process)
{
	const size_t at = find_thread(stacks, account->thread);
	char names[ROOT_BYTES + 16];
	if (at < stacks->thread_count && stacks->threads[at].number == account->thread) {
		stacks->samples[stacks->threads[at].last].ns += account->ran_ns - stacks->threads[at].ran_ns;
		return;
	}
	if (!account->ran_ns)
		return;
	snprintf(names, sizeof(names), "%s;[no sample]", process->name[0] ? process->name : "[process]");
	const size_t stack = profile_table_stack(&stacks->table, names);
	stacks->table.stacks[stack].ns += account->ran_ns;
}

/* --- stacks --- */

static void name_stack(struct profile_stacks *stacks, size_t sample, const char *root, const char *python, char *frames)
{
	static char names[PROFILE_NAMES_MAX];
	const struct image_header kernel = {.kernel_text = stacks->kernel_text,
	                                    .kernel_text_end = stacks->kernel_text_end};
	report_leave_out_kernel(frames, &kernel);
	profile_frames_fold(names, root, python, frames);
	stacks->samples[sample].stack = profile_table_stack(&stacks->table, names);
}

/* Names the stacks that are kept. */
static void name_kept(struct profile_stacks *stacks)
{
	const unsigned count = stacks->queue.count;
	struct symbolizer_answers answers = {0};
	static char none[1];
	if (!count)
		return;
	const bool is_answered = !symbolizer_ask_kept(&answers, stacks->file, &stacks->queue);
	for (unsigned i = 0; i < count; i++) {
		struct profile_kept *kept = &stacks->kept[i];
		name_stack(stacks, kept->sample, kept->root, kept->python ? kept->python : "",
		           is_answered ? answers.at[i].frames : none);
		free(kept->root);
		free(kept->python);
	}
	symbolizer_free(&answers);
}

/* Whether a file is mapped whose name says that it is an interpreter of Python. */
static bool maps_python(int file)
{
	static char names[MODULE_NAMES_MAX];
	const ssize_t bytes = file < 0 ? -1 : pread(file, names, sizeof(names), 0);
	return bytes > 0 && memmem(names, (size_t)bytes, "python", strlen("python"));
}

static const struct python_place *find_python(const struct profile_stacks *stacks, uint32_t pid)
{
	for (size_t i = stacks->python_count; i--;)
		if (stacks->pythons[i].pid == pid)
			return &stacks->pythons[i].place;
	return NULL;
}

/* Python's functions, from the interpreter's memory at this moment. The caller frees them; NULL: none. */
static char *read_python(const struct profile_stacks *stacks, uint32_t pid, const struct guest_memory *seen,
                         uint64_t rsp)
{
	const struct python_place *place = stacks->has_python ? find_python(stacks, pid) : NULL;
	char *text = NULL;
	size_t bytes;
	FILE *to = place ? open_memstream(&text, &bytes) : NULL;
	if (!to)
		return NULL;
	python_stack_write(to, seen, place, rsp);
	fclose(to);
	return text;
}

/* Whether this stack is to be named at once: where the process's interpreter is, is not known yet. */
static bool is_asked_now(struct profile_stacks *stacks, uint32_t pid)
{
	if (!stacks->has_python || stacks->asks == ASKS_MAX || find_python(stacks, pid))
		return false;
	if (stacks->until_asks--)
		return false;
	stacks->until_asks = 1U << stacks->asks++;
	return true;
}

/* Names a stack at once, and learns where an interpreter of Python is, if it runs there. */
static void name_now(struct profile_stacks *stacks, const char *root, uint32_t pid, int file,
                     const struct guest_memory *seen, const struct symbolizer_query *query)
{
	struct symbolizer_answers answers;
	if (symbolizer_ask(&answers, file, seen, query, 1) ||
	    !array_reserve(stacks->pythons, stacks->python_room, stacks->python_count + 1))
		die("out of memory");
	if (answers.at[0].python.runtime)
		stacks->pythons[stacks->python_count++] = (struct profile_python){pid, answers.at[0].python};
	char *python = read_python(stacks, pid, seen, query->registers[SYMBOLIZE_RSP]);
	name_stack(stacks, stacks->count - 1, root, python ? python : "", answers.at[0].frames);
	free(python);
	symbolizer_free(&answers);
}

/* Keeps a stack, to be named with others. */
static void keep_stack(struct profile_stacks *stacks, const char *root, uint32_t pid, const struct guest_memory *seen,
                       const struct symbolizer_query *query)
{
	char none[1] = "";
	struct profile_kept *kept = &stacks->kept[stacks->queue.count];
	if (!symbolizer_keep(&stacks->queue, seen, query)) {
		name_stack(stacks, stacks->count - 1, root, "", none);
		return;
	}
	*kept = (struct profile_kept){.sample = stacks->count - 1,
	                              .root = strdup(root),
	                              .python = read_python(stacks, pid, seen, query->registers[SYMBOLIZE_RSP])};
	if (!kept->root)
		die("out of memory");
}

/* The name of a thread, fit for a file. */
static void clean_name(char root[ROOT_BYTES], const struct strace_sample *sample)
{
	memcpy(root, sample->name, ROOT_BYTES);
	root[ROOT_BYTES - 1] = 0;
}

/* Takes the files that are mapped now, by which the symbolizer names stacks. */
static void take_files(struct profile_stacks *stacks, int file)
{
	if (stacks->file >= 0)
		close(stacks->file);
	stacks->file = file;
	stacks->has_python = maps_python(file);
	stacks->asks = stacks->until_asks = 0;
}

void profile_stacks_add(void *context, const struct strace_sample *sample, const struct guest_memory *memory,
                        const struct image *image)
{
	struct profile_stacks *stacks = context;
	struct fault_report place = {.vector = UINT8_MAX, .thread = sample->thread};
	struct symbolizer_query query;
	struct guest_memory seen;
	struct linux_view view;
	char root[ROOT_BYTES];
	const uint64_t signature = linux_view_read(&view, memory) ? linux_view_signature(&view, memory, image) : 1;
	const bool is_new = signature != stacks->signature;
	stacks->kernel_text = image->header.kernel_text;
	stacks->kernel_text_end = image->header.kernel_text_end;
	if (is_new || stacks->queue.count == SYMBOLIZER_QUEUE_MAX)
		name_kept(stacks);
	stacks->signature = signature;
	add_sample(stacks, sample);
	clean_name(root, sample);
	memcpy(place.registers, sample->registers, sizeof(place.registers));
	const int file = report_query(&query, &seen, image, &place, memory, 0, is_new);
	if (is_new)
		take_files(stacks, file);
	if (is_asked_now(stacks, sample->pid))
		name_now(stacks, root, sample->pid, stacks->file, &seen, &query);
	else
		keep_stack(stacks, root, sample->pid, &seen, &query);
}

void profile_stacks_end(struct profile_stacks *stacks, const struct run_result *result)
{
	name_kept(stacks);
	for (unsigned i = 0; i < result->account_count; i++)
		add_rest(stacks, &result->accounts[i], &result->account_processes[i]);
	for (size_t i = 0; i < stacks->count && stacks->table.count; i++) {
		struct profile_stack *stack = &stacks->table.stacks[stacks->samples[i].stack];
		stack->samples++;
		stack->ns += stacks->samples[i].ns;
	}
	profile_table_sort(&stacks->table);
}
