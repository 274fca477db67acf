/* SPDX-License-Identifier: MIT */
/* The file: a head, the line of options on which tries depend, and the tries, each with the files of its slot; then the
 * SHA-256 of all before it. Whoever can write the file can make a search report anything, but no more: what a try has
 * left is checked as that of a guest is. */
#include "search/shards/search_prepared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/commit.h"
#include "base/die.h"
#include "base/text.h"
#include "base/write_all.h"
#include "sealed/image_text.h"
#include "search/search_program.h"
#include "search/shards/search_shard.h"
#include "search/search_stop.h"

#define MAGIC "ERI-TRY1"
#define BYTES_MAX (4UL << 30)
#define KIND_SHIFT 32 /* a try has a number of 32 bits (--runs) */

struct head {
	char magic[8];
	char version[112]; /* of the eremite that has made the tries */
	uint8_t program[DIGEST_BYTES], input[DIGEST_BYTES];
	uint64_t line_bytes;
};

struct kept {
	uint64_t number; /* with its kind from KIND_SHIFT on */
	uint64_t vary;
	int64_t status;
	uint64_t bytes[SEARCH_SLOT_FILES];
};

static struct head head_of(const struct search_option *option, int input, const char *line)
{
	struct head head = {.magic = MAGIC, .line_bytes = strlen(line)};
	struct digest_sum sum;
	memcpy(head.magic, MAGIC, sizeof(head.magic));
	strncpy(head.version, commit_version, sizeof(head.version) - 1);
	search_program_hash(option, head.program);
	digest_begin(&sum);
	const int result = input < 0 ? 0 : search_program_add_contents(&sum, input);
	if (result)
		die("search: cannot read standard input: %s", strerror(-result));
	digest_end(&sum, head.input);
	return head;
}

/* --- writing --- */

static void put_prepared(struct search_prepared *prepared, const void *from, size_t bytes)
{
	fwrite(from, 1, bytes, prepared->save.to);
	digest_add(&prepared->sum, from, bytes);
}

void search_prepared_create(struct search_prepared *prepared, const struct search_option *option, int input)
{
	char *line = search_results_line(option);
	const struct head head = head_of(option, input, line);
	const int result = save_open(&prepared->save, option->prepare);
	if (result)
		die("search: cannot write the prepared tries to %s: %s", option->prepare, strerror(-result));
	digest_begin(&prepared->sum);
	put_prepared(prepared, &head, sizeof(head));
	put_prepared(prepared, line, head.line_bytes);
	free(line);
}

static int keep_run(struct search_prepared *prepared, const struct search_slot *slot, uint64_t number)
{
	static char piece[65536];
	int fds[SEARCH_SLOT_FILES];
	struct kept kept = {.number = number, .vary = slot->vary, .status = slot->status};
	search_slot_files(slot, fds);
	for (unsigned i = 0; i < SEARCH_SLOT_FILES; i++) {
		struct stat st;
		if (fstat(fds[i], &st))
			return -errno;
		kept.bytes[i] = (uint64_t)st.st_size;
	}
	put_prepared(prepared, &kept, sizeof(kept));
	for (unsigned i = 0; i < SEARCH_SLOT_FILES; i++)
		for (uint64_t at = 0; at < kept.bytes[i];) {
			const ssize_t got = pread(fds[i], piece, sizeof(piece), (off_t)at);
			if (got <= 0 || at + (uint64_t)got > kept.bytes[i])
				return got < 0 ? -errno : -EIO;
			put_prepared(prepared, piece, (size_t)got);
			at += (uint64_t)got;
		}
	return ferror(prepared->save.to) ? -EIO : 0;
}

int search_prepared_keep(struct search_prepared *prepared, const struct search_slot *slot,
                         enum search_prepared_kind kind, uint64_t number)
{
	if (prepared->save.to && !prepared->error)
		prepared->error = keep_run(prepared, slot, (uint64_t)kind << KIND_SHIFT | number);
	return prepared->error;
}

