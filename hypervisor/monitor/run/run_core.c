/* SPDX-License-Identifier: MIT */
/* Enters a guest that has ended once more, so that it sends its core file. The guest's kernel makes the file, because
 * it knows the program's threads and memory. The monitor copies bytes, of which it trusts none. */
#include "run/run_core.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "abi/core.h"
#include "hostfs/host_files.h"
#include "save/core_out.h"

/* The guest's time in wall time: to begin with, and for each MiB that it sends. A hostile one would take for ever. */
#define BEGIN_NS 10000000000UL
#define MIB_NS 100000000UL

/* Bytes of data at most, beyond several times the guest's memory: files that it maps are not in its memory. */
#define FILES_MAX (16UL << 30)

static bool is_stopped_now(const struct run *run)
{
	return run->result->end != RUN_TIMEOUT && run_is_stopped();
}

/* Serves a request for the host's files without recording it: reads after the end are no input of the run. */
static int64_t serve_files(struct run *run, gpa_t request)
{
	struct host_files *files = run->config->host_files;
	if (!files)
		return -ENOENT;
	files->is_ahead = true;
	int64_t answer = host_files_serve(files, &run->memory, request);
	files->is_ahead = false;
	files->error[0] = 0; /* the guest takes the answer for a page that cannot be loaded */
	return answer;
}

static bool refuse_core(struct run *run, const char *why)
{
	struct core_out *core = run->config->core;
	if (!core->why_not[0])
		snprintf(core->why_not, sizeof(core->why_not), "%s", why);
	return false;
}

/* Takes the name of the program, as the guest gives it. */
static void take_program(struct run *run)
{
	struct core_out *core = run->config->core;
	struct core_request request;
	_Static_assert(sizeof(core->program) == sizeof(request.program), "core_out");
	if (guest_memory_read(&run->memory, gpa(LAYOUT_CORE_REQUEST), &request, sizeof(request)))
		return;
	memcpy(core->program, request.program, sizeof(core->program) - 1);
}

/* Answers one request. Returns false when the guest has sent all, or cannot continue. */
static bool serve_one(struct run *run, uint32_t op)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	struct core_out *core = run->config->core;
	struct doorbell asked;
	guest_memory_copy(&asked, page, sizeof(asked));
	int64_t answer = 0;
	switch (op) {
	case DOORBELL_CORE:
		answer = core_out_take(core, &run->memory, gpa(asked.args[0]), asked.args[1], asked.args[2],
		                       asked.args[3]);
		break;
	case DOORBELL_HOST_FILE:
		answer = serve_files(run, gpa(asked.args[0]));
		break;
	case DOORBELL_MEMORY:
		answer = run_show_memory(run, asked.args[0]);
		break;
	case DOORBELL_COPY:
		answer = run_serve_copy(run, asked.args);
		break;
	case DOORBELL_EXIT:
		core_out_end(core);
		take_program(run);
		return false;
	default:
		return refuse_core(run, "the guest's kernel did something else");
	}
	page->result = answer;
	return !core->error && !core->why_not[0];
}

/* Writes what the guest is asked for. Returns 0 or a negative errno. */
static int write_request(struct run *run)
{
	const struct run_result *result = run->result;
	const struct image_header *image = &run->image.header;
	const struct fault_report *report = &result->report;
	const uint64_t rip = report->registers[ENGINE_RIP];
	const bool has_place = result->end == RUN_TIMEOUT || (result->has_report && report->vector != 0xff);
	struct core_request request = {
		.signal = result->end == RUN_SIGNAL ? (uint32_t)result->status : 0,
		.thread = result->end == RUN_DEADLOCK ? thread_reports_subject(&result->threads) : 0,
		.in_program = has_place && (rip < image->kernel_text || rip >= image->kernel_text_end),
		.rflags = report->rflags,
	};
	memcpy(request.registers, report->registers, sizeof(request.registers));
	return guest_memory_write(&run->memory, gpa(LAYOUT_CORE_REQUEST), &request, sizeof(request));
}

static bool enter_guest(struct run *run)
{
	struct engine_registers registers = {.rflags = 0x202}, before;
	registers.general[ENGINE_RIP] = run->image.header.tell_core;
	registers.general[ENGINE_RSP] = /* as after a call instruction */
		LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP - sizeof(uint64_t);
	return !write_request(run) && !run->ops->get_registers(run->engine, &before) &&
	       !run->ops->set_registers(run->engine, &registers);
}

static void collect(struct run *run)
{
	const struct core_out *core = run->config->core;
	const uint64_t start = watch_now_ns();
	bool goes_on = enter_guest(run) || refuse_core(run, "the guest cannot be entered");
	while (goes_on && !is_stopped_now(run)) {
		run->ops->run(run->engine, &run->exit);
		if (run->exit.stop == ENGINE_DOORBELL)
			goes_on = serve_one(run, run->exit.doorbell_op);
		else if (run->exit.stop == ENGINE_BROKEN)
			goes_on = refuse_core(run, "the guest's kernel failed");
		if (goes_on && watch_now_ns() - start > BEGIN_NS + (core->written >> 20) * MIB_NS)
			goes_on = refuse_core(run, "the guest takes too long to send it");
	}
}

void run_collect_core(struct run *run)
{
	struct core_out *core = run->config->core;
	const enum run_end end = run->result->end;
	if (is_stopped_now(run) || (end != RUN_SIGNAL && end != RUN_DEADLOCK && end != RUN_TIMEOUT))
		return;
	core->is_stopped = end == RUN_TIMEOUT ? NULL : run_is_stopped;
	core->data_max = 4 * run->config->memory_bytes + FILES_MAX;
	if (!run->image.header.tell_core)
		refuse_core(run, "the image has the kernel of an older eremite, which writes none");
	else if (end == RUN_TIMEOUT && !run->stopped_between)
		refuse_core(run,
		            "the run was stopped while the guest's kernel was at work; another --timeout meets another "
		            "place");
	else
		collect(run);
}
