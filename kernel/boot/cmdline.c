/* SPDX-License-Identifier: MIT */
/* The multiboot command line. Anything unknown is refused, as by `eremite run`. */
#include "kernel/boot/cmdline.h"

#include "abi/boot.h"
#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"

#define DEFAULT_MEMORY (512UL << 20)
#define DEFAULT_EPOCH_NS (946684800L * 1000000000L) /* 2000-01-01T00:00:00Z */
#define PREFIX "eremite."
#define DEFAULT_STRING(string) string,
#define NO_PATH "image" /* argv[0] when the loader gives none */

static bool is_blank_char(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Takes the next word off *at. 1, 0 at the end, or -EINVAL when a quotation does not end. */
static int next_word(const char **at, char word[CMDLINE_BYTES])
{
	const char *c = *at;
	bool quoted = false;
	while (is_blank_char(*c))
		c++;
	if (!*c)
		return 0;
	for (; *c && (quoted || !is_blank_char(*c)); c++) {
		if (*c == '"') {
			quoted = !quoted;
			continue;
		}
		if (*c == '\\' && c[1])
			c++;
		*word++ = *c;
	}
	*word = 0;
	*at = c;
	return quoted ? -EINVAL : 1;
}

/* Parses a number that ends where the text does. Returns 0 or -EINVAL. */
static int read_number(const char *text, uint64_t *value)
{
	unsigned base = 10;
	uint64_t number = 0;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		unsigned letter = (unsigned)(*text | 0x20) - 'a';
		unsigned digit = (unsigned)(*text - '0') < 10 ? (unsigned)(*text - '0') : letter < 6 ? letter + 10 : 16;
		if (digit >= base || __builtin_mul_overflow(number, base, &number) ||
		    __builtin_add_overflow(number, digit, &number))
			return -EINVAL;
	}
	*value = number;
	return 0;
}

static int read_signed(const char *text, int64_t *value)
{
	bool negative = *text == '-';
	uint64_t number;
	if (read_number(text + negative, &number) || number > INT64_MAX)
		return -EINVAL;
	*value = negative ? -(int64_t)number : (int64_t)number;
	return 0;
}

/* Parses a size such as 64M, and rounds it down to whole 2 MiB; it must be possible for a guest. */
static int read_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMG";
	char digits[24];
	size_t length = strlen(text);
	unsigned shift = 0;
	if (length == 0 || length >= sizeof(digits))
		return -EINVAL;
	memcpy(digits, text, length + 1);
	const char *unit = strchr(units, digits[length - 1] & ~0x20);
	if (unit && *unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		digits[length - 1] = 0;
	}
	uint64_t count;
	if (read_number(digits, &count) || count > UINT64_MAX >> shift)
		return -EINVAL;
	*bytes = (count << shift) & ~(BLOCK_SIZE - 1);
	return *bytes < LAYOUT_RAM_MIN || *bytes > LAYOUT_RAM_MAX ? -EINVAL : 0;
}

/* Appends a string. It fits: all strings together are no longer than the command line, or there is only one. */
static void append_argument(char *strings, uint32_t *bytes, uint32_t *count, const char *string)
{
	size_t length = strlen(string) + 1;
	memcpy(strings + *bytes, string, length);
	*bytes += (uint32_t)length;
	++*count;
}

/* Before there are other arguments. */
static void set_argv0(struct cmdline *cmdline, const char *name)
{
	cmdline->arguments_bytes = cmdline->argument_count = 0;
	append_argument(cmdline->arguments, &cmdline->arguments_bytes, &cmdline->argument_count, name);
}

/* Sets K=V; it replaces a setting of the same K in its place. */
static int set_environment(struct cmdline *cmdline, const char *setting)
{
	const char *equals = strchr(setting, '=');
	if (!equals || equals == setting)
		return -EINVAL;
	size_t name = (size_t)(equals - setting) + 1;
	char *old = cmdline->environment, *end = cmdline->environment + cmdline->environment_bytes;
	while (old < end && strncmp(old, setting, name))
		old += strlen(old) + 1;
	if (old == end) {
		append_argument(cmdline->environment, &cmdline->environment_bytes, &cmdline->environment_count,
		                setting);
		return 0;
	}
	size_t was = strlen(old) + 1, is = strlen(setting) + 1;
	memmove(old + is, old + was, (size_t)(end - old) - was);
	memcpy(old, setting, is);
	cmdline->environment_bytes += (uint32_t)(is - was);
	return 0;
}

