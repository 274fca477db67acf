/* SPDX-License-Identifier: MIT */
/* Runs are made by children, whose traces become the steps of the image. */
#include "pack/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi/image.h"
#include "base/child.h"
#include "base/error.h"
#include "library/cjson.h"
#include "base/commit.h"
#include "base/die.h"
#include "base/version.h"
#include "guest/cpu_host.h"
#include "oci/oci.h"
#include "oci/oci_root.h"
#include "pack/manifest_text.h"
#include "pack/pack_links.h"
#include "pack/pack_step.h"
#include "pack/pack_table.h"
#include "pack/stage.h"
#include "pack/stage_inputs.h"
#include "pack/stage_portable.h"
#include "pack/trace_run.h"
#include "session/session.h"
#include "root/mkfs.h"
#include "scan/disassembler.h"

#define EPOCH_MAX_S 4102444800L /* 2100-01-01: a file that claims to be newer does not decide when a run starts */

/* Ends eremite after the stage is removed. */
static _Noreturn void fail_pack(struct stage *stage, const char *error)
{
	stage_close(stage);
	die("%s", error);
}

/* A child that runs a step, and the pipes between it and this process. */
struct step_child {
	pid_t pid;
	int ready, goes_on;
};

/* Starts a step in a child. Returns 0 or a negative errno. */
static int start_step(const struct pack_run *run, struct trace_run *trace, struct step_child *child)
{
	int ready[2], goes_on[2];
	pid_t parent = getpid();
	if (pipe2(ready, O_CLOEXEC))
		return -errno;
	if (pipe2(goes_on, O_CLOEXEC)) {
		close(ready[0]);
		close(ready[1]);
		return -errno;
	}
	fflush(NULL);
	*child = (struct step_child){fork(), ready[0], goes_on[1]};
	if (!child->pid) {
		close(ready[0]);
		close(goes_on[1]);
		trace->ready = ready[1];
		trace->goes_on = goes_on[0];
		child_follow(parent);
		exit(trace_run_make(run->argc, run->argv, trace));
	}
	close(ready[1]);
	close(goes_on[0]);
	return child->pid < 0 ? -errno : 0;
}

/* Waits until the child has left a trace. Returns false if it has ended without one. */
static bool await_trace(const struct step_child *child)
{
	char byte;
	ssize_t got;
	while ((got = read(child->ready, &byte, 1)) < 0 && errno == EINTR)
		;
	return got == 1;
}

/* Lets the child go on if the step is added, or else end, and waits for it. Returns its wait status. */
static int end_step(const struct step_child *child, bool is_added)
{
	int status = -1;
	sighandler_t old = signal(SIGPIPE, SIG_IGN); /* a child that was killed meanwhile does not read */
	while (is_added && write(child->goes_on, "", 1) < 0 && errno == EINTR)
		;
	signal(SIGPIPE, old);
	close(child->goes_on);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(child->ready);
	return status;
}

/* Ends as a step that has left no trace. */
static _Noreturn void end_as(struct stage *stage, int status)
{
	stage_close(stage);
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_EREMITE);
}

/* Makes the root file system of what was unpacked. Sets the time of its newest file. */
static void make_root(struct stage *stage, int dir, const struct oci_config *config, int64_t *newest)
{
	struct error error;
	int sig, file = openat(stage->dir, "root", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file < 0)
		fail_pack(stage, "pack: cannot make temporary files beside the image");
	int result = oci_root_make(dir, config, file, newest, &sig, &error);
	if (sig) {
		say("%s", error.text);
		end_as(stage, sig);
	}
	if (result)
		fail_pack(stage, error.text);
	close(file);
}

/* Starts no earlier than the newest file of the container, as any `docker run` does: its epoch replaces the default. */
static void set_epoch(struct pack_run *run, int64_t newest)
{
	static char text[40];
	const int64_t second = newest + 1;
	struct tm date;
	if (second <= DEFAULT_EPOCH_NS / 1000000000 || second > EPOCH_MAX_S || !gmtime_r(&second, &date))
		return;
	strftime(text, sizeof(text), "--epoch=%Y-%m-%dT%H:%M:%SZ", &date);
	pack_option_insert(run, text);
}

