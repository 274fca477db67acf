/* SPDX-License-Identifier: MIT */
/* The least that any monitor must do on this host: a KVM guest of one instruction, set up as eremite sets up its own.
 *
 * Prints what each step took when asked to (an argument), so that hello's time can be split into the host's part
 * and ours. */
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "abi/tables.h"

#define RAM_BYTES (512UL << 20)
#define STEPS_MAX 16

static struct {
	const char *name;
	double us;
} steps[STEPS_MAX];

static unsigned step_count;

static double now_us(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

/* Ends the step that began where the last one ended. */
static void step(const char *name)
{
	static double last;
	double now = now_us();
	if (name) {
		steps[step_count].name = name;
		steps[step_count++].us = now - last;
	}
	last = now_us();
}

static int check(int result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
	return result;
}

/* One page of code at LAYOUT_IMAGE: out %eax, $DOORBELL_PORT. */
static void fill_memory(uint8_t *ram)
{
	static const uint8_t code[] = {0x66, 0xba, DOORBELL_PORT & 0xff, DOORBELL_PORT >> 8, 0xef, 0xeb, 0xfe};
	void *window = ram + TABLES_WINDOW;
	struct image_header header = {0};
	uint64_t next = LAYOUT_PAGE_TABLES + PAGE_SIZE;
	tables_fill_gdt(window);
	tables_fill_tss(window, &header);
	tables_map_image(window, &next, LAYOUT_IMAGE, LAYOUT_IMAGE, PAGE_SIZE, 0);
	tables_map_direct(window, &next, BLOCK_SIZE);
	memcpy(ram + LAYOUT_IMAGE, code, sizeof(code));
}

static struct kvm_segment segment(uint16_t selector, int code)
{
	return (struct kvm_segment){.limit = 0xffffffff,
	                            .selector = selector,
	                            .type = code ? 11 : 3,
	                            .present = 1,
	                            .dpl = 3,
	                            .db = !code,
	                            .s = 1,
	                            .l = (uint8_t)code,
	                            .g = 1};
}

static void set_registers(int vcpu)
{
	struct kvm_sregs sregs;
	struct kvm_regs regs = {.rip = LAYOUT_IMAGE, .rflags = TABLES_RFLAGS};
	check(ioctl(vcpu, KVM_GET_SREGS, &sregs), "KVM_GET_SREGS");
	sregs.cs = segment(SELECTOR_RING3_CODE, 1);
	sregs.ss = sregs.ds = sregs.es = sregs.fs = sregs.gs = segment(SELECTOR_RING3_DATA, 0);
	sregs.tr = (struct kvm_segment){.base = LAYOUT_DIRECT_MAP + LAYOUT_TSS,
	                                .limit = TABLES_TSS_LIMIT,
	                                .selector = SELECTOR_TSS,
	                                .type = 11,
	                                .present = 1};
	sregs.gdt = (struct kvm_dtable){.base = LAYOUT_DIRECT_MAP + LAYOUT_GDT, .limit = TABLES_GDT_LIMIT};
	sregs.idt = (struct kvm_dtable){.base = LAYOUT_DIRECT_MAP + LAYOUT_IDT, .limit = TABLES_IDT_LIMIT};
	sregs.cr0 = TABLES_CR0;
	sregs.cr3 = LAYOUT_PAGE_TABLES;
	sregs.cr4 = TABLES_CR4;
	sregs.efer = TABLES_EFER;
	sregs.apic_base = 0;
	check(ioctl(vcpu, KVM_SET_SREGS, &sregs), "KVM_SET_SREGS");
	check(ioctl(vcpu, KVM_SET_REGS, &regs), "KVM_SET_REGS");
}

int main(int argc, char **argv)
{
	(void)argv;
	step(NULL);
	uint8_t *ram =
		mmap(NULL, RAM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	check(ram == MAP_FAILED ? -1 : 0, "mmap");
	fill_memory(ram);
	step("memory");
	int kvm = check(open("/dev/kvm", O_RDWR | O_CLOEXEC), "/dev/kvm");
	step("open /dev/kvm");
	int vm = check(ioctl(kvm, KVM_CREATE_VM, 0), "KVM_CREATE_VM");
	struct kvm_enable_cap split = {.cap = KVM_CAP_SPLIT_IRQCHIP, .args = {24}};
	ioctl(vm, KVM_ENABLE_CAP, &split);
	step("VM");
	struct kvm_userspace_memory_region region = {.memory_size = RAM_BYTES, .userspace_addr = (uint64_t)ram};
	check(ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region), "KVM_SET_USER_MEMORY_REGION");
	step("memory slot");
	int vcpu = check(ioctl(vm, KVM_CREATE_VCPU, 0), "KVM_CREATE_VCPU");
	size_t run_bytes = (size_t)check(ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), "KVM_GET_VCPU_MMAP_SIZE");
	struct kvm_run *run = mmap(NULL, run_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu, 0);
	check(run == MAP_FAILED ? -1 : 0, "mmap");
	step("vCPU");
	set_registers(vcpu);
	step("registers");
	check(ioctl(vcpu, KVM_RUN, 0), "KVM_RUN");
	if (run->exit_reason != KVM_EXIT_IO || run->io.port != DOORBELL_PORT) {
		fprintf(stderr, "exit reason %u instead of a port write\n", run->exit_reason);
		return 1;
	}
	step("run");
	if (argc < 2)
		_exit(0);
	munmap(run, run_bytes);
	close(vcpu);
	close(vm);
	close(kvm);
	step("VM destroyed");
	munmap(ram, RAM_BYTES);
	step("memory given back");
	for (unsigned i = 0; i < step_count; i++)
		printf("%s %.1f\n", steps[i].name, steps[i].us);
	return 0;
}
