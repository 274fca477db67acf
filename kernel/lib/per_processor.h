/* SPDX-License-Identifier: MIT */
/* Variables that belong to the processor. They stand together in one page, so that each of several processors can have
 * a page of its own at this address: no register has to lead there, and code finds them as it does other variables. The
 * linker scripts place the page; in assembly they are in the section .data.processor, too. */
#ifndef KERNEL_LIB_PER_PROCESSOR_H
#define KERNEL_LIB_PER_PROCESSOR_H

#define PER_PROCESSOR __attribute__((section(".data.processor")))

#endif
