/* SPDX-License-Identifier: MIT */
/* Guest memory map: the guest-physical and virtual address of everything that has a fixed one.
 *
 * Monitor and kernel use these constants; nothing else fixes an address. The first MiB is left alone because a PC keeps
 * its BIOS and video memory there, and the same image boots on a PC (docs/boot.md). */
#ifndef ABI_LAYOUT_H
#define ABI_LAYOUT_H

#define PAGE_SIZE 0x1000UL
#define BLOCK_SIZE 0x200000UL /* a 2 MiB page */

/* Used only under the monitor; the memory digest leaves it out. */
#define LAYOUT_HOST_AHEAD 0x10000UL /* boot_info.host_ahead */

/* Guest-physical addresses of the boot area, which the boot door fills in. */
#define LAYOUT_GDT 0x100000UL
#define LAYOUT_IDT 0x101000UL
#define LAYOUT_TSS 0x102000UL          /* 0x68 bytes, then the I/O permission bitmap of 8 KiB and one byte */
#define LAYOUT_BOOT_INFO 0x105000UL    /* struct boot_info */
#define LAYOUT_DOORBELL 0x106000UL     /* struct doorbell */
#define LAYOUT_STATS 0x107000UL        /* struct run_stats */
#define LAYOUT_FAULT_REPORT 0x109000UL /* struct fault_report */
#define LAYOUT_STDIN_BUFFER 0x10a000UL /* struct stdin_buffer */
#define LAYOUT_STDIN_BUFFER_SIZE 0x6000UL
#define LAYOUT_ARGUMENTS 0x110000UL
#define LAYOUT_ARGUMENTS_SIZE 0x41000UL
#define LAYOUT_CONSOLE_RING 0x151000UL /* a header page and CONSOLE_RING_BYTES (abi/ring.h) */
#define LAYOUT_EVENTS 0x192000UL       /* struct event_state, and the stack of the code that keeps it */
#define LAYOUT_EVENT_SAVED 0x192800UL  /* registers of the kernel call that is being logged */
#define LAYOUT_EVENT_STACK_TOP 0x194000UL
#define LAYOUT_EVENT_TABLE 0x194000UL /* page table that maps the event log */
#define LAYOUT_SCHED 0x195000UL       /* struct sched_shared */
#define LAYOUT_SCHED_SAVED 0x195c00UL /* registers while a policy is asked (kernel/sched/ask.S) */
#define LAYOUT_SCHED_TABLE 0x196000UL /* page table that maps the schedule area */
/* The stack on which policies run. Its topmost word is the stack pointer of the thread that asked. */
#define LAYOUT_SCHED_STACK_TOP 0x19b000UL
#define LAYOUT_SCHED_STACK_BYTES 0x4000UL
#define LAYOUT_NETWORK_TABLE 0x19b000UL /* page table that maps the network's area */
#define LAYOUT_TRIES_TABLE 0x19c000UL   /* page table that maps the area of tries */
#define LAYOUT_STRACE_TABLE 0x19d000UL  /* page table that maps the area of --strace */
#define LAYOUT_DEBUG_TABLE 0x19e000UL   /* page table that maps the area of eremite debug */
#define LAYOUT_PAGE_TABLES 0x1a0000UL   /* tables made by the boot door; the root table comes first */
#define LAYOUT_PAGE_TABLES_END 0x200000UL
#define LAYOUT_IMAGE \
	0x200000UL /* guest-physical address of the ELF image; also its virtual address, except for LAYOUT_LINUX_IMAGE \
	            */
#define LAYOUT_RAM_MAX 0x4000000000UL
#define LAYOUT_RAM_MIN 0x1000000UL
#define LAYOUT_ROOT 0x4000000000UL /* the EROFS root image, read-only */
#define LAYOUT_ROOT_MAX 0x3000000000UL
#define LAYOUT_EVENT_LOG 0x7000000000UL /* struct event_record[], with --verify */
#define LAYOUT_EVENT_LOG_SIZE 0x8000000UL
#define LAYOUT_SCHEDULE 0x7100000000UL /* struct sched_area, when a policy or a record needs it */
#define LAYOUT_SCHEDULE_SIZE 0x2000000UL
#define LAYOUT_NETWORK 0x7200000000UL /* struct network_area, with a network outside (abi/network.h) */
#define LAYOUT_NETWORK_SIZE 0x800000UL
#define LAYOUT_TRIES 0x7300000000UL /* struct tries_shared, then the guest's own part, when a guest makes tries */
#define LAYOUT_TRIES_SIZE 0x40000000UL
#define LAYOUT_TRIES_SHARED_SIZE 0x2d0000UL
#define LAYOUT_CONTENTS 0x7400000000UL /* contents of host files, read-only, each where HOST_FILE_SHOW says */
#define LAYOUT_CONTENTS_SIZE 0x800000000UL
#define LAYOUT_STRACE 0x7380000000UL /* struct strace_area and its ring, with --strace (abi/strace.h) */
#define LAYOUT_STRACE_SIZE 0x400000UL
#define LAYOUT_DEBUG 0x73c0000000UL /* struct debug_area and more, with eremite debug (abi/debug.h) */
#define LAYOUT_DEBUG_SIZE 0x400000UL

/* Virtual addresses. The direct map shows guest-physical address A at LAYOUT_DIRECT_MAP + A. The sanitizers of GCC and
 * Clang expect a program's stacks and libraries in this range, and map nothing of their own there. */
#ifndef LAYOUT_DIRECT_MAP /* unit tests, whose memory is the host's */
#define LAYOUT_DIRECT_MAP 0x7e8000000000UL
#endif
#define LAYOUT_DIRECT_MAP_SIZE 0x8000000000UL
/* Virtual address of the image that runs Linux programs. Linux programs have nothing there. It is below 2 GiB because
 * the image is compiled for that range. */
#define LAYOUT_LINUX_IMAGE 0x7fc00000UL
/* The main stack ends where the heap (brk) begins, inside one 2 MiB page: a short run touches only that page. */
#define LAYOUT_STACK_TOP 0x200001100000UL
#define LAYOUT_STACK_MAX 0x900000UL
#define LAYOUT_HEAP LAYOUT_STACK_TOP
#define LAYOUT_HEAP_END 0x208000000000UL
#define LAYOUT_MMAP 0x208000000000UL
#define LAYOUT_MMAP_END 0x600000000000UL

/* An engine that shares the guest's address space keeps its own code and stacks here, and all of RAM from
 * LAYOUT_ENGINE_WINDOW on. The guest maps nothing here, under any engine. */
#define LAYOUT_ENGINE 0x700000000000UL
#define LAYOUT_ENGINE_WINDOW 0x710000000000UL
#define LAYOUT_ENGINE_END 0x714000000000UL /* end of the window, which holds LAYOUT_RAM_MAX bytes */

/* Segment selectors: those of Linux, because kvm-pvm accepts no others. */
#define SELECTOR_RING0_CODE 0x10
#define SELECTOR_RING0_DATA 0x18
#define SELECTOR_RING3_CODE32 0x23
#define SELECTOR_RING3_DATA 0x2b
#define SELECTOR_RING3_CODE 0x33
#define SELECTOR_TSS 0x40

#endif
