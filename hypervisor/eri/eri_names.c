/* SPDX-License-Identifier: MIT */
/* The table is searched where it is mapped: lines are found by bisection of its bytes, and only the line found is read.
 * A line that is not sorted is not found; nothing worse happens. */
#include "eri/eri_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FIELDS 9
#define MODE_MAX 0177777U /* a type and twelve bits */
#define FIRST_BYTES (sizeof(ERI_NAMES_FIRST) - 1)

const char *const eri_kind_names[ERI_KINDS] = {
#define ERI_KIND(name, text) [ERI_##name] = text,
	ERI_KIND_LIST(ERI_KIND)
#undef ERI_KIND
};

struct field {
	const char *text;
	size_t bytes;
};

int eri_names_open(struct eri_names *names, const char *text, size_t bytes, struct error *error)
{
	*names = (struct eri_names){text, bytes};
	if (bytes < FIRST_BYTES || memcmp(text, ERI_NAMES_FIRST, FIRST_BYTES))
		return error_set(error, EUCLEAN, "its table of names does not begin with '%.*s'", (int)FIRST_BYTES - 1,
		                 ERI_NAMES_FIRST);
	if (text[bytes - 1] != '\n')
		return error_set(error, EUCLEAN, "its table of names is cut off");
	return 0;
}

/* --- fields --- */

/* Writes a byte as a field has it. Returns 1 or 2. */
static size_t escape_char(char c, char to[2])
{
	const char letter = c == '\t' ? 't' : c == '\n' ? 'n' : c;
	const bool is_escaped = letter != c || c == '\\';
	to[0] = is_escaped ? '\\' : c;
	to[1] = letter;
	return is_escaped ? 2 : 1;
}

int eri_names_text(const char *field, size_t bytes, char *to, size_t room)
{
	size_t used = 0;
	for (size_t i = 0; i < bytes; i++) {
		char c = field[i];
		if (used + 1 >= room || !c)
			return -EUCLEAN;
		if (c == '\\') {
			if (++i == bytes || !field[i] || !strchr("\\tn", field[i]))
				return -EUCLEAN;
			c = field[i] == 't' ? '\t' : field[i] == 'n' ? '\n' : '\\';
		}
		to[used++] = c;
	}
	to[used] = 0;
	return (int)used;
}

/* Splits the line at an offset. Returns its length with the newline, or 0 if it does not have all fields. */
static size_t split_fields(const struct eri_names *names, size_t at, struct field fields[FIELDS])
{
	const char *from = names->text + at, *end = memchr(from, '\n', names->bytes - at);
	if (!end)
		return 0;
	for (unsigned i = 0; i < FIELDS; i++) {
		const char *tab = i + 1 < FIELDS ? memchr(from, '\t', (size_t)(end - from)) : end;
		if (!tab)
			return 0;
		fields[i] = (struct field){from, (size_t)(tab - from)};
		from = tab + 1;
	}
	return (size_t)(end - names->text) + 1 - at;
}

static bool is_dots_name(const char *text, size_t bytes)
{
	return bytes && bytes <= 2 && !memcmp(text, "..", bytes);
}

static int compare_field(const struct field *a, const struct field *b)
{
	int order = memcmp(a->text, b->text, a->bytes < b->bytes ? a->bytes : b->bytes);
	return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* A number from `min`, which is 0 or INT64_MIN, to `max`, which fills a field. */
static bool field_number(const struct field *field, int base, int64_t min, int64_t max, int64_t *value)
{
	char text[24], *end;
	if (!field->bytes || field->bytes >= sizeof(text))
		return false;
	memcpy(text, field->text, field->bytes);
	text[field->bytes] = 0;
	const char *digits = text + (min < 0 && *text == '-');
	if (*digits < '0' || *digits > '9') /* strtoll skips spaces and signs */
		return false;
	errno = 0;
	*value = strtoll(text, &end, base);
	return end == text + field->bytes && !errno && *value <= max;
}

static bool hex(const char *text, size_t bytes, uint8_t *to)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < 2 * bytes; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
		if (!digit)
			return false;
		to[i / 2] = (uint8_t)(to[i / 2] << 4 | (digit - digits));
	}
	return true;
}

/* Whether a field can be a name in a directory; the tree itself has none. */
static bool is_name_field(const struct field *field)
{
	return !memchr(field->text, '/', field->bytes) && !is_dots_name(field->text, field->bytes);
}

static bool has_mode_of_kind(const struct eri_name *name)
{
	switch (name->kind) {
	case ERI_NONE:
	case ERI_HIDDEN:
		return true;
	case ERI_LINK:
		return S_ISLNK(name->mode);
	case ERI_DIRECTORY:
	case ERI_PART:
	case ERI_CLOSED:
	case ERI_SHUT:
	case ERI_LISTED:
		return S_ISDIR(name->mode);
	default:
		return S_ISREG(name->mode);
	}
}

