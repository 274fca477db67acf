/* SPDX-License-Identifier: MIT */
/* KVM as an engine. The vCPU starts directly in ring 3; the only exit it may cause is a write to the doorbell port.
 *
 * Uses only features that kvm-pvm supports: no debug registers, XCR0 only for v3 and v4, and registers are read only
 * after KVM_RUN has returned (docs/kvm.md). */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/cpu_model.h"
#include "abi/doorbell.h"
#include "abi/tables.h"
#include "base/beside.h"
#include "base/error.h"
#include "base/jitter.h"
#include "confine/confine.h"
#include "engine/engine.h"
#include "engine/kvm/kvm_contents.h"
#include "engine/kvm/kvm_cpuid.h"

#define MSR_STAR 0xc0000081
#define MSR_LSTAR 0xc0000082
#define MSR_FMASK 0xc0000084

struct engine {
	int kvm, vm, vcpu;
	struct kvm_run *run;
	size_t run_bytes;
	pthread_t thread; /* the thread that runs the vCPU */
	bool thread_known;
	uint32_t slots;
	struct kvm_contents contents;
	struct {
		int vm, vcpu;
		pthread_t thread;
		bool is_beside; /* the thread runs */
	} leaving;
};

/* Writes one line about why /dev/kvm cannot be used. Returns -error. */
static int explain_open(int error, struct error *message)
{
	struct stat st;
	struct group *group;
	if (error == ENOENT || error == ENODEV || error == ENXIO)
		return error_set(
			message, error,
			"/dev/kvm is absent: this host has no KVM, or its kvm module is not loaded (sudo modprobe "
			"kvm_intel, or "
			"kvm_amd; a container is started with --device /dev/kvm)");
	if ((error == EACCES || error == EPERM) && stat("/dev/kvm", &st) == 0 && (st.st_mode & 0060) == 0060 &&
	    (group = getgrgid(st.st_gid)))
		return error_set(
			message, error,
			"no permission to open /dev/kvm: join group '%s' (sudo usermod -aG %s $USER), and log in again",
			group->gr_name, group->gr_name);
	if (error == EACCES || error == EPERM)
		return error_set(message, error,
		                 "no permission to open /dev/kvm, and its mode lets no group in: sudo chgrp kvm "
		                 "/dev/kvm && sudo chmod 660 /dev/kvm && sudo usermod -aG kvm $USER, and log in again");
	if (error == EBUSY)
		return error_set(
			message, error,
			"/dev/kvm is busy: another hypervisor on this host holds the processor; stop it (lsmod names "
			"its module)");
	return error_set(message, error, "cannot open /dev/kvm: %s", strerror(error));
}

static int fail(const char *what, struct error *message)
{
	const int error = errno;
	return error == EBUSY ? error_set(message, error,
	                                  "KVM is busy (%s): another hypervisor on this host holds the processor", what)
	                      : error_set(message, error, "KVM refused %s: %s", what, strerror(error));
}

static int device = -1;   /* /dev/kvm as the first guest opened it, for all guests */
static int first_vm = -1; /* made by the probe for the first guest, with `device` */
static bool has_more;     /* more guests follow the first one */

/* Returns a descriptor, or a negative errno with a line in *message. */
static int open_kvm(struct error *message)
{
	int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	return fd >= 0 ? fd : explain_open(errno, message);
}

static void kvm_open(unsigned runs)
{
	has_more = runs > 1;
}

static void kvm_close(void)
{
	if (device >= 0)
		close(device);
	if (first_vm >= 0)
		close(first_vm);
	device = first_vm = -1;
	has_more = false;
}

static void kvm_holds(const struct engine *engine, struct engine_holds *holds)
{
	*holds = (struct engine_holds){
		.needs = CONFINE_KVM | (has_more ? CONFINE_KVM_AGAIN : 0),
		.fds = {engine->kvm, engine->vm, engine->vcpu},
		.fd_count = 3,
	};
}

static int open_device(struct engine *engine, struct error *message)
{
	engine->kvm = device >= 0 ? device : open_kvm(message);
	if (engine->kvm < 0)
		return engine->kvm;
	if (has_more)
		device = engine->kvm;
	int version = ioctl(engine->kvm, KVM_GET_API_VERSION, 0);
	if (version != KVM_API_VERSION)
		return error_set(message, ENODEV,
		                 "/dev/kvm has KVM API version %d, and eremite needs %d; use --engine process", version,
		                 KVM_API_VERSION);
	return 0;
}

