/* SPDX-License-Identifier: MIT */
#include "pack/pack_step.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/image.h"
#include "base/array.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "eri/eri_contract.h"
#include "guest/cpu_host.h"
#include "pack/run_outputs.h"
#include "pack/stage_kernel.h"
#include "record/recording.h"
#include "root/root.h"

int pack_run_mask(const struct stage *stage)
{
	char path[PATH_MAX];
	const char *slash = strrchr(stage->output, '/'), *name = slash ? slash + 1 : stage->output;
	char *real = realpath(stage->path, NULL);
	if (!real)
		return -errno;
	host_tree_mask(real);
	*strrchr(real, '/') = 0;
	int length = snprintf(path, sizeof(path), "%s/%s", real, name);
	free(real);
	if (length >= PATH_MAX)
		return -ENAMETOOLONG;
	host_tree_mask(path);
	return 0;
}

int pack_step_out(const struct stage *stage, unsigned index, char path[PATH_MAX])
{
	char name[16];
	snprintf(name, sizeof(name), "%u", index);
	if (snprintf(path, PATH_MAX, "%s/out/%s", stage->path, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	return mkdirat(stage->out, name, 0755) ? -errno : 0;
}

/* --- outputs --- */

/* Stages the contents of an output of the step. */
static int stage_output(struct stage *stage, const struct eri_step *step, const struct run_output *from,
                        struct eri_output *output, struct error *error)
{
	char path[PATH_MAX], hex[STAGE_HEX_BYTES];
	if (snprintf(path, sizeof(path), ERI_STEPS "/%s/" ERI_STEP_OUTPUTS "/%s%s", step->name, from->what,
	             from->path) >= PATH_MAX)
		return error_set(error, ENAMETOOLONG, "the path of the output %.160s is too long for an image",
		                 from->path);
	int fd = run_output_open(from);
	int result = fd < 0 ? fd : stage_copy(stage, fd, from->at, from->bytes, path, 0644, hex);
	if (fd >= 0)
		close(fd);
	if (result)
		return error_set(error, -result, "cannot copy the output %.100s%.60s for the image: %s", from->what,
		                 from->path, strerror(-result));
	output->stored = text_copy(path);
	output->sha256 = text_copy(hex);
	return 0;
}

static int seal_outputs(struct stage *stage, struct eri_step *step, const struct trace *trace,
                        const struct trace_fds *fds, const char *out, struct error *error)
{
	struct run_outputs outputs;
	int result = run_outputs_list(&outputs, trace, fds, out, error);
	step->outputs = memory_or_die(calloc(outputs.count + 1, sizeof(*step->outputs)));
	for (size_t i = 0; i < outputs.count && !result; i++) {
		const struct run_output *from = &outputs.all[i];
		struct eri_output *output = &step->outputs[step->output_count++];
		*output = (struct eri_output){
			from->what, text_copy(from->path), "", "", text_copy(from->target), from->bytes, from->mode};
		if (run_output_has_contents(from))
			result = stage_output(stage, step, from, output, error);
	}
	run_outputs_fini(&outputs);
	return result;
}

/* --- inputs --- */

static int add_input(struct stage *stage, struct eri_step *step, const struct trace *trace, int fd, struct error *error)
{
	char path[PATH_MAX], hex[STAGE_HEX_BYTES];
	if (!trace->has_input)
		return 0;
	snprintf(path, sizeof(path), ERI_STEPS "/%s/" ERI_STEP_STDIN, step->name);
	int result = stage_copy(stage, fd, 0, (uint64_t)lseek(fd, 0, SEEK_END), path, 0644, hex);
	step->stdin_sha256 = text_copy(hex);
	return result ? error_set(error, -result, "cannot copy standard input for the image: %s", strerror(-result))
	              : 0;
}

/* Stages the log of events. */
static int seal_events(struct stage *stage, struct eri_step *step, int fd, struct error *error)
{
	char path[PATH_MAX], hex[STAGE_HEX_BYTES];
	off_t bytes = lseek(fd, 0, SEEK_END);
	if (bytes <= 0) /* the program was not run */
		return 0;
	snprintf(path, sizeof(path), ERI_STEPS "/%s/" ERI_STEP_EVENTS, step->name);
	int result = stage_copy(stage, fd, 0, (uint64_t)bytes, path, 0644, hex);
	step->events_sha256 = text_copy(hex);
	return result ? error_set(error, -result, "cannot copy the log of events for the image: %s", strerror(-result))
	              : 0;
}

/* Stages what the programs are patched by, once for steps with the same programs. */
static int add_code(struct stage *stage, struct eri_step *step, int fd, struct error *error)
{
	char path[PATH_MAX], from[40], hex[STAGE_HEX_BYTES];
	const off_t bytes = lseek(fd, 0, SEEK_END);
	struct stat st;
	if (bytes <= 0)
		return 0;
	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	int result = digest_file(from, hex, error);
	if (result)
		return result;
	snprintf(path, sizeof(path), ERI_CODE "/%s", hex);
	if (fstatat(stage->tree, path, &st, 0))
		result = stage_copy(stage, fd, 0, (uint64_t)bytes, path, 0644, hex);
	step->code_sha256 = text_copy(hex);
	return result ? error_set(error, -result, "cannot copy what the programs are patched by for the image: %s",
	                          strerror(-result))
	              : 0;
}

/* Finds the value of an option that the run was given. Returns NULL if it was not. */
static const char *option_value(const struct trace *trace, const char *name)
{
	const char *value = NULL;
	for (size_t i = 0; i < trace->option_count; i++)
		if (!strncmp(trace->options[i], name, strlen(name)))
			value = trace->options[i] + strlen(name);
	return value;
}

/* Stages the root file system: an image that is found in the cache, or made again. */
static int add_root(struct stage *stage, struct eri_step *step, const struct trace *trace, struct error *error)
{
	static struct root root; /* too large for a stack */
	char path[PATH_MAX], hex[STAGE_HEX_BYTES], identity[DIGEST_TEXT_BYTES];
	const char *from = option_value(trace, "--root=");
	if (!from)
		return 0;
	int result = root_open(&root, from, error);
	if (!result)
		result = root_identity(&root, error);
	if (result)
		return result;
	digest_text(root.identity, identity);
	snprintf(path, sizeof(path), ERI_STEPS "/%s/" ERI_STEP_ROOT, step->name);
	if (!trace->root || strcmp(identity, trace->root))
		result = error_set(error, ESTALE,
		                   "%.160s changed while it was packed; pack again while nothing writes to it", from);
	else if ((result = stage_copy(stage, root.fd, 0, (uint64_t)root.was.st_size, path, 0644, hex)))
		error_set(error, -result, "cannot copy %.160s for the image: %s", from, strerror(-result));
	root_close(&root);
	step->root_sha256 = text_copy(hex);
	return result;
}

static int add_schedule(struct stage *stage, struct eri_step *step, const struct trace *trace, struct error *error)
{
	char path[PATH_MAX], hex[STAGE_HEX_BYTES];
	const char *from = option_value(trace, "--schedule=");
	if (!from)
		return 0;
	snprintf(path, sizeof(path), ERI_STEPS "/%s/" ERI_STEP_SCHEDULE, step->name);
	int result = stage_add(stage, from, path, hex, error);
	if (!result)
		step->schedule_sha256 = text_copy(hex);
	return result;
}

/* Stages the recording that the run has replayed. */
static int seal_recording(struct stage *stage, struct eri_step *step, const char *from, struct error *error)
{
	static const char *const names[] = {RECORDING_LOG, RECORDING_CAPTURE};
	static char file[PATH_MAX]; /* too large for a stack */
	char path[PATH_MAX], hex[STAGE_HEX_BYTES];
	int result = 0;
	const char **const sums[] = {&step->log_sha256, &step->capture_sha256};
	for (unsigned i = 0; i < 2 && !result; i++) {
		snprintf(path, sizeof(path), ERI_STEPS "/%s/" ERI_STEP_RECORDING "/%s", step->name, names[i]);
		result = snprintf(file, sizeof(file), "%s/%s", from, names[i]) < PATH_MAX
		                 ? stage_add(stage, file, path, hex, error)
		                 : error_set(error, ENAMETOOLONG, "the path of the recording is too long");
		if (!result)
			*sums[i] = text_copy(hex);
	}
	return result;
}

/* Keeps the options that an image has. */
static void seal_options(struct eri_step *step, const struct trace *trace)
{
	step->options = memory_or_die(calloc(trace->option_count + 1, sizeof(*step->options)));
	for (size_t i = 0; i < trace->option_count; i++)
		if (eri_manifest_takes(trace->options[i]))
			step->options[step->option_count++] = (char *)trace->options[i];
}

/* Keeps the defaults of the inputs that were not given. */
static void take_defaults(struct eri_step *step, const struct trace *trace)
{
	step->defaults = memory_or_die(calloc(trace->default_count + 1, sizeof(*step->defaults)));
	for (size_t i = 0; i < trace->default_count; i++)
		step->defaults[step->default_count++] = (char *)trace->defaults[i];
}

static void describe_step(struct eri_step *step, const struct trace *trace, const char *name)
{
	*step = (struct eri_step){
		.name = name,
		.is_linux = trace->kernel != NULL,
		.arguments = (char **)trace->arguments,
		.argument_count = (unsigned)trace->argument_count,
		.tree_count = trace->tree_count,
		.names_sha256 = "",
		.root_sha256 = "",
		.kernel_sha256 = "",
		.kernel_symbols_sha256 = "",
		.kernel_loaded_sha256 = "",
		.code_sha256 = "",
		.stdin_sha256 = "",
		.schedule_sha256 = "",
		.events_sha256 = "",
		.log_sha256 = "",
		.capture_sha256 = "",
		.end = trace->end,
		.status = trace->status,
		.virtual_ns = trace->virtual_ns,
		.events = trace->events,
		.digest = trace->digest,
		.part_count = trace->part_count,
	};
	memcpy(step->trees, trace->trees, sizeof(step->trees));
	memcpy(step->parts, trace->parts, sizeof(step->parts));
	seal_options(step, trace);
	take_defaults(step, trace);
}

int pack_step_add(struct pack_steps *steps, struct stage *stage, const struct pack_run *run,
                  const struct trace_fds *fds, const char *out, struct error *error)
{
	char hex[STAGE_HEX_BYTES];
	if (!array_reserve(steps->steps, steps->step_room, steps->count + 1UL) ||
	    !array_reserve(steps->traces, steps->trace_room, steps->count + 1UL))
		return error_set(error, ENOMEM, "out of memory");
	struct trace *trace = &steps->traces[steps->count];
	struct eri_step *step = &steps->steps[steps->count];
	int result = trace_read(trace, fds);
	if (result) {
		trace_fini(trace);
		return result == -ENODATA ? result : error_set(error, -result, "the trace of the run is not valid");
	}
	describe_step(step, trace, run->step);
	steps->count++;
	if (trace->tree_count) {
		result = stage_names(stage, trace, fds->names, step->name, hex, error);
		step->names_sha256 = text_copy(hex);
	}
	if (!result)
		result = stage_kernel(stage, step, trace->kernel, error);
	if (!result)
		result = add_root(stage, step, trace, error);
	if (!result)
		result = add_schedule(stage, step, trace, error);
	if (!result && run->recording)
		result = seal_recording(stage, step, run->recording, error);
	if (!result)
		result = add_input(stage, step, trace, fds->input, error);
	if (!result)
		result = seal_events(stage, step, fds->events, error);
	if (!result)
		result = add_code(stage, step, fds->code, error);
	return result ? result : seal_outputs(stage, step, trace, fds, out, error);
}

/* --- the image --- */

const char *pack_step_features(const char *cpu)
{
	return !strcmp(cpu, "v4")
	               ? "avx avx2 bmi1 bmi2 f16c fma lzcnt movbe avx512f avx512bw avx512cd avx512dq avx512vl"
	       : !strcmp(cpu, "v3") ? "avx avx2 bmi1 bmi2 f16c fma lzcnt movbe"
	                            : "";
}

/* The least version of the contract that has all that a step uses. */
static unsigned step_contract(const struct eri_step *step, const struct trace *trace)
{
	const unsigned run = trace->contract ? trace->contract : IMAGE_ABI_NEEDED;
	const unsigned options = eri_contract_of(step->options, step->option_count),
		       defaults = eri_contract_of(step->defaults, step->default_count),
		       inputs = options > defaults ? options : defaults;
	return inputs > run ? inputs : run;
}

void pack_steps_manifest(const struct pack_steps *steps, const struct stage *stage, struct eri_manifest *manifest)
{
	manifest->cpu = "v2";
	manifest->engine = "";
	manifest->contract = 0;
	for (unsigned i = 0; i < steps->count; i++) {
		const struct trace *trace = &steps->traces[i];
		const unsigned contract = step_contract(&steps->steps[i], trace);
		if (contract > manifest->contract)
			manifest->contract = contract;
		if (strcmp(trace->cpu, manifest->cpu) > 0)
			manifest->cpu = trace->cpu;
		if (trace->memory_bytes > manifest->memory_bytes)
			manifest->memory_bytes = trace->memory_bytes;
		manifest->engine = trace->engine;
	}
	manifest->cpu_features = pack_step_features(manifest->cpu);
	manifest->steps = steps->steps;
	manifest->step_count = steps->count;
	manifest->externals = stage->external;
	manifest->external_count = stage->external_count;
}

void pack_steps_say(const struct pack_steps *steps, const struct stage *stage, const char *manifest)
{
	struct stat st;
	size_t at;
	uint8_t sum[DIGEST_BYTES];
	if (stat(stage->output, &st) || !eri_manifest_identity(manifest, strlen(manifest), &at, sum))
		return;
	const unsigned long megabytes = (unsigned long)st.st_size / 1000000,
			    tenths = (unsigned long)st.st_size / 100000 % 10;
	const unsigned long files = stage->files + 1; /* and the manifest; as in eremite info */
	const struct eri_step *last = &steps->steps[steps->count - 1];
	if (!strcmp(last->end, "none"))
		say("%s: %lu files, %lu.%lu MB; no run is in it, so eremite run %s runs it, and eremite verify has "
		    "nothing "
		    "to repeat",
		    stage->output, files, megabytes, tenths, stage->output);
	else if (stage->lacks)
		say("%s: %lu files, %lu.%lu MB, digest %.23s...; no eremite verify can repeat it, because --exclude "
		    "left out %.300s%s, which the run has read",
		    stage->output, files, megabytes, tenths, last->digest, stage->lacking,
		    stage->lacks > 1 ? " and other files" : "");
	else
		say("%s: %lu files, %lu.%lu MB, digest %.23s...; eremite verify %s%s%s repeats it", stage->output,
		    files, megabytes, tenths, last->digest, stage->external_count ? "--data DIR " : "",
		    *stage->output == '-' ? "-- " : "", stage->output);
	say("identity %.64s", manifest + at);
}

void pack_steps_fini(struct pack_steps *steps)
{
	for (unsigned i = 0; i < steps->count; i++) {
		trace_fini(&steps->traces[i]);
		free(steps->steps[i].options);
		free(steps->steps[i].outputs);
	}
	free(steps->steps);
	free(steps->traces);
	*steps = (struct pack_steps){0};
}
