/* SPDX-License-Identifier: MIT */
/* The KVM engine against a KVM of this file: what a refusal is called, and whether VT-x would enter the guest with the
 * registers that it is given, which needs a processor of Intel's otherwise (SDM 3C, 27.2 and 27.3.1, by section). */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/tables.h"
#include "engine/engine.h"

#define SYSCALL_ENTRY 0x201000UL

static const struct image_header image = {.syscall_stub = SYSCALL_ENTRY};

/* The KVM of this file. */
static struct {
	unsigned long refused; /* request that fails, or 0 */
	int error;             /* with this errno */
	int open_error;
	bool no_fsgsbase;
	struct kvm_sregs sregs;
	struct kvm_regs regs;
	uint64_t lstar;
	struct kvm_vcpu_events events;
} kvm;

int __wrap_open(const char *path, int flags, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __real_open(const char *path, int flags, ...);

int __wrap_open(const char *path, int flags, ...)
{
	if (strcmp(path, "/dev/kvm") != 0)
		return __real_open(path, flags);
	if (kvm.open_error) {
		errno = kvm.open_error;
		return -1;
	}
	return memfd_create("kvm", MFD_CLOEXEC);
}

/* LDTR after reset is what KVM leaves in it: usable, at 0, with a limit of 64 KiB. */
static void get_sregs(struct kvm_sregs *sregs)
{
	memset(sregs, 0, sizeof(*sregs));
	sregs->ldt = (struct kvm_segment){.limit = 0xffff, .type = 2, .present = 1};
	sregs->apic_base = 0xfee00900;
}

static int new_file(size_t bytes)
{
	int fd = memfd_create("kvm", MFD_CLOEXEC);
	return ftruncate(fd, (off_t)bytes) ? -1 : fd;
}

static void get_supported(struct kvm_cpuid2 *cpuid)
{
	cpuid->nent = 1;
	cpuid->entries[0] = (struct kvm_cpuid_entry2){.function = 7, .ebx = !kvm.no_fsgsbase};
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	va_start(args, request);
	void *argument = va_arg(args, void *);
	va_end(args);
	(void)fd;
	if (request == kvm.refused) {
		errno = kvm.error;
		return -1;
	}
	switch (request) {
	case KVM_GET_API_VERSION:
		return KVM_API_VERSION;
	case KVM_CREATE_VM:
	case KVM_CREATE_VCPU:
		return new_file(sizeof(struct kvm_run));
	case KVM_GET_VCPU_MMAP_SIZE:
		return sizeof(struct kvm_run);
	case KVM_GET_SREGS:
		get_sregs(argument);
		return 0;
	case KVM_SET_SREGS:
		kvm.sregs = *(struct kvm_sregs *)argument;
		return 0;
	case KVM_SET_REGS:
		kvm.regs = *(struct kvm_regs *)argument;
		return 0;
	case KVM_GET_REGS:
		*(struct kvm_regs *)argument = kvm.regs;
		return 0;
	case KVM_GET_VCPU_EVENTS:
		*(struct kvm_vcpu_events *)argument = kvm.events;
		return 0;
	case KVM_SET_MSRS:
		kvm.lstar = ((struct kvm_msrs *)argument)->entries[1].data;
		return (int)((struct kvm_msrs *)argument)->nmsrs;
	case KVM_GET_SUPPORTED_CPUID:
		get_supported(argument);
		return 0;
	case KVM_ENABLE_CAP:
	case KVM_SET_CPUID2:
	case KVM_SET_USER_MEMORY_REGION:
		return 0;
	default:
		errno = ENOTTY;
		return -1;
	}
}

static const struct engine_cpu cpu = {.model = CPU_V2, .processors = 1};

/* Makes an engine, which must fail, and says why. */
static const char *refusal(unsigned long request, int error)
{
	static struct error message;
	struct engine *engine = NULL;
	kvm.refused = request;
	kvm.error = error;
	assert_int_equal(engine_kvm.create(&engine, &image, &cpu, &message), -(kvm.open_error ?: error));
	kvm.refused = 0;
	assert_null(engine);
	assert_null(strchr(message.text, '\n'));
	return message.text;
}

static void test_refusals(void **state)
{
	(void)state;
	kvm.open_error = ENOENT;
	assert_non_null(strstr(refusal(0, 0), "/dev/kvm is absent"));
	kvm.open_error = ENODEV;
	assert_non_null(strstr(refusal(0, 0), "/dev/kvm is absent"));
	kvm.open_error = EACCES;
	assert_non_null(strstr(refusal(0, 0), "no permission to open /dev/kvm"));
	kvm.open_error = EBUSY;
	assert_non_null(strstr(refusal(0, 0), "/dev/kvm is busy: another hypervisor"));
	kvm.open_error = 0;
	/* The host's processor is in the hands of another hypervisor: KVM finds out when it makes the first guest. */
	assert_string_equal(refusal(KVM_CREATE_VM, EBUSY),
	                    "KVM is busy (a virtual machine): another hypervisor on this host holds the processor");
	assert_string_equal(refusal(KVM_CREATE_VM, ENOMEM), "KVM refused a virtual machine: Cannot allocate memory");
	assert_non_null(strstr(refusal(KVM_CREATE_VCPU, EEXIST), "a virtual processor"));
	assert_non_null(strstr(refusal(KVM_SET_CPUID2, E2BIG), "the processor model"));
	assert_non_null(strstr(refusal(KVM_SET_MSRS, EINVAL), "the model-specific registers"));
}

static void test_memory_is_refused(void **state)
{
	struct engine *engine = NULL;
	struct error message;
	static uint8_t page[4096];
	const struct host_memory memory = {.base = page, .bytes = sizeof(page), .file = -1};
	(void)state;
	assert_int_equal(engine_kvm.create(&engine, &image, &cpu, &message), 0);
	assert_int_equal(engine_kvm.map(engine, 0, &memory, 0, sizeof(page), true), 0);
	kvm.refused = KVM_SET_USER_MEMORY_REGION;
	kvm.error = ENOMEM;
	assert_int_equal(engine_kvm.map(engine, sizeof(page), &memory, 0, sizeof(page), true), -ENOMEM);
	kvm.refused = 0;
	engine_kvm.destroy(engine);
}

static void test_old_processor(void **state)
{
	(void)state;
	assert_string_equal(refusal(KVM_SET_SREGS, EINVAL), "KVM refused the system registers: Invalid argument");
	kvm.no_fsgsbase = true;
	assert_non_null(strstr(refusal(KVM_SET_SREGS, EINVAL), "has no FSGSBASE"));
	kvm.no_fsgsbase = false;
}

static bool is_canonical(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}

/* What holds for every usable segment register: S, P, G against the limit. */
static void check_usable(const struct kvm_segment *s, bool system)
{
	assert_int_equal(s->unusable, 0);
	assert_int_equal(s->s, !system);
	assert_int_equal(s->present, 1);
	if ((s->limit & 0xfff) != 0xfff)
		assert_int_equal(s->g, 0);
	if (s->limit >> 20)
		assert_int_equal(s->g, 1);
}

/* 27.3.1.1 */
static void check_control(const struct kvm_sregs *s)
{
	assert_int_equal(s->cr0 & 0x80000021, 0x80000021); /* PE, NE and PG are fixed to 1 */
	assert_int_equal(s->cr0 & ~0xe005003fUL, 0);
	assert_int_equal(s->cr0 & 0x60000000, 0); /* CD, NW */
	assert_int_equal(s->cr4 & 0x20, 0x20);    /* PAE */
	assert_int_equal(s->cr4 & ~0x10626UL, 0); /* none but FSGSBASE OSXMMEXCPT OSFXSR PAE TSD and VME */
	assert_int_equal(s->cr3 >> 36, 0);        /* within any processor's physical addresses */
	assert_int_equal(s->efer & 0x500, 0x500); /* LME, LMA */
	assert_int_equal(s->efer & ~0xd01UL, 0);
}

/* 27.3.1.2 */
static void check_segments(const struct kvm_sregs *s)
{
	const struct kvm_segment *data[] = {&s->ds, &s->es, &s->fs, &s->gs};
	check_usable(&s->cs, false);
	check_usable(&s->ss, false);
	check_usable(&s->tr, true);
	assert_int_equal(s->cs.selector & 3, s->ss.selector & 3);
	assert_int_equal(s->cs.type, 11); /* execute, read, accessed */
	assert_int_equal(s->cs.l, 1);
	assert_int_equal(s->cs.db, 0);
	assert_int_equal(s->cs.dpl, s->ss.dpl);
	assert_int_equal(s->cs.base, 0);
	assert_int_equal(s->ss.type, 3); /* read, write, accessed */
	assert_int_equal(s->ss.dpl, s->ss.selector & 3);
	assert_int_equal(s->ss.base, 0);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(data[i]->unusable, 1);
		assert_int_equal(data[i]->selector, 0);
		assert_true(is_canonical(data[i]->base));
	}
	assert_int_equal(s->tr.selector & 4, 0); /* in the GDT */
	assert_int_equal(s->tr.type, 11);        /* a 64-bit TSS, busy */
	assert_true(is_canonical(s->tr.base));
	assert_true(s->tr.limit >= 0x67);
	check_usable(&s->ldt, true);
	assert_int_equal(s->ldt.type, 2);
	assert_int_equal(s->ldt.selector & 4, 0);
}

