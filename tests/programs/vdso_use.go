// SPDX-License-Identifier: MIT

// Go's run-time system and the vDSO, as vdso_use.c has it for C libraries: without access to it, asking for the time
// ends the program with SIGSEGV.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

func main() {
	before := time.Now()
	maps, _ := os.Open("/proc/self/maps")
	var start, end uintptr
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		if strings.HasSuffix(lines.Text(), "[vdso]") {
			fmt.Sscanf(lines.Text(), "%x-%x", &start, &end)
		}
	}
	fmt.Println("found", start != 0, "time passes", time.Since(before) > 0)
	if len(os.Args) > 1 {
		syscall.RawSyscall(syscall.SYS_MPROTECT, start, end-start, 0)
		fmt.Println("asked somewhere else", time.Since(before) > 0)
	}
}
