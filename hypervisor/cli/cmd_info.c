/* SPDX-License-Identifier: MIT */
/* `eremite info`: prints what a file is, and which of its instructions cannot run unchanged. It does not run the file,
 * except with --cost. */
#include "cli/cmd.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/verb_option.h"
#include "code/code_scan.h"
#include "code/ticks/tick_plan.h"
#include "code/ticks/tick_price.h"
#include "cost/cost.h"
#include "eri/eri_image.h"
#include "guest/image.h"
#include "guest/program.h"
#include "option/verb_options.h"
#include "pack/extensions.h"
#include "pack/portable.h"
#include "report/info_calls.h"
#include "report/info_code.h"
#include "report/info_host.h"
#include "report/info_recording.h"
#include "sched/preempt_option.h"
#include "sealed/image_sign.h"
#include "sealed/info_image.h"
#include "session/refused_program.h"

/* Address space for loading an image to check it. The host gives memory as it is used. */
#define IMAGE_ROOM (4UL << 30)

struct info_options {
	char *path;
	struct code_points points; /* --preempt, --atomics */
	bool calls;                /* --syscalls */
	bool host;                 /* --host */
	bool portable;             /* --portable */
	bool ticks;                /* --ticks */
	bool json;                 /* --json */
};

/* Options that only set a member. */
OPTION_SETS(take_info_atomics, struct info_options, points.atomics, true)
OPTION_SETS(take_info_ticks, struct info_options, ticks, true)
OPTION_SETS(take_info_portable, struct info_options, portable, true)
OPTION_SETS(take_info_json, struct info_options, json, true)
OPTION_SETS(take_info_syscalls, struct info_options, calls, true)
OPTION_SETS(take_info_host, struct info_options, host, true)

static void take_info_preempt(struct info_options *options, char *text)
{
	struct error error;
	if (preempt_option_parse(text, &options->points, &error))
		die("--preempt %s", error.text);
}

/* --cost is taken before others are parsed (find_cost). */
static void take_info_cost(struct info_options *, char *)
{
	die("info: --cost comes first: eremite info --cost [--json] [OPTION of search...] PROGRAM [ARG...]");
}

static void take_info_option(void *options, size_t row, char *text)
{
	static void (*const takes[])(struct info_options *, char *) = {INFO_OPTIONS(OPTION_TAKE)};
	takes[row](options, text);
}

static void check_info(const struct info_options *options)
{
	if (!options->path && !options->calls && !options->host)
		die("info: no file given; see 'eremite info --help'");
	if (options->calls && options->host)
		die("info: --syscalls and --host cannot go together; give one of them");
	if (options->portable && (options->calls || options->host))
		die("info: --portable needs a file, and %s takes none; leave one of them out",
		    options->calls ? "--syscalls" : "--host");
	if ((options->calls || options->host) && options->path)
		die("info: %s takes no file; leave '%s' out", options->calls ? "--syscalls" : "--host", options->path);
	if (options->portable && (options->points.atomics || code_points_draw(&options->points)))
		die("info: --portable lists no decision points; leave --preempt and --atomics out");
	if (options->ticks && (options->portable || options->calls || options->host || options->points.atomics ||
	                       code_points_draw(&options->points)))
		die("info: --ticks goes with a file alone; leave the other options out");
	if (options->json && !(options->path && eri_image_is(options->path)))
		die("info: --json is for a sealed image (*.eri); leave it out, or give an image of eremite "
		    "pack");
}