/* Unpacks an image of a container, and completes the run that starts it. */
static void take_container(struct stage *stage, struct pack_option *option, struct oci_config *config)
{
	struct pack_run *run = &option->runs[0];
	struct error error;
	char *root;
	int64_t newest;
	int dir = -1;
	if (!mkdirat(stage->dir, "container", 0700))
		dir = openat(stage->dir, "container", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		fail_pack(stage, "pack: cannot make temporary files beside the image");
	if (oci_unpack(option->oci, dir, config, &error))
		fail_pack(stage, error.text);
	if (*config->warning)
		say("%s", config->warning);
	if (!config->argument_count && run->argc == run->program)
		fail_pack(stage,
		          "pack: the image of the container has neither Entrypoint nor Cmd; give a program behind --");
	make_root(stage, dir, config, &newest);
	close(dir);
	if (asprintf(&root, "%s/root", stage->path) < 0)
		fail_pack(stage, "out of memory");
	pack_option_container(run, root, config);
	free(root);
	set_epoch(run, newest);
}

/* Lists instructions that differ between processors. With --strict, ends eremite if there are any. */
static void check_portable(struct stage *stage, const struct pack_option *option)
{
	struct error error;
	int64_t count = option->check_portable ? stage_portable(stage, stderr, &error) : 0;
	if (count < 0)
		fail_pack(stage, error.text);
	if (count && option->strict)
		fail_pack(
			stage,
			"pack: --strict: instructions whose results depend on the processor were found, so no image is "
			"made");
}

/* The minutes that have passed, rounded up to a power of two, so that packing a run again mostly gives the same image;
 * 0 for less than a minute, for which no limit of time is derived. */
static uint64_t minutes_since(const struct timespec *from)
{
	struct timespec now;
	uint64_t minutes = 1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	const uint64_t seconds = (uint64_t)(now.tv_sec - from->tv_sec);
	while (minutes * 60 < seconds)
		minutes *= 2;
	return seconds < 60 ? 0 : minutes;
}

/* Runs a step and adds it to the image. Returns the wait status of the run. */
static int make_step(struct stage *stage, const struct pack_option *option, struct pack_steps *steps, unsigned index)
{
	struct trace_run trace = {
		.includes = option->includes,
		.include_count = option->include_count,
		.excludes = option->excludes,
		.no_run = option->no_run,
	};
	struct step_child child;
	struct timespec from;
	struct error error;
	char out[PATH_MAX];
	if (trace_open(&trace.fds, stage->dir, true) || pack_step_out(stage, index, out))
		fail_pack(stage, "pack: cannot make temporary files beside the image");
	trace.out_dir = out;
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (start_step(&option->runs[index], &trace, &child))
		fail_pack(stage, "pack: cannot start a process");
	if (!await_trace(&child))
		end_as(stage, end_step(&child, false));
	const uint64_t wall_minutes = minutes_since(&from);
	int failed = pack_step_add(steps, stage, &option->runs[index], &trace.fds, out, &error);
	int status = end_step(&child, !failed);
	if (!failed)
		pack_links_say(steps, trace.fds.names);
	trace_close(&trace.fds);
	if (failed)
		fail_pack(stage, error.text);
	struct eri_step *step = &steps->steps[steps->count - 1];
	step->wall_minutes = wall_minutes;
	bool is_own = !strcmp(step->end, "exit") && step->status == EXIT_EREMITE;
	if (WIFSIGNALED(status) || (WEXITSTATUS(status) == EXIT_EREMITE && !is_own))
		end_as(stage, status); /* saving has failed */
	return status;
}

/* Finds the packages of the inputs, and shows the inputs. */
static void add_pack_packages(struct stage *stage, const struct pack_option *option, const struct pack_steps *steps,
                              char hex[STAGE_HEX_BYTES])
{
	struct eri_packages packages = {0};
	struct error error;
	if (stage_inputs_packages(stage, &packages, hex, &error))
		fail_pack(stage, error.text);
	if (!option->is_quiet)
		pack_table_say(stage, &packages, steps, option->is_verbose);
	eri_packages_fini(&packages);
}

/* Checks what the image needs after the run, so that no long run is lost. */
static void check_tools(const struct pack_option *option)
{
	struct error error;
	if (mkfs_check(&error) || cjson_load(&error) || (option->check_portable && disassembler_load(&error)))
		die("%s", error.text);
}

int pack_image(struct pack_option *option)
{
	static struct stage stage;
	static char vendor[CPU_HOST_NAME], processor[CPU_HOST_NAME], packages[STAGE_HEX_BYTES];
	struct eri_manifest manifest = {.version = EREMITE_VERSION,
	                                .commit = commit_text,
	                                .definition = DIGEST_DEFINITION,
	                                .host_vendor = vendor,
	                                .host_processor = processor,
	                                .packages_sha256 = packages};
	struct pack_steps steps = {0};
	struct error error;
	struct oci_config config = {0};
	int status = 0, sig = 0;
	check_tools(option);
	if (stage_open(&stage, option->output, &error))
		die("%s", error.text);
	if (pack_run_mask(&stage))
		fail_pack(&stage, "pack: cannot find the directory of the image");
	stage.externals = option->externals;
	stage.excludes = option->excludes;
	if (option->oci)
		take_container(&stage, option, &config);
	for (unsigned i = 0; i < option->run_count; i++)
		status = make_step(&stage, option, &steps, i);
	check_portable(&stage, option);
	add_pack_packages(&stage, option, &steps, packages);
	cpu_host_name(vendor, processor);
	pack_steps_manifest(&steps, &stage, &manifest);
	char *text = manifest_text(&manifest, &error);
	if (!text || stage_finish(&stage, text, option->compress, &sig, &error)) {
		if (sig) {
			say("%s", error.text);
			end_as(&stage, sig);
		}
		fail_pack(&stage, error.text);
	}
	if (!option->is_quiet)
		pack_steps_say(&steps, &stage, text);
	stage_close(&stage);
	free(text);
	pack_steps_fini(&steps);
	oci_config_fini(&config);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_EREMITE;
}
