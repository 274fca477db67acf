/* SPDX-License-Identifier: MIT */
/* One run: set up, serve the guest's doorbell until it ends, compute the hashes, tear down.
 *
 * The calling thread runs the guest; watch.c watches it meanwhile. */
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_account.h"
#include "abi/ticks.h"
#include "base/error.h"
#include "base/jitter.h"
#include "base/raw_mode.h"
#include "code/code_search.h"
#include "code/service/code_service.h"
#include "guest/cpu_host.h"
#include "hostfs/host_check.h"
#include "hostfs/host_show.h"
#include "run/accounts.h"
#include "run/boot.h"
#include "run/place.h"
#include "run/run_changes.h"
#include "run/run_confine.h"
#include "run/run_core.h"
#include "run/run_digest.h"
#include "run/run_extension.h"
#include "run/run_stall.h"
#include "run/run_state.h"
#include "scan/scan.h"

/* How long the monitor tries to stop a guest outside its kernel, in ns. */
#define STOP_NS 3000000000UL

#define SHOWN_FIRST (64UL << 20)

/* With jitter each event happens before one of 8 entries to the guest, on average. */
#define INTERRUPT_ONE_IN 8

static uint32_t boot_flags(const struct run_config *config)
{
	static const uint32_t unknown[UNKNOWN_KINDS] = {BOOT_FLAG_PROBE, 0, BOOT_FLAG_ENOSYS};
	uint32_t flags = config->host_file_times ? BOOT_FLAG_HOST_TIMES : 0;
	flags |= config->tty ? BOOT_FLAG_STDIN_TTY | BOOT_FLAG_STDOUT_TTY | BOOT_FLAG_STDERR_TTY : 0;
	flags |= (config->strace ? BOOT_FLAG_STRACE : 0) | (config->debug ? BOOT_FLAG_DEBUG : 0);
	flags |= (config->has_layout_seed ? BOOT_FLAG_LAYOUT_SEED : 0) | (config->tries ? BOOT_FLAG_TRIES : 0);
	if (config->net)
		flags |= (net_is_wanted(config->net) ? BOOT_FLAG_NETWORK : 0) |
		         (config->net->has_route ? BOOT_FLAG_ROUTE : 0) |
		         (config->net->jumps ? BOOT_FLAG_NET_JUMP : 0) | (config->net->has_input ? BOOT_FLAG_INPUT : 0);
	return flags | unknown[config->unknown_calls] | cpu_host_flags(config->cpu.model);
}

/* The kernel's page tables take about one part in so many of RAM (pagetable_region_bytes of kernel/mm/pagetable.c). If
 * they take more, the guest asks for the rest, which costs an exit. */
#define TABLES_OF_LINUX 24
#define TABLES_OF_NATIVE 256

/* The RAM that the engine shows at first, in bytes: enough for the kernel's tables and most programs. KVM makes tables
 * for all RAM that is shown, which takes half a millisecond for each GiB. */
static uint64_t shown_first(const struct run *run)
{
	const uint64_t tables = run->memory.bytes / (run->config->linux_program ? TABLES_OF_LINUX : TABLES_OF_NATIVE);
	uint64_t bytes = SHOWN_FIRST + ((run->image.end + tables + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1));
	return bytes < run->memory.bytes ? bytes : run->memory.bytes;
}

/* What the guest notes of its kernel calls. */
static struct boot_events events_wanted(const struct run *run)
{
	const struct run_config *config = run->config;
	struct boot_events wanted = config->event_log ? config->event_log->wanted : (struct boot_events){0};
	if (!wanted.mode && run_marks_are_counted(run))
		wanted.mode = EVENT_LOG_COUNT;
	if (!wanted.stop)
		wanted.stop = config->replay_stop;
	return wanted;
}

