/* SPDX-License-Identifier: MIT */
/* struct dirent as getdents64(2) delivers it, and DIR. The functions are src/dirent.c and newlib's scandir. */
#ifndef _SYS_DIRENT_H
#define _SYS_DIRENT_H

#include <sys/cdefs.h>
#include <sys/types.h>

#ifndef NAME_MAX
#define NAME_MAX 255
#endif
#if __BSD_VISIBLE
#define MAXNAMLEN NAME_MAX
#endif

struct dirent {
	ino_t d_ino;
	off_t d_off;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[256];
};

#define d_fileno d_ino
#define _DIRENT_HAVE_D_RECLEN 1
#define _DIRENT_HAVE_D_OFF 1
#define _DIRENT_HAVE_D_TYPE 1

typedef struct __dir DIR;

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14
#define IFTODT(mode) (((mode)&0170000) >> 12)
#define DTTOIF(type) ((type) << 12)

__BEGIN_DECLS
#if __MISC_VISIBLE
ssize_t getdents64(int __fd, void *__buf, size_t __size);
#endif
__END_DECLS

#endif
