/* SPDX-License-Identifier: MIT */
/* Each image is verified by a child, so that a hostile image can harm only its own result. The child writes its result
 * into a file in memory: the text, a NUL, and the same in the format of --results. */
#include "verify/verify_all.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/die.h"
#include "base/error.h"
#include "base/janitor.h"
#include "base/memory.h"
#include "base/printable.h"
#include "base/save.h"
#include "base/text.h"
#include "library/cjson.h"
#include "verify/image_results.h"
#include "verify/image_verify.h"
#include "verify/verify_shard.h"

/* One image of the command line. */
struct job {
	pid_t pid;
	int results; /* file in memory; -1: not open */
	bool is_done;
	char *text;            /* of the result, once it is done; NULL: printed */
	const char *formatted; /* the part behind the text */
	char *keep;            /* directory for --keep, or NULL */
};

static struct {
	struct verify_option option;
	struct job *jobs;
	unsigned started, running, done, printed;
	unsigned timeouts;                 /* counted as errors, too */
	struct image_check_shared *shared; /* one for each image */
	struct results_total total;
	char temporary[PATH_MAX];
	char *all; /* results in the format of --results */
	size_t all_bytes;
	FILE *to_all;
	sigset_t mask; /* before SIGCHLD was blocked */
	bool shows_progress;
	int print_error; /* errno of the first result that could not be printed; 0: none */
} work;

/* --- the child --- */

/* Writes the results of an image. Returns 0 or a negative errno. */
static int write_image_result(FILE *to, const struct verified *verified, unsigned number)
{
	const struct image_results_how how = {work.option.is_quiet, work.option.is_verbose};
	image_results_put(to, RESULTS_TEXT, verified, number, &how);
	fputc(0, to);
	image_results_put(to, work.option.format, verified, number, &how);
	fputc(0, to);
	return fflush(to) || ferror(to) ? -errno : 0;
}

/* Verifies one image and writes the result. */
static _Noreturn void work_on(unsigned index, pid_t parent)
{
	static struct verified verified; /* too large for a stack */
	static const int statuses[] = {0, EXIT_DIFFER, EXIT_EREMITE, EXIT_TIMEOUT};
	const struct job *job = &work.jobs[index];
	child_follow(parent);
	sigprocmask(SIG_SETMASK, &work.mask, NULL);
	verified.shared = &work.shared[index];
	image_verify(&verified, &work.option, work.option.images[index], work.temporary, job->keep);
	FILE *to = fdopen(job->results, "w");
	if (!to || write_image_result(to, &verified, index + 1))
		_exit(EXIT_EREMITE);
	_exit(statuses[verified.verdict]);
}

/* --- the parent --- */

static void start_image(unsigned index)
{
	struct job *job = &work.jobs[index];
	pid_t parent = getpid();
	job->results = memfd_create("eremite results", MFD_CLOEXEC);
	if (job->results < 0)
		die("verify: cannot make a file in memory: %s", strerror(errno));
	fflush(NULL);
	job->pid = fork();
	if (!job->pid)
		work_on(index, parent);
	if (job->pid < 0)
		die("verify: cannot start a process: %s; give a smaller --jobs", strerror(errno));
	work.running++;
}

/* Reads the results of a child. Returns false if they are not complete. */
static bool read_results(struct job *job)
{
	off_t bytes = lseek(job->results, 0, SEEK_END);
	job->text = bytes > 1 ? malloc((size_t)bytes) : NULL;
	if (!job->text || pread(job->results, job->text, (size_t)bytes, 0) != bytes || job->text[bytes - 1])
		return false;
	job->formatted = job->text + strlen(job->text) + 1;
	return job->formatted < job->text + bytes;
}

/* Writes the results in place of a child that failed. */
static void replace_results(struct job *job, unsigned index, int status)
{
	static struct verified verified;
	struct error error;
	if (WIFSIGNALED(status))
		error_set(&error, 0, "the process that verified it was ended by signal %d (%s)", WTERMSIG(status),
		          strsignal(WTERMSIG(status)));
	else
		error_set(&error, 0, "the process that verified it ended early");
	verified = (struct verified){.shared = &work.shared[index]};
	image_verify_fail(&verified, work.option.images[index], error.text);
	int fd = dup(job->results);
	FILE *to = fd < 0 || ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET) ? NULL : fdopen(fd, "w");
	if (!to || write_image_result(to, &verified, index + 1))
		die("verify: cannot keep the results in memory: %s", strerror(errno));
	fclose(to);
	free(job->text);
	memory_check(read_results(job));
}

static void finish_image(unsigned index, int status)
{
	struct job *job = &work.jobs[index];
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_EREMITE;
	if (!read_results(job) || !WIFEXITED(status)) {
		replace_results(job, index, status);
		code = EXIT_EREMITE;
	}
	close(job->results);
	job->is_done = true;
	work.running--;
	work.done++;
	work.total.failures += code == EXIT_DIFFER;
	work.total.errors += code != EXIT_DIFFER && code;
	work.timeouts += code == EXIT_TIMEOUT;
}

