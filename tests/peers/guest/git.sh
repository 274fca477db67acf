# SPDX-License-Identifier: MIT
# git over HTTP, dumb and smart, and by its own protocol: clone, fetch and push. shellcheck shell=bash
git config --global user.name me
git config --global user.email me@localhost
git config --global safe.directory '*'
git config --global init.defaultBranch main
git config --global advice.detachedHead false
git init -q one
for i in 1 2 3; do
	seq $i 1000 >one/file$i
	git -C one add .
	git -C one commit -qm "commit $i"
done
git clone -q --bare one served
git -C served config http.receivepack true
git -C served update-server-info
chmod -R a+w served # the server gives up root
mkdir cgi-bin
cat >cgi-bin/git <<'END'
#!/bin/sh
export HOME=/peers GIT_PROJECT_ROOT=/peers GIT_HTTP_EXPORT_ALL=1 REMOTE_USER=me
exec git http-backend
END
chmod +x cgi-bin/git
mkfifo ready
python3 -u -m http.server --bind 127.0.0.1 --cgi 8000 >ready 2>log &
read -r <ready
at=http://127.0.0.1:8000
GIT_SMART_HTTP=0 git clone -q $at/served dumb
git -C dumb log --format=%s
git clone -q $at/cgi-bin/git/served smart
git -C smart log --format=%s
git -C smart fsck
echo new >smart/new
git -C smart add new
git -C smart commit -qm "commit 4"
git -C smart push -q origin main
git -C served log -1 --format=%s
git daemon --base-path=/peers --export-all --listen=127.0.0.1 --reuseaddr &
until git ls-remote git://127.0.0.1/served >/dev/null 2>&1; do sleep 0.1; done
git -C dumb pull -q git://127.0.0.1/served main
git -C dumb log --format=%s | wc -l
diff -r --exclude .git dumb smart && echo same
kill %1 %2
wait
