/* SPDX-License-Identifier: MIT */
/* FNSTENV, FNSAVE and FXSAVE store the x87 unit's state and do to it what they do natively; in the guest nothing of
 * what they store depends on the processor, and whether its host gave it to others meanwhile: where the last
 * instruction and its operand were, and the mask of MXCSR. */
#include <assert.h>
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096UL
#define ARCH_SET_GS 0x1001
#define STATUS 0xfdffU /* but for C1: it says how a result was rounded, and QEMU does not set it */

static int is_guest;
static sigjmp_buf back;
static siginfo_t told;

static void handle(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	told = *info;
	siglongjmp(back, 1);
}

struct image {
	uint32_t words[7];
	uint8_t registers[80];
	uint8_t behind[20];
};

/* Leaves 1/3 in the unit, inexact, by an instruction with an operand in memory; all exceptions but ZE are masked. */
static void use_unit(void)
{
	static const float three = 3;
	static const uint16_t control = 0x037b;
	__asm__ volatile("fninit\n\tfld1\n\tfdivs %0\n\tfldcw %1" : : "m"(three), "m"(control));
}

static void print_words(const char *name, const uint32_t *words)
{
	printf("%s: control %x, status %x, tags %x\n", name, words[0] & 0xffff, words[1] & STATUS, words[2] & 0xffff);
	for (int i = 0; i < 7 && is_guest; i++)
		assert(words[i] >> 16 == (i < 3 || i == 6 ? 0xffff : 0) && (i < 3 || !(words[i] & 0xffff)));
}

static void print_control(void)
{
	uint16_t control, status;
	__asm__ volatile("fnstcw %0\n\tfnstsw %1" : "=m"(control), "=m"(status));
	printf("then: control %x, status %x\n", control, status & STATUS);
}

static void check_environment(void)
{
	struct image image;
	uint16_t narrow[8];
	memset(&image, 0xee, sizeof(image));
	use_unit();
	__asm__ volatile("fnstenv %0" : "=m"(image));
	print_words("fnstenv", image.words);
	assert(image.registers[0] == 0xee);
	print_control();
	use_unit();
	memset(narrow, 0xee, sizeof(narrow));
	__asm__ volatile("data16 fnstenv (%0)" : : "r"(narrow) : "memory");
	printf("narrow: %x %x %x, %x\n", narrow[0], narrow[1] & STATUS, narrow[2], narrow[7]);
	if (is_guest)
		assert(!narrow[3] && !narrow[4] && !narrow[5] && !narrow[6]);
	__asm__ volatile("fldenv %0" : : "m"(image));
	print_control();
}

static void check_save(void)
{
	struct image image;
	uint16_t narrow[50];
	long double third;
	memset(&image, 0xee, sizeof(image));
	use_unit();
	__asm__ volatile("fnsave %0" : "=m"(image));
	print_words("fnsave", image.words);
	print_control();
	memcpy(&third, image.registers, 10);
	printf("third %La, behind %x\n", third, image.behind[0]);
	__asm__ volatile("frstor %1\n\tfstpt %0" : "=m"(third) : "m"(image));
	printf("third again %La\n", third);
	use_unit();
	memset(narrow, 0xee, sizeof(narrow));
	__asm__ volatile("data16 fnsave (%0)" : : "r"(narrow) : "memory");
	memcpy(&third, narrow + 7, 10);
	printf("narrow: %x %x %x, %La, %x\n", narrow[0], narrow[1] & STATUS, narrow[2], third, narrow[47]);
	if (is_guest)
		assert(!narrow[3] && !narrow[4] && !narrow[5] && !narrow[6]);
}

