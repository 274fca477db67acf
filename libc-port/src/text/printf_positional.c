/* SPDX-License-Identifier: MIT */
/* Features that newlib's printf lacks: positional arguments (%2$s), %m, %p of NULL as (nil), %a with every bit, and
 * failure on a stream of the other orientation.
 *
 * A format without them goes to newlib after one check. Otherwise the format is parsed here. Its arguments are
 * collected once, by number, and newlib prints each conversion except %m, %p and %a. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <reent.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "libc-port/src/math/long_double.h"
#include "libc-port/src/text/printf.h"

/* newlib's own, renamed when its archive is put together (newlib.mk). The second prints to a string stream; programs
 * that print to no string do not link it. */
typedef int print(struct _reent *reent, FILE *stream, const char *format, va_list args);
print __newlib__vfprintf_r, __newlib__svfprintf_r;
int __newlib__vfwprintf_r(struct _reent *reent, FILE *stream, const wchar_t *format, va_list args);
print _svfprintf_r;

enum kind { UNUSED, INT, LONG, DOUBLE, LONG_DOUBLE, POINTER };

struct argument {
	enum kind kind;
	union {
		int int_value;
		long long_value;
		double double_value;
		long double long_double_value;
		void *pointer_value;
	};
};

/* The current call. */
struct output {
	struct _reent *reent;
	print *print; /* newlib's function for the stream */
	FILE *stream;
	long total;
	int error; /* errno at the start, for %m */
};

enum { ARGUMENTS_MAX = 4096, ARGUMENTS_HERE = 32 };

/* 1: characters between a % and its letter. 2: characters that newlib would not print correctly. */
static const unsigned char class_of[256] = {
	['0' ... '9'] = 1, ['-'] = 1, ['+'] = 1, [' '] = 1, ['#'] = 1, ['\''] = 1, ['.'] = 1,
	['*'] = 1,         ['h'] = 1, ['l'] = 1, ['L'] = 1, ['q'] = 1, ['j'] = 1,  ['z'] = 1,
	['t'] = 1,         ['$'] = 2, ['m'] = 2, ['p'] = 2, ['a'] = 2, ['A'] = 2};

/* Whether newlib alone would print a format wrongly. */
static bool needs_more(const char *format)
{
	const unsigned char *at = (const unsigned char *)format;
	for (; *at; at++) {
		if (*at != '%')
			continue;
		while (class_of[*++at] == 1)
			;
		if (class_of[*at] == 2)
			return true;
		if (*at == 0)
			break;
	}
	return false;
}

/* Takes the number at *at, saturated, or -1 if there is none. */
static int number(const char **at)
{
	long value = -1;
	for (; **at >= '0' && **at <= '9'; ++*at)
		if ((value = (value < 0 ? 0 : value) * 10 + (**at - '0')) > INT_MAX)
			value = INT_MAX;
	return (int)value;
}

/* Takes the number before a $, counted from zero. Returns -1 and takes nothing if there is none. */
static int position(const char **at)
{
	const char *end = *at;
	int value = number(&end);
	if (value <= 0 || *end != '$')
		return -1;
	*at = end + 1;
	return value - 1;
}

/* Takes a width or precision at *at: a number, or the argument that has it. */
static void amount(const char **at, int *value, int *from, int *next)
{
	*from = -1;
	if (**at != '*') {
		*value = number(at);
		return;
	}
	++*at;
	*value = -1;
	*from = position(at);
	if (*from < 0)
		*from = (*next)++;
}

