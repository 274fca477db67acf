/* SPDX-License-Identifier: MIT
 * arguments: one two
 */
/* What main finds: arguments, floating-point state, thread-local variables, constructors; and the stack it has. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

static __thread int tls_data = 77;
static __thread char tls_zero[5000];
static __thread long tls_aligned __attribute__((aligned(64))) = -5;
static int order[4], constructed;

__attribute__((constructor(201))) static void second(void)
{
	order[constructed++] = 2;
}

__attribute__((constructor(200))) static void first(void)
{
	order[constructed++] = 1;
}

__attribute__((constructor)) static void third(void)
{
	order[constructed++] = 3;
	tls_data++;
}

__attribute__((destructor)) static void last(void)
{
	printf("destructor, tls %d\n", tls_data);
}

static void at_exit_1(void)
{
	puts("atexit, registered first");
}

static void at_exit_2(void)
{
	puts("atexit, registered second");
	atexit(at_exit_1);
}

__attribute__((noinline)) static long recurse(int n)
{
	volatile char frame[100];
	frame[0] = (char)n;
	return n == 0 ? 0 : recurse(n - 1) + (frame[0] == (char)n);
}

__attribute__((noinline)) static int large_frame(void)
{
	volatile char frame[6 << 20];
	for (size_t i = 0; i < sizeof(frame); i += 4096)
		frame[i] = (char)(i >> 12);
	int sum = 0;
	for (size_t i = 0; i < sizeof(frame); i += 4096)
		sum += frame[i] == (char)(i >> 12);
	return sum;
}

static jmp_buf jump;

__attribute__((noinline)) static int deep_jump(int n)
{
	if (n < 0)
		return 1;
	if (n == 0)
		longjmp(jump, 42);
	return deep_jump(n - 1) + 1;
}

int main(int argc, char **argv)
{
	uint32_t mxcsr;
	uint16_t control, status;
	__asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2" : "=m"(mxcsr), "=m"(control), "=m"(status));
	printf("MXCSR %x, x87 control %x, status %x\n", mxcsr & ~0x3fU, control, status & 0x3f00);
	printf("%d arguments: %s %s, then %s\n", argc, argv[1], argv[2], argv[3] ? argv[3] : "nothing");
	printf("constructors %d: %d %d %d\n", constructed, order[0], order[1], order[2]);
	int zero = 1;
	for (unsigned i = 0; i < sizeof(tls_zero); i++)
		zero &= tls_zero[i] == 0;
	printf("tls %d %d %ld, aligned %d\n", tls_data, zero, tls_aligned, (int)((uintptr_t)&tls_aligned % 64));
	printf("stack aligned %d\n", (int)((uintptr_t)__builtin_frame_address(0) % 16));
	printf("recursion %ld\n", recurse(40000));
	printf("large frame %d\n", large_frame());
	volatile int round = 0;
	int value = setjmp(jump);
	if (round++ < 3)
		deep_jump(round * 100);
	printf("jumped with %d, %d rounds\n", value, round);
	printf("fork %s\n", getenv("NO_SUCH") ? "?" : "not tried");
	atexit(at_exit_1);
	atexit(at_exit_2);
	return 513;
}
