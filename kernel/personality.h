/* SPDX-License-Identifier: MIT */
/* The differences between the two kinds of image, as one struct of functions. The common kernel calls them as
 * personality.NAME(...). kernel/native/native_personality.c defines it for native images, and
 * kernel/linux/entry/linux_personality.c for the image that runs Linux programs. It is constant and only members
 * that say so may be NULL. "Default" is the behaviour of native images.
 *
 * System calls are not here: sys_NAME (kernel/sys/sys.h) is the table that abi/syscalls.h and abi/linux_calls.h list.
 * Each is defined once in an image, in kernel/sys/ if both kinds have the same, else in kernel/native/ and
 * kernel/linux/. */
#ifndef KERNEL_PERSONALITY_H
#define KERNEL_PERSONALITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct application_args;
struct boot_info;
struct file;
struct inode;
struct linux_iovec;
struct linux_rlimit;
struct linux_sigaction;
struct linux_siginfo;
struct pipe_rules;
struct process;
struct sched_question;
struct space;
struct terminal_rules;
struct thread;
struct trap_frame;
struct trap_site;
struct vm_backing;

/** A function like file_ops.vector: reads or writes `count` pieces. Returns the bytes or a negative errno. */
typedef long file_io_vector(struct file *file, const struct linux_iovec *iov, unsigned long count, bool writing);

struct personality {
	/* --- Memory --- */

	/** Number of page tables for each 2 MiB of RAM, beyond those that map all of RAM once and densely. They serve
	 * further address spaces and sparsely used memory. Default: 0. */
	unsigned pagetable_more;

	/** Whether anonymous memory gets pages when it is touched, while free pages last. Default: false; native images
	 * populate it at once. */
	bool memory_is_lazy;

	/** Whether memory may be writable and executable at once, and code in anonymous memory is scanned at its first
	 * execution (kernel/linux/patch/jit_pages.h): each such page has one of the two rights at a time.
	 * Default: false. */
	bool exec_is_settled_late;

	/** vm_map_object, vm_unmap, vm_protect and vm_discard of kernel/mm/vm.h, which only call these. Default: the
	 * functions with _plain in their names. Linux programs' mappings of files also get the run's constant seeds,
	 * and their largest size is remembered. */
	int (*vm_map_object)(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing);
	int (*vm_unmap)(uint64_t address, uint64_t bytes);
	int (*vm_protect)(uint64_t address, uint64_t bytes, int prot);
	void (*vm_discard)(uint64_t address, uint64_t bytes);

	/** The address space after another one (NULL: the first). Returns NULL at the end. The member may be NULL:
	 * there is only one address space. */
	struct space *(*space_after)(const struct space *space);

	/** vm_zap of kernel/mm/vm.h in all address spaces but the current one. May be NULL, like
	 * space_after. */
	void (*vm_zap_elsewhere)(const void *object, uint64_t first, uint64_t end, bool copies);

	/** Removes one owner of a 4 KiB frame that is being freed. Returns whether another owner is left, so that the
	 * frame stays (kernel/linux/memory/shared_frames.h). May be NULL: each frame has one
	 * owner. */
	bool (*frame_has_other)(uint64_t frame);

	/** Called when no page for a page table is left. Returns whether it has freed one. May be NULL: no unused
	 * tables are kept. */
	bool (*pagetable_reclaim)(void);

	/** Called when a range, or a part of it, has become executable. Ends the run if the code must not run. Default:
	 * exec_refuse, which scans it. The code of files that Linux programs map is patched. */
	void (*exec_check)(uint64_t address, uint64_t bytes);

	/** Gives a mapping of an object that becomes executable copies of the pages that exec_check changes, or of all.
	 * Returns 0 or -ENOMEM. Default: vm_detach. */
	int (*exec_detach)(uint64_t address, uint64_t bytes);

	/** Whether pages of an object that nothing can change may be executed as they are. NULL: none may. */
	bool (*exec_is_plain)(const void *object, uint64_t first, uint64_t count);

	/** Notes that a frame is to become a copy of a page outside RAM. Returns false if the caller is to copy it.
	 * Until copy_now is called nothing reads the frame. NULL: all is copied at once. */
	bool (*copy_later)(uint64_t frame, uint64_t original);
	void (*copy_now)(void);

	/** Called before an exception is handled, and after one that has not ended the run or the thread.
	 * trap_begins returns whether it has handled the exception. Default: NULL, because nothing observes a native
	 * image. */
	bool (*trap_begins)(struct trap_frame *frame);
	void (*trap_ends)(struct trap_frame *frame);

	/** Handles an exception that may come from memory for which exec_is_settled_late holds. Returns whether the
	 * access can be repeated. Default: false. */
	bool (*exec_fault)(struct trap_frame *frame);

	/** Removes the patches from the code in [address, address + bytes) before its memory is moved or cleared.
	 * Default: nothing. */
	void (*exec_thaw)(uint64_t address, uint64_t bytes);