/* Parses the conversion at the %. *next counts arguments without a number. Returns its end. */
static const char *parse(const char *text, struct conversion *c, int *next)
{
	const char *at = text + 1;
	*c = (struct conversion){.value_from = position(&at), .precision = -1, .precision_from = -1};
	c->flags = at;
	at += c->flags_length = (int)strspn(at, "-+ #0'");
	amount(&at, &c->width, &c->width_from, next);
	if (*at == '.') {
		at++;
		amount(&at, &c->precision, &c->precision_from, next);
		if (c->precision_from < 0 && c->precision < 0)
			c->precision = 0;
	}
	c->size = at;
	at += c->size_length = (int)strspn(at, "hlLqjzt");
	c->letter = *at;
	if (c->letter == 0)
		return at;
	if (c->value_from < 0 && !strchr("%m", c->letter))
		c->value_from = (*next)++;
	return at + 1;
}

/* Returns the type in which a conversion's value is passed. */
static enum kind kind_of(const struct conversion *c)
{
	switch (c->letter) {
	case '%':
	case 'm':
		return UNUSED;
	case 's':
	case 'S':
	case 'p':
	case 'n':
		return POINTER;
	case 'c':
	case 'C':
		return INT;
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
		return c->size_length && c->size[0] != 'h' ? LONG : INT;
	case 'D':
	case 'O':
	case 'U':
		return LONG;
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		return c->size_length && c->size[0] == 'L' ? LONG_DOUBLE : DOUBLE;
	default:
		return INT;
	}
}

/* Counts the arguments of a format; with ARGS also sets their kinds. */
static int count_format_arguments(const char *format, struct argument *args)
{
	struct conversion c;
	int next = 0, count = 0;
	while ((format = strchr(format, '%'))) {
		format = parse(format, &c, &next);
		int used[] = {c.width_from, c.precision_from, c.value_from};
		for (int i = 0; i < 3; i++) {
			if (used[i] >= count)
				count = used[i] + 1;
			if (used[i] >= 0 && args)
				args[used[i]].kind = i < 2 ? INT : kind_of(&c);
		}
	}
	return count;
}

static void collect_arguments(struct argument *args, int count, va_list list)
{
	for (struct argument *arg = args; arg < args + count; arg++) {
		switch (arg->kind) {
		case UNUSED: /* a number that the format skips: its type is unknown, and most types have this size */
		case INT:
			arg->int_value = va_arg(list, int);
			break;
		case LONG:
			arg->long_value = va_arg(list, long);
			break;
		case DOUBLE:
			arg->double_value = va_arg(list, double);
			break;
		case LONG_DOUBLE:
			arg->long_double_value = va_arg(list, long double);
			break;
		case POINTER:
			arg->pointer_value = va_arg(list, void *);
		}
	}
}

/* Prints one conversion by newlib. Its width and precision come before the value. */
static int put_by_newlib(struct output *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int length = out->print(out->reent, out->stream, format, args);
	va_end(args);
	if (length > 0)
		out->total += length;
	return length < 0 ? -1 : 0;
}

static int put_output(struct output *out, const char *text, size_t length)
{
	return length == 0 ? 0 : put_by_newlib(out, "%.*s", (int)length, text);
}

static int put_fill(struct output *out, char fill, long count)
{
	char some[64];
	memset(some, fill, sizeof(some));
	for (; count > 0; count -= (long)sizeof(some))
		if (put_output(out, some, count < (long)sizeof(some) ? (size_t)count : sizeof(some)))
			return -1;
	return 0;
}

static bool has_flag(const struct conversion *c, char flag)
{
	return memchr(c->flags, flag, (size_t)c->flags_length) != NULL;
}

static int put_hex_float(struct output *out, const struct conversion *c, long double value, bool wide)
{
	char digits[HEX_FLOAT_SIZE], sign = 0;
	int exponent = hex_float_digits(value, wide, c->precision, has_flag(c, '#'), digits);
	if (long_double_negative(value))
		sign = '-';
	else if (has_flag(c, '+') || has_flag(c, ' '))
		sign = has_flag(c, '+') ? '+' : ' ';
	int places = wide ? 15 : 13, length = (int)strlen(digits) + (sign != 0);
	long zeros = c->precision > places ? c->precision - places : 0, fill = c->width - length - zeros;
	bool left = has_flag(c, '-'), with_zeros = has_flag(c, '0') && !left;
	for (char *at = digits; c->letter == 'A' && *at; at++)
		*at = *at >= 'a' ? (char)(*at - 'a' + 'A') : *at;
	if (!left && !with_zeros && put_fill(out, ' ', fill))
		return -1;
	if (put_output(out, &sign, sign != 0) || put_output(out, digits, 2) ||
	    (with_zeros && put_fill(out, '0', fill)) || put_output(out, digits + 2, (size_t)exponent - 2) ||
	    put_fill(out, '0', zeros) || put_output(out, digits + exponent, strlen(digits + exponent)))
		return -1;
	return left ? put_fill(out, ' ', fill) : 0;
}

