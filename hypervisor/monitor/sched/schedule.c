/* SPDX-License-Identifier: MIT */
/* Schedule files. People edit them, so an error names the line and what is expected there. They are untrusted, so every
 * length and number is limited. */
#include "sched/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_op.h"
#include "abi/syscalls.h"
#include "base/array.h"
#include "base/value.h"
#include "base/version.h"
#include "base/digest.h"
#include "sched/preempt_option.h"

#define FIELDS_MAX 5
#define WRONG_BYTES 160 /* what is said about a line, so that the name of the file fits before it */
#define OPS 640

_Static_assert(SCHED_OP_END <= OPS, "op_names");

static const char *const kind_names[] = {
#define NAME(name) #name,
	SCHED_KIND_LIST(NAME)
#undef NAME
		NULL,
};

static const char *const op_names[OPS] = {
#define CALL(number, name, ...) [number] = #name,
	SYSCALL_LIST(CALL)
#undef CALL
#define OP(name) [SCHED_OP_##name] = #name,
		SCHED_OP_LIST(OP)
#undef OP
};

const char *schedule_kind_name(unsigned kind)
{
	return kind < SCHED_KINDS ? kind_names[kind] : "?";
}

const char *schedule_op_name(unsigned op)
{
	return op < OPS && op_names[op] ? op_names[op] : "?";
}

/* Whether a record of that kind may name the operation that follows the decision. */
static bool has_op(unsigned kind)
{
	return kind == SCHED_KIND_preempt || kind == SCHED_KIND_block || kind == SCHED_KIND_yield ||
	       kind == SCHED_KIND_jump;
}

/* Whether a record of that kind has a detail. */
static bool has_detail(unsigned kind)
{
	return kind == SCHED_KIND_tick || kind == SCHED_KIND_wake || kind == SCHED_KIND_timeout ||
	       kind == SCHED_KIND_signal || kind == SCHED_KIND_stop || kind == SCHED_KIND_woken;
}

/* Names a record's detail, for a message. */
static const char *detail_name(unsigned kind)
{
	if (kind == SCHED_KIND_tick || kind == SCHED_KIND_stop)
		return "the number of ticks";
	if (kind == SCHED_KIND_woken)
		return "the number of threads woken";
	return kind == SCHED_KIND_timeout ? "0 for the wake-up or 1 for the timeout" : "a thread's number";
}

static bool is_detail(unsigned kind, uint64_t detail)
{
	if (kind == SCHED_KIND_tick || kind == SCHED_KIND_stop || kind == SCHED_KIND_woken)
		return detail <= INT64_MAX;
	return kind == SCHED_KIND_timeout ? detail <= 1 : detail && detail <= UINT32_MAX;
}

bool schedule_is_valid(const struct sched_record *record)
{
	if (!record->thread || record->kind >= SCHED_KINDS || record->points > INT64_MAX)
		return false;
	if (record->op != SCHED_OP_NONE && (!has_op(record->kind) || record->op >= OPS || !op_names[record->op]))
		return false;
	return has_detail(record->kind) ? is_detail(record->kind, record->detail) : !record->detail;
}

void schedule_print_header(FILE *to, const struct code_points *points)
{
	char text[PREEMPT_TEXT];
	/* A reader that does not know the clock must refuse the file. */
	fprintf(to, SCHEDULE_FIRST_LINE " %d " SCHEDULE_DIGEST " %u\n",
	        points->ticks ? SCHEDULE_CLOCK_VERSION : SCHEDULE_VERSION, DIGEST_DEFINITION);
	if (points->ticks)
		fprintf(to, SCHEDULE_CLOCK_WORK "\n");
	preempt_option_describe(points, text);
	if (*text)
		fprintf(to, SCHEDULE_PREEMPT " %s\n", text);
	fprintf(to, "# THREAD POINTS KIND [OP] [DETAIL]\n");
}

void schedule_print_record(FILE *to, const struct sched_record *record)
{
	fprintf(to, "%" PRIu32 " %" PRIu64 " %s", record->thread, record->points, schedule_kind_name(record->kind));
	if (record->op != SCHED_OP_NONE)
		fprintf(to, " %s", schedule_op_name(record->op));
	if (has_detail(record->kind))
		fprintf(to, " %" PRIu64, record->detail);
	putc('\n', to);
}