static int prepare_guest(struct run *run, struct error *error)
{
	const struct run_config *config = run->config;
	struct trap_site *sites = NULL;
	uint64_t site_count = 0;
	int result = guest_memory_init_by(&run->memory, run->ops->reserve, config->memory_bytes);
	if (result)
		return error_set(error, -result,
		                 "cannot reserve %lu MiB of address space: %s; %s, or give a smaller --memory",
		                 config->memory_bytes >> 20, strerror(-result),
		                 result == -EFBIG ? "raise 'ulimit -f'" : "raise 'ulimit -v'");
	const struct image_source source = {.path = config->image,
	                                    .fd = config->image_file ? config->image_file : -1,
	                                    .offset = config->image_offset,
	                                    .bytes = config->image_bytes,
	                                    .symbols_offset = config->image_symbols_offset,
	                                    .symbols_bytes = config->image_symbols_bytes};
	result = image_load(&source, &run->memory, &run->image, error);
	if (!result)
		result = scan_image(&run->memory, &run->image, &sites, &site_count, error);
	if (!result) {
		run->shown = shown_first(run);
		struct boot_config boot = {
			.seed = config->seed,
			.layout_seed = config->layout_seed,
			.epoch_ns = config->epoch_ns,
			.uptime_s = config->uptime_s,
			.flags = boot_flags(config),
			.arguments = config->arguments,
			.argument_count = config->argument_count,
			.environment = config->environment,
			.environment_count = config->environment_count,
			.root_bytes = config->root ? config->root->bytes : 0,
			.events = events_wanted(run),
			.sched = config->sched.boot,
			.from = config->sched.from,
			.faults = config->faults,
			.user = config->user,
			.trap_sites = sites,
			.trap_site_count = site_count,
			.trees = config->host_files ? config->host_files->trees : NULL,
			.tree_count = config->host_files ? config->host_files->tree_count : 0,
			.workdir = config->workdir,
			.program = config->linux_program && config->program != config->arguments[0] ? config->program
		                                                                                    : NULL,
			.processors = config->cpu.processors,
			.terminal_rows = config->tty_rows,
			.terminal_columns = config->tty_columns,
			.ram_shown = run->shown,
			.set_base = run->ops->set_base(),
			.translation = run->ops->translation,
		};
		result = boot_prepare(&run->memory, &run->image, &boot, error);
	}
	free(sites);
	if (result)
		return result;
	result = schedule_window_init(&run->schedule, &config->sched, config->schedule, config->schedule_out,
	                              &run->memory, run->ops->reserve);
	if (result)
		return error_set(error, -result, "cannot reserve %lu MiB of address space for the schedule: %s",
		                 LAYOUT_SCHEDULE_SIZE >> 20, strerror(-result));
	return run_notes_begin(run);
}

static int prepare_host_files(const struct run *run, struct error *error)
{
	struct host_files *files = run->config->host_files;
	if (!files)
		return 0;
	int result = host_files_begin(files);
	if (result)
		*error = files->error;
	else
		host_ahead_begin(run->config->host_ahead, files, &run->memory, gpa(LAYOUT_HOST_AHEAD));
	return result;
}

static int show_content(void *engine, uint64_t address, const struct host_memory *memory, uint64_t offset,
                        uint64_t bytes)
{
	const struct run *run = engine;
	return run->ops->map(run->engine, address, memory, offset, bytes, false);
}

static void fill_content(void *engine, uint64_t address, uint64_t bytes, int file, uint64_t offset)
{
	const struct run *run = engine;
	run->ops->fill(run->engine, address, bytes, file, offset);
}

static int prepare_contents(struct run *run, struct error *error)
{
	struct host_files *files = run->config->host_files;
	if (!files)
		return 0;
	run->contents = (struct guest_contents){
		.show = show_content, .fill = run->ops->fill ? fill_content : NULL, .engine = run};
	run->memory.contents = files->contents = &run->contents;
	int result = guest_contents_init(&run->contents);
	return result ? error_set(error, -result, "cannot make memory for contents of host files: %s",
	                          strerror(-result))
	              : 0;
}