static void store_total(const struct output *out, const struct conversion *c, void *to)
{
	if (c->size_length == 0)
		*(int *)to = (int)out->total;
	else if (c->size[0] != 'h')
		*(long *)to = out->total;
	else if (c->size_length == 1)
		*(short *)to = (short)out->total;
	else
		*(signed char *)to = (signed char)out->total;
}

/* Prints one conversion whose width and precision are known. */
static int print_conversion(struct output *out, const struct conversion *c, const struct argument *arg)
{
	char format[32];
	bool left = has_flag(c, '-');
	if (c->flags_length + c->size_length > 16)
		return errno = EINVAL, -1;
	if (c->letter == 'm')
		return put_by_newlib(out, left ? "%-*.*s" : "%*.*s", c->width, c->precision, strerror(out->error));
	if (c->letter == 'p' && !arg->pointer_value)
		return put_by_newlib(out, left ? "%-*s" : "%*s", c->width, "(nil)");
	char *at = format;
	*at++ = '%';
	at = mempcpy(at, c->flags, (size_t)c->flags_length);
	at = mempcpy(at, "*.*", 3);
	at = mempcpy(at, c->size, (size_t)c->size_length);
	*at++ = c->letter;
	*at = 0;
	if (c->letter == 'n')
		return store_total(out, c, arg->pointer_value), 0;
	switch (kind_of(c)) {
	case UNUSED:
		return put_output(out, "%", 1);
	case INT:
		return put_by_newlib(out, format, c->width, c->precision, arg->int_value);
	case LONG:
		return put_by_newlib(out, format, c->width, c->precision, arg->long_value);
	case DOUBLE:
		if ((c->letter | 32) == 'a' && isfinite(arg->double_value))
			return put_hex_float(out, c, (long double)arg->double_value, false);
		return put_by_newlib(out, format, c->width, c->precision, arg->double_value);
	case LONG_DOUBLE:
		if ((c->letter | 32) == 'a' && isfinite(arg->long_double_value))
			return put_hex_float(out, c, arg->long_double_value, true);
		return put_by_newlib(out, format, c->width, c->precision, arg->long_double_value);
	default:
		return put_by_newlib(out, format, c->width, c->precision, arg->pointer_value);
	}
}

/* Takes width and precision from arguments. A negative width is a flag; a negative precision counts as none. */
static int put_with_amounts(struct output *out, struct conversion *c, const struct argument *args)
{
	char flags[16];
	if (c->precision_from >= 0)
		c->precision = args[c->precision_from].int_value;
	if (c->precision < 0)
		c->precision = -1;
	if (c->width_from >= 0)
		c->width = args[c->width_from].int_value;
	if (c->width < 0) {
		bool given = c->width_from >= 0;
		if (given && (c->width == INT_MIN || c->flags_length >= (int)sizeof(flags)))
			return errno = EOVERFLOW, -1;
		if (given) {
			memcpy(flags, c->flags, (size_t)c->flags_length);
			flags[c->flags_length++] = '-';
			c->flags = flags;
		}
		c->width = given ? -c->width : 0;
	}
	return print_conversion(out, c, c->value_from < 0 ? NULL : args + c->value_from);
}

