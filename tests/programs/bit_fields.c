/* SPDX-License-Identifier: MIT */
/* For bit_fields.test. bit_fields: what is stored into bit fields of all kinds. bit_fields race: two threads change
 * neighbours that share a byte, and status 1 tells that a change was lost. */
#include <pthread.h>
#include <stdio.h>

struct fields {
	unsigned a : 3, b : 5;
	int c : 20;
	_Bool d : 1;
	enum { NO, YES } e : 2;
	unsigned long f : 40;
	unsigned char g : 4, h;
};

static struct __attribute__((packed)) {
	unsigned a : 7;
	unsigned long b : 57;
	unsigned c : 31, d : 31;
	unsigned __int128 e : 90;
} packed;

static struct fields fields, many[3];
static volatile struct fields hasty;
static union {
	struct {
		unsigned low : 12, high : 20;
	};
	unsigned whole;
} both = {.whole = 0xabcdef01};

__attribute__((noipa)) static void change(struct fields *p, int x)
{
	p->a = x;
	p->b++;
	p->c = -x;
	p->d = x;
	p->e = YES;
	p->f = x * 0x123456789UL;
	p->g -= x;
	p->h = (unsigned char)x;
	hasty.c = x;
	hasty.c += p->c + 1;
	both.high = x;
	packed.a = packed.b = packed.c = packed.d = x * 3;
	packed.e = (unsigned __int128)x << 70 | 5;
}

static void show(const struct fields *p)
{
	printf("%u %u %d %d %d %lx %u %u\n", p->a, p->b, p->c, p->d, p->e, (unsigned long)p->f, p->g, p->h);
}

static void *set_a(void *p)
{
	((struct fields *)p)->a = 5;
	return NULL;
}

static int race(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, set_a, &fields);
	fields.b = 9;
	pthread_join(thread, NULL);
	return fields.a != 5 || fields.b != 9;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return race();
	for (int i = 0; i < 3; i++) {
		change(&many[i], 77 * i - 20);
		change(&fields, i);
		show(&many[i]);
	}
	show(&fields);
	printf("%d %x %x %x %x %x %lx\n", hasty.c, both.whole, packed.a, (unsigned)packed.b, packed.c, packed.d,
	       (long)(packed.e >> 60));
	return 0;
}
