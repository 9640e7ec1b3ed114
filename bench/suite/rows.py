# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured: one Row each, in the order of the report.

Arguments are text with fields that depend on the variant or the run:
  {dir}      an empty folder, new for each process        {hello}   the smallest program
  {busybox}  the variant's busybox                        {text}    the text to compress
  {bench}    bench/programs
An argument that is EXEC stands for the words that let a program of the variant start another one
(none where the emulator follows execve), and SH for those words as one shell word list.
"""
from dataclasses import dataclass

EXEC, SH = object(), object()

LMBENCH = ["processes", "switching", "latencies", "files", "bandwidths"]

GROUPS = {
    "processes": "Processor, processes",
    "switching": "Context switching",
    "latencies": "Local communication latencies",
    "files": "File and VM system latencies",
    "bandwidths": "Local communication bandwidths",
    "memory": "Memory latency by size",
    "kernels": "Computing kernels",
    "programs": "Programs",
    "startup": "Start-up",
    "resident": "Resident memory",
    "scaling": "Scaling over threads",
    "growth": "Growth of costs",
}


@dataclass(frozen=True)
class Row:
    key: str          # its name on the command line and in the results
    group: str
    title: str
    unit: str         # us ns (an operation), MB/s, s ms (a whole run), MiB
    args: tuple       # of the program, or after the milliseconds of a micro case
    program: str = "micro"
    clock: str = "cpu"      # or elapsed: what the figure is made of
    quick: tuple = ()       # arguments for --quick, if others
    stdin: str = ""         # a field, as above
    rounds: int = 0         # at most so many rounds (0: no limit)
    in_quick: bool = True   # measured by --quick without being named
    without: tuple = ()     # variants that do not take part
    x: float = 0            # the place in a plot over sizes or counts
    series: str = ""        # rows of one name make one line of such a plot

    @property
    def more_is_better(self):
        return self.unit == "MB/s"

    @property
    def is_micro(self):
        return self.program == "micro"


def micro(key, group, title, unit, *args, **more):
    return Row(key, group, title, unit, args, **more)


def program(key, group, name, title, full, quick, rounds=3, **more):
    """A few seconds under qemu, where start-up and translation weigh little; quick: a part of one."""
    return Row(key, group, title, "s", tuple(full), name, quick=tuple(quick), rounds=rounds, **more)


def threads_name(count):
    return "1 thread" if count == 1 else f"{count} threads"


def size_name(kib):
    return f"{kib // 1024}M" if kib >= 1024 else f"{kib}K"


def all_rows():
    rows = [
        micro("null-call", "processes", "null call", "us", "null-call"),
        micro("clock-gettime", "processes", "clock_gettime", "us", "clock-gettime"),
        micro("read-1", "processes", "null I/O: read", "us", "read"),
        micro("write-1", "processes", "null I/O: write", "us", "write"),
        micro("stat", "processes", "stat", "us", "stat", "{hello}"),
        micro("fstat", "processes", "fstat", "us", "fstat", "{hello}"),
        micro("open-close", "processes", "open/close", "us", "open-close", "{hello}"),
        micro("open-close-mount", "processes", "open/close, other mount", "us", "open-close",
              "/dev/null"),
        micro("select-100", "processes", "select 100 fds", "us", "select-100"),
        micro("sig-install", "processes", "signal install", "us", "sig-install"),
        micro("sig-handle", "processes", "signal handle", "us", "sig-handle"),
        micro("thread", "processes", "thread create, join", "us", "thread"),
        micro("fork", "processes", "fork process", "us", "fork"),
        micro("exec", "processes", "exec process", "us", "exec", EXEC, "{hello}"),
        micro("sh", "processes", "sh process", "us", "exec", EXEC, "{busybox}", "sh", "-c", SH),
    ]
    for members, kib in ((2, 0), (2, 16), (2, 64), (8, 16), (8, 64), (16, 16), (16, 64)):
        rows.append(micro(f"ctx-{members}p-{kib}k", "switching", f"{members}p/{kib}K", "us",
                          "switch", str(members), str(kib)))
    for kind, title in (("pipe", "Pipe"), ("unix", "AF UNIX"), ("udp", "UDP"), ("tcp", "TCP")):
        rows.append(micro(f"lat-{kind}", "latencies", title, "us", "latency", kind))
    rows.append(micro("tcp-connect", "latencies", "TCP connect", "us", "tcp-connect"))
    for kib, size in ((0, "0"), (10, "10240")):
        rows += [
            micro(f"create-{kib}k", "files", f"{kib}K file create", "us", "create", "{dir}", size),
            micro(f"delete-{kib}k", "files", f"{kib}K file delete", "us", "delete", "{dir}", size),
        ]
    rows += [
        micro("mmap-latency", "files", "mmap latency, 4M", "us", "mmap-latency", "{dir}", "4096"),
        micro("prot-fault", "files", "protection fault", "us", "prot-fault"),
        micro("page-fault", "files", "page fault", "us", "page-fault", "{dir}", "4096"),
    ]
    for kind, title in (("pipe", "Pipe"), ("unix", "AF UNIX"), ("tcp", "TCP")):
        rows.append(micro(f"bw-{kind}", "bandwidths", title, "MB/s", "transfer", kind))
    rows += [
        micro("file-reread", "bandwidths", "file reread", "MB/s", "file-reread", "{dir}", "8192"),
        micro("mmap-reread", "bandwidths", "mmap reread", "MB/s", "mmap-reread", "{dir}", "8192"),
        micro("bcopy-libc", "bandwidths", "bcopy (libc)", "MB/s", "bcopy-libc", "8192"),
        micro("bcopy-loop", "bandwidths", "bcopy (loop)", "MB/s", "bcopy-loop", "8192"),
        micro("mem-read", "bandwidths", "memory read", "MB/s", "mem-read", "8192"),
        micro("mem-write", "bandwidths", "memory write", "MB/s", "mem-write", "8192"),
    ]
    for kib in (16, 128, 512, 2048, 8192, 65536):
        rows.append(micro(f"mem-latency-{size_name(kib).lower()}", "memory", size_name(kib), "ns",
                          "mem-latency", str(kib), x=kib, series="load from a working set, KiB"))
    rows += [
        program("calls", "kernels", "calls", "recursive calls", ["200"], ["20"]),
        program("sieve", "kernels", "sieve", "sieve, 1 MiB of stores", ["320"], ["30"]),
        program("hash", "kernels", "hash", "hash rounds", ["800"], ["80"]),
        program("chase", "kernels", "chase", "pointer chase, 512 KiB", ["3000"], ["300"]),
        program("matrix", "kernels", "matrix", "float matrix product", ["100"], ["12"]),

        program("bzip2", "programs", "bin:bzip2", "bzip2, compressing", ["-9c"], ["-9c"],
                stdin="{text}"),
        program("bunzip2", "programs", "bin:bzip2", "bzip2, expanding", ["-dc"], ["-dc"],
                stdin="{text.bz2}"),
        program("zlib", "programs", "bin:minigzip", "zlib, compressing", ["-c", "{text}"],
                ["-c", "{text}"]),
        program("lua", "programs", "bin:lua", "Lua", ["{bench}/mix.lua", "30"],
                ["{bench}/mix.lua", "3"]),
        program("sqlite", "programs", "bin:sqlite3", "SQLite",
                [":memory:", ".param init", ".param set :n 120000", ".read {bench}/mix.sql"],
                [":memory:", ".param init", ".param set :n 10000", ".read {bench}/mix.sql"]),
        program("compiler", "programs", "compiler", "compiler-like", ["120"], ["8"]),
        program("trees", "programs", "trees", "pointer-heavy", ["16"], ["2"]),
        program("coremark-like", "programs", "mark", "CoreMark-like", ["30000"], ["2000"]),
        program("himeno-s", "programs", "stencil", "Himeno-like, S", ["s", "12"], ["s", "3"]),
        program("himeno-m", "programs", "stencil", "Himeno-like, M", ["m", "3"], ["m", "1"],
                rounds=2, in_quick=False),

        Row("hello", "startup", "static program", "ms", (), "hello"),
        Row("hello-elapsed", "startup", "static program, elapsed", "ms", (), "hello",
            clock="elapsed"),
        Row("sh-true", "startup", "sh -c true", "ms", ("sh", "-c", "true"), "bin:busybox"),
        # An engine without a quick start needs minutes for this; sh-true says enough of it.
        Row("script", "startup", "sh script, 2000 commands (--quick: 100)", "s",
            ("sh", "{bench}/commands.sh", "2000", EXEC, "{busybox}"), "bin:busybox",
            quick=("sh", "{bench}/commands.sh", "100", EXEC, "{busybox}"), rounds=3,
            without=("dynarmic",)),
    ]
    for count in (1, 10, 100):
        rows.append(Row(f"rss-threads-{count}", "resident", threads_name(count), "MiB",
                        ("threads", str(count)), "resident", rounds=2, x=count,
                        series="threads of a process"))
    rows.append(Row("rss-processes-10", "resident", "10 processes, shared pages split", "MiB",
                    ("processes", "10"), "resident", rounds=2))
    for count in (1, 2, 4):
        rows.append(Row(f"parallel-{count}", "scaling", threads_name(count), "s",
                        ("own", str(count), "400"), "parallel", clock="elapsed",
                        quick=("own", str(count), "60"), x=count, series="independent work"))
    for count in (1, 2, 4):
        rows.append(Row(f"atomic-{count}", "scaling", f"one counter, {threads_name(count)}", "s",
                        ("counter", str(count), "1000"), "parallel", clock="elapsed",
                        quick=("counter", str(count), "200"), x=count, series="one atomic counter"))
    for key, title, counts in (
            ("maps", "mapped regions: mmap, touch, munmap", (10, 1000, 10000)),
            ("files", "open files: open, close", (10, 100, 1000)),
            ("threads", "other threads: create, join", (1, 10, 100)),
            ("threads-call", "other threads: null call", (1, 10, 100))):
        for count in counts:
            rows.append(micro(f"grow-{key}-{count}", "growth", f"{count} {title}", "us",
                              f"grow-{key}", str(count), x=count, series=title))
    return rows