static int put_all(struct output *out, const char *format, const struct argument *args)
{
	int next = 0;
	struct conversion c;
	while (*format) {
		size_t plain = (size_t)(strchrnul(format, '%') - format);
		if (put_output(out, format, plain))
			return -1;
		format += plain;
		if (*format == 0)
			break;
		format = parse(format, &c, &next);
		if (c.letter == 0)
			return errno = EINVAL, -1;
		if (put_with_amounts(out, &c, args))
			return -1;
		if (out->total > INT_MAX)
			return errno = EOVERFLOW, -1;
	}
	return (int)out->total;
}

/* Returns the length, or -1 with errno set. */
static int print_format(struct output *out, const char *format, va_list list)
{
	struct argument here[ARGUMENTS_HERE] = {0}, *args = here;
	int count = count_format_arguments(format, NULL);
	if (count > ARGUMENTS_MAX)
		return errno = EOVERFLOW, -1;
	if (count > ARGUMENTS_HERE)
		args = calloc((size_t)count, sizeof(*args));
	if (!args)
		return -1;
	count_format_arguments(format, args);
	collect_arguments(args, count, list);
	int length = put_all(out, format, args);
	if (args != here)
		free(args);
	return length;
}

int _svfprintf_r(struct _reent *reent, FILE *stream, const char *format, va_list list)
{
	if (!needs_more(format))
		return __newlib__svfprintf_r(reent, stream, format, list);
	struct output out = {reent, __newlib__svfprintf_r, stream, 0, errno};
	/* newlib's makes the buffer of a growing stream at the first conversion, so an empty one comes first. */
	return put_by_newlib(&out, "") ? -1 : print_format(&out, format, list);
}

/* Text that a stream without a file collects. */
struct collected {
	char *text;
	size_t length, room;
};

static ssize_t collect_text(struct _reent *reent, void *cookie, const char *text, size_t bytes)
{
	struct collected *all = cookie;
	if (bytes > all->room - all->length) {
		size_t room = 2 * all->room + bytes;
		char *grown = _realloc_r(reent, all->text, room);
		if (!grown)
			return -1;
		all->text = grown;
		all->room = room;
	}
	memcpy(all->text + all->length, text, bytes);
	all->length += bytes;
	return (ssize_t)bytes;
}

/* Whether a stream is wide, so that printf must fail. newlib's would print bytes as wide characters. */
static bool is_wide(const FILE *stream)
{
	return stream->_flags & __SORD && stream->_flags2 & __SWID;
}

/* Prints to memory first, so that an unbuffered stream makes one write. */
int _vfprintf_r(struct _reent *reent, FILE *stream, const char *format, va_list list)
{
	if (is_wide(stream))
		return -1;
	if (!needs_more(format))
		return __newlib__vfprintf_r(reent, stream, format, list);
	unsigned char buffer[512];
	struct collected all = {0};
	FILE memory = {._flags = __SWR, ._flags2 = __SNLK, ._file = -1, ._cookie = &all, ._write = collect_text};
	memory._bf._base = memory._p = buffer;
	memory._bf._size = memory._w = sizeof(buffer);
	struct output out = {reent, __newlib__vfprintf_r, &memory, 0, errno};
	int length = print_format(&out, format, list);
	if (length >= 0 &&
	    (_fflush_r(reent, &memory) || _fwrite_r(reent, all.text, 1, all.length, stream) != all.length))
		length = -1;
	_free_r(reent, all.text);
	return length;
}

int vfprintf(FILE *stream, const char *format, va_list list)
{
	return _vfprintf_r(_REENT, stream, format, list);
}

int _vfwprintf_r(struct _reent *reent, FILE *stream, const wchar_t *format, va_list list)
{
	if (stream->_flags & __SORD && !is_wide(stream))
		return -1;
	return __newlib__vfwprintf_r(reent, stream, format, list);
}

int vfwprintf(FILE *stream, const wchar_t *format, va_list list)
{
	return _vfwprintf_r(_REENT, stream, format, list);
}