/* Reads the name and the fields behind it. */
static int understand_line(const struct field fields[FIELDS], size_t at, struct eri_name *found)
{
	int64_t mode, size;
	*found = (struct eri_name){.at = at};
	while (found->kind < ERI_KINDS && (strlen(eri_kind_names[found->kind]) != fields[3].bytes ||
	                                   memcmp(eri_kind_names[found->kind], fields[3].text, fields[3].bytes)))
		found->kind++;
	if (found->kind == ERI_KINDS || !is_name_field(&fields[2]) ||
	    !field_number(&fields[4], 8, 0, MODE_MAX, &mode) || !field_number(&fields[5], 10, 0, INT64_MAX, &size) ||
	    !field_number(&fields[6], 10, INT64_MIN, INT64_MAX, &found->mtime_ns))
		return -EUCLEAN;
	found->mode = (uint32_t)mode;
	found->size = (uint64_t)size;
	if (!has_mode_of_kind(found))
		return -EUCLEAN;
	found->has_hash = fields[7].bytes == 2 * DIGEST_BYTES;
	if (found->has_hash ? !hex(fields[7].text, DIGEST_BYTES, found->hash)
	                    : fields[7].bytes != 1 || *fields[7].text != '-')
		return -EUCLEAN;
	found->name = fields[2].text;
	found->name_bytes = fields[2].bytes;
	found->detail = fields[8].text;
	found->detail_bytes = fields[8].bytes;
	return 0;
}

/* --- searching --- */

/* What is searched: a text has no escapes yet, because with them it would be too large for a stack. */
struct key {
	char tree[8];
	struct field dir, name;
};

static struct key name_key(unsigned tree, const char *dir, size_t dir_bytes, const char *name)
{
	struct key key = {.dir = {dir, dir_bytes}, .name = {name, strlen(name)}};
	snprintf(key.tree, sizeof(key.tree), "%02u", tree);
	return key;
}

/* Compares a field with a text in the order of the table. */
static int compare_text(const struct field *field, const struct field *text)
{
	size_t at = 0;
	for (size_t i = 0; i < text->bytes; i++) {
		char escaped[2];
		size_t count = escape_char(text->text[i], escaped);
		for (size_t k = 0; k < count; k++, at++) {
			int order =
				at == field->bytes ? -1 : (unsigned char)field->text[at] - (unsigned char)escaped[k];
			if (order)
				return order;
		}
	}
	return at < field->bytes;
}

static int compare_directory(const struct field *fields, const struct key *key)
{
	int order = compare_text(&fields[0], &(struct field){key->tree, strlen(key->tree)});
	return order ? order : compare_text(&fields[1], &key->dir);
}

static int compare_key(const struct field *fields, const struct key *key)
{
	int order = compare_directory(fields, key);
	return order ? order : compare_text(&fields[2], &key->name);
}

/* The offset of the first line whose key is not before another one; of a damaged line, if the search meets one; the
 * table's size if there is none. */
static size_t first_name_from(const struct eri_names *names, const struct key *key)
{
	size_t low = FIRST_BYTES, high = names->bytes; /* beginnings of lines, or the end */
	struct field fields[FIELDS];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *before = memrchr(names->text + low, '\n', middle - low);
		size_t line = before ? (size_t)(before - names->text) + 1 : low,
		       bytes = split_fields(names, line, fields);
		if (!bytes)
			return line;
		if (compare_key(fields, key) < 0)
			low = line + bytes;
		else
			high = line;
	}
	return low;
}

int eri_names_find(const struct eri_names *names, unsigned tree, const char *path, struct eri_name *found)
{
	struct field fields[FIELDS];
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const struct key key = name_key(tree, path, slash ? (size_t)(slash - path) : 0, name);
	size_t at = first_name_from(names, &key);
	if (at >= names->bytes || !split_fields(names, at, fields))
		return at >= names->bytes ? -ENOENT : -EUCLEAN;
	return compare_key(fields, &key) ? -ENOENT : understand_line(fields, at, found);
}

int eri_names_next(const struct eri_names *names, unsigned tree, const char *dir, size_t *at, struct eri_name *found)
{
	struct field fields[FIELDS];
	const struct key key = name_key(tree, dir, strlen(dir), "");
	if (!*at)
		*at = first_name_from(names, &key);
	for (;;) {
		size_t line = *at, bytes = line < names->bytes ? split_fields(names, line, fields) : 0;
		if (!bytes)
			return line < names->bytes ? -EUCLEAN : 0;
		if (compare_directory(fields, &key))
			return 0;
		*at = line + bytes;
		int error = fields[2].bytes ? understand_line(fields, line, found) : 0;
		if (error || fields[2].bytes)
			return error ? error : 1;
	}
}

/* Whether a path has no empty component, and none that is . or .. */
static bool is_path(const char *path)
{
	bool more = *path, is = true;
	while (more && is) {
		size_t length = strcspn(path, "/");
		is = length && !is_dots_name(path, length);
		more = path[length];
		path += length + more;
	}
	return is;
}