static int prepare_engine(struct run *run, struct error *error)
{
	const struct root *root = run->config->root;
	const struct event_log *log = run->config->event_log;
	int result = run->ops->create(&run->engine, &run->image.header, &run->config->cpu, error);
	if (result)
		return result;
	run->mapped = run_map_beyond(run, run->shown);
	result = run->ops->map(run->engine, 0, &run->memory.ram, 0, run->mapped, true);
	if (result)
		return error_set(error, -result, "cannot map the guest's memory: %s", strerror(-result));
	if (root && root->bytes) {
		const struct host_memory memory = {
			.base = (uint8_t *)root->data - root->at, .bytes = root->at + root->bytes, .file = root->fd};
		result = run->ops->map(run->engine, LAYOUT_ROOT, &memory, root->at, root->bytes, false);
		if (result)
			return error_set(error, -result, "cannot map the root image into the guest: %s",
			                 strerror(-result));
		run->memory.root = root->data;
		run->memory.root_bytes = root->bytes;
	}
	result = prepare_contents(run, error);
	if (result)
		return result;
	if (log) {
		result = run->ops->map(run->engine, LAYOUT_EVENT_LOG, &log->memory, 0, LAYOUT_EVENT_LOG_SIZE,
		                       log->wanted.mode == EVENT_LOG_RECORD);
		if (result)
			return error_set(error, -result, "cannot map the log of --verify into the guest: %s",
			                 strerror(-result));
	}
	if (run->schedule.area)
		result = run_map(run, LAYOUT_SCHEDULE, &run->schedule.memory, LAYOUT_SCHEDULE_SIZE, "the schedule",
		                 error);
	if (!result)
		result = run_tries_prepare(run, error);
	if (!result)
		result = run_net_prepare(run, error);
	if (!result)
		result = run_strace_prepare(run, error);
	if (!result)
		result = run_debug_prepare(run, error);
	if (result)
		return result;
	struct engine_registers registers = {.rflags = 0x202};
	registers.general[ENGINE_RIP] = run->image.header.start;
	registers.general[ENGINE_RSP] = run->image.header.boot_stack_top;
	result = run->ops->set_registers(run->engine, &registers);
	if (result)
		return error_set(error, -result, "cannot set the guest's registers: %s", strerror(-result));
	return run->ops->start(run->engine, error);
}

/* Limits of /out: 4 times the bytes of memory and root, and one object for 64 bytes of memory. An object in the guest
 * takes more than 64 bytes. */
static struct out_limits out_limits(const struct run_config *config)
{
	return (struct out_limits){
		.objects = config->memory_bytes / 64,
		.bytes = 4 * (config->memory_bytes + (config->root ? config->root->bytes : 0)),
		.stopped = run_is_stopped,
	};
}

/* Opens what the confined monitor cannot open. */
static int open_all(struct run *run, struct error *error)
{
	const struct out_limits limits = out_limits(run->config);
	run->out_open = run->config->out_dir || run->config->want_digest || run->config->out_copy;
	int result = run->out_open ? out_init(&run->out, run->config->out_dir, &limits) : 0;
	run->out.copy = run->config->out_copy;
	if (result)
		*error = run->out.error;
	return result;
}

/* Connects the guest's terminal to the host's. If keys come as events, the network's functions read them. A replay has
 * no terminal, and could not interrupt a program that makes no system call at the same place. */
static void begin_terminal(struct run *run)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	const bool has_events = run->config->net && run->config->net->has_input;
	if (raw_mode_is_open())
		raw_mode_enter();
	if (has_events && (run->config->recording || run->config->replay))
		return;
	run->watch.interrupt = &page->interrupt;
	if (has_events) {
		net_interrupt_by(run->net, &page->interrupt);
		return;
	}
	terminal_init(&run->terminal, run->config->want_digest);
	run->watch.terminal = &run->terminal;
}

/* Called after the second thread has ended, so nothing reads the terminal any more. */
static void end_terminal(struct run *run)
{
	terminal_fini(&run->terminal);
	run->result->typed = run->terminal.record;
}

static void set_up(struct run *run)
{
	struct error error = {0};
	if (code_shared_uses_init(&run->known.uses, run->config->sched.points.shared)) {
		run_fail(run, "out of memory");
		return;
	}
	run->known.sealed = run->config->code_sealed;
	run->known.noted = run->config->code_noted;
	if (prepare_guest(run, &error) || open_all(run, &error) || prepare_engine(run, &error) ||
	    run_confine(run, &error) || prepare_host_files(run, &error)) {
		run_fail(run, "%s", error.text);
		return;
	}
	/* Starts after all mappings are made, because populating memory makes mmap(2) wait. */
	memory_ahead_expect(&run->ahead, &run->memory, run->config->memory_low, run->config->memory_high);
	console_init(&run->console, &run->memory, run->config->discard_output, run->config->want_digest);
	console_pass_on(&run->console, run->config->copies, run->config->copies_max, &run->config->observer);
	if (run->config->strace)
		console_show_calls(&run->console, run->config->strace);
	code_search_stop_when(run_is_stopped);
	if (run->config->host_files)
		run->config->host_files->is_stopped = run_is_stopped;
	watch_init(&run->watch, run->ops, run->engine, &run->console, run->config->timeout_s,
	           !run->config->tries && (run->config->linux_program || run->config->observer.stalled ||
	                                   schedule_window_ends_by_stop(&run->schedule)));
	spin_init(&run->spin, run->ops, run->engine, &run->memory, &run->image);
	if (run->config->tty)
		begin_terminal(run);
	run_net_start(run);
	run_marks_start(run);
	run->ready = true;
}

