/* SPDX-License-Identifier: MIT */
/* sysinfo(2), and the processor counts of get_nprocs(3). */
#ifndef _SYS_SYSINFO_H
#define _SYS_SYSINFO_H

#include <sys/cdefs.h>

__BEGIN_DECLS

struct sysinfo {
	long uptime;
	unsigned long loads[3];
	unsigned long totalram;
	unsigned long freeram;
	unsigned long sharedram;
	unsigned long bufferram;
	unsigned long totalswap;
	unsigned long freeswap;
	unsigned short procs;
	unsigned short pad;
	unsigned long totalhigh;
	unsigned long freehigh;
	unsigned int mem_unit;
};

int sysinfo(struct sysinfo *__info);
int get_nprocs(void);
int get_nprocs_conf(void);

__END_DECLS

#endif
