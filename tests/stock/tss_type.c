/* SPDX-License-Identifier: MIT */
/* Preloaded into eremite where QEMU emulates the processor, and only there: works around an error of TCG.
 *
 * At port I/O from ring 3 TCG looks at the task register's cached type and takes none but 9, "available", for a TSS
 * (check_io in target/i386/tcg/seg_helper.c, QEMU 7.2). A real processor never has that type there: LTR makes it 11,
 * "busy", VM entry on VT-x demands 11 (SDM 3C, 27.3.1.2), and SVM does not look. So each `out` of a guest with the
 * right type, which is what eremite sets, would be a general protection fault in TCG. */
#include <dlfcn.h>
#include <linux/kvm.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>

#define TSS_AVAILABLE 9

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list args;
	va_start(args, request);
	void *argument = va_arg(args, void *);
	va_end(args);
	if (!real)
		real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	if (request != KVM_SET_SREGS)
		return real(fd, request, argument);
	struct kvm_sregs sregs = *(const struct kvm_sregs *)argument;
	sregs.tr.type = TSS_AVAILABLE;
	return real(fd, request, &sregs);
}
