# SPDX-License-Identifier: GPL-2.0-or-later
b() { "$busybox" "$@"; }

echo "pipeline: $(b seq 1 100 | b grep 7 | b sort -rn | b head -n 3 | b tr '\n' ' ')"
echo "status of a pipeline: $(true | false; echo $?) $(false | true; echo $?)"

b mkdir -p a/b/c
for i in 1 2 3; do echo "line $i" >a/b/file$i; done
b find a -type f | b sort | b xargs cat
b cp -r a copy && b diff -r a copy && echo "copies agree"
b tar -cf a.tar a && b mkdir out && b tar -xf a.tar -C out && b diff -r a out/a && echo "tar agrees"
b ln -s b/file1 a/link && b readlink a/link && b cat a/link
b rm -r a copy && [ ! -e a ] && echo "removed"

b cat <<END
here $((6 * 7)) $(echo nested "$(echo deeper)")
END

n=0
while [ $n -lt 200 ]; do n=$((n + 1)); done
echo "loop $n"

(b sleep 0.2; echo "background job" >job) &
first=$!
(exit 9) &
second=$!
wait $second; echo "second: $?"
wait $first; echo "first: $?"
b cat job

trap 'echo "trapped USR1"' USR1
kill -USR1 $$
trap 'echo "at exit"' EXIT

b sleep 100 &
kill -TERM $!
wait $!; echo "killed: $?"

exec 3>three; echo "to three" >&3; exec 3>&-; b cat three
echo "stderr" 2>&1 >/dev/null | b wc -l
x=outer; (x=inner; echo $x); echo $x
set -- one "two words" three; echo "$#: $2"; shift; echo "$1"
case abc in a*c) echo matched;; esac
echo "${x#ou} ${x%er} ${#x} ${y:-unset}"
printf '%s %05d %x\n' text 42 255
b awk 'BEGIN { for (i = 0; i < 5; i++) s = s " " i * i; print s; printf "%.3f\n", atan2(1, 1) * 4 }'
echo "b a c" | b tr ' ' '\n' | b sort | b sed 's/^/-/' | b paste -sd,
b dd if=/dev/zero bs=1k count=64 2>/dev/null | b md5sum
b uname -m
b env -i A=1 "$busybox" env
b timeout 1 "$busybox" sleep 5; echo "timeout: $?"