_Noreturn void search_prepared_fail(struct search_prepared *prepared, const struct search_option *option)
{
	save_abandon(&prepared->save);
	die("search: cannot write the prepared tries to %s: %s", option->prepare, strerror(-prepared->error));
}

static int commit_prepared(struct search_prepared *prepared)
{
	uint8_t all[DIGEST_BYTES];
	digest_end(&prepared->sum, all);
	fwrite(all, sizeof(all), 1, prepared->save.to);
	if (prepared->error)
		save_abandon(&prepared->save);
	return prepared->error ? prepared->error : save_commit_durably(&prepared->save);
}

int search_prepared_finish(struct search_prepared *prepared, const struct search_option *option,
                           const struct search_results *results, bool enough)
{
	const bool is_complete = results->tries == option->runs || enough;
	if (!is_complete)
		save_abandon(&prepared->save);
	if (results->interrupted) {
		say("search: it was stopped before the first tries were made; %s is not written", option->prepare);
		return EXIT_SIGNAL_BASE + search_stop_signal();
	}
	if (!is_complete)
		die("search: --time=%g ended before the first tries did; give more seconds", option->time_s);
	prepared->error = commit_prepared(prepared);
	if (prepared->error)
		search_prepared_fail(prepared, option);
	char *word = text_of("--prepared=%s", option->prepare), *prepared_word = image_text_words(&word, 1),
	     *options = search_shard_options(option),
	     *program = image_text_words(option->program, (unsigned)option->program_count),
	     *shown_options = image_text_shown(options), *shown_program = image_text_shown(program),
	     *shown_word = image_text_shown(prepared_word);
	printf("%lu tries are kept in %s, %lu of which failed; all others begin there, as each of N shards does:\n"
	       "    eremite search %s --shards=N --shard=K --results=json:K.json %s %s\n",
	       results->tries, option->prepare, results->failures, shown_word, shown_options, shown_program);
	char *const made[] = {word, prepared_word, options, program, shown_options, shown_program, shown_word};
	for (unsigned i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		free(made[i]);
	return fflush(stdout) ? EXIT_EREMITE : 0;
}

/* --- reading --- */

/* Returns the contents of the file, all of them in memory: a file may change while it is mapped. */
static const uint8_t *read_prepared(const char *path, size_t *bytes)
{
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* a FIFO is refused */
	if (fd < 0 || fstat(fd, &st))
		die("search: --prepared: cannot read %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > BYTES_MAX)
		die("search: --prepared: %s is no file that --prepare has made", path);
	uint8_t *file = malloc((size_t)st.st_size + 1);
	if (!file)
		die("out of memory");
	for (*bytes = 0; *bytes < (size_t)st.st_size;) {
		const ssize_t got = pread(fd, file + *bytes, (size_t)st.st_size - *bytes, (off_t)*bytes);
		if (got < 0)
			die("search: --prepared: cannot read %s: %s", path, strerror(errno));
		if (!got)
			break;
		*bytes += (size_t)got;
	}
	close(fd);
	return file;
}

static bool is_prepared_whole(const uint8_t *file, size_t bytes)
{
	uint8_t all[DIGEST_BYTES];
	struct digest_sum sum;
	if (bytes < sizeof(struct head) + DIGEST_BYTES)
		return false;
	digest_begin(&sum);
	digest_add(&sum, file, bytes - DIGEST_BYTES);
	digest_end(&sum, all);
	return !memcmp(all, file + bytes - DIGEST_BYTES, DIGEST_BYTES);
}

void search_prepared_open(struct search_prepared *prepared, const struct search_option *option, int input)
{
	const char *path = option->prepared;
	char *line = search_results_line(option);
	const struct head here = head_of(option, input, line);
	struct head head;
	prepared->file = read_prepared(path, &prepared->bytes);
	if (prepared->bytes < sizeof(head.magic) || memcmp(prepared->file, MAGIC, sizeof(head.magic)))
		die("search: --prepared: %s is no file that --prepare has made", path);
	if (!is_prepared_whole(prepared->file, prepared->bytes))
		die("search: --prepared: %s is damaged or cut off; make it again by --prepare", path);
	memcpy(&head, prepared->file, sizeof(head));
	prepared->bytes -= DIGEST_BYTES;
	prepared->first = prepared->at = sizeof(head) + head.line_bytes;
	if (head.line_bytes > prepared->bytes - sizeof(head))
		die("search: --prepared: %s is damaged; make it again by --prepare", path);
	head.version[sizeof(head.version) - 1] = 0;
	if (strcmp(head.version, here.version))
		die("search: --prepared: %s was made by %s, and this is %s; make it again by --prepare", path,
		    head.version, here.version);
	if (head.line_bytes != here.line_bytes || memcmp(prepared->file + sizeof(head), line, head.line_bytes))
		die("search: --prepared: %s is of another search, %.*s; give its options and its program", path,
		    (int)head.line_bytes, prepared->file + sizeof(head));
	if (memcmp(head.program, here.program, DIGEST_BYTES))
		die("search: --prepared: %s is of another program than this %s; make it again by --prepare", path,
		    option->program[0]);
	if (memcmp(head.input, here.input, DIGEST_BYTES))
		die("search: --prepared: %s is of a search with another standard input", path);
	free(line);
}

/* Reads the head of the try at an offset; returns where its files end, or 0 if it is not there. */
static size_t read_prepared_try(const struct search_prepared *prepared, size_t at, struct kept *kept)
{
	if (prepared->bytes - at < sizeof(*kept))
		return 0;
	memcpy(kept, prepared->file + at, sizeof(*kept));
	at += sizeof(*kept);
	for (unsigned i = 0; i < SEARCH_SLOT_FILES; i++) {
		if (kept->bytes[i] > prepared->bytes - at)
			return 0;
		at += kept->bytes[i];
	}
	return at;
}

/* Fills a slot with the run that begins at an offset. */
static bool fill_slot(const struct search_prepared *prepared, size_t at, const struct kept *kept,
                      struct search_slot *slot, uint64_t number, unsigned vary)
{
	int fds[SEARCH_SLOT_FILES];
	if (kept->vary != vary || search_slot_clear(slot, number, vary))
		return false;
	search_slot_files(slot, fds);
	at += sizeof(*kept);
	for (unsigned i = 0; i < SEARCH_SLOT_FILES; at += kept->bytes[i++])
		if (write_all(fds[i], prepared->file + at, kept->bytes[i], 0))
			return false;
	slot->status = (int)kept->status;
	slot->ended = true;
	return true;
}

bool search_prepared_give(struct search_prepared *prepared, struct search_slot *slot, uint64_t number, unsigned vary)
{
	struct kept kept;
	size_t at = 0, end = 0;
	if (!prepared->file)
		return false;
	do {
		at = prepared->at;
		end = read_prepared_try(prepared, at, &kept);
		if (!end || (kept.number > number && !(kept.number >> KIND_SHIFT)))
			return false;
		prepared->at = end;
	} while (kept.number != number);
	return fill_slot(prepared, at, &kept, slot, number, vary);
}

bool search_prepared_give_run(const struct search_prepared *prepared, struct search_slot *slot,
                              enum search_prepared_kind kind, uint64_t number, uint64_t as, unsigned vary)
{
	const uint64_t wanted = (uint64_t)kind << KIND_SHIFT | number;
	struct kept kept;
	if (!prepared->file)
		return false;
	for (size_t at = prepared->first, end; (end = read_prepared_try(prepared, at, &kept)); at = end)
		if (kept.number == wanted)
			return fill_slot(prepared, at, &kept, slot, as, vary);
	return false;
}