static void check_extended(void)
{
	static uint8_t area[528] __attribute__((aligned(16)));
	uint32_t mxcsr, mask;
	uint64_t vector;
	for (int wide = 0; wide < 2; wide++) {
		memset(area, 0xee, sizeof(area));
		use_unit();
		__asm__ volatile("movq %0, %%xmm9" : : "r"(0x1122334455667788) : "xmm9");
		if (wide)
			__asm__ volatile("fxsave64 %0" : "=m"(area));
		else
			__asm__ volatile("fxsave %0" : "=m"(area));
		memcpy(&mxcsr, area + 24, 4);
		memcpy(&mask, area + 28, 4);
		memcpy(&vector, area + 160 + 9 * 16, 8);
		printf("fxsave: control %x, status %x, tags %x, mxcsr %x, xmm9 %lx, behind %x\n",
		       area[0] | area[1] << 8, (area[2] | area[3] << 8) & STATUS, area[4], mxcsr, vector, area[464]);
		print_control();
		for (int i = 5; i < 24 && is_guest; i++)
			assert(!area[i]);
		if (is_guest)
			assert(mask == 0xffff);
	}
	memset(area, 0xee, sizeof(area));
	syscall(SYS_arch_prctl, ARCH_SET_GS, (uintptr_t)area - 64);
	__asm__ volatile("fxsave %%gs:64" : : : "memory");
	memcpy(&mxcsr, area + 24, 4);
	printf("fxsave with a segment: mxcsr %x\n", mxcsr);
	memset(area, 0xee, sizeof(area));
	__asm__ volatile(".byte 0x65, 0x67; fxsave (%0)" : : "r"(64 | 0x770000000000) : "memory");
	memcpy(&mxcsr, area + 24, 4);
	printf("and an address of 32 bits: mxcsr %x\n", mxcsr);
	if (!sigsetjmp(back, 1))
		__asm__ volatile("fxsave 8(%0)" : : "r"(area) : "memory");
	printf("not aligned: signal %d, code %d\n", told.si_signo, told.si_code);
}

/* Where nothing can be stored the unit is as before. */
static void check_faults(void)
{
	long double third;
	uint8_t *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(page + PAGE, PAGE, PROT_READ);
	use_unit();
	if (!sigsetjmp(back, 1))
		__asm__ volatile("fnsave (%0)" : : "r"(page + PAGE - 64) : "memory");
	printf("fault: signal %d, code %d\n", told.si_signo, told.si_code);
	mprotect(page + PAGE, PAGE, PROT_NONE);
	if (!sigsetjmp(back, 1))
		__asm__ volatile("fnsave (%0)" : : "r"(page + PAGE) : "memory");
	printf("no access: signal %d, code %d\n", told.si_signo, told.si_code);
	use_unit();
	if (!sigsetjmp(back, 1))
		__asm__ volatile("fnstenv (%0)" : : "r"(page + PAGE - 28) : "memory"); /* that has room */
	__asm__ volatile("fstpt %0" : "=m"(third));
	printf("third %La\n", third);
	printf("words %x\n", *(uint16_t *)(page + PAGE - 28));
}

/* glibc's own uses. */
static void check_library(void)
{
	fenv_t environment;
	ucontext_t here;
	uint32_t words[7];
	volatile double zero = 0;
	__asm__ volatile("fninit");
	feclearexcept(FE_ALL_EXCEPT);
	feraiseexcept(FE_INVALID | FE_DIVBYZERO);
	printf("raised %x\n", fetestexcept(FE_ALL_EXCEPT));
	feholdexcept(&environment);
	zero = 1 / (zero + 3);
	printf("held %x\n", fetestexcept(FE_ALL_EXCEPT));
	feupdateenv(&environment);
	printf("together %x\n", fetestexcept(FE_ALL_EXCEPT));
	getcontext(&here);
	memcpy(words, here.uc_mcontext.fpregs, sizeof(words)); /* by FNSTENV, 28 bytes but the last two */
	for (int i = 3; i < 6 && is_guest; i++)
		assert(!words[i]);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	struct utsname name;
	uname(&name);
	is_guest = strstr(name.release, "eremite") != NULL;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	check_environment();
	check_save();
	check_extended();
	check_faults();
	check_library();
	return 0;
}
