/* SPDX-License-Identifier: MIT */
/* Each run is made by a child, which calls `eremite run` with an empty standard input. Its standard output is /dev/null
 * and its standard error is a file in memory, whose text is the reason if the run fails. */
#include "verify/image_verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/commit.h"
#include "base/error.h"
#include "base/exit_status.h"
#include "base/janitor.h"
#include "base/printable.h"
#include "base/version.h"
#include "cache/volume.h"
#include "verify/image_settle.h"
#include "guest/cpu_host.h"
#include "pack/pack_step.h"
#include "pack/trace_run.h"
#include "verify/event_run.h"

#define WORDS 9
#define PREFIX "eremite: "
#define MESSAGES_MAX (16L << 20)
#define STEADY_NOTE \
	"another run on this host does the same as this one, so the difference is between this host and the one that " \
	"made the image"

/* A run, and where it leaves its traces. */
struct attempt {
	const struct verify_option *option;
	struct verified *verified;
	const struct eri_step *step;
	const char *keep;
	char dir[PATH_MAX]; /* temporary; empty: no directory can be written, and files of the run are in memory */
	char out[PATH_MAX]; /* in it; or empty */
	int dir_fd, messages;
	struct trace_fds fds;
	struct trace trace;
};

static char *copy_verified_text(const char *text)
{
	return printable(text, strlen(text));
}

void image_verify_fail(struct verified *verified, const char *path, const char *error)
{
	if (!verified->name)
		verified->name = copy_verified_text(path);
	verified->verdict = VERDICT_ERROR;
	verified->error = copy_verified_text(error);
}

static void note_verified(struct verified *verified, const char *text)
{
	if (verified->note_count < NOTES_MAX)
		verified->notes[verified->note_count++] = copy_verified_text(text);
}

/* --- one run --- */

/* The command line of eremite run, with an option where there is a value. */
static int make_line(const struct attempt *attempt, char *words[WORDS], char texts[WORDS][PATH_MAX + 16])
{
	const struct verify_option *option = attempt->option;
	char timeout[64];
	const struct {
		const char *name, *value;
	} options[] = {
		{"--step", attempt->step->name},
		{"--engine", option->engine},
		{"--data", option->data},
		{"--timeout", option->has_timeout ? timeout : NULL},
	};
	snprintf(timeout, sizeof(timeout), "%g", verify_option_timeout(attempt->step->wall_minutes));
	if (option->timeout)
		snprintf(timeout, sizeof(timeout), "%s", option->timeout);
	static char title[] = "eremite run", quiet[] = "--quiet", separator[] = "--";
	int count = 0;
	words[count++] = title;
	words[count++] = quiet;
	for (unsigned i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!options[i].value)
			continue;
		snprintf(texts[i], PATH_MAX + 16, "%s=%s", options[i].name, options[i].value);
		words[count++] = texts[i];
	}
	words[count++] = separator; /* the image's name may begin with a dash */
	words[count++] = attempt->verified->image.path;
	words[count] = NULL;
	return count;
}

/* What a run of the step is made for. */
enum wanted { WANTS_TRACE, WANTS_EVENTS, WANTS_STEADY_EVENTS };

/* Runs the step. Called in the child, which it ends. */
static _Noreturn void run_attempt_here(const struct attempt *attempt, enum wanted wanted, pid_t parent)
{
	static char texts[WORDS][PATH_MAX + 16];
	char *words[WORDS];
	const struct stat *checked = &attempt->verified->image.was;
	child_follow(parent);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0) /* a root without devices; nothing is read or written */
		null = memfd_create("null", MFD_CLOEXEC);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(attempt->messages, STDERR_FILENO) < 0)
		_exit(EXIT_EREMITE);
	int count = make_line(attempt, words, texts);
	if (wanted != WANTS_TRACE)
		exit(event_run_make(count, words, checked, wanted == WANTS_STEADY_EVENTS));
	const struct trace_run trace = {.fds = attempt->fds,
	                                .out_dir = *attempt->out ? attempt->out : NULL,
	                                .checked = checked,
	                                .hide_output = true};
	exit(trace_run_make(count, words, &trace));
}

/* Makes a run. Returns its wait status or a negative errno. */
static int start_and_wait(const struct attempt *attempt, enum wanted wanted)
{
	int status = 0;
	pid_t parent = getpid(), child = fork();
	if (!child)
		run_attempt_here(attempt, wanted, parent);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child < 0 ? -errno : status;
}