/* --- results --- */

static bool prints_text(void)
{
	return work.option.format == RESULTS_TEXT || work.option.results_file;
}

/* The first image that is being verified. */
static unsigned first_running(void)
{
	unsigned i = work.printed;
	while (i < work.started && work.jobs[i].is_done)
		i++;
	return i;
}

/* Describes the image that is being verified. */
static void describe_image(char *to, size_t size, unsigned index)
{
	const char *path = work.option.images[index];
	char *name = printable_line(path, strlen(path));
	const struct image_check_shared *shared = &work.shared[index];
	const unsigned long done = __atomic_load_n(&shared->progress.bytes_done, __ATOMIC_RELAXED) / 1000000;
	const unsigned long all = __atomic_load_n(&shared->progress.bytes, __ATOMIC_RELAXED) / 1000000;
	snprintf(to, size, "; %s: run %u, step %u; %lu of %lu MB hashed", name,
	         __atomic_load_n(&shared->run, __ATOMIC_RELAXED), __atomic_load_n(&shared->step, __ATOMIC_RELAXED),
	         done, all);
	free(name);
}

/* Shows it in one line of the terminal. */
static void show_verify_progress(void)
{
	char line[512];
	struct winsize window = {.ws_col = 80};
	if (!work.shows_progress)
		return;
	const unsigned index = first_running();
	int bytes = snprintf(line, sizeof(line), "%u of %u images verified", work.done, work.option.image_count);
	if (index < work.started)
		describe_image(line + bytes, sizeof(line) - (size_t)bytes, index);
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) || window.ws_col < 20)
		window.ws_col = 80;
	fprintf(stderr, "\r%.*s\033[K", window.ws_col - 1, line);
}

static void flush_output(void)
{
	if ((fflush(stdout) || ferror(stdout)) && !work.print_error)
		work.print_error = errno;
}

/* Prints the results that are next in the order of the command line. */
static void print_results(void)
{
	if (work.shows_progress)
		fputs("\r\033[K", stderr);
	for (; work.printed < work.option.image_count && work.jobs[work.printed].is_done; work.printed++) {
		struct job *job = &work.jobs[work.printed];
		if (prints_text())
			fputs(job->text, stdout);
		fputs(job->formatted, work.to_all);
		free(job->text);
		job->text = NULL;
	}
	flush_output();
}

static void check_result_output(void)
{
	flush_output();
	if (work.print_error)
		die("verify: cannot write the results to standard output: %s", strerror(work.print_error));
}

static void put_results(FILE *to)
{
	const struct verify_option *option = &work.option;
	if (option->shard.shard)
		verify_shard_put(to, option, &work.total, work.all);
	else
		image_results_all(to, option->format, &work.total, work.all);
}

/* The file comes first: the results are complete there, even if the reader of standard output has gone. */
static void write_image_results(void)
{
	const struct verify_option *option = &work.option;
	struct save save = {0};
	memory_check(!fclose(work.to_all));
	int result = option->results_file ? save_open(&save, option->results_file) : 0;
	if (!result && option->results_file) {
		put_results(save.to);
		result = save_commit_durably(&save);
	}
	if (!option->results_file && option->format != RESULTS_TEXT)
		put_results(stdout);
	if (result)
		die("verify: cannot write the results to %s: %s", option->results_file, strerror(-result));
	check_result_output();
}

/* --- before and after --- */

/* Ends eremite if the file of the results is one of those from which they are made. */
static void check_results_file(const struct verify_option *option)
{
	const char *path = option->results_file;
	char *const *inputs = option->merges ? option->given : option->images;
	const unsigned count = option->merges ? option->given_count : option->image_count;
	for (unsigned i = 0; path && i < count; i++)
		if (!access(inputs[i], F_OK) && save_is_same(path, inputs[i]))
			die("verify: --results would replace %s, %s; give it another file", inputs[i],
			    option->merges ? "a file of --merge" : "an image");
}

