# SPDX-License-Identifier: MIT
#
# The page of `eremite analyze --html`: its parts, which the monitor carries as bytes.

PAGE_PARTS := $(addprefix hypervisor/cli/analyze/page/page.,html css js)
PAGE_OBJECT := $(B)/obj/hypervisor/cli/analyze/page.o

$(PAGE_OBJECT): $(PAGE_PARTS) hypervisor/cli/analyze/page/page.mk
	@mkdir -p $(@D)
	@echo "  PAGE    $@"
	@{ printf '.section .rodata\n'; \
	for part in html css js; do \
		printf '.globl page_%s, page_%s_end\npage_%s:\n.incbin "%s"\npage_%s_end:\n' $$part $$part $$part \
			hypervisor/cli/analyze/page/page.$$part $$part; \
	done; \
	printf '.section .note.GNU-stack, "", @progbits\n'; } | $(CC) -x assembler -c - -o $@