/* Reads the whole file into memory, for the caller to free. */
static uint8_t *read_file(const char *path, uint64_t *bytes)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st))
		die("cannot open '%s': %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		die("'%s' is not a regular file", path);
	if ((uint64_t)st.st_size > CODE_SCAN_BYTES_MAX)
		die("'%s' is larger than %lu MiB", path, CODE_SCAN_BYTES_MAX >> 20);
	uint64_t size = (uint64_t)st.st_size, at = 0;
	uint8_t *file = memory_or_die(malloc(size + 1));
	while (at < size) {
		ssize_t got = read(fd, file + at, size - at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			die("cannot read '%s': %s", path, strerror(errno));
		if (!got)
			die("'%s' became shorter while it was read", path);
		at += (uint64_t)got;
	}
	close(fd);
	*bytes = size;
	return file;
}

/* Returns a path as it may be printed. */
static const char *shown(const char *path)
{
	static char text[PATH_MAX];
	snprintf(text, sizeof(text), "%s", path);
	clean_text(text, strlen(text));
	return text;
}

static void print_image(const char *path)
{
	struct guest_memory memory;
	struct image image;
	struct error error;
	int result = guest_memory_init(&memory, IMAGE_ROOM);
	if (result)
		die("cannot reserve %lu MiB of address space: %s", IMAGE_ROOM >> 20, strerror(-result));
	if (image_load(&(struct image_source){.path = path, .fd = -1}, &memory, &image, &error))
		die("%s", error.text);
	uint64_t bytes = 0;
	for (unsigned i = 0; i < image.segment_count; i++)
		bytes += image.segments[i].bytes;
	printf("%s: Eremite image, ABI version %u, %u segment%s, %lu bytes in memory\n", shown(path),
	       image.header.abi_version, image.segment_count, text_s(image.segment_count), bytes);
	for (unsigned i = 0; i < image.segment_count; i++) {
		const struct image_segment *s = &image.segments[i];
		printf("%#18lx %#10lx bytes  %c%c%c\n", s->address, s->bytes, s->flags & PF_R ? 'r' : '-',
		       s->flags & PF_W ? 'w' : '-', s->flags & PF_X ? 'x' : '-');
	}
	printf("starts at %#lx\n", image.header.start);
	image_fini(&image);
	guest_memory_fini(&memory);
}

/* Refuses a script, of so many bytes, with the name of the program that runs it. */
static _Noreturn void refuse_script(const char *path, const uint8_t *file, uint64_t bytes)
{
	uint64_t first = 2, end;
	while (first < bytes && (file[first] == ' ' || file[first] == '\t'))
		first++;
	for (end = first; end < bytes && end < first + PATH_MAX && !strchr(" \t\r\n", file[end]); end++)
		;
	die("'%s' is a script; give the program that its first line names: eremite info %.*s", path, (int)(end - first),
	    (const char *)file + first);
}

static void print_code(const struct info_options *options)
{
	struct error error;
	uint64_t bytes;
	uint8_t *file = read_file(options->path, &bytes);
	if (bytes >= 2 && !memcmp(file, "#!", 2))
		refuse_script(options->path, file, bytes);
	if (info_code_print(stdout, shown(options->path), file, bytes, &options->points, &error))
		die("'%s': %s", options->path, error.text);
	free(file);
}

/* Prints how many have no place for which reason. */
static void print_reasons(const char *what, const uint64_t counts[TICK_REASONS])
{
	static const char *const names[] = {
#define TICK_REASON_TEXT(NAME, text) text,
		TICK_REASON_LIST(TICK_REASON_TEXT)
#undef TICK_REASON_TEXT
	};
	for (unsigned i = 0; i < TICK_REASONS; i++)
		if (counts[i])
			printf("  %s without a place: %" PRIu64 ": %s\n", what, counts[i], names[i]);
}

static void print_more_ticks(const struct tick_counts *counts)
{
	print_reasons("loops", counts->loop_reasons);
	print_reasons("entries", counts->entry_reasons);
	printf("  longest straight line without a place: %" PRIu64 " instructions, %" PRIu64 " ticks, from %#" PRIx64
	       " on\n",
	       counts->longest.instructions, (counts->longest.price + (1 << TICK_PRICE_SHIFT) - 1) >> TICK_PRICE_SHIFT,
	       counts->longest.address);
	printf("  not known: %" PRIu64 " computed jumps in %" PRIu64 " functions, and %" PRIu64
	       " bytes of code in %" PRIu64 " pieces outside of functions\n",
	       counts->unknown_jumps, counts->unknown_functions, counts->piece_bytes, counts->pieces);
}

static void print_ticks(const char *path)
{
	static const struct code_points none;
	struct code_scan scan;
	struct tick_counts counts = {0};
	struct error error;
	uint64_t bytes;
	uint8_t *file = read_file(path, &bytes);
	int result = code_scan_elf(file, bytes, &none, &scan, &error);
	if (!result)
		result = tick_plan_add(file, bytes, &scan, &counts, &error);
	if (result)
		die("'%s': %s", shown(path), error.text);
	printf("%s: %" PRIu64 " functions; %" PRIu64 " of %" PRIu64 " loops count time, %" PRIu64 " of %" PRIu64
	       " other jumps that may lead back, and %" PRIu64 " of %" PRIu64
	       " functions whose price is not in that of their calls, at their entry; the rest has no room that is "
	       "surely safe\n",
	       shown(path), counts.functions, counts.loops - counts.loops_without, counts.loops,
	       counts.jumps - counts.jumps_without, counts.jumps, counts.entries - counts.entries_without,
	       counts.entries);
	print_more_ticks(&counts);
	code_scan_fini(&scan);
	free(file);
}

struct place_list {
	const char *path;
	struct portable_counts counts;
};

static void print_place(void *context, const struct portable_site *site)
{
	struct place_list *places = context;
	places->counts.reasons[site->reason]++;
	portable_print(stdout, places->path, site);
}

static void print_portable(const char *path)
{
	static struct extension_use extensions[EXTENSIONS_MAX];
	struct place_list places = {.path = shown(path)};
	struct error error;
	uint64_t bytes;
	uint8_t *file = read_file(path, &bytes);
	if (!portable_is_code(file, bytes))
		die("'%s' is not an ELF program or library for x86-64; give one to --portable", path);
	if (portable_list(file, bytes, print_place, &places, &error) < 0)
		die("'%s': %s", path, error.text);
	int uses = extensions_list(file, bytes, extensions, &error);
	if (uses < 0)
		die("'%s': %s", path, error.text);
	for (int i = 0; i < uses; i++)
		extensions_print(stdout, places.path, &extensions[i]);
	portable_print_counts(stdout, places.path, &places.counts);
	free(file);
}

static bool is_directory(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static void print_recording(const char *path)
{
	struct error error;
	if (info_recording_print(stdout, path, &error))
		die("%s", error.text);
}

static void print_sealed(const struct info_options *options)
{
	struct error error;
	if (info_image_print(stdout, options->path, options->json, &error))
		die("%s", error.text);
}

/* Whether a file, or what stands in its place, begins as ELF files do. */
static bool is_elf(const char *path)
{
	char magic[SELFMAG] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) && !memcmp(magic, ELFMAG, SELFMAG);
	if (fd >= 0)
		close(fd);
	return is;
}

/* Returns how many words at the beginning are --cost, and perhaps --json; 0: there is no --cost. */
static int find_cost(int argc, char **argv, bool *json)
{
	bool has_cost = false;
	int at = 1;
	for (; at < argc; at++)
		if (!strcmp(argv[at], "--cost"))
			has_cost = true;
		else if (!strcmp(argv[at], "--json"))
			*json = true;
		else
			break;
	return has_cost ? at - 1 : 0;
}

static int finish_output(bool usable)
{
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	return usable ? 0 : EXIT_EREMITE;
}

int cmd_info(int argc, char **argv)
{
	static const struct verb_line line = {
		.rows = option_table_info,
		.take = take_info_option,
		.most = 1,
		.too_many = "info: one file at a time; '%s' is a second one",
		.args_doc = "FILE",
		.doc = "Say what FILE is: for a program or library of Linux, which of its instructions cannot run as "
		       "they are, in which functions, and what will be done; for an image of eremite-cc, its parts; "
		       "for a recording, a directory that 'run --record' has made, what it holds; for a sealed image "
		       "of "
		       "'eremite pack', its runs, their digests and outputs, and what --data must supply.",
	};
	struct info_options options = {0};
	char advice[700];
	bool cost_json = false;
	const int cost_words = find_cost(argc, argv, &cost_json);
	if (cost_words) {
		argv[cost_words] = argv[0];
		return finish_output(!cost_run(argc - cost_words, argv + cost_words, cost_json));
	}
	verb_option_line(&line, argc, argv, &options, &options.path);
	check_info(&options);
	bool usable = true;
	if (options.host)
		usable = info_host_print(stdout, image_sign_check_tool);
	else if (options.calls)
		info_calls_print(stdout);
	else if (options.ticks)
		print_ticks(options.path);
	else if (options.portable)
		print_portable(options.path);
	else if (is_directory(options.path))
		print_recording(options.path);
	else if (eri_image_is(options.path))
		print_sealed(&options);
	else if (!is_elf(options.path) && refused_program_source(options.path, advice, sizeof(advice)))
		die("%s %s, and give 'eremite info' the program", shown(options.path), advice);
	else if (program_kind(options.path) == PROGRAM_LINUX)
		print_code(&options);
	else
		print_image(options.path);
	return finish_output(usable);
}
