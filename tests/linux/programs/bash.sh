# SPDX-License-Identifier: MIT
# What bash scripts do: arrays, expansions, subshells, jobs, pipes, here-documents, traps, coprocesses.
trap 'echo exit trap' EXIT
a=(1 2 3 "four five"); declare -A m=([x]=1 [y]=2); a+=(6)
echo "${a[@]}" "${#a[@]}" "${a[@]:1:2}"; for k in x y; do echo $k ${m[$k]}; done
echo $((2**40 + 7 % 3)) $((0x1f & 6)) 
cat <<X
here $((1+1)) $(echo sub)
X
cat <<< "here string"
( exit 3 ); echo $?
sleep 0.1 & p=$!; wait $p; echo waited $?
(sleep 0.05; exit 4) & wait $!; echo $?
for i in 1 2 3; do (echo job $i > j$i; exit $i) & pids+=($!); done; for p in "${pids[@]}"; do wait $p; echo $?; done; cat j?
trap 'echo usr1' USR1; kill -USR1 $$; echo after
trap 'echo term' TERM; (kill -TERM $$); sleep 0.01; echo ok
seq 1 100000 | head -1; echo "${PIPESTATUS[@]}"
yes | head -2 | tr y z
f() { local x=$1; [ $x -le 1 ] && echo 1 && return; echo $((x * $(f $((x-1))))); }; f 5
[[ foobar =~ ^(foo)(.*)$ ]] && echo "${BASH_REMATCH[2]}"
s=hello.tar.gz; echo ${s%.*} ${s%%.*} ${s#*.} ${s/l/L} ${s^^} ${#s}
printf '%05d|%-5s|%x|%q\n' 42 ab 255 'a b'
exec 3>f3; echo three >&3; exec 3>&-; cat f3
exec 4<>f3; read -u 4 z; echo $z
select=1; case abc in a*) echo glob;; esac
coproc cat; echo hi >&${COPROC[1]}; read -u ${COPROC[0]} r; echo $r; eval "exec ${COPROC[1]}>&-"; wait
set -o pipefail; false | true; echo $?
timeout 0.1 sleep 5; echo $?
kill -l 9; type cd; test -d /usr && echo dir; test -x /bin/sh && echo x
{ sleep 1 & } ; jobs -r | wc -l; kill %1; wait; echo done
mkfifo ff; (echo fifo >ff) & cat ff; wait
rm -f ff f3 j? u
set -m; sleep 0.1 & fg >/dev/null; echo fg $?
