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

static int64_t serve_file(struct run *run, const uint64_t *args)
{
	int64_t answer = run_serve_file_after(run, args);
	if (run->config->host_files)
		run->config->host_files->error.text[0] =
			0; /* the guest takes the answer for a page that cannot be loaded */
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

static int64_t take_data(struct run *run, const uint64_t *args)
{
	return core_out_take(run->config->core, &run->memory, gpa(args[0]), args[1], args[2], args[3]);
}

static int64_t take_core_end(struct run *run, const uint64_t *args)
{
	(void)args;
	core_out_end(run->config->core);
	take_program(run);
	return 0;
}

static void refuse_other(struct run *run)
{
	refuse_core(run, run->exit.stop == ENGINE_BROKEN ? "the guest's kernel failed"
	                                                 : "the guest's kernel did something else");
}

static bool core_goes_on(struct run *run, uint64_t ns)
{
	const struct core_out *core = run->config->core;
	if (core->error || core->why_not[0])
		return false;
	if (ns > BEGIN_NS + (core->written >> 20) * MIB_NS)
		return refuse_core(run, "the guest takes too long to send it");
	return !is_stopped_now(run);
}

static const struct run_after sends_core = {
	.services = {[DOORBELL_CORE] = take_data,
                     [DOORBELL_HOST_FILE] = serve_file,
                     [DOORBELL_MEMORY] = run_serve_memory,
                     [DOORBELL_COPY] = run_serve_copy,
                     [DOORBELL_EXIT] = take_core_end},
	.refuse = refuse_other,
	.goes_on = core_goes_on,
};

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
	else if (!enter_guest(run))
		refuse_core(run, "the guest cannot be entered");
	else
		run_serve_after(run, &sends_core);
}