/* Returns the last line that eremite wrote, without its beginning; before it there may be a stack. Returns NULL if
 * there is none. */
static const char *last_text_line(char *text)
{
	char *found = NULL;
	for (char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, PREFIX, strlen(PREFIX)))
			found = line + strlen(PREFIX);
	}
	if (found)
		found[strcspn(found, "\n")] = 0;
	return found;
}

/* Writes to *error why a run failed. */
static int explain_attempt(const struct attempt *attempt, int status, struct error *error)
{
	char text[4096];
	off_t all = lseek(attempt->messages, 0, SEEK_END), from = all < (off_t)sizeof(text) ? 0 : all - 4095;
	ssize_t bytes = pread(attempt->messages, text, sizeof(text) - 1, from);
	text[bytes > 0 ? bytes : 0] = 0;
	const char *line = last_text_line(text);
	const bool is_stopped = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_TIMEOUT;
	if (line)
		return error_set(error, is_stopped ? ETIMEDOUT : EIO, "%s", line);
	if (WIFSIGNALED(status))
		return error_set(error, EIO, "a run of the step %.100s was ended by signal %d (%s)",
		                 attempt->step->name, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return error_set(error, EIO, "a run of the step %.100s ended early with status %d", attempt->step->name,
	                 WEXITSTATUS(status));
}

static void close_attempt(struct attempt *attempt)
{
	trace_fini(&attempt->trace);
	trace_close(&attempt->fds);
	if (attempt->messages >= 0)
		close(attempt->messages);
	if (*attempt->out)
		janitor_remove(attempt->out);
}

static double verify_now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Whether the sealed run has left files in /out, which a run copies to a directory. */
static bool leaves_out(const struct eri_step *step)
{
	for (unsigned i = 0; i < step->output_count; i++)
		if (!strcmp(step->outputs[i].what, "out"))
			return true;
	return false;
}

/* Makes a run, whose time is added to *seconds, and reads its trace. Returns 0, or a negative errno with one line in
 * error[]. */
static int make_attempt_run(struct attempt *attempt, double *seconds, struct error *error)
{
	attempt->trace = (struct trace){0};
	attempt->messages = memfd_create("eremite messages", MFD_CLOEXEC);
	int result = attempt->messages < 0 ? -errno : trace_open(&attempt->fds, attempt->dir_fd, false);
	if (!result && !*attempt->out && leaves_out(attempt->step))
		return error_set(
			error, EROFS,
			"cannot make a temporary directory, which the files need that the run leaves in /out; name "
			"a place by TMPDIR");
	if (!result && *attempt->out && mkdir(attempt->out, 0755))
		result = -errno;
	if (result)
		return error_set(error, -result, "cannot make temporary files in %.160s: %s", attempt->dir,
		                 strerror(-result));
	double from = verify_now_s();
	int status = start_and_wait(attempt, WANTS_TRACE);
	if (status < 0)
		return error_set(error, -status, "cannot start a run: %s", strerror(-status));
	*seconds += verify_now_s() - from;
	result = trace_read(&attempt->trace, &attempt->fds);
	if (result == -ENODATA)
		return explain_attempt(attempt, status, error);
	return result ? error_set(error, -result, "the trace of a run of the step %.100s is not valid",
	                          attempt->step->name)
	              : image_settle_check(&attempt->verified->image, error);
}

/* --- differences --- */

/* Opens the directory of outputs that differ, and makes it when it is first needed. */
static int open_keep(struct stage *stage, const struct attempt *attempt, struct error *error)
{
	*stage = (struct stage){.dir = -1, .out = -1, .janitor = -1, .tree = -1};
	if (mkdir(attempt->keep, 0777) && errno != EEXIST)
		return error_set(error, errno, "--keep: cannot make %.160s: %s", attempt->keep, strerror(errno));
	stage->tree = open(attempt->keep, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return stage->tree < 0
	               ? error_set(error, errno, "--keep: cannot open %.160s: %s", attempt->keep, strerror(errno))
	               : 0;
}

/* Compares a run that is not as the image has it in all. Returns 0 or a negative errno with one line in *error. */
static int compare_step(struct attempt *attempt, struct verified_step *step, struct error *error)
{
	static struct stage stage;
	struct comparison *comparison = &step->comparison;
	*comparison = (struct comparison){
		.image = &attempt->verified->image,
		.step = attempt->step,
		.trace = &attempt->trace,
		.fds = &attempt->fds,
		.out = attempt->out,
	};
	int result = image_compare(comparison, error);
	if (result || !comparison->count || !attempt->keep)
		return result;
	result = open_keep(&stage, attempt, error);
	if (result)
		return result;
	image_compare_fini(comparison);
	comparison->parts[0] = 0;
	comparison->keep = &stage;
	result = image_compare(comparison, error);
	close(stage.tree);
	comparison->keep = NULL;
	return result;
}

/* Returns what a run has said, as printable lines without the name of eremite, and with a NUL in place of the last
 * line, which *last receives. The caller frees it. */
static char *take_messages(int messages, char **last)
{
	off_t bytes = lseek(messages, 0, SEEK_END);
	char *text = bytes > 0 && bytes < MESSAGES_MAX ? calloc(1, (size_t)bytes + 1) : NULL, *lines = NULL;
	size_t size;
	FILE *to = text && pread(messages, text, (size_t)bytes, 0) == bytes ? open_memstream(&lines, &size) : NULL;
	*last = NULL;
	for (char *rest = text, *line; to && (line = strsep(&rest, "\n"));) {
		line += strncmp(line, PREFIX, strlen(PREFIX)) ? 0 : strlen(PREFIX);
		char *printable = copy_verified_text(line);
		if (rest && *rest) {
			fprintf(to, "%s\n", printable);
		} else if (!*last) {
			*last = printable;
			continue;
		}
		free(printable);
	}
	free(text);
	if (to && fclose(to))
		lines = NULL;
	return lines;
}

/* Makes a run that finds the first event that differs from the sealed run, and shows the stacks there. If the image has
 * no events, or there is no such event, or the run fails, nothing is said about it. */
static void find_event(struct attempt *attempt, struct verified_step *step, bool is_steady)
{
	if (!*attempt->step->events_sha256)
		return;
	attempt->messages = memfd_create("eremite messages", MFD_CLOEXEC);
	if (attempt->messages < 0)
		return;
	int status = start_and_wait(attempt, is_steady ? WANTS_STEADY_EVENTS : WANTS_EVENTS);
	char *last, *lines = take_messages(attempt->messages, &last);
	if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DIFFER && last && lines) {
		step->event = last;
		step->stacks = lines;
	}
	close(attempt->messages);
	attempt->messages = -1;
}

/* Makes another run after one that differs, and notes whether both did the same. Then finds the first event that
 * differs. */
static int run_step_again(struct attempt *attempt, struct verified_step *step, const char *digest, struct error *error)
{
	int result = make_attempt_run(attempt, &step->seconds, error);
	bool is_steady = !result && !strcmp(digest, attempt->trace.digest);
	if (is_steady)
		note_verified(attempt->verified, STEADY_NOTE);
	else if (!result)
		note_verified(attempt->verified,
		              "another run on this host does something else again, so the run depends on "
		              "something that is not in the image");
	close_attempt(attempt);
	if (!result && strstr(step->comparison.parts, "events"))
		find_event(attempt, step, is_steady);
	return result;
}

/* Notes what may be the reason. */
static void suspect(struct verified *verified)
{
	const struct eri_manifest *manifest = &verified->image.manifest;
	char text[256];
	if (strcmp(manifest->engine, verified->engine)) {
		snprintf(text, sizeof(text), "the image was made on the engine %.60s, and this run used %.60s",
		         manifest->engine, verified->engine);
		note_verified(verified, text);
	}
	if (strcmp(manifest->version, EREMITE_VERSION) || strcmp(manifest->commit, commit_text)) {
		snprintf(text, sizeof(text), "the image was made by eremite %.60s (%s%.60s), and this is %s",
		         manifest->version, *manifest->commit ? "commit " : "no commit", manifest->commit,
		         commit_version);
		note_verified(verified, text);
	}
}

/* Notes what the run had, as pack does for the manifest. */
static void note_host(struct verified *verified, const struct trace *trace)
{
	snprintf(verified->engine, sizeof(verified->engine), "%s", trace->engine);
	if (strcmp(trace->cpu, verified->cpu) > 0)
		snprintf(verified->cpu, sizeof(verified->cpu), "%s", trace->cpu);
	if (trace->memory_bytes > verified->memory_bytes)
		verified->memory_bytes = trace->memory_bytes;
}

/* Makes one run of a step and compares it. Returns 0 or a negative errno with one line in *error. */
static int verify_step(struct attempt *attempt, struct verified_step *step, struct error *error)
{
	struct verified *verified = attempt->verified;
	char digest[DIGEST_TEXT_BYTES];
	int result = make_attempt_run(attempt, &step->seconds, error);
	if (!result) {
		step->runs++;
		note_host(verified, &attempt->trace);
		result = compare_step(attempt, step, error);
		snprintf(digest, sizeof(digest), "%s", attempt->trace.digest);
	}
	close_attempt(attempt);
	if (result || !step->comparison.count)
		return result;
	if (verified->verdict == VERDICT_PASS)
		suspect(verified);
	verified->verdict = VERDICT_DIFFERS;
	if (step->runs > 1) {
		note_verified(verified,
		              "an earlier run on this host did what the image has, so the run depends on something "
		              "that is not in the image");
		find_event(attempt, step, false);
	} else if (strcmp(digest, attempt->step->digest)) {
		return run_step_again(attempt, step, digest, error);
	} else
		note_verified(verified,
		              "the digest is the same, so the run was the same; other members of the manifest were "
		              "changed after the image was made");
	return 0;
}

/* --- the image --- */

/* Refuses an image for a processor that this host does not have. */
static int check_processor(const struct eri_manifest *manifest, struct error *error)
{
	char text[CPU_HOST_ERROR_MAX];
	struct cpu_host host;
	cpu_host_read(&host);
	for (unsigned i = 0; i < CPU_MODELS; i++)
		if (!strcmp(manifest->cpu, cpu_host_model_names[i]))
			return cpu_host_refuse(&host, (enum cpu_model)i, text)
			               ? error_set(error, ENOTSUP, "the image was made for another processor: %s", text)
			               : 0;
	return error_set(error, ENOTSUP,
	                 "the image needs the processor model %.60s, which this eremite (" EREMITE_VERSION
	                 ") does not have; use a newer eremite",
	                 manifest->cpu);
}

/* Whether the check has found already that a file was edited, so that runs say nothing more. */
static bool is_refused(const struct verified *verified)
{
	return __atomic_load_n(&verified->shared->is_ended, __ATOMIC_ACQUIRE) && verified->shared->result;
}

static int verify_all(struct attempt *attempt, struct error *error)
{
	struct verified *verified = attempt->verified;
	const struct eri_manifest *manifest = &verified->image.manifest;
	int result = check_processor(manifest, error);
	verified->step_count = manifest->step_count;
	for (unsigned run = 0; run < attempt->option->runs; run++)
		for (unsigned i = 0; i < manifest->step_count && !result; i++) {
			struct verified_step *step = &verified->steps[i];
			step->step = attempt->step = &manifest->steps[i];
			if (is_refused(verified))
				return 0;
			__atomic_store_n(&verified->shared->step, i + 1, __ATOMIC_RELAXED);
			__atomic_store_n(&verified->shared->run, run + 1, __ATOMIC_RELAXED);
			if (!step->comparison.count)
				result = verify_step(attempt, step, error);
		}
	return result;
}

/* Sets the result of an image that is not what it should be. Its runs are left out of the report, because how many were
 * made before that was known depends on the moment. */
static void refuse_image(struct verified *verified, const char *error)
{
	verified->verdict = VERDICT_DIFFERS;
	verified->step_count = verified->note_count = 0;
	verified->error = copy_verified_text(error);
}

/* Checks what the manifest says of all its runs together. */
static void check_host(struct verified *verified)
{
	const struct eri_manifest *manifest = &verified->image.manifest;
	struct error error;
	if (verified->verdict != VERDICT_PASS)
		return;
	if (manifest->memory_bytes != verified->memory_bytes)
		error_set(&error, EBADMSG, "its manifest has memory_bytes %" PRIu64 ", and its runs had %" PRIu64,
		          manifest->memory_bytes, verified->memory_bytes);
	else if (strcmp(manifest->cpu, verified->cpu))
		error_set(&error, EBADMSG, "its manifest has the processor model %.60s, and its runs had %s",
		          manifest->cpu, verified->cpu);
	else if (strcmp(manifest->cpu_features, pack_step_features(manifest->cpu)))
		error_set(&error, EBADMSG,
		          "its manifest has cpu_features that are not those of the processor model %.60s",
		          manifest->cpu);
	else
		return;
	refuse_image(verified, error.text);
}

/* Checks what is to be known before the program runs: the identity that --identity gives, and the signature. Returns 0
 * or a negative errno with one line in *error; with -EBADMSG it is another image than was asked for. */
static int check_wanted(struct verified *verified, const struct verify_option *option, struct error *error)
{
	char signer[IMAGE_SIGNER_BYTES];
	if (option->identity && strcmp(option->identity, verified->image.identity))
		return error_set(error, EBADMSG, "its identity is %.64s, and --identity asks for %.64s",
		                 verified->image.identity, option->identity);
	if (!option->keys)
		return 0;
	int result = image_sign_check(&verified->image, option->keys, signer, error);
	verified->signer = result ? NULL : copy_verified_text(signer);
	return result;
}

/* A kernel of somebody else's can do anything, so what was said of the reason no longer holds. */
static void blame_kernel(struct verified *verified)
{
	for (unsigned i = 0; i < verified->note_count; i++) {
		if (strcmp(verified->notes[i], STEADY_NOTE))
			continue;
		free(verified->notes[i]);
		verified->notes[i] =
			copy_verified_text("another run on this host does the same as this one, so the difference is "
		                           "in the image's kernel, or between this host and the one that made the "
		                           "image");
		return;
	}
	note_verified(verified, "the image's kernel is no known one, which can be the reason");
}

/* Takes the result of the check of all files, which matters more than that of the runs. Runs leave hashes to the check,
 * so both say something about one image only if that was the same to the end. */
static void take_check(struct verified *verified, int result)
{
	const struct image_check_shared *shared = verified->shared;
	struct error error;
	if (image_settle_check(&verified->image, &error)) {
		image_verify_fail(verified, verified->image.path, error.text);
	} else if (result == -EUCLEAN) {
		refuse_image(verified, shared->error.text);
	} else if (result) {
		image_verify_fail(verified, verified->image.path, shared->error.text);
	} else {
		verified->kernel = copy_verified_text(shared->kernel);
		verified->is_suspect = !shared->is_known;
		if (verified->is_suspect && verified->verdict == VERDICT_DIFFERS)
			blame_kernel(verified);
	}
}

/* Whether each step was run when it was packed. */
static bool was_run(const struct eri_manifest *manifest)
{
	for (unsigned i = 0; i < manifest->step_count; i++)
		if (!strcmp(manifest->steps[i].end, "none"))
			return false;
	return true;
}

/* Verifies an image that is open. */
static void verify_open(struct attempt *attempt)
{
	struct verified *verified = attempt->verified;
	struct error error;
	const struct verify_option *option = attempt->option;
	const unsigned at_once = option->jobs < option->image_count ? option->jobs : option->image_count;
	const unsigned threads = results_format_jobs() / at_once;
	int result = check_wanted(verified, option, &error);
	if (result) {
		result == -EBADMSG ? refuse_image(verified, error.text)
				   : image_verify_fail(verified, verified->image.path, error.text);
		return;
	}
	if (!was_run(&verified->image.manifest)) {
		image_verify_fail(
			verified, verified->image.path,
			"it was packed with --no-run: it has no run that could be repeated; eremite run starts its "
			"program");
		return;
	}
	pid_t check = image_check_start(&verified->image, threads ? threads : 1, verified->shared);
	if (check < 0) {
		image_verify_fail(verified, verified->image.path, "cannot start a process");
		return;
	}
	result = verify_all(attempt, &error);
	if (result)
		image_verify_fail(verified, verified->image.path, error.text);
	verified->lacks_feature = result == -ENOTSUP;
	if (result == -ETIMEDOUT) {
		verified->verdict = VERDICT_TIMEOUT;
		note_verified(verified, "give a larger --timeout, or --timeout 0 for none");
	} else if (!result && !is_refused(verified))
		check_host(verified);
	take_check(verified, image_check_end(check, verified->shared));
}

void image_verify(struct verified *verified, const struct verify_option *option, const char *path,
                  const char *temporary, const char *keep)
{
	static struct attempt attempt; /* too large for a stack */
	struct error error;
	const double from = verify_now_s();
	verified->name = copy_verified_text(path);
	attempt = (struct attempt){.option = option, .verified = verified, .keep = keep, .messages = -1};
	snprintf(attempt.dir, sizeof(attempt.dir), "%s", temporary);
	attempt.dir_fd = *temporary ? open(temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (*temporary && (snprintf(attempt.out, sizeof(attempt.out), "%s/out-%d", temporary, getpid()) >= PATH_MAX ||
	                   attempt.dir_fd < 0))
		image_verify_fail(verified, path, "cannot open the directory of temporary files");
	else if (image_settle_open(&verified->image, path, &error))
		image_verify_fail(verified, path, error.text);
	else
		verify_open(&attempt);
	verified->seconds = verify_now_s() - from;
}