/* Whether a variable is set. `setting` is NAME=VALUE. */
static bool is_set(const struct cmdline *cmdline, const char *setting)
{
	size_t name = (size_t)(strchr(setting, '=') - setting) + 1;
	const char *at = cmdline->environment, *end = at + cmdline->environment_bytes;
	while (at < end && strncmp(at, setting, name))
		at += strlen(at) + 1;
	return at < end;
}

/* Puts the defaults of variables that are not set before those that are set. */
static void add_defaults(struct cmdline *cmdline)
{
	static const char *const defaults[] = {ENVIRONMENT_DEFAULT_LIST(DEFAULT_STRING)};
	char *to = cmdline->environment;
	for (unsigned i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
		size_t bytes = strlen(defaults[i]) + 1;
		if (is_set(cmdline, defaults[i]))
			continue;
		memmove(to + bytes, to, (size_t)(cmdline->environment + cmdline->environment_bytes - to));
		memcpy(to, defaults[i], bytes);
		to += bytes;
		cmdline->environment_bytes += (uint32_t)bytes;
		cmdline->environment_count++;
	}
}

/* The value after "NAME=", or NULL for another option. */
static const char *option_text(const char *option, const char *name)
{
	size_t length = strlen(name);
	return strncmp(option, name, length) || option[length] != '=' ? NULL : option + length + 1;
}

/* One option, without its prefix. */
static int take_option(struct cmdline *cmdline, const char *option)
{
	const char *value;
	if ((value = option_text(option, "seed")))
		return read_number(value, &cmdline->seed);
	if ((value = option_text(option, "epoch")))
		return read_signed(value, &cmdline->epoch_ns);
	if ((value = option_text(option, "uptime"))) {
		int error = read_number(value, &cmdline->uptime_s);
		return error || cmdline->uptime_s <= UPTIME_MAX_S ? error : -EINVAL;
	}
	if ((value = option_text(option, "env")))
		return set_environment(cmdline, value);
	if ((value = option_text(option, "memory"))) {
		cmdline->memory_given = true;
		return read_size(value, &cmdline->memory_bytes);
	}
	if ((value = option_text(option, "argv0"))) {
		set_argv0(cmdline, value);
		return 0;
	}
	if (!strcmp(option, "no-env")) {
		cmdline->no_env = true;
		return 0;
	}
	if (!strcmp(option, "tty")) {
		cmdline->flags |= BOOT_FLAG_STDIN_TTY | BOOT_FLAG_STDOUT_TTY | BOOT_FLAG_STDERR_TTY;
		return 0;
	}
	if (!strcmp(option, "summary")) {
		cmdline->flags |= BOOT_FLAG_SUMMARY;
		return 0;
	}
	return -EINVAL;
}

int cmdline_parse(struct cmdline *cmdline, const char *text, char error[CMDLINE_ERROR_BYTES])
{
	static char word[CMDLINE_BYTES];
	bool options = true;
	int more;
	cmdline->memory_bytes = DEFAULT_MEMORY;
	cmdline->epoch_ns = DEFAULT_EPOCH_NS;
	cmdline->uptime_s = UPTIME_DEFAULT_S;
	if (strnlen(text, CMDLINE_BYTES) == CMDLINE_BYTES) {
		format(error, CMDLINE_ERROR_BYTES, "the command line is longer than %d bytes", CMDLINE_BYTES - 1);
		return -EINVAL;
	}
	append_argument(cmdline->arguments, &cmdline->arguments_bytes, &cmdline->argument_count, NO_PATH);
	for (bool first = true; (more = next_word(&text, word)) > 0; first = false) {
		bool is_option = !strncmp(word, PREFIX, strlen(PREFIX));
		if (!options) {
			append_argument(cmdline->arguments, &cmdline->arguments_bytes, &cmdline->argument_count, word);
		} else if (!strcmp(word, "--")) {
			options = false;
		} else if (first && !is_option) {
			set_argv0(cmdline, word);
		} else if (!is_option || take_option(cmdline, word + strlen(PREFIX))) {
			format(error, CMDLINE_ERROR_BYTES, "command line: '%s' is no option with a right value%s", word,
			       is_option ? "" : "; arguments stand behind --");
			return -EINVAL;
		}
	}
	if (more < 0)
		format(error, CMDLINE_ERROR_BYTES, "command line: a quotation does not end");
	else if (!cmdline->no_env)
		add_defaults(cmdline);
	return more;
}
