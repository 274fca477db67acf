/* SPDX-License-Identifier: MIT */
/* held, with a decision point before each access (-fpreempt=memory, fault.mk). */
#include "tests/schedule/held.c"
