/* SPDX-License-Identifier: MIT */
/* Atomic operations that are calls to gcc's libatomic: structures, 16 bytes, numbers with exceptions. */
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

#define THREADS 4
#define ROUNDS 1000

struct five {
	int words[5];
};

typedef unsigned __int128 wide;

static _Atomic struct five counts;
static _Atomic wide sum;
static _Atomic double number;
static _Atomic long double long_number;

static void show(const char *what, wide value)
{
	printf("%s: %016lx%016lx\n", what, (unsigned long)(value >> 64), (unsigned long)value);
}

static int count(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		struct five old = atomic_load(&counts), new;
		do {
			new = old;
			for (int word = 0; word < 5; word++)
				new.words[word] += word;
		} while (!atomic_compare_exchange_strong(&counts, &old, new));
		atomic_fetch_add(&sum, (wide)1 << 64 | 1);
		number += 0.5;
		long_number += 0.25L;
	}
	return 0;
}

static void alone(void)
{
	static _Atomic wide word;
	wide expected = 5;
	atomic_store(&word, (wide)0xf0f0 << 64 | 0xff);
	show("load", atomic_load(&word));
	show("exchange", atomic_exchange(&word, 12));
	show("or", atomic_fetch_or(&word, (wide)1 << 100));
	show("and", atomic_fetch_and(&word, ~(wide)4));
	show("xor", atomic_fetch_xor(&word, (wide)3 << 99));
	show("sub", atomic_fetch_sub(&word, 9));
	show("nand", __atomic_fetch_nand((wide *)&word, 6, __ATOMIC_SEQ_CST));
	show("add", __atomic_add_fetch((wide *)&word, 1, __ATOMIC_SEQ_CST));
	printf("compare: %d\n", atomic_compare_exchange_strong(&word, &expected, 1));
	show("found", expected);
	printf("compare: %d\n", atomic_compare_exchange_strong(&word, &expected, 1));
	show("then", word);

	struct five value = {{1, 2, 3, 4, 5}}, old = atomic_exchange(&counts, value);
	printf("structure: %d, %d\n", old.words[4], atomic_load(&counts).words[4]);
	atomic_store(&counts, old);
}

int main(void)
{
	thrd_t threads[THREADS];
	alone();
	for (int i = 0; i < THREADS; i++)
		thrd_create(&threads[i], count, NULL);
	for (int i = 0; i < THREADS; i++)
		thrd_join(threads[i], NULL);
	struct five all = atomic_load(&counts);
	for (int i = 0; i < 5; i++)
		printf("%d ", all.words[i]);
	printf("%g %Lg\n", (double)number, (long double)long_number);
	show("sum", sum);
	return 0;
}
