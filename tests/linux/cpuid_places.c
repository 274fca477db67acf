/* SPDX-License-Identifier: MIT */
/* cpuid wherever it stands: with room for a jump behind it or before it, without, as the target of a jump, and in code
 * that is made as the program runs. The answers are the same, and nothing but the four registers changes. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096UL

struct leaf {
	unsigned eax, ebx, ecx, edx;
};

/* Each asks for the leaf, with CF and OF set, and returns what was not kept: 1 the red zone, 2 r11, 4 CF, 8 OF, 16 rsp.
 * The instruction is between the macros. */
#define BEGIN(name) \
	"	.globl " name "\n" \
	"	.type " name ", @function\n" name ":\n" \
	"	.cfi_startproc\n" \
	"	push %rbx\n" \
	"	.cfi_def_cfa_offset 16\n" \
	"	.cfi_offset rbx, -16\n" \
	"	mov %rdi, %r8\n" \
	"	mov %rsp, %r9\n" \
	"	movabs $0x1122334455667788, %r11\n" \
	"	mov %r11, -8(%rsp)\n" \
	"	mov %r11, -128(%rsp)\n" \
	"	mov $0x7fffffff, %r10d\n" \
	"	add $1, %r10d\n" /* OF */ \
	"	stc\n" \
	"	mov (%r8), %eax\n"
#define END(name) \
	"	setc %r10b\n" \
	"	seto %dil\n" \
	"	mov %eax, (%r8)\n" \
	"	mov %ebx, 4(%r8)\n" \
	"	mov %ecx, 8(%r8)\n" \
	"	mov %edx, 12(%r8)\n" \
	"	xor %eax, %eax\n" \
	"	movabs $0x1122334455667788, %rdx\n" \
	"	cmp %rdx, -8(%rsp)\n" \
	"	jne 7f\n" \
	"	cmp %rdx, -128(%rsp)\n" \
	"	je 8f\n" \
	"7:	or $1, %eax\n" \
	"8:	cmp %rdx, %r11\n" \
	"	je 8f\n" \
	"	or $2, %eax\n" \
	"8:	test %r10b, %r10b\n" \
	"	jnz 8f\n" \
	"	or $4, %eax\n" \
	"8:	test %dil, %dil\n" \
	"	jnz 8f\n" \
	"	or $8, %eax\n" \
	"8:	cmp %rsp, %r9\n" \
	"	je 8f\n" \
	"	or $16, %eax\n" \
	"8:	pop %rbx\n" \
	"	.cfi_def_cfa_offset 8\n" \
	"	ret\n" \
	"	.cfi_endproc\n" \
	"	.size " name ", . - " name "\n"

__asm__("	.text\n" /* room behind it */
        BEGIN("behind") "	mov 8(%r8), %ecx\n	cpuid\n	mov %eax, %eax\n	mov %ebx, %ebx\n" END("behind")
        /* room before it: what follows depends on its address */
        BEGIN("before") "	mov 8(%r8), %ecx\n	cpuid\n	jmp 1f\n1:\n" END("before")
        /* jumped to */
        BEGIN("entered") "	mov 8(%r8), %ecx\n	jc 1f\n	nop\n	nop\n1:	cpuid\n	jmp 2f\n2:\n" END("entered")
        /* two beside each other: of the first only the registers matter */
        BEGIN("twice") "	mov 8(%r8), %ecx\n	jmp 1f\n1:	cpuid\n	cpuid\n	jmp 2f\n2:\n" END("twice")
        /* at the end of a page, with what could be moved in the next one */
        "	.balign 4096\n"
        "	.skip 4094 - (9f - last)\n" BEGIN("last") "	mov 8(%r8), %ecx\n9:	cpuid\n"
                                                          "	mov %eax, %eax\n	mov %ebx, %ebx\n" END("last")
        /* at the start of a page, with what could be moved in the one before */
        "	.balign 4096\n"
        "	.skip 4096 - (9f - first)\n" BEGIN("first") "	mov 8(%r8), %ecx\n"
                                                            "9:	cpuid\n	jmp 1f\n1:\n" END(
								    "first") "	.balign 4096\n");