static void test_vtx_enters(void **state)
{
	struct engine *engine = NULL;
	struct error message;
	struct engine_registers registers = {.rflags = TABLES_RFLAGS};
	(void)state;
	registers.general[ENGINE_RIP] = SYSCALL_ENTRY;
	assert_int_equal(engine_kvm.create(&engine, &image, &cpu, &message), 0);
	assert_int_equal(engine_kvm.set_registers(engine, &registers), 0);
	check_control(&kvm.sregs);
	check_segments(&kvm.sregs);
	/* 27.3.1.3 */
	assert_true(is_canonical(kvm.sregs.gdt.base));
	assert_true(is_canonical(kvm.sregs.idt.base));
	/* 27.3.1.4: the lower half; bit 1 set, VM and the reserved bits clear */
	assert_int_equal(kvm.regs.rip >> 47, 0);
	assert_int_equal(kvm.regs.rflags & 2, 2);
	assert_int_equal(kvm.regs.rflags & ~0x1d7fd7UL, 0);
	assert_true(is_canonical(kvm.lstar));
	engine_kvm.destroy(engine);
}

static void test_exceptions_are_told(void **state)
{
	struct engine *engine = NULL;
	struct error message;
	struct engine_registers registers;
	(void)state;
	assert_int_equal(engine_kvm.create(&engine, &image, &cpu, &message), 0);
	assert_int_equal(engine_kvm.get_registers(engine, &registers), 0);
	assert_int_equal(registers.pending, 0);
	kvm.events.exception.injected = 1; /* what KVM says of one that is pending, too */
	assert_int_equal(engine_kvm.get_registers(engine, &registers), 0);
	assert_int_equal(registers.pending, 1);
	kvm.events.exception.injected = 0;
	kvm.refused = KVM_GET_VCPU_EVENTS;
	kvm.error = EINVAL;
	assert_int_equal(engine_kvm.get_registers(engine, &registers), -EINVAL);
	kvm.refused = 0;
	engine_kvm.destroy(engine);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_refusals),
	cmocka_unit_test(test_memory_is_refused),
	cmocka_unit_test(test_old_processor),
	cmocka_unit_test(test_vtx_enters),
	cmocka_unit_test(test_exceptions_are_told),
};

TAP_MAIN(tests)