/* Whether the accounts of threads can be closed where the guest stands. */
static bool can_close(struct run *run)
{
	struct engine_registers registers;
	return !run->ops->get_registers(run->engine, &registers) &&
	       accounts_can_be_closed(&run->image.header, &run->exit, &registers);
}

/* Looks at the guest, which was interrupted for it. */
static void look(struct run *run)
{
	struct sched_shared shared;
	struct progress_sight sight;
	uint64_t ticks = place_shared(&run->memory, &run->image, &shared);
	/* Such a guest never asks the policy, where its replay would stop. If its kernel is running now, a later look
	 * stops it. */
	if ((!run->config->sched.boot.flags || can_close(run)) && run_take_recorded_stop(run))
		return;
	if (run_debug_look(run)) /* the trap flag is the debugger's */
		return;
	run_stall_sight(run, &shared, ticks, &sight);
	run_stall_look(run, &sight, &shared);
	if (run->config->linux_program)
		run_extension_look(run);
	if (run->config->linux_program)
		watch_look_in(&run->watch, spin_look(&run->spin, &sight, shared.youngest > 1, watch_now_ns()));
}

/* Ends the run because of --timeout or a signal. */
static void take_stop(struct run *run, int why)
{
	run->ended = true;
	run->result->end = why == WATCH_TIMEOUT ? RUN_TIMEOUT : RUN_INTERRUPTED;
	run->result->status = why == WATCH_TIMEOUT ? 0 : why;
}

/* Whether the guest can be stopped here. If its kernel is running, it continues for a moment, for STOP_NS at most. */
static bool is_place_to_stop(struct run *run)
{
	uint64_t now = watch_now_ns();
	if (!run->stop_tries++)
		run->stop_since_ns = now;
	const bool stops_anywhere = !run->config->sched.boot.flags && !run->config->core;
	if (stops_anywhere || can_close(run) || run->stops_here || now - run->stop_since_ns > STOP_NS)
		return true;
	watch_stop_again();
	return false;
}

/* With jitter, before the guest continues: sometimes waits, interrupts the guest at once, or populates memory. */
static void jitter_moment(struct run *run)
{
	jitter_stall();
	if (jitter_one_in(INTERRUPT_ONE_IN))
		run->ops->interrupt(run->engine);
	if (jitter_one_in(INTERRUPT_ONE_IN))
		memory_ahead_follow_guest(&run->ahead, &run->memory);
}

/* Whether a key that makes a signal was typed, and the Linux program has not taken it yet. */
static bool has_typed_signal(const struct run *run)
{
	return run->watch.interrupt && run->config->linux_program &&
	       __atomic_load_n(run->watch.interrupt, __ATOMIC_RELAXED);
}

/* Starts the threads of a run that lasts longer than most. */
static void last_longer(struct run *run)
{
	run_drain_beside(run);
	if (run->config->host_files)
		host_ahead_go_on(run->config->host_ahead);
}

/* Ends a run whose guest cannot go on. Names the file if the reason is one that was truncated while it was mapped. */
static void fail_broken(struct run *run)
{
	struct host_files *files = run->config->host_files;
	run_stop_ahead(run);
	run_fail(run, "%s", files && host_show_find_truncated(files) ? files->error.text : run->exit.message);
}

