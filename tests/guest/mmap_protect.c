/* SPDX-License-Identifier: MIT */
/* Every access that a mapping's rights forbid raises SIGSEGV with the right code, at the right address, and only then.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "say.h"

#define PAGE 4096UL
#define BLOCK (2UL << 20)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static sigjmp_buf back;
static volatile int code;
static void *volatile address;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	code = info->si_code;
	address = info->si_addr;
	siglongjmp(back, 1);
}

/* 'r' when the byte can be read, 'w' when it can be written too, else M (nothing there) or A (not allowed). */
static char rights(volatile char *at)
{
	if (sigsetjmp(back, 1)) {
		if (address != at)
			return '?';
		return code == SEGV_MAPERR ? 'M' : code == SEGV_ACCERR ? 'A' : '!';
	}
	char was = *at;
	if (sigsetjmp(back, 1))
		return code == SEGV_ACCERR && address == at ? 'r' : '?';
	*at = was;
	return 'w';
}

static void map_of(const char *what, char *at, unsigned pages, size_t step)
{
	printf("%-28s ", what);
	for (unsigned i = 0; i < pages; i++)
		putchar(rights(at + i * step + 17));
	putchar('\n');
}

static int runs(char *at)
{
	if (sigsetjmp(back, 1))
		return address == at && code == SEGV_ACCERR ? -1 : -2;
	return ((int (*)(void))at)();
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	char *at = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, ANON, -1, 0);
	memset(at, 7, 8 * PAGE);
	map_of("fresh", at, 8, PAGE);
	SAY(mprotect(at + PAGE, 3 * PAGE, PROT_READ));
	map_of("1..3 read-only", at, 8, PAGE);
	SAY(mprotect(at + 2 * PAGE, 4 * PAGE, PROT_NONE));
	map_of("2..5 none", at, 8, PAGE);
	SAY(munmap(at + 3 * PAGE, PAGE));
	map_of("3 unmapped", at, 8, PAGE);
	SAY(mprotect(at, 8 * PAGE, PROT_READ | PROT_WRITE));
	SAY(mprotect(at + 4 * PAGE, 4 * PAGE, PROT_READ | PROT_WRITE));
	printf("contents: %d %d %d\n", at[2 * PAGE], at[4 * PAGE], at[7 * PAGE]);
	SAY(munmap(at, 8 * PAGE));
	map_of("all unmapped", at, 8, PAGE);

	char *space = mmap(NULL, 4 * BLOCK, PROT_NONE, ANON, -1, 0);
	char *block = (char *)(((unsigned long)space + BLOCK - 1) & ~(BLOCK - 1));
	SAY(mprotect(block, 3 * BLOCK, PROT_READ | PROT_WRITE));
	memset(block, 9, 3 * BLOCK);
	map_of("blocks", block, 3, BLOCK);
	SAY(mprotect(block + BLOCK, BLOCK, PROT_READ));
	map_of("middle block read-only", block, 3, BLOCK);
	SAY(mprotect(block + BLOCK - PAGE, 2 * PAGE, PROT_NONE));
	map_of("around the first edge", block + BLOCK - 2 * PAGE, 4, PAGE);
	SAY(mprotect(block + 2 * BLOCK - PAGE, 2 * PAGE, PROT_READ | PROT_WRITE));
	map_of("around the second edge", block + 2 * BLOCK - 2 * PAGE, 4, PAGE);
	SAY(munmap(block + 5 * PAGE, PAGE));
	map_of("a page out of a block", block + 4 * PAGE, 3, PAGE);
	SAY(mprotect(block + BLOCK - PAGE, 2 * PAGE, PROT_READ));
	printf("contents: %d %d %d\n", block[BLOCK - PAGE], block[BLOCK], block[3 * BLOCK - 1]);

	char *code_page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, ANON, -1, 0);
	memcpy(code_page, "\xb8\x2a\0\0\0\xc3", 6); /* mov $42, %eax; ret */
	printf("without PROT_EXEC: %d\n", runs(code_page));
	SAY(mprotect(code_page, PAGE, PROT_READ | PROT_EXEC)); /* both rights at once are refused: determinism.md */
	printf("with PROT_EXEC: %d\n", runs(code_page));
	map_of("null", NULL, 1, PAGE);
	return 0;
}