int eri_names_line(const struct eri_names *names, size_t *at, unsigned *tree, char path[PATH_MAX],
                   struct eri_name *found)
{
	struct field fields[FIELDS];
	int64_t value;
	if (!*at)
		*at = FIRST_BYTES;
	if (*at >= names->bytes)
		return 0;
	size_t line = *at, bytes = split_fields(names, line, fields);
	if (!bytes || fields[0].bytes != 2 || !field_number(&fields[0], 10, 0, ERI_NAMES_TREES_MAX - 1, &value))
		return -EUCLEAN;
	*tree = (unsigned)value;
	*at = line + bytes;
	int length = eri_names_text(fields[1].text, fields[1].bytes, path, PATH_MAX - 1);
	if (length < 0)
		return length;
	if (length)
		path[length++] = '/';
	int name = eri_names_text(fields[2].text, fields[2].bytes, path + length, (size_t)(PATH_MAX - length));
	if (name < 0 || name > NAME_MAX || !is_path(path))
		return -EUCLEAN;
	return understand_line(fields, line, found) ? -EUCLEAN : 1;
}

/* --- bytecode --- */

int eri_names_join(const char *tree, const char *below, char *path, size_t room)
{
	const size_t bytes = strlen(tree);
	const char *slash = *below && bytes && tree[bytes - 1] != '/' ? "/" : "";
	return snprintf(path, room, "%s%s%s", tree, slash, below) < (int)room ? 0 : -ENAMETOOLONG;
}

int eri_names_bytecode(const struct eri_name *name, struct eri_bytecode *bytecode)
{
	const char *end = name->detail + name->detail_bytes, *from = name->detail, *tab;
	if (!name->detail_bytes || name->kind == ERI_LINK)
		return 0;
	if ((size_t)(end - from) < 33 || !hex(from, sizeof(bytecode->header), bytecode->header) || from[32] != '\t')
		return -EUCLEAN;
	from += 33;
	tab = memchr(from, '\t', (size_t)(end - from));
	if (!tab || eri_names_text(from, (size_t)(tab - from), bytecode->dir, sizeof(bytecode->dir)) < 0 ||
	    eri_names_text(tab + 1, (size_t)(end - tab - 1), bytecode->name, sizeof(bytecode->name)) < 0)
		return -EUCLEAN;
	return 1;
}

/* --- writing --- */

static void write_escaped(FILE *to, const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		char escaped[2];
		size_t count = escape_char(text[i], escaped);
		fwrite(escaped, 1, count, to);
	}
}

void eri_names_escape(FILE *to, const char *text)
{
	write_escaped(to, text, strlen(text));
}

static void write_hex(FILE *to, const uint8_t *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		fprintf(to, "%02x", from[i]);
}

void eri_names_write(FILE *to, unsigned tree, const char *path, const struct eri_name *name, const char *detail,
                     const struct eri_bytecode *bytecode)
{
	const char *slash = strrchr(path, '/'), *leaf = slash ? slash + 1 : path;
	fprintf(to, "%02u\t", tree);
	write_escaped(to, path, slash ? (size_t)(slash - path) : 0);
	fputc('\t', to);
	write_escaped(to, leaf, strlen(leaf));
	fprintf(to, "\t%s\t%o\t%lu\t%ld\t", eri_kind_names[name->kind], name->mode, name->size, name->mtime_ns);
	if (name->has_hash)
		write_hex(to, name->hash, DIGEST_BYTES);
	else
		fputc('-', to);
	fputc('\t', to);
	if (detail)
		write_escaped(to, detail, strlen(detail));
	if (bytecode) {
		write_hex(to, bytecode->header, sizeof(bytecode->header));
		fputc('\t', to);
		write_escaped(to, bytecode->dir, strlen(bytecode->dir));
		fputc('\t', to);
		write_escaped(to, bytecode->name, strlen(bytecode->name));
	}
	fputc('\n', to);
}

/* --- sorting --- */

static int by_name_key(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	for (unsigned field = 0; field < 3; field++) {
		size_t first = strcspn(x, "\t"), second = strcspn(y, "\t");
		int order = compare_field(&(struct field){x, first}, &(struct field){y, second});
		if (order)
			return order;
		x += first + 1;
		y += second + 1;
	}
	return 0;
}

int eri_names_sort(char *text, size_t bytes)
{
	size_t count = 0, used = 0;
	for (size_t i = 0; i < bytes; i++)
		count += text[i] == '\n';
	char *copy = malloc(bytes + 1), **lines = calloc(count + 1, sizeof(*lines));
	if (copy && lines) {
		memcpy(copy, text, bytes);
		copy[bytes] = 0;
		char *at = copy;
		for (size_t i = 0; i < count; i++) {
			lines[i] = at;
			at = strchr(at, '\n') + 1;
		}
		qsort(lines, count, sizeof(*lines), by_name_key);
		for (size_t i = 0; i < count; i++) {
			size_t length = strcspn(lines[i], "\n") + 1;
			memcpy(text + used, lines[i], length);
			used += length;
		}
	}
	int result = copy && lines ? 0 : -ENOMEM;
	free(copy);
	free(lines);
	return result;
}