static void serve(struct run *run)
{
	while (!run->ended) {
		jitter_moment(run);
		run->ops->run(run->engine, &run->exit);
		if (run->exit.stop == ENGINE_DOORBELL) {
			run_serve_doorbell(run, run->exit.doorbell_op);
		} else if (run->exit.stop == ENGINE_BROKEN) {
			run->result->exits[DOORBELL_COUNTER_other]++;
			run_drain(run);
			fail_broken(run);
		} else {
			run_drain(run); /* the second thread may have met an error */
		}
		if (!run->ended && watch_is_time_to_drain(&run->watch))
			last_longer(run);
		if (!run->ended && run_is_stopped() && is_place_to_stop(run))
			take_stop(run, watch_stopped());
		if (!run->ended && run->exit.stop == ENGINE_INTERRUPTED && has_typed_signal(run))
			spin_interrupt(&run->spin);
		if (!run->ended && watch_is_time_to_look())
			look(run);
	}
}

/* Whether the run ended at a place that the guest did not choose. */
static bool is_cut_short(const struct run_result *result)
{
	return result->end == RUN_TIMEOUT || result->end == RUN_INTERRUPTED || result->end == RUN_REPLAYED ||
	       result->end == RUN_DIFFER;
}

/* Takes the last records of the schedule and the accounts of threads. */
static void finish_schedule(struct run *run)
{
	struct run_result *result = run->result;
	struct error error;
	run->ticks = place_shared(&run->memory, &run->image, &result->sched);
	const struct sched_record stop = schedule_window_stop(&run->schedule, &result->sched, run->ticks);
	run_notes_finish(run);
	if (schedule_window_close(&run->schedule, &run->memory, is_cut_short(result) ? &stop : NULL, &error))
		run_fail(run, "%s", error.text);
	if (run->config->sched.boot.flags & SCHED_FLAG_ACCESSES) {
		result->access_count = schedule_window_accesses(&run->schedule, &result->accesses);
		schedule_window_places(&run->schedule, &result->several_first, &result->several_last);
	}
	if (run->config->sched.boot.flags & SCHED_FLAG_READS)
		result->pair_count = schedule_window_pairs(&run->schedule, &result->pairs, &result->signature);
	if (!(run->config->sched.boot.flags & SCHED_FLAG_ACCOUNT) || run->config->discard_output)
		return;
	/* Those behind have no account: reading them would allocate memory. A native program starts with one that is
	 * not counted. */
	const uint64_t threads = result->sched.youngest ? result->sched.youngest : 1;
	const unsigned most = threads < SCHED_ACCOUNTS ? (unsigned)threads : SCHED_ACCOUNTS;
	result->accounts = calloc(most, sizeof(*result->accounts));
	result->account_processes = calloc(most, sizeof(*result->account_processes));
	for (unsigned i = 0; result->accounts && result->account_processes && i < most; i++)
		if (schedule_window_account(&run->schedule, i, &result->accounts[result->account_count]))
			schedule_window_account_process(&run->schedule, i,
			                                &result->account_processes[result->account_count++]);
}

/* Takes the place of a guest that was cut short, then closes the accounts of its threads. */
static void finish_cut_short(struct run *run)
{
	struct run_result *result = run->result;
	if (result->has_report) /* the guest made the report itself, with its accounts closed */
		return;
	result->has_report = !place_take(run->ops, run->engine, &run->memory, &result->report);
	run->stopped_between = can_close(run);
	if (run->config->sched.boot.flags & SCHED_FLAG_ACCOUNT)
		result->without_accounts =
			!run->stopped_between || !accounts_close(&run->image.header, run->ops, run->engine);
}