/* Makes an empty machine. Returns -1 with errno on failure. */
static int make_vm(const struct engine *engine)
{
	int vm = first_vm;
	first_vm = -1;
	return vm >= 0 ? vm : ioctl(engine->kvm, KVM_CREATE_VM, 0);
}

/* Also makes a machine, because on some hosts /dev/kvm exists but cannot make one. */
static int kvm_probe(struct error *why)
{
	struct engine engine = {.kvm = -1};
	int result = open_device(&engine, why);
	if (!result && (first_vm = make_vm(&engine)) < 0)
		result = fail("a virtual machine", why);
	if (!result)
		device = engine.kvm;
	else if (engine.kvm >= 0)
		close(engine.kvm);
	return result;
}

static int map_slot(struct engine *engine, uint64_t address, void *host, uint64_t bytes, uint32_t flags)
{
	struct kvm_userspace_memory_region region = {
		.slot = engine->slots,
		.flags = flags,
		.guest_phys_addr = address,
		.memory_size = bytes,
		.userspace_addr = (uint64_t)host,
	};
	if (ioctl(engine->vm, KVM_SET_USER_MEMORY_REGION, &region))
		return -errno;
	engine->slots++;
	return 0;
}

/* Enables the AVX states. This changes nothing where the guest's ring 3 runs with the host's XCR0. */
static int set_extended_state(struct engine *engine, enum cpu_model model)
{
	const uint64_t states = model == CPU_V4 ? CPU_V4_XCR0 : CPU_V3_XCR0;
	struct kvm_xcrs xcrs = {.nr_xcrs = 1, .xcrs = {{.xcr = 0, .value = states}}};
	return ioctl(engine->vcpu, KVM_SET_XCRS, &xcrs);
}

/* Returns a segment of ring 3. VT-x checks it when it enters the guest; tests/unit/hypervisor/test_kvm.c does the same
 * checks. */
static struct kvm_segment segment(uint16_t selector, bool code)
{
	return (struct kvm_segment){
		.limit = 0xffffffff,
		.selector = selector,
		.type = code ? 11 : 3,
		.present = 1,
		.dpl = 3,
		.db = !code,
		.s = 1,
		.l = code,
		.g = 1,
	};
}

static int set_system_registers(struct engine *engine, const struct engine_cpu *cpu)
{
	struct kvm_sregs sregs;
	if (ioctl(engine->vcpu, KVM_GET_SREGS, &sregs))
		return -1;
	sregs.cs = segment(SELECTOR_RING3_CODE, true);
	sregs.ss = segment(SELECTOR_RING3_DATA, false);
	sregs.ds = sregs.es = sregs.fs = sregs.gs =
		(struct kvm_segment){.unusable = 1}; /* selector 0, as under Linux */
	sregs.tr = (struct kvm_segment){
		.base = LAYOUT_DIRECT_MAP + LAYOUT_TSS,
		.limit = TABLES_TSS_LIMIT,
		.selector = SELECTOR_TSS,
		.type = 11,
		.present = 1,
	};
	sregs.gdt = (struct kvm_dtable){.base = LAYOUT_DIRECT_MAP + LAYOUT_GDT, .limit = TABLES_GDT_LIMIT};
	sregs.idt = (struct kvm_dtable){.base = LAYOUT_DIRECT_MAP + LAYOUT_IDT, .limit = TABLES_IDT_LIMIT};
	sregs.cr0 = TABLES_CR0;
	sregs.cr3 = LAYOUT_PAGE_TABLES;
	sregs.cr4 = TABLES_CR4 | (cpu->model >= CPU_V3 ? TABLES_CR4_V3 : 0);
	sregs.efer = TABLES_EFER;
	sregs.apic_base = 0; /* the model has no APIC */
	return ioctl(engine->vcpu, KVM_SET_SREGS, &sregs);
}

/* Whether KVM can offer FSGSBASE, which the model's CR4 enables. True if KVM does not say. */
static bool host_has_fsgsbase(const struct engine *engine)
{
	enum { ENTRIES = 256, LEAF = 7 };
	struct kvm_cpuid2 *cpuid = calloc(1, sizeof(*cpuid) + ENTRIES * sizeof(cpuid->entries[0]));
	bool has = true;
	if (!cpuid)
		return true;
	cpuid->nent = ENTRIES;
	if (ioctl(engine->kvm, KVM_GET_SUPPORTED_CPUID, cpuid) == 0) {
		has = false;
		for (uint32_t i = 0; i < cpuid->nent && i < ENTRIES; i++)
			if (cpuid->entries[i].function == LEAF && cpuid->entries[i].index == 0)
				has = cpuid->entries[i].ebx & 1;
	}
	free(cpuid);
	return has;
}