/* Tries the file of the results before the runs, so that a bad path does not waste them. */
static void try_results_file(void)
{
	const char *path = work.option.results_file;
	struct save save = {0};
	struct stat st;
	if (!path || (!stat(path, &st) && !S_ISREG(st.st_mode))) /* the reader of a pipe would see its end */
		return;
	int result = save_open(&save, path);
	if (result)
		die("verify: cannot write the results to %s: %s", path, strerror(-result));
	save_abandon(&save);
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Chooses a directory below --keep for an image: its name, with a number if an earlier one has the same name. */
static char *choose_keep(unsigned index)
{
	char *const *images = work.option.images;
	unsigned same = 1;
	struct stat st;
	for (unsigned i = 0; i < index; i++)
		same += !strcmp(base_of(images[i]), base_of(images[index]));
	char *path = same == 1 ? text_of("%s/%s", work.option.keep, base_of(images[index]))
	                       : text_of("%s/%s.%u", work.option.keep, base_of(images[index]), same);
	if (!lstat(path, &st))
		die("verify: --keep: %s exists already; remove it, or give another directory", path);
	return path;
}

static void prepare_keep(void)
{
	if (!work.option.keep)
		return;
	if (mkdir(work.option.keep, 0777) && errno != EEXIST)
		die("verify: --keep: cannot make %s: %s", work.option.keep, strerror(errno));
	for (unsigned i = 0; i < work.option.image_count; i++)
		work.jobs[i].keep = choose_keep(i);
}

/* Makes the directory of temporary files: in $TMPDIR, or else in the first place that can be written. A bare root has
 * no /tmp, and where nothing can be written, runs do without: work.temporary is empty. Returns the janitor, or -1. */
static int make_result_file(void)
{
	char here[PATH_MAX];
	const char *chosen = getenv("TMPDIR"), *places[] = {"/tmp", "/var/tmp", "/dev/shm", getcwd(here, PATH_MAX)};
	const unsigned count = chosen && *chosen ? 1 : sizeof(places) / sizeof(places[0]);
	int janitor = -ENOENT, first = 0;
	for (unsigned i = 0; janitor < 0 && i < count; i++) {
		const char *place = chosen && *chosen ? chosen : places[i];
		if (!place || snprintf(work.temporary, sizeof(work.temporary) - 64, "%s/eremite-verify-XXXXXX",
		                       place) >= (int)sizeof(work.temporary) - 64)
			continue;
		janitor = janitor_start(work.temporary);
		first = first ? first : janitor;
	}
	if (janitor < 0 && chosen && *chosen)
		die("verify: cannot make a temporary directory: %s; name another place by TMPDIR", strerror(-first));
	if (janitor < 0)
		*work.temporary = 0;
	return janitor < 0 ? -1 : janitor;
}

/* Waits until a child ends, or a second has passed. */
static void wait_for_child(void)
{
	const struct timespec second = {.tv_sec = 1};
	sigset_t child;
	int status;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	pid_t pid = waitpid(-1, &status, WNOHANG);
	if (pid < 0 && errno != EINTR)
		die("verify: cannot wait for a process: %s", strerror(errno));
	if (pid <= 0) {
		sigtimedwait(&child, NULL, &second);
		return;
	}
	for (unsigned i = 0; i < work.started; i++)
		if (work.jobs[i].pid == pid && !work.jobs[i].is_done)
			finish_image(i, status);
}

static void verify_each(void)
{
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &work.mask);
	while (work.printed < work.option.image_count) {
		while (work.running < work.option.jobs && work.started < work.option.image_count)
			start_image(work.started++);
		show_verify_progress();
		wait_for_child();
		print_results();
	}
}

/* --- a signal that ends it --- */

static pid_t verifying; /* this process: its children say nothing */
static char stop_lines[SIGTERM + 1][80];

/* Uses only calls that are allowed in signal handlers (signal-safety(7)). */
static void end_by(int sig)
{
	const char *line = stop_lines[sig];
	if (getpid() == verifying && write(STDERR_FILENO, line, strlen(line)) < 0)
		_exit(128 + sig);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Says so when one of these signals ends eremite, unless it is ignored. */
static void say_when_stopped(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction was;
	verifying = getpid();
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		snprintf(stop_lines[signals[i]], sizeof(stop_lines[0]), "eremite: verify: stopped by signal %d (%s)\n",
		         signals[i], strsignal(signals[i]));
		if (!sigaction(signals[i], NULL, &was) && was.sa_handler == SIG_DFL)
			signal(signals[i], end_by);
	}
}

int verify_all(const struct verify_option *option)
{
	struct timespec from, to;
	struct error error;
	work.option = *option;
	if (cjson_load(&error)) /* before the children, each of which needs it */
		die("%s", error.text);
	check_results_file(&work.option);
	if (work.option.merges)
		return verify_shard_merge(&work.option);
	const unsigned room = work.option.image_count ? work.option.image_count : 1; /* a shard may have no image */
	work.jobs = memory_or_die(calloc(room, sizeof(*work.jobs)));
	work.to_all = memory_or_die(open_memstream(&work.all, &work.all_bytes));
	work.shared = memory_or_die(image_check_share(room));
	work.shows_progress = isatty(STDERR_FILENO) && !work.option.is_quiet;
	try_results_file();
	if (work.option.results_file)
		signal(SIGPIPE, SIG_IGN);
	prepare_keep();
	int janitor = make_result_file();
	say_when_stopped();
	clock_gettime(CLOCK_MONOTONIC, &from);
	verify_each();
	clock_gettime(CLOCK_MONOTONIC, &to);
	work.total.images = work.option.image_count;
	work.total.seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
	if (*work.temporary)
		janitor_remove(work.temporary);
	janitor_end(janitor);
	write_image_results();
	if (work.option.shard.shard && !work.option.shard.exits_by_result)
		return 0; /* to a batch system, a complete shard is a success */
	return work.total.errors > work.timeouts ? EXIT_EREMITE
	       : work.total.failures             ? EXIT_DIFFER
	       : work.timeouts                   ? EXIT_TIMEOUT
	                                         : 0;
}
