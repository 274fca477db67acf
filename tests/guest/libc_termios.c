/* SPDX-License-Identifier: MIT */
/* Terminal settings as Linux numbers them, the functions that only edit a struct termios, and the fields of utmpx. */
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <utmpx.h>

#include "say.h"

#define FLAG(name) printf(#name " %o\n", (unsigned)(name))

static void flags(void)
{
	FLAG(NL0), FLAG(NL1), FLAG(NLDLY);
	FLAG(CR0), FLAG(CR1), FLAG(CR2), FLAG(CR3), FLAG(CRDLY);
	FLAG(TAB0), FLAG(TAB1), FLAG(TAB2), FLAG(TAB3), FLAG(XTABS), FLAG(TABDLY);
	FLAG(BS0), FLAG(BS1), FLAG(BSDLY);
	FLAG(VT0), FLAG(VT1), FLAG(VTDLY);
	FLAG(FF0), FLAG(FF1), FLAG(FFDLY);
	FLAG(IUCLC), FLAG(OLCUC), FLAG(ONLCR), FLAG(OCRNL), FLAG(ONOCR), FLAG(ONLRET), FLAG(OFILL), FLAG(OFDEL);
	FLAG(IUTF8), FLAG(IMAXBEL), FLAG(CRTSCTS), FLAG(PARODD), FLAG(ECHOKE), FLAG(ECHOCTL), FLAG(PENDIN),
		FLAG(IEXTEN);
}

static void edits(void)
{
	struct termios termios;
	memset(&termios, 0xff, sizeof(termios));
	cfmakeraw(&termios);
	printf("raw: %o %o %o %o, min %d time %d\n", (unsigned)termios.c_iflag, (unsigned)termios.c_oflag,
	       (unsigned)termios.c_cflag, (unsigned)termios.c_lflag, termios.c_cc[VMIN], termios.c_cc[VTIME]);
	memset(&termios, 0, sizeof(termios));
	SAY(cfsetispeed(&termios, B9600));
	SAY(cfsetospeed(&termios, B115200));
	SAY_TRUE(cfgetospeed(&termios) == B115200);
	SAY(cfsetospeed(&termios, 12345));
}

int main(void)
{
	flags();
	edits();
	struct utmpx record = {.ut_type = USER_PROCESS, .ut_session = 7, .ut_exit = {1, 2}, .ut_addr_v6 = {1}};
	printf("utmpx %d %d %d %d, address of %zu bytes\n", record.ut_type, (int)record.ut_session,
	       record.ut_exit.e_termination, record.ut_exit.e_exit, sizeof(record.ut_addr_v6));
	return 0;
}