static void finish(struct run *run)
{
	struct run_result *result = run->result;
	struct error error;
	if (is_cut_short(result))
		finish_cut_short(run);
	run_drain(run);
	raw_mode_leave(); /* the program's output is written, except what a blocked stream holds back */
	finish_schedule(run);
	run_tries_finish(run);
	run_check_from(run);
	if (run->out_open && out_fini(&run->out, result->digest.out) && !run_is_stopped())
		run_fail(run, "%s", run->out.error.text);
	memcpy(result->warning, run->out.warning, sizeof(result->warning));
	run->out_open = false;
	result->listed_files = run->known.uses.files;
	result->unused_files = run->known.uses.unused;
	guest_memory_read(&run->memory, gpa(LAYOUT_STATS), &result->stats, sizeof(result->stats));
	if (run->config->want_digest) {
		struct guest_memory given = run->memory; /* the guest has touched nothing beyond */
		given.bytes = run->mapped;
		run_digest_memory(&given, result);
	}
	if (run->config->changes && run_is_own_end(result) && !run_is_stopped())
		run_collect_changes(run);
	if (run->config->core)
		run_collect_core(run);
	const bool leaves = run_is_own_end(result) && run->ops->leave && !run_is_stopped();
	if (leaves)
		run->ops->leave(run->engine); /* while the host's files are checked */
	if (run->config->host_files && run_is_own_end(result) && !run_is_stopped())
		host_chunks_hash(run->config->host_files); /* host_chunks_finish reports errors */
	watch_fini(&run->watch); /* from here on a signal ends eremite at once; no temporary file is left */
	run_drain(run);
	if (result->end != RUN_ERROR && run_is_stopped())
		take_stop(run, watch_stopped()); /* the stop may have cut the last output short */
	run_strace_finish(run);
	run_debug_finish(run);
	if (run->watch.terminal)
		end_terminal(run);
	if (is_cut_short(result) && !result->stats.virtual_ns)
		result->stats.virtual_ns = run->ticks / TICKS_PER_NS;
	if (run->config->event_log)
		guest_memory_read(&run->memory, gpa(LAYOUT_EVENTS), &result->events, sizeof(result->events));
	if (is_cut_short(result) && !result->has_report && !leaves)
		result->has_report = !place_take(run->ops, run->engine, &run->memory, &result->report);
	/* Fails the run if a file that it used has changed meanwhile: its result belongs to neither version. */
	bool is_stopped = result->end == RUN_ERROR || result->end == RUN_TIMEOUT || result->end == RUN_INTERRUPTED;
	if (run->config->host_files && !is_stopped && host_chunks_finish(run->config->host_files))
		run_fail(run, "%s", run->config->host_files->error.text);
	else if (run->config->host_files && host_notes_check(&run->config->host_files->notes, &error))
		run_fail(run, "%s", error.text);
	else if (run->config->host_files && result->end != RUN_ERROR && host_files_check(run->config->host_files))
		run_fail(run, "%s", run->config->host_files->error.text);
	memcpy(result->copied, run->console.copied, sizeof(result->copied));
	if (run->config->want_digest)
		run_digest_close(run->config, &run->console, result);
}

void run_image(const struct run_config *config, const struct engine_ops *ops, struct run_result *result)
{
	static struct run run; /* too large for the stack; one run at a time (watch.h) */
	memset(&run, 0, sizeof(run));
	memset(result, 0, sizeof(*result));
	result->engine = ops->name;
	run.config = config;
	run.ops = ops;
	run.result = result;
	run.image.file = -1;
	uint64_t start = watch_now_ns();
	set_up(&run);
	uint64_t entered = watch_now_ns();
	if (!run.ended)
		serve(&run);
	run_marks_end(&run);
	net_close(run.net, run_is_stopped, result->forbidden, &result->misses);
	memory_ahead_end(&run.ahead);
	contents_beside_end(&run.beside);
	if (config->host_files)
		host_ahead_end(config->host_ahead);
	uint64_t left = watch_now_ns();
	if (run.ready)
		finish(&run);
	else if (run.out_open)
		out_fini(&run.out, result->digest.out);
	if ((result->has_report || result->threads.count) && config->observer.fault)
		config->observer.fault(config->observer.context, result, &run.memory, &run.image);
	result->threads = (struct thread_reports){0};
	thread_reports_free(&run.threads);
	schedule_window_fini(&run.schedule);
	run_tries_fini(&run);
	host_memory_release(&run.strace);
	host_memory_release(&run.debug);
	code_shared_uses_fini(&run.known.uses);
	code_service_fini(&run.known);
	if (run.console.memory)
		console_fini(&run.console);
	ops->destroy(run.engine);
	image_fini(&run.image);
	if (config->host_files) {
		config->host_files->contents = NULL;
		guest_contents_fini(&run.contents);
	}
	guest_memory_fini(&run.memory);
	result->setup_ns = entered - start;
	result->guest_ns = left - entered;
	result->teardown_ns = watch_now_ns() - left;
	result->wall_ns = result->setup_ns + result->guest_ns + result->teardown_ns;
	if (config->observer.end)
		config->observer.end(config->observer.context, result);
}