	/** Whether [address, address + bytes) consists only of constants, or only of variables, of the program and its
	 * C library in the image itself, beside the kernel's. The linker script (libc-port/image.ld) keeps them in
	 * pages of their own, which are always mapped at their own address. False for Linux programs, which are not in
	 * the image. */
	bool (*image_is_program)(uint64_t address, uint64_t bytes);

	/** Changes the rights of pages for which image_is_program holds, as mprotect(2) does. Returns 0, or -EACCES for
	 * PROT_EXEC, because these bytes were never scanned. */
	int (*image_protect)(uint64_t address, uint64_t bytes, int prot);

	/** A free range of this many bytes for a mapping whose address the program leaves open; 0: none. Default: the
	 * lowest one in the area for mappings. Linux programs get the highest one below their stack. */
	uint64_t (*memory_gap)(uint64_t bytes);

	/** Extends a mapping that grows down to an unmapped address, within the program's limits. Returns whether it
	 * did. Default: memory_grow of kernel/sys/memory.h. */
	bool (*memory_grow)(uint64_t address);

	/** Opens the object of shared anonymous memory; *object is NULL where no other process could share it. Returns
	 * 0 or a negative errno. Default: NULL, because there is one process. */
	int (*memory_shared)(uint64_t bytes, struct file **object);

	/* --- Files --- */

	/** data_write, data_truncate and data_reserve of kernel/vfs/data.h, which only call these. Default: the
	 * functions with _unlimited in their names. Linux programs have a limit on file sizes (RLIMIT_FSIZE). */
	long (*data_write)(struct inode *inode, const void *from, size_t bytes, uint64_t offset);
	int (*data_truncate)(struct inode *inode, uint64_t size);
	int (*data_reserve)(struct inode *inode, uint64_t offset, uint64_t bytes);

	/** Whether contents may be changed, for open(2) and truncate(2). Returns 0, -EROFS, or -ETXTBSY for a file that
	 * a Linux program executes. Default: inode_writable. */
	int (*inode_contents_writable)(const struct inode *inode);

	/** Makes an inode in a directory for the running process, whose user owns it; NULL without memory. Default:
	 * namei_make, where the owner is user 0. */
	struct inode *(*namei_make)(struct inode *dir, uint32_t mode);

	/** struct file_ops, poll, of the console (kernel/vfs/device.c). Default: NULL, so it is always ready, like a
	 * regular file. */
	unsigned int (*device_stream_poll)(struct file *file);

	/** struct file_ops, ioctl, of a console that is no terminal. Default: NULL, so it fails with -ENOTTY. */
	long (*device_stream_ioctl)(struct file *file, unsigned long request, void *arg);

	/** Sets or clears O_ASYNC on a descriptor. Returns 0 or -ENOMEM. Default: 0; nobody gets a signal. */
	int (*file_set_async)(int fd, struct file *file, bool on);

	/** The commands F_SETOWN to F_GETOWN_EX of fcntl(2), which name the receiver of an open file's signals. Returns
	 * fcntl's result. Default: file_descriptor_no_owner. */
	long (*file_owner)(struct file *file, int command, unsigned long arg);

	/** The function that reads or writes a vector of a file as one unit; NULL: its pieces one by one. Default:
	 * file_io_own_vector, the file's own function. Pipes of Linux programs consist of pages. */
	file_io_vector *(*file_vector)(const struct file *file, bool writing);

	/** Rules for the room in pipes (kernel/vfs/pipe_queue.h). May be NULL: the room is the free part of the ring.
	 * Pipes of Linux programs consist of pages. */
	const struct pipe_rules *pipe_rules;

	/** The functions of processes that a terminal uses (kernel/vfs/terminal.h). May be NULL: the only terminal
	 * belongs to the only process. Linux programs have sessions and process groups. */
	const struct terminal_rules *terminal_rules;

	/** Clears what is in memory and the program does not know, before memory is hashed at the end of a run. May
	 * be NULL: nothing. For Linux programs these are attributes of files of the host that were not asked for, and
	 * registers of the last point at which the kernel was entered. */
	void (*forget)(void);

	/* --- Time, limits and threads --- */

	/** Called when timers are due: expires those that only Linux programs have, TIMER_WORK and those behind files
	 * (timer_files_ns of kernel/time/timer.h). May be NULL: there are none. */
	void (*timers_expire)(void);

	/** Nanoseconds of processor time that the current process has used. Default: vclock_cpu, because there is one
	 * process. */
	uint64_t (*process_cpu_ns)(void);

	/** When, by vclock_now, a process's clock of processor time shows cpu_ns: in the past if it already does,
	 * UINT64_MAX while another process runs. Default: vclock_cpu_due. */
	uint64_t (*process_cpu_due)(const struct process *process, uint64_t cpu_ns);

	/** Whether a process has this number, even one that has ended and that nobody has waited for. Default: only the
	 * one process has. */
	bool (*process_exists)(uint32_t id);

	/** Whether the running process has a capability (CAP_*, capabilities(7)). Default: true. */
	bool (*may)(int capability);

