# SPDX-License-Identifier: MIT
# Published schemas, which packages of npm have: npm_needs, then npm_unpack for each package.
# shellcheck shell=bash

# npm_needs: prints why there are no packages of npm here; fails then.
npm_needs() {
	command -v npm >/dev/null && command -v node >/dev/null || { echo "needs npm and node" && return 1; }
	npm_fetch "${packages[0]}" >npm.out 2>&1 || { echo "npm cannot fetch ${packages[0]%% *}: $(tail -n 1 npm.out)" && return 1; }
}

# npm_fetch 'NAME@VERSION SHA256': prints the path of a package's archive, which stays in the build folder.
npm_fetch() {
	local package=${1% *} sum=${1#* } file
	file=$B/download/$(tr / - <<<"${package#@}").tgz
	if ! sha256sum --quiet -c <<<"$sum  $file" >/dev/null 2>&1; then
		mkdir -p "$B/download" npm.new &&
			npm pack --silent --pack-destination npm.new "$package" >/dev/null </dev/null && sha256sum --quiet -c <<<"$sum  $(echo npm.new/*.tgz)" >/dev/null &&
			mv npm.new/*.tgz "$file" || return
		rmdir npm.new
	fi
	echo "$file"
}

# npm_unpack 'NAME@VERSION SHA256': puts a package into node_modules of the working directory.
npm_unpack() {
	local package=${1% *} file
	file=$(npm_fetch "$1") || fail "cannot fetch $package, or it has another SHA-256"
	mkdir -p "node_modules/${package%@*}" && tar -xzf "$file" --strip-components=1 -C "node_modules/${package%@*}"
}
