# SPDX-License-Identifier: MIT
#
# The page of `eremite analyze --html`: its parts, which the monitor carries as bytes. page.js begins when all scripts are there.

PAGE_SCRIPTS := words.js lanes.js map.js page.js
PAGE_PARTS := $(addprefix hypervisor/tools/analyze/page/,page.html page.css $(PAGE_SCRIPTS))
PAGE_OBJECT := $(B)/obj/hypervisor/tools/analyze/page.o

$(PAGE_OBJECT): $(PAGE_PARTS) hypervisor/tools/analyze/page/page.mk
	@mkdir -p $(@D)
	@echo "  PAGE    $@"
	@part() { name=$$1; shift; printf '.globl %s, %s_end\n%s:\n' $$name $$name $$name; \
		printf '.incbin "hypervisor/tools/analyze/page/%s"\n' $$@; printf '%s_end:\n' $$name; }; \
	{ echo '.section .rodata'; part page_html page.html; part page_css page.css; part page_js $(PAGE_SCRIPTS); \
	echo '.section .note.GNU-stack, "", @progbits'; } | $(CC) -x assembler -c - -o $@