	/** Whether the running process may raise the hard limit of a resource (LINUX_RLIMIT_*) to this value. Default:
	 * false. Root may. */
	bool (*limit_may_rise)(int resource, uint64_t hard);

	/** Finds the limits of the process with this number, other than the running one. Returns NULL if there is none.
	 * May be NULL: there is one process. */
	struct linux_rlimit *(*limits_find)(int pid);

	/** Called when the running thread has changed its affinity. Default: nothing. Linux programs see the number of
	 * their processor (rseq(2)). */
	void (*thread_moved)(void);

	/** The registers that the report of a deadlock shows for a thread, in DWARF order, as in struct fault_report.
	 * Default: deadlock_registers, those of its context. A Linux program's thread has those of its system call. */
	void (*thread_registers)(const struct thread *thread, uint64_t registers[17]);

	/** Called when no thread can continue, before that is reported and the run ends. May be NULL. */
	void (*deadlocked)(void);

	/** The name of a system call that only Linux programs have. Returns NULL for other numbers. May be NULL: there
	 * are no such calls. */
	const char *(*op_name)(unsigned op);

	/* --- Signals and traps --- */

	/** Called when a signal has become pending for a process or one of its threads, and was not dropped. May be
	 * NULL. Linux programs may have a descriptor that shows signals (signalfd(2)). */
	void (*signal_added)(const struct process *process);

	/** Delivers the deliverable signals of the running thread, or ends the run. Called when a kernel call of a
	 * native image returns, and after another thread has run. Default: native_deliver, which calls the handlers.
	 * Nothing for Linux programs, whose handlers run when their system call returns. */
	void (*signal_deliver)(void);

	/** A fault without a handler: ends the run, or only its process if that is a Linux program's other than the
	 * first. Default: end_at_fault. */
	__attribute__((noreturn)) void (*signal_die_at)(const struct trap_frame *frame, int sig, const char *what);

	/** The address in the program of the instruction that faulted at this address. They differ for a moved
	 * instruction of a Linux program (kernel/linux/patch/stub.h). Default: the same. */
	uint64_t (*signal_fault_place)(uint64_t address);

	/** The address to which a handler returns. Default: call_handler_return. Linux programs give it (SA_RESTORER).
	 */
	uint64_t (*signal_return_address)(const struct linux_sigaction *action);

	/** Builds the frame of a handler on the program's stack, or on the alternate one, and makes *frame continue in
	 * the handler. `mask` is the set of signals blocked after it returns. Returns 0, or -EFAULT, and then only the
	 * stack has changed. Default: signal_frame_build. A Linux program's frame also has the wide vector registers.
	 */
	int (*signal_frame_push)(struct trap_frame *frame, const struct linux_sigaction *action,
	                         const struct linux_siginfo *info, uint64_t mask, uint64_t return_address);

	/** The program's stack pointer at the current kernel call. Default: that of the kernel, because calls run on
	 * the program's stack. */
	uint64_t (*signal_caller_stack)(void);

	/** The patched instruction that starts at an address, or NULL. Valid until the next call. Default: from the
	 * table that the monitor has made of the image. */
	const struct trap_site *(*emulate_site)(uint64_t address);

	/** Handles a breakpoint that replaces an instruction emulated only for Linux programs: `pause`, a decision
	 * point, and instructions that the models v3 and v4 answer in their own way. Returns whether it was one.
	 * Default: false. */
	bool (*emulate_own)(struct trap_frame *frame);

	/** Handles a general-protection fault or invalid opcode of RDTSC or RDTSCP (denied to ring 3 by CR4.TSD), of
	 * CPUID, or of the FSGSBASE instructions, which old processors lack. Emulates the instruction and moves the
	 * frame behind it. Returns whether it was one. Default: emulate_refused. */
	bool (*emulate_refused)(struct trap_frame *frame);

	/* --- Start --- */

	/** Prepares for the application. Returns the end of the stack on which it starts. Default: maps the main stack.
	 */
	uint64_t (*application_stack)(const struct boot_info *boot);

	/** Runs the application on that stack, with FS base 0. Default: application_start, which the program brings
	 * along (kernel/main.h). The image for Linux programs starts the program that the arguments name. */
	__attribute__((noreturn)) void (*application_start)(const struct application_args *args);

	/* --- System calls and switches --- */

	/** Continues a `syscall` instruction. Entered by a jump in ring 3 on the trap stack: rcx is the return address,
	 * r11 the program's stack pointer, and syscall_flags has its flags. Default: native_syscall_entry, which makes
	 * it an exception, because native images call the kernel's functions. */
	void (*syscall_entry)(void);

	/** Called when another thread is to take over, on the policies' stack, so that it leaves no trace. May be NULL:
	 * nothing observes it. */
	void (*decided)(const struct sched_question *question, const struct thread *next);

	/** Saves the running thread's context, stores its address in *save, and continues the context at `load`.
	 * Default: context_switch. System calls of Linux programs also keep the vector registers. */
	void (*context_switch)(uint64_t *save, uint64_t load);
};

/** Defined once in each image. */
extern const struct personality personality;

#endif
