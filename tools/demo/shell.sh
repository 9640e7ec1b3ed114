# SPDX-License-Identifier: GPL-2.0-or-later
# Run by an ILP32 busybox: files, pipelines, loops, functions, subshells, background jobs, signals.
# Every command is a process of its own: fork, execve, pipes and wait all work for a living here. PATH holds
# the applets of that same busybox and nothing of the host, whose uname would tell another machine.
set -u

dir=${1:?usage: shell.sh DIRECTORY BUSYBOX}
busybox=${2:?usage: shell.sh DIRECTORY BUSYBOX}
"$busybox" rm -rf "$dir"
"$busybox" mkdir -p "$dir/bin"
"$busybox" --install -s "$dir/bin"
cd "$dir" || exit 1
PATH=$(pwd)/bin
export PATH

echo "machine: $(uname -m)"

echo "== files and a pipeline"
i=1
while [ $i -le 400 ]; do
	echo "$((i * 7919 % 1009)) item$((i % 17))"
	i=$((i + 1))
done >numbers.txt
wc -l <numbers.txt
sort -n numbers.txt | head -n 3
cut -d ' ' -f 2 numbers.txt | sort | uniq -c | sort -k1,1nr -k2 | head -n 3 |
	while read -r count word; do
		echo "$word occurs $count times"
	done
awk '{ sum += $1; if ($1 > max) max = $1 } END { print "sum", sum, "max", max, "lines", NR }' numbers.txt

echo "== a here document, sed and tr"
sed -e 's/quick/slow/' -e '/^#/d' <<END | tr a-z A-Z
# a comment
the quick brown fox
jumps over $((6 * 7)) dogs
END

echo "== functions, case and arithmetic"
collatz() {
	n=$1 steps=0
	while [ "$n" -ne 1 ]; do
		case $((n % 2)) in
		0) n=$((n / 2)) ;;
		*) n=$((3 * n + 1)) ;;
		esac
		steps=$((steps + 1))
	done
	echo "collatz($1) takes $steps steps"
}
for start in 6 27 97; do collatz $start; done

echo "== a tree of files, found, packed, unpacked, compared"
mkdir -p tree/a/b tree/c
for name in tree/one tree/a/two tree/a/b/three tree/c/four; do
	head -n 50 numbers.txt | sed "s,^,$name ," >$name
done
ln -s ../one tree/c/link
find tree -type f | sort | xargs cat | wc -c
tar cf - tree | gzip -c >tree.tar.gz
mkdir copy
gunzip -c tree.tar.gz | (cd copy && tar xf -)
diff -r tree copy/tree && echo "copies are equal"
readlink copy/tree/c/link
md5sum <numbers.txt

echo "== background jobs"
for job in 1 2 3 4; do
	(
		sleep 0.$job
		echo "job $job done" >job.$job
		exit $((job * 10))
	) &
	eval "pid$job=\$!"
done
for job in 4 3 2 1; do
	eval "wait \$pid$job"
	echo "job $job returned $?"
done
cat job.1 job.2 job.3 job.4

echo "== signals"
sleep 1000 &
kill $!
wait $! 2>/dev/null
echo "a killed job returns $?"
trap 'echo "caught USR1"' USR1
kill -USR1 $$
(trap 'echo "bye from a subshell"' EXIT)
mkfifo fifo
(echo "through a fifo" >fifo) &
cat <fifo
wait
yes | head -n 2

cd / && rm -rf "$dir"
echo "shell demo finished"
