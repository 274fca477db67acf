/* SPDX-License-Identifier: MIT */
/* turns, with a decision point before each access (-fpreempt=memory, fault.mk). */
#include "tests/schedule/turns.c"
