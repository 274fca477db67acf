/* SPDX-License-Identifier: MIT */
/* -fpreempt=memory changes no result: atomic operations of every kind and size, and copies, against gcc's own. */
/* eremite-cc: -fpreempt=memory */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 uint128_t;

static void show(const char *what, uint128_t value)
{
	printf(" %s %llx%016llx", what, (unsigned long long)(value >> 64), (unsigned long long)value);
}

#define ATOMIC(type) \
	static void atomic_##type(void) \
	{ \
		static volatile type word; \
		const type a = (type)0xfedcba9876543210, b = (type)0x8899aabbccddeeff; \
		type expected = a; \
		bool done; \
		printf(#type ":"); \
		__atomic_store_n(&word, a, __ATOMIC_RELEASE); \
		show("load", __atomic_load_n(&word, __ATOMIC_ACQUIRE)); \
		show("exchange", __atomic_exchange_n(&word, b, __ATOMIC_SEQ_CST)); \
		show("fetch_add", __atomic_fetch_add(&word, a, __ATOMIC_SEQ_CST)); \
		show("sub_fetch", __atomic_sub_fetch(&word, b, __ATOMIC_RELAXED)); \
		show("fetch_and", __atomic_fetch_and(&word, b, __ATOMIC_SEQ_CST)); \
		show("or_fetch", __atomic_or_fetch(&word, a, __ATOMIC_SEQ_CST)); \
		show("fetch_xor", __atomic_fetch_xor(&word, b, __ATOMIC_SEQ_CST)); \
		show("nand_fetch", __atomic_nand_fetch(&word, a, __ATOMIC_SEQ_CST)); \
		show("lock_test_and_set", __sync_lock_test_and_set(&word, (type)1)); \
		__sync_lock_release(&word); \
		show("released", word); \
		word = a; \
		done = __atomic_compare_exchange_n(&word, &expected, b, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
		show(done ? "exchanged" : "failed", word); \
		done = __atomic_compare_exchange_n(&word, &expected, a, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
		show(done ? "exchanged" : "failed", expected); \
		show("val_compare_and_swap", __sync_val_compare_and_swap(&word, b, a)); \
		show("bool_compare_and_swap", __sync_bool_compare_and_swap(&word, b, a)); \
		show("word", word); \
		printf("\n"); \
	}

#define CALL(type) atomic_##type();
#define EACH(X) X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t) X(int8_t) X(int64_t)

/* clang-format off */
EACH(ATOMIC)
/* clang-format on */

/* Natively 16 bytes need a library that gcc does not always have: they are compared with plain arithmetic. */
static int atomic_128(void)
{
	int wrong = 0;
#ifdef __EREMITE__
	static uint128_t word;
	const uint128_t a = (uint128_t)0xfedcba9876543210 << 64 | 0x13579bdf02468ace, b = a * 3 + 1;
	uint128_t expected = b;
	__atomic_store_n(&word, a, __ATOMIC_SEQ_CST);
	wrong += __atomic_load_n(&word, __ATOMIC_SEQ_CST) != a;
	wrong += __atomic_exchange_n(&word, b, __ATOMIC_SEQ_CST) != a;
	wrong += __atomic_add_fetch(&word, a, __ATOMIC_SEQ_CST) != a + b;
	wrong += __atomic_fetch_sub(&word, a, __ATOMIC_SEQ_CST) != a + b;
	wrong += __atomic_and_fetch(&word, a, __ATOMIC_SEQ_CST) != (a & b);
	wrong += __atomic_or_fetch(&word, b, __ATOMIC_SEQ_CST) != b;
	wrong += __atomic_xor_fetch(&word, a, __ATOMIC_SEQ_CST) != (a ^ b);
	wrong += __atomic_nand_fetch(&word, a, __ATOMIC_SEQ_CST) != ~((a ^ b) & a);
	wrong += __atomic_compare_exchange_n(&word, &expected, b, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	wrong += !__atomic_compare_exchange_n(&word, &expected, b, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	wrong += word != b;
#endif
	return wrong;
}

/* Sizes around those that gcc makes assignments of, overlapping for memmove. */
static void copies(void)
{
	static char from[64], to[64];
	for (int i = 0; i < 64; i++)
		from[i] = (char)('0' + i);
	memcpy(to, from, 1);
	memcpy(to + 1, from + 1, 2);
	memcpy(to + 3, from + 3, 3);
	memcpy(to + 6, from + 6, 8);
	memcpy(to + 14, from + 14, 16);
	memcpy(to + 30, from + 30, 17);
	printf("%.64s\n", to);
	memmove(to + 1, to, 40);
	memset(to + 42, '-', 4);
	memset(to + 50, '+', 7);
	printf("%.46s %.7s %d %d\n", to, to + 50, memcmp(from, to, 1) == 0, memcmp(from, to, 5) < 0);
}

/* A structure with bit fields, one that is packed, and one too large for registers. */
static struct {
	unsigned a : 3, b : 7, c : 22;
} bits;
static struct __attribute__((packed)) {
	char c;
	long l;
	short s;
} odd;
static struct large {
	long word[20];
} large, other;

static struct large twice(struct large value)
{
	for (int i = 0; i < 20; i++)
		value.word[i] *= 2;
	return value;
}

static void structures(void)
{
	for (int i = 0; i < 20; i++)
		large.word[i] = i;
	for (int i = 0; i < 10; i++) {
		bits.a += 3;
		bits.b -= 5;
		bits.c += bits.b;
		odd.l += odd.s++;
		other = twice(large);
		large = other;
	}
	printf("%u %u %u %ld %d %ld\n", bits.a, bits.b, bits.c, odd.l, odd.s, other.word[19]);
}

int main(void)
{
	EACH(CALL)
	copies();
	structures();
	printf("128 bits: %d wrong\n", atomic_128());
	return 0;
}
