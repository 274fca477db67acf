/* SPDX-License-Identifier: MIT */
/* Device numbers, in Linux's 64-bit encoding (makedev(3)). */
#ifndef _SYS_SYSMACROS_H
#define _SYS_SYSMACROS_H

#define major(dev) ((unsigned)(((((unsigned long)(dev)) >> 8) & 0xfff) | ((((unsigned long)(dev)) >> 32) & ~0xfffUL)))
#define minor(dev) ((unsigned)((((unsigned long)(dev)) & 0xff) | ((((unsigned long)(dev)) >> 12) & ~0xffUL)))
#define makedev(major, minor) \
	((((unsigned long)(major) & ~0xfffUL) << 32) | (((unsigned long)(major)&0xfff) << 8) | \
	 (((unsigned long)(minor) & ~0xffUL) << 12) | ((unsigned long)(minor)&0xff))

#endif