static int set_msrs(struct engine *engine, uint64_t syscall_entry)
{
	struct {
		struct kvm_msrs header;
		struct kvm_msr_entry entries[3];
	} msrs;
	memset(&msrs, 0, sizeof(msrs));
	msrs.header.nmsrs = 3;
	msrs.entries[0] = (struct kvm_msr_entry){.index = MSR_STAR, .data = TABLES_STAR};
	msrs.entries[1] = (struct kvm_msr_entry){.index = MSR_LSTAR, .data = syscall_entry};
	msrs.entries[2] = (struct kvm_msr_entry){.index = MSR_FMASK, .data = TABLES_FMASK};
	return ioctl(engine->vcpu, KVM_SET_MSRS, &msrs) == 3 ? 0 : -1;
}

static int create_vcpu(struct engine *engine, uint64_t syscall_entry, const struct engine_cpu *cpu,
                       struct error *message)
{
	engine->vcpu = ioctl(engine->vm, KVM_CREATE_VCPU, 0);
	if (engine->vcpu < 0)
		return fail("a virtual processor", message);
	int bytes = ioctl(engine->kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (bytes < (int)sizeof(struct kvm_run))
		return fail("the size of its run area", message);
	engine->run_bytes = (size_t)bytes;
	engine->run = mmap(NULL, engine->run_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, engine->vcpu, 0);
	if (engine->run == MAP_FAILED) {
		engine->run = NULL;
		return fail("its run area", message);
	}
	if (kvm_cpuid_set(engine->vcpu, cpu))
		return fail("the processor model", message);
	if (set_system_registers(engine, cpu)) {
		int result = fail("the system registers", message);
		return host_has_fsgsbase(engine)
		               ? result
		               : error_set(
					 message, -result,
					 "this host's processor or its KVM has no FSGSBASE, which the guest needs; use "
					 "--engine process");
	}
	if (cpu->model >= CPU_V3 && set_extended_state(engine, cpu->model))
		return fail("AVX state", message);
	if (set_msrs(engine, syscall_entry))
		return fail("the model-specific registers", message);
	return 0;
}

static void close_file(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Frees the machine, which takes milliseconds. */
static void *free_machine(void *argument)
{
	struct engine *engine = argument;
	jitter_stall();
	close_file(&engine->leaving.vcpu);
	close_file(&engine->leaving.vm);
	kvm_contents_fini(&engine->contents);
	return NULL;
}

/* From here on reading registers fails. Interrupts reach a page without use in place of the run area, which would keep
 * the machine. */
static void leave_machine(struct engine *engine)
{
	if (engine->run && mmap(engine->run, engine->run_bytes, PROT_READ | PROT_WRITE,
	                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return;
	engine->leaving.vcpu = engine->vcpu;
	engine->leaving.vm = engine->vm;
	engine->vcpu = engine->vm = -1;
}

/* To start a thread and wait for it costs 0.3 ms, as much as to free a guest with few contents. */
static void kvm_leave(struct engine *engine)
{
	if (engine->contents.window_count < 2)
		return;
	leave_machine(engine);
	engine->leaving.is_beside = beside_start(&engine->leaving.thread, free_machine, engine);
}

static void kvm_destroy(struct engine *engine)
{
	if (!engine)
		return;
	if (engine->leaving.is_beside)
		pthread_join(engine->leaving.thread, NULL);
	else
		free_machine(engine);
	if (engine->run)
		munmap(engine->run, engine->run_bytes);
	close_file(&engine->vcpu);
	close_file(&engine->vm);
	if (engine->kvm != device)
		close_file(&engine->kvm);
	free(engine);
}

/*
 * No guest has an interrupt. But while a vCPU without a local APIC exists, KVM patches its own code, at creation and
 * at destruction, which costs 0.2 ms together; so the vCPU gets one, disabled. If KVM cannot, nothing is lost.
 */
static void avoid_code_patching(const struct engine *engine)
{
	struct kvm_enable_cap split = {.cap = KVM_CAP_SPLIT_IRQCHIP, .args = {24}};
	ioctl(engine->vm, KVM_ENABLE_CAP, &split);
}

static int kvm_create(struct engine **created, const struct image_header *image, const struct engine_cpu *cpu,
                      struct error *message)
{
	struct engine *engine = calloc(1, sizeof(*engine));
	if (!engine)
		return error_set(message, ENOMEM, "out of memory");
	engine->kvm = engine->vm = engine->vcpu = engine->leaving.vm = engine->leaving.vcpu = -1;
	int result = open_device(engine, message);
	if (!result) {
		engine->vm = make_vm(engine);
		result = engine->vm < 0 ? fail("a virtual machine", message) : 0;
	}
	if (!result) {
		avoid_code_patching(engine);
		kvm_contents_init(&engine->contents, engine->vm);
		result = create_vcpu(engine, image->syscall_stub, cpu, message);
	}
	if (result) {
		kvm_destroy(engine);
		return result;
	}
	*created = engine;
	return 0;
}

static int map_content(struct engine *engine, uint64_t address, const struct host_memory *memory, uint64_t offset,
                       uint64_t bytes)
{
	int64_t part;
	for (uint64_t at = 0; at < bytes; at += (uint64_t)part) {
		const struct kvm_window *added = kvm_contents_reserve(&engine->contents, address + at, bytes - at);
		int result =
			added ? map_slot(engine, added->address, added->base, added->bytes, engine->contents.flags) : 0;
		if (result) {
			kvm_contents_unreserve(&engine->contents);
			return result;
		}
		part = kvm_contents_map(&engine->contents, address + at, memory, offset + at, bytes - at);
		if (part < 0)
			return (int)part;
	}
	return 0;
}

static int kvm_map(struct engine *engine, uint64_t address, const struct host_memory *memory, uint64_t offset,
                   uint64_t bytes, bool writable)
{
	if (address >= LAYOUT_CONTENTS)
		return map_content(engine, address, memory, offset, bytes);
	return map_slot(engine, address, memory->base + offset, bytes, writable ? 0 : KVM_MEM_READONLY);
}

static void kvm_fill(struct engine *engine, uint64_t address, uint64_t bytes, int file, uint64_t offset)
{
	kvm_contents_fill(&engine->contents, address, bytes, file, offset);
}

static int kvm_start(struct engine *engine, struct error *message)
{
	(void)engine, (void)message;
	return 0;
}

static int kvm_set_registers(struct engine *engine, const struct engine_registers *registers)
{
	const uint64_t *g = registers->general;
	struct kvm_regs regs = {
		.rax = g[0],
		.rdx = g[1],
		.rcx = g[2],
		.rbx = g[3],
		.rsi = g[4],
		.rdi = g[5],
		.rbp = g[6],
		.rsp = g[7],
		.r8 = g[8],
		.r9 = g[9],
		.r10 = g[10],
		.r11 = g[11],
		.r12 = g[12],
		.r13 = g[13],
		.r14 = g[14],
		.r15 = g[15],
		.rip = g[16],
		.rflags = registers->rflags,
	};
	return ioctl(engine->vcpu, KVM_SET_REGS, &regs) ? -errno : 0;
}

/* An exit to the monitor may come between an exception and its delivery. KVM_SET_REGS drops the exception. */
static int is_exception_pending(const struct engine *engine, uint64_t *pending)
{
	struct kvm_vcpu_events events;
	if (ioctl(engine->vcpu, KVM_GET_VCPU_EVENTS, &events))
		return -errno;
	*pending = events.exception.injected || events.exception.pending;
	return 0;
}

static int kvm_get_registers(struct engine *engine, struct engine_registers *registers)
{
	struct kvm_regs regs;
	/* Completes the exit that was served last, so that rip is after its instruction. */
	engine->run->immediate_exit = 1;
	ioctl(engine->vcpu, KVM_RUN, 0);
	engine->run->immediate_exit = 0;
	if (ioctl(engine->vcpu, KVM_GET_REGS, &regs))
		return -errno;
	*registers = (struct engine_registers){
		.general = {regs.rax, regs.rdx, regs.rcx, regs.rbx, regs.rsi, regs.rdi, regs.rbp, regs.rsp, regs.r8,
	                    regs.r9, regs.r10, regs.r11, regs.r12, regs.r13, regs.r14, regs.r15, regs.rip},
		.rflags = regs.rflags,
	};
	return is_exception_pending(engine, &registers->pending);
}

/* Describes what the guest did to cause an exit other than the doorbell. */
static void explain_exit(const struct kvm_run *run, struct engine_exit *exit)
{
	exit->stop = ENGINE_BROKEN;
	switch (run->exit_reason) {
	case KVM_EXIT_IO:
		if (run->io.port == DOORBELL_PORT) {
			snprintf(exit->message, sizeof(exit->message),
			         "the guest used the doorbell, I/O port 0x%x, in another way than by a 32-bit write",
			         DOORBELL_PORT);
			break;
		}
		snprintf(exit->message, sizeof(exit->message), "the guest used I/O port 0x%x, which does not exist",
		         run->io.port);
		break;
	case KVM_EXIT_MMIO:
		snprintf(exit->message, sizeof(exit->message),
		         "the guest %s guest-physical address 0x%llx, where there is no memory",
		         run->mmio.is_write ? "wrote to" : "read from", run->mmio.phys_addr);
		break;
	case KVM_EXIT_SHUTDOWN:
		snprintf(exit->message, sizeof(exit->message),
		         "the guest's processor shut down: an exception could not be delivered (triple fault)");
		break;
	case KVM_EXIT_INTERNAL_ERROR:
		snprintf(exit->message, sizeof(exit->message), "KVM could not emulate an instruction (suberror %u)",
		         run->internal.suberror);
		break;
	case KVM_EXIT_FAIL_ENTRY:
		snprintf(exit->message, sizeof(exit->message), "KVM could not enter the guest (reason 0x%llx)",
		         run->fail_entry.hardware_entry_failure_reason);
		break;
	default:
		snprintf(exit->message, sizeof(exit->message),
		         "KVM returned from the guest for an unknown reason (exit %u)", run->exit_reason);
	}
}

static void kvm_run(struct engine *engine, struct engine_exit *exit)
{
	struct kvm_run *run = engine->run;
	engine->thread = pthread_self();
	__atomic_store_n(&engine->thread_known, true, __ATOMIC_SEQ_CST);
	if (ioctl(engine->vcpu, KVM_RUN, 0) < 0) {
		if (errno == EINTR || errno == EAGAIN) {
			exit->stop = ENGINE_INTERRUPTED;
			run->immediate_exit = 0;
			return;
		}
		exit->stop = ENGINE_BROKEN;
		if (errno == EFAULT)
			snprintf(exit->message, sizeof(exit->message),
			         "guest memory is lost: the host has no memory left for it, or a file that it maps was "
			         "truncated");
		else
			snprintf(exit->message, sizeof(exit->message), "KVM could not run the guest: %s",
			         strerror(errno));
		return;
	}
	if (run->exit_reason == KVM_EXIT_IO && run->io.direction == KVM_EXIT_IO_OUT && run->io.port == DOORBELL_PORT &&
	    run->io.size == 4 && run->io.count == 1 && run->io.data_offset + 4 <= engine->run_bytes) {
		exit->stop = ENGINE_DOORBELL;
		memcpy(&exit->doorbell_op, (uint8_t *)run + run->io.data_offset, 4);
		return;
	}
	if (run->exit_reason == KVM_EXIT_INTR) {
		exit->stop = ENGINE_INTERRUPTED;
		return;
	}
	explain_exit(run, exit);
}

static void kvm_interrupt(struct engine *engine)
{
	engine->run->immediate_exit = 1;
	/* If this is the vCPU's thread, the signal whose handler this is ends KVM_RUN. */
	if (__atomic_load_n(&engine->thread_known, __ATOMIC_SEQ_CST) && !pthread_equal(engine->thread, pthread_self()))
		pthread_kill(engine->thread, SIGUSR1);
}

/* No helper is needed: a host without FSGSBASE is refused. */
static uint64_t kvm_set_base(void)
{
	return 0;
}

const struct engine_ops engine_kvm = {
	.name = "kvm",
	.probe = kvm_probe,
	.open = kvm_open,
	.close = kvm_close,
	.holds = kvm_holds,
	.create = kvm_create,
	.set_base = kvm_set_base,
	.reserve = host_memory_anonymous,
	.map = kvm_map,
	.fill = kvm_fill,
	.start = kvm_start,
	.set_registers = kvm_set_registers,
	.get_registers = kvm_get_registers,
	.run = kvm_run,
	.interrupt = kvm_interrupt,
	.leave = kvm_leave,
	.destroy = kvm_destroy,
};