unsigned behind(struct leaf *), before(struct leaf *), entered(struct leaf *), twice(struct leaf *);
unsigned last(struct leaf *), first(struct leaf *);

/* A page of the program's code is written to, and is code again: that changes nothing in its neighbours. */
static void write_page(unsigned char *page)
{
	assert(!((uintptr_t)page % PAGE));
	assert(!mprotect(page, PAGE, PROT_READ | PROT_WRITE));
	((volatile unsigned char *)page)[PAGE / 2] = ((volatile unsigned char *)page)[PAGE / 2];
}

static void execute_page(unsigned char *page)
{
	assert(!mprotect(page, PAGE, PROT_READ | PROT_EXEC));
}

/* One that is made as the program runs, and says that all was kept. */
static unsigned (*made(void))(struct leaf *)
{
	static const unsigned char code[] = {
		0x53,                   /* push %rbx */
		0x49, 0x89, 0xf8,       /* mov %rdi, %r8 */
		0x41, 0x8b, 0x00,       /* mov (%r8), %eax */
		0x41, 0x8b, 0x48, 0x08, /* mov 8(%r8), %ecx */
		0x0f, 0xa2,             /* cpuid */
		0x41, 0x89, 0x00,       /* mov %eax, (%r8) */
		0x41, 0x89, 0x58, 0x04, /* mov %ebx, 4(%r8) */
		0x41, 0x89, 0x48, 0x08, /* mov %ecx, 8(%r8) */
		0x41, 0x89, 0x50, 0x0c, /* mov %edx, 12(%r8) */
		0x31, 0xc0,             /* xor %eax, %eax */
		0x5b, 0xc3,             /* pop %rbx; ret */
	};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(page, code, sizeof(code));
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
	return (unsigned (*)(struct leaf *))page;
}

/* The instruction is in one page, and what could be moved with it in the other, which is written to. */
static void check_borders(void)
{
	struct leaf wanted = {0}, leaf = {0};
	unsigned lost = behind(&wanted);
	for (unsigned i = 0; i < 2; i++) {
		unsigned (*const ask)(struct leaf *) = i ? first : last;
		uintptr_t border = ((uintptr_t)ask + PAGE - 1) & ~(PAGE - 1);
		unsigned char *changed = (unsigned char *)(i ? border - PAGE : border);
		leaf = (struct leaf){0};
		lost |= ask(&leaf);
		assert(!memcmp(&leaf, &wanted, sizeof(leaf)));
		write_page(changed);
		execute_page(changed);
		leaf = (struct leaf){0};
		lost |= ask(&leaf);
		assert(!memcmp(&leaf, &wanted, sizeof(leaf)));
	}
	printf("lost at borders: %u\n", lost);
}

int main(void)
{
	static const struct leaf asked[] = {
		{.eax = 0}, {.eax = 1}, {.eax = 4, .ecx = 1}, {.eax = 7}, {.eax = 0x80000002}};
	unsigned (*const others[])(struct leaf *) = {before, entered, made()};
	unsigned lost = 0;
	for (unsigned i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct leaf first = asked[i], second = asked[i], again = asked[i];
		lost |= behind(&first);
		for (unsigned j = 0; j < 3; j++) {
			struct leaf leaf = asked[i];
			lost |= others[j](&leaf);
			/* The number of the processor (leaf 1, 31:24 of ebx) natively changes with it. */
			if (asked[i].eax == 1)
				leaf.ebx = (leaf.ebx & 0xffffff) | (first.ebx & 0xff000000);
			if (memcmp(&leaf, &first, sizeof(leaf)))
				printf("leaf %#x is another at place %u\n", asked[i].eax, j);
		}
		lost |= twice(&second);
		again.eax = first.eax; /* what the first of the two left */
		again.ecx = first.ecx;
		lost |= behind(&again);
		if (asked[i].eax != 1 && memcmp(&second, &again, sizeof(second)))
			printf("leaf %#x is another behind itself\n", asked[i].eax);
	}
	printf("lost: %u\n", lost);
	check_borders();
	return 0;
}