static int wrong(struct error *error, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes an error in printable characters. */
static int wrong(struct error *error, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(error->text, WRONG_BYTES, fmt, args);
	va_end(args);
	for (char *c = error->text; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return -EINVAL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads a decimal number that consists only of digits. */
static bool read_number(const char *text, uint64_t max, uint64_t *value)
{
	*value = 0;
	if (!*text)
		return false;
	for (; *text; text++)
		if (!is_digit(*text) || __builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*text - '0'), value) || *value > max)
			return false;
	return true;
}

/* Reports that a word is not in names[], and suggests a similar one. */
static int refuse(const char *what, const char *word, const char *const *names, struct error *error)
{
	const char *nearest = value_nearest(word, names);
	return nearest ? wrong(error, "there is no %s '%.40s'; did you mean %s?", what, word, nearest)
	               : wrong(error, "there is no %s '%.40s'", what, word);
}

static int find_kind(const char *word, uint16_t *kind, struct error *error)
{
	for (unsigned i = 0; i < SCHED_KINDS; i++) {
		if (strcmp(word, kind_names[i]))
			continue;
		*kind = (uint16_t)i;
		return 0;
	}
	return refuse("kind of decision", word, kind_names, error);
}

static int find_op(const char *word, uint16_t *op, struct error *error)
{
	static unsigned last; /* most files repeat a few operations */
	const char *names[OPS + 1];
	unsigned count = 0;
	if (op_names[last] && !strcmp(op_names[last], word)) {
		*op = (uint16_t)last;
		return 0;
	}
	for (unsigned i = 0; i < OPS; i++) {
		if (!op_names[i])
			continue;
		names[count++] = op_names[i];
		if (strcmp(word, op_names[i]))
			continue;
		*op = (uint16_t)(last = i);
		return 0;
	}
	names[count] = NULL;
	return refuse("operation", word, names, error);
}

/* Splits a line into words at blanks and tabs. Returns how many, at most FIELDS_MAX + 1. */
static unsigned split(char *line, char *fields[FIELDS_MAX + 1])
{
	unsigned count = 0;
	char *rest = NULL;
	for (char *word = strtok_r(line, " \t", &rest); word && count <= FIELDS_MAX;
	     word = strtok_r(NULL, " \t", &rest))
		fields[count++] = word;
	return count;
}

static int parse_fields(char *const *fields, unsigned count, struct sched_record *record, struct error *error)
{
	uint64_t thread;
	unsigned next = 3;
	if (!read_number(fields[0], UINT32_MAX, &thread) || !thread)
		return wrong(error, "'%.40s' is not a thread number: expected THREAD POINTS KIND [OP] [DETAIL]",
		             fields[0]);
	if (count < 3)
		return wrong(error, "expected THREAD POINTS KIND [OP] [DETAIL]");
	if (!read_number(fields[1], INT64_MAX, &record->points))
		return wrong(error, "'%.40s' is not a number of decision points", fields[1]);
	record->thread = (uint32_t)thread;
	int result = find_kind(fields[2], &record->kind, error);
	if (result)
		return result;
	if (count > next && has_op(record->kind)) {
		result = find_op(fields[next++], &record->op, error);
		if (result)
			return result;
	}
	if (has_detail(record->kind)) {
		if (next >= count)
			return wrong(error, "%s needs a last word, %s", fields[2], detail_name(record->kind));
		if (!read_number(fields[next], UINT64_MAX, &record->detail) || !is_detail(record->kind, record->detail))
			return wrong(error, "'%.40s' is not %s", fields[next], detail_name(record->kind));
		next++;
	}
	if (next < count)
		return wrong(error, "'%.40s' is too much: after %s comes %s", fields[next], fields[2],
		             has_detail(record->kind) ? detail_name(record->kind)
		             : has_op(record->kind)   ? "an operation alone"
		                                      : "nothing");
	return 0;
}

/* Parses one line without its newline. Returns 1 if it sets *record, 0 for a comment or an empty line, or -EINVAL with
 * the error, and what is expected, in *error. */
static int parse_record(const char *line, struct sched_record *record, struct error *error)
{
	char copy[SCHEDULE_LINE_MAX], *fields[FIELDS_MAX + 1];
	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return 0;
	if (strlen(line) >= sizeof(copy))
		return wrong(error, "the line is longer than %d characters", SCHEDULE_LINE_MAX - 1);
	strcpy(copy, line);
	*record = (struct sched_record){.op = SCHED_OP_NONE};
	int result = parse_fields(fields, split(copy, fields), record, error);
	return result ? result : 1;
}

/* A file being read. */
struct reader {
	FILE *from;
	uint32_t line;
	int error;      /* errno of a failed read, or 0 */
	bool has_clock; /* the file's version has lines of the clock */
	char text[2 * SCHEDULE_LINE_MAX];
};

/* Reads the next line without its newline. Returns 1, 0 at the end, or -EINVAL. Cuts long comments. */
static int next_line(struct reader *reader, struct error *error)
{
	size_t length = 0;
	int c;
	if (reader->line == UINT32_MAX)
		return wrong(error, "there are too many lines");
	reader->line++;
	while ((c = getc_unlocked(reader->from)) != EOF && c != '\n') {
		if (!c)
			return wrong(error, "there is a NUL byte: this is not a schedule");
		if (length + 1 < sizeof(reader->text))
			reader->text[length++] = (char)c;
	}
	if (c == EOF && ferror(reader->from))
		reader->error = errno;
	reader->text[length] = 0;
	if (length + 1 == sizeof(reader->text) && reader->text[strspn(reader->text, " \t")] != '#')
		return wrong(error, "the line is too long");
	if (length && reader->text[length - 1] == '\r' && *reader->text != '#')
		return wrong(error, "the line ends in a carriage return: end lines in a newline alone");
	return c != EOF || length;
}

static int read_first_line(struct reader *reader, struct error *error)
{
	uint64_t version, definition = 1;
	char *fields[FIELDS_MAX + 1];
	if (next_line(reader, error) < 0)
		return -EINVAL;
	unsigned count = split(reader->text, fields);
	if (count < 2 || strcmp(fields[0], SCHEDULE_FIRST_LINE) || !read_number(fields[1], UINT32_MAX, &version))
		return wrong(error, "this is not a schedule: expected '" SCHEDULE_FIRST_LINE " %d'", SCHEDULE_VERSION);
	if (version != SCHEDULE_VERSION && version != SCHEDULE_CLOCK_VERSION)
		return wrong(error, "this schedule has version %" PRIu64 ", and this eremite reads %d and %d", version,
		             SCHEDULE_VERSION, SCHEDULE_CLOCK_VERSION);
	reader->has_clock = version == SCHEDULE_CLOCK_VERSION;
	if (count != 2 &&
	    (count != 4 || strcmp(fields[2], SCHEDULE_DIGEST) || !read_number(fields[3], UINT32_MAX, &definition)))
		return wrong(error, "expected '" SCHEDULE_FIRST_LINE " %d " SCHEDULE_DIGEST " %u'", SCHEDULE_VERSION,
		             DIGEST_DEFINITION);
	if (!definition || definition > DIGEST_DEFINITION)
		return wrong(error,
		             "this schedule is for digests of definition %" PRIu64 ", and this eremite "
		             "(" EREMITE_VERSION ") computes definition %u; use a newer eremite",
		             definition, DIGEST_DEFINITION);
	return 0;
}

/* Whether the line is that of --preempt. */
static bool is_preempt(const char *line)
{
	line += strspn(line, " \t");
	size_t length = strcspn(line, " \t");
	return length == strlen(SCHEDULE_PREEMPT) && !memcmp(line, SCHEDULE_PREEMPT, length);
}

static int parse_preempt(char *line, struct code_points *points, struct error *error)
{
	char *fields[FIELDS_MAX + 1];
	struct error why;
	unsigned count = split(line, fields);
	if (count < 2 || count > FIELDS_MAX)
		return wrong(error, SCHEDULE_PREEMPT " needs the value that was given to --preempt");
	for (unsigned i = 1; i < count; i++)
		if (preempt_option_parse_recorded(fields[i], points, &why))
			return wrong(error, SCHEDULE_PREEMPT " %.140s", why.text);
	return 0;
}

/* How many records and lines the arrays of a schedule have room for. */
struct room {
	size_t records, lines;
};

static int append(struct schedule *schedule, const struct sched_record *record, uint32_t line, struct room *room)
{
	if (!array_reserve(schedule->records, room->records, schedule->count + 1) ||
	    !array_reserve(schedule->lines, room->lines, schedule->count + 1))
		return -ENOMEM;
	schedule->records[schedule->count] = *record;
	schedule->lines[schedule->count++] = line;
	return 0;
}

static int read_records(struct schedule *schedule, struct reader *reader, struct error *error)
{
	struct sched_record record = {0};
	struct room room = {0};
	int result;
	while ((result = next_line(reader, error)) > 0) {
		if (!schedule->count && reader->has_clock && !strcmp(reader->text, SCHEDULE_CLOCK_WORK)) {
			schedule->points.ticks = true;
			continue;
		}
		if (!schedule->count && is_preempt(reader->text)) {
			result = parse_preempt(reader->text, &schedule->points, error);
			if (result)
				return result;
			continue;
		}
		result = parse_record(reader->text, &record, error);
		if (result < 0)
			return result;
		if (!result)
			continue;
		if (schedule->count && (schedule->records[schedule->count - 1].kind == SCHED_KIND_end ||
		                        schedule->records[schedule->count - 1].kind == SCHED_KIND_stop))
			return wrong(error, "there is a decision after the end, line %" PRIu32,
			             schedule->lines[schedule->count - 1]);
		if (schedule->count == SCHEDULE_RECORDS_MAX)
			return wrong(error, "there are more than %lu decisions", SCHEDULE_RECORDS_MAX);
		if (append(schedule, &record, reader->line, &room)) {
			wrong(error, "there is not enough memory");
			return -ENOMEM;
		}
		schedule->last_line = reader->line;
	}
	return result;
}

int schedule_read(struct schedule *schedule, FILE *from, const char *name, struct error *error)
{
	struct reader reader = {.from = from};
	*schedule = (struct schedule){.last_line = 1};
	int result = read_first_line(&reader, error);
	if (!result)
		result = read_records(schedule, &reader, error);
	if (reader.error)
		return error_set(error, reader.error, "cannot read the schedule %.150s: %s", name,
		                 strerror(reader.error));
	return result ? error_prefix(error, -result, "%.80s:%" PRIu32 ": ", name, reader.line) : 0;
}

void schedule_free(struct schedule *schedule)
{
	free(schedule->records);
	free(schedule->lines);
	*schedule = (struct schedule){0};
}

uint32_t schedule_line(const struct schedule *schedule, uint64_t record)
{
	return record < schedule->count ? schedule->lines[record] : schedule->last_line;
}
