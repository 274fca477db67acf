/* SPDX-License-Identifier: MIT */
/* Cycles of every make, for cycles.test: each must hold a check of the tick clock, at every level of optimisation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

int sink(int value);
int choose(void);
extern volatile int flag;
extern int shared;

void spin_forever(void)
{
	for (;;)
		;
}

void spin_on_flag(void)
{
	while (!flag)
		;
}

void spin_on_lock(int *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		while (__atomic_load_n(lock, __ATOMIC_RELAXED))
			__builtin_ia32_pause();
}

long sum(const long *values, size_t count)
{
	long total = 0;
	for (size_t i = 0; i < count; i++)
		total += values[i];
	return total;
}

void scale(float *values, int count)
{
	for (int i = 0; i < count; i++)
		values[i] *= 3;
}

int nested(int rows, int columns, int step)
{
	int total = 0;
	for (int i = 0; i < rows; i++) {
		for (int j = i; j < columns; j += step) {
			if (j % 7 == 3)
				continue;
			for (int k = 0; k < j; k++) {
				if ((total ^= k * j) == 11)
					goto out;
				if (total == 12)
					break;
			}
		}
	}
out:
	return total;
}

int until(int x)
{
	do
		x = x & 1 ? 3 * x + 1 : x / 2;
	while (x != 1);
	return x;
}

int goto_loop(int x)
{
again:
	x = sink(x);
	if (x > 3)
		goto again;
	if (x < -3)
		goto again;
	return x;
}

/* Two ways into one cycle. */
int irreducible(int x)
{
	if (x & 1)
		goto second;
first:
	x = sink(x) + 1;
second:
	x = sink(x) * 2;
	if (x < 100)
		goto first;
	return x;
}

int irreducible_pair(int x, int y)
{
	switch (x) {
	case 0:
		goto a;
	case 1:
		goto b;
	default:
		goto c;
	}
a:
	y += sink(1);
	if (y & 1)
		goto c;
b:
	y ^= sink(2);
	if (y & 2)
		goto a;
c:
	y -= sink(3);
	if (y & 4)
		goto b;
	if (y & 8)
		goto a;
	return y;
}

int interpret_switch(const unsigned char *code)
{
	int x = 0;
	for (;;)
		switch (*code++) {
		case 0:
			return x;
		case 1:
			x++;
			break;
		case 2:
			x = sink(x);
			continue;
		case 3:
			code -= x;
			break;
		case 4:
			x *= 5;
			/* fall through */
		case 5:
			x -= 7;
			break;
		case 6:
			x = -x;
			break;
		default:
			x = ~x;
		}
}

int interpret_goto(const unsigned char *code)
{
	static const void *const labels[] = {&&end, &&add, &&call, &&back, &&twice};
	int x = 0;
	goto *labels[*code++];
add:
	x++;
	goto *labels[*code++];
call:
	x = sink(x);
	goto *labels[*code++];
back:
	code -= x;
	goto *labels[*code++];
twice:
	x *= 2;
	goto *labels[*code++];
end:
	return x;
}

int goto_itself(void **next)
{
	static void *labels[2];
	labels[0] = &&here;
	labels[1] = &&end;
	next[0] = labels[0];
here:
	goto **next++;
end:
	return 1;
}

unsigned long factorial(unsigned long n)
{
	return n ? n * factorial(n - 1) : 1;
}

int tail(int n, int sum_so_far)
{
	return n ? tail(n - 1, sum_so_far + n) : sum_so_far;
}

int is_odd(unsigned n);

int is_even(unsigned n)
{
	return n ? is_odd(n - 1) : 1;
}

int is_odd(unsigned n)
{
	return n ? is_even(n - 1) : 0;
}

int through_pointer(int (*next)(void *), void *argument)
{
	return next(argument);
}

static jmp_buf where;

int jump_loop(void)
{
	volatile int n = 0;
	setjmp(where);
	if (n++ < 10)
		longjmp(where, 1);
	return n;
}

int builtin_jump_loop(void **buffer)
{
	volatile int n = 0;
	if (__builtin_setjmp(buffer))
		n++;
	while (n < 10)
		sink(n++);
	return n;
}

static void release(int *held)
{
	sink(*held);
}

int clean_up(int count)
{
	for (int i = 0; i < count; i++) {
		__attribute__((cleanup(release))) int held = i;
		if (sink(i) == 3)
			return i;
	}
	return 0;
}

int variadic(int count, ...)
{
	va_list list;
	int total = 0;
	va_start(list, count);
	while (count--)
		total += va_arg(list, int);
	va_end(list);
	return total;
}

/* All registers are in use in the loop, and the flags are. */
unsigned long pressure(unsigned long *p, unsigned long n)
{
	unsigned long a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7];
	unsigned long i = p[8], j = p[9], k = p[10], l = p[11];
	unsigned char carry = 0;
	while (n--) {
		carry = __builtin_ia32_addcarryx_u64(carry, a, b, (unsigned long long *)p);
		a += l, b ^= a, c += b, d ^= c, e += d, f ^= e, g += f, h ^= g, i += h, j ^= i, k += j, l ^= k;
	}
	return a + b + c + d + e + f + g + h + i + j + k + l + carry;
}

int asm_goto(int x)
{
	for (;; x++) {
		__asm__ goto("cmpl $3, %0\n\tje %l[found]" : : "r"(x) : "cc" : found);
		if (x == 1000)
			return 0;
	}
found:
	return x;
}

/* The compiler makes calls of these. */
void clear(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 0;
}

void copy(char *restrict to, const char *restrict from, size_t n)
{
	while (n--)
		*to++ = *from++;
}

/* Blocks of memory, which the compiler would copy and clear by loops and string instructions. */
struct large {
	long words[1000];
};
void use_large(struct large);
void use_bytes(void *);

void assign_large(struct large *to, const struct large *from)
{
	*to = *from;
}

void clear_large(struct large *p)
{
	*p = (struct large){{0}};
}

void pass_large(const struct large *p)
{
	use_large(*p);
}

struct large return_large(const struct large *p)
{
	return *p;
}

void initialise_large(int first)
{
	int values[2000] = {first};
	char text[300] = "text";
	use_bytes(values);
	use_bytes(text);
}

void block_functions(char *to, const char *from, unsigned char few, size_t n)
{
	memcpy(to, from, few);
	memcpy(to, from, 3000);
	memset(to, 0, 3000);
	memset(to, few, few);
	if (n < 100)
		memmove(to, from, n);
	memset(to, 0, n);
}

int compare_blocks(const char *a, const char *b, size_t n)
{
	return memcmp(a, b, n) + (memcmp(a, b, 300) == 0) + strcmp(a, "some words of a text") +
	       strncmp(b, "some words of a text", 18) + (int)strlen(a);
}

_Noreturn void never(void)
{
	while (1)
		shared += choose();
}

__attribute__((cold)) int rarely(int n)
{
	while (n > 1)
		n = sink(n);
	return n;
}

int outer(int n)
{
	int inner(int m)
	{
		return m ? outer(m - 1) + n : n;
	}
	while (sink(n))
		n += inner(n);
	return n;
}

/* No check where the program asks for none. */
__attribute__((no_instrument_function)) int exempt_by_attribute(int n)
{
	while (sink(n))
		n++;
	return n;
}

__attribute__((naked)) void exempt_naked(void)
{
	__asm__("ret");
}

/* Nor in what is small: its caller pays. */
int exempt_small(int x)
{
	return 3 * x + 1;
}
