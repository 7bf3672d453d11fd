# SPDX-License-Identifier: MIT
"""Commands of txtap for GDB: 'source txtap-gdb.py', then 'help txtap'.

The script reads the memory of a halted target through GDB and gives it to the program txtap, which knows the layouts.
It never writes to the target. If a debug server is set, the program reads through that server instead, and the target
may run.
"""

import collections
import os
import re
import shlex
import struct
import subprocess
import tempfile

import gdb

HEADER_BYTES = 48
HEADER_ID = 0x54585442
BUFFER_BYTES_MAX = 16 << 20
RAM_BYTES_MAX = 16 << 20
RAM_GAP_MAX = 64 << 10  # sections of the same RAM are at most this far apart
EVENTS_MAX = 1_000_000


class Setting(gdb.Parameter):
    """A text that the user sets, and its place in the help."""

    def __init__(self, name, value, set_doc):
        self.set_doc = set_doc
        self.show_doc = "Show " + set_doc[len("Set "):]
        super().__init__("txtap " + name, gdb.COMMAND_DATA, gdb.PARAM_STRING)
        self.value = value

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return value


def elf_file():
    """Returns the path of the firmware's ELF file, or None."""
    return gdb.current_progspace().filename


def run(arguments, keep=None):
    """Runs txtap and shows its messages and its output: all of it, or the last `keep` lines of it."""
    command = shlex.split(PROGRAM.value) + arguments
    # Files keep memory small, however much the program prints.
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        try:
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=False).returncode
        except (OSError, ValueError, IndexError) as error:
            cause = getattr(error, "strerror", None) or error
            raise gdb.GdbError(f"txtap: {PROGRAM.value}: {cause}: name the program with 'set txtap program PATH'")
        out.seek(0)
        err.seek(0)
        message = err.read().rstrip("\n")
        for line in collections.deque(out, keep):
            gdb.write(line)
    if status not in (0, 5):  # 5: events are missing, and a message says how many
        raise gdb.GdbError(message or f"txtap ended with status {status}")
    if message:
        gdb.write(message + "\n")


def server():
    """Returns the options of the debug server, or [] if GDB reads the memory itself."""
    try:
        return shlex.split(SERVER.value)
    except ValueError as error:
        raise gdb.GdbError(f"txtap: '{SERVER.value}': {error}: 'set txtap server --tcl 6666'")


def read(address, length):
    """Reads memory of the halted target."""
    thread = gdb.selected_thread()
    if thread is None or not thread.is_valid():
        raise gdb.GdbError("txtap: GDB has no target: connect with 'target remote', or 'set txtap server --tcl 6666'")
    if thread.is_running():
        raise gdb.GdbError("txtap: the target runs: halt it, or 'set txtap server --tcl 6666' and let it run")
    try:
        return bytes(gdb.selected_inferior().read_memory(address, length))
    except gdb.error as error:
        raise gdb.GdbError(f"txtap: 0x{address:08x}: {error}")


def word_format():
    return ">I" if "big endian" in gdb.execute("show endian", to_string=True) else "<I"


def header_address(given):
    """Returns the address of the trace buffer: as given, or from the pointer of ThreadX and of txtap's recorder."""
    if given:
        return int(gdb.parse_and_eval(given)) & 0xFFFFFFFF
    try:
        pointer = int(gdb.parse_and_eval("(unsigned long)&_tx_trace_header_ptr"))
    except gdb.error as error:
        raise gdb.GdbError(f"txtap: {str(error).rstrip('.')}: load the ELF file, or give the buffer's address")
    address = struct.unpack(word_format(), read(pointer, 4))[0]
    if address == 0:
        raise gdb.GdbError("txtap: no trace buffer: _tx_trace_header_ptr is 0, so the firmware has not called "
                           "tx_trace_enable() yet")
    return address


def buffer(given):
    """Returns the address and the bytes of the trace buffer. The program checks all other words."""
    base = header_address(given)
    header = read(base, HEADER_BYTES)
    words = struct.unpack("<12I", header)
    if words[0] != HEADER_ID:
        words = struct.unpack(">12I", header)
    size = words[7] - words[2]  # from the header to the end of the ring
    if words[0] != HEADER_ID or words[2] != base or not HEADER_BYTES < size <= BUFFER_BYTES_MAX:
        raise gdb.GdbError(f"txtap: no trace buffer at 0x{base:08x}: give its address, such as "
                           "'txtap snapshot FILE &trace_buffer'")
    return base, read(base, size)


def write_snapshot(path, options, address):
    """Writes the trace buffer to `path`, in the words of the target."""
    if server():
        elf = elf_file()
        place = [f"--address=0x{header_address(address):x}"] if address else []
        run(["snapshot", "-o", path] + options + server() + place + ([elf] if elf else []))
        return
    base, data = buffer(address)
    with tempfile.NamedTemporaryFile(prefix="txtap-gdb.") as image:
        image.write(data)
        image.flush()
        run(["snapshot", "-o", path] + options + [f"--image={image.name}@0x{base:x}", f"--address=0x{base:x}"])


def ram_of_elf():
    """Returns the begin and the end of the RAM that the ELF file's writable sections use, as a list of ranges."""
    ranges = []
    pattern = re.compile(r"\b0x([0-9a-f]+)->0x([0-9a-f]+) at 0x[0-9a-f]+: \S+ (.*)$")
    for line in gdb.execute("maintenance info sections ALLOC", to_string=True).splitlines():
        found = pattern.search(line)
        if found and not {"READONLY", "CODE"} & set(found[3].split()):
            ranges.append((int(found[1], 16), int(found[2], 16)))
    joined = []
    for begin, end in sorted(ranges):
        if joined and begin - joined[-1][1] <= RAM_GAP_MAX:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif begin < end:
            joined.append((begin, end))
    return joined


def number(text):
    """Returns START or SIZE of a range."""
    factor = {"K": 1 << 10, "M": 1 << 20}.get(text[-1:].upper(), 1)
    return int(text[:-1] if factor > 1 else text, 0) * factor


def ram(given):
    """Returns the begin and the end of the memory that has the kernel's objects."""
    if given:
        try:
            begin, size = map(number, given.split(":"))
        except ValueError:
            raise gdb.GdbError(f"txtap: '{given}' is no range: give START:SIZE, such as 0x20000000:128K")
        chosen = (begin, begin + size)
    else:
        ranges = ram_of_elf()
        if not ranges:
            raise gdb.GdbError("txtap: the ELF file has no writable section: load it, or give the RAM, such as "
                               "'txtap kernel 0x20000000:128K'")
        chosen = max(ranges, key=lambda one: one[1] - one[0])
        for begin, end in ranges:
            if (begin, end) != chosen:
                gdb.write(f"txtap: RAM at 0x{begin:08x} is left out: 'txtap kernel START:SIZE' chooses another RAM\n")
    if not 0 < chosen[1] - chosen[0] <= RAM_BYTES_MAX:
        raise gdb.GdbError(f"txtap: {chosen[1] - chosen[0]} bytes of RAM: at most {RAM_BYTES_MAX >> 20} MiB")
    return chosen


class Txtap(gdb.Command):
    """Show the trace and the kernel of the target, without writing to it.

txtap snapshot FILE [ADDRESS]   write the trace buffer to a file that TraceX opens
txtap tail [N]                  show the last N events (default 20)
txtap kernel [START:SIZE]       show threads, stacks, queues, ... of the kernel

GDB reads the memory of a halted target. 'set txtap server --tcl 6666' reads
through OpenOCD's Tcl port instead, while the target runs."""

    def __init__(self):
        super().__init__("txtap", gdb.COMMAND_DATA, prefix=True)


class Snapshot(gdb.Command):
    """Write the trace buffer to a file that TraceX opens: txtap snapshot [--force] FILE [ADDRESS].

ADDRESS is an expression for the buffer's address; without it, the buffer is at _tx_trace_header_ptr.
--force overwrites FILE."""

    def __init__(self):
        super().__init__("txtap snapshot", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, _from_tty):
        words = gdb.string_to_argv(argument)
        options = [word for word in words if word == "--force"]
        words = [word for word in words if word != "--force"]
        if not words or words[0].startswith("-"):
            raise gdb.GdbError("usage: txtap snapshot [--force] FILE [ADDRESS]")
        write_snapshot(os.path.expanduser(words[0]), options, " ".join(words[1:]))


class Tail(gdb.Command):
    """Show the last N events of the trace buffer: txtap tail [N] (default 20).

'set txtap decode-options --hz 168M' adds options of 'txtap decode', such as --hz or --thread."""

    def __init__(self):
        super().__init__("txtap tail", gdb.COMMAND_DATA)

    def invoke(self, argument, _from_tty):
        try:
            count = int(argument or "20", 0)
        except ValueError:
            count = 0
        if not 0 < count <= EVENTS_MAX:
            raise gdb.GdbError(f"txtap: '{argument}' is no number of events: 1 to {EVENTS_MAX}")
        with tempfile.TemporaryDirectory(prefix="txtap-gdb.") as folder:
            path = os.path.join(folder, "buffer.trx")
            write_snapshot(path, ["-q"], "")
            elf = elf_file()
            run(["decode", "-q", "--color=never"] + shlex.split(DECODE.value) + [path] + ([elf] if elf else []), count)


class Kernel(gdb.Command):
    """Show the objects of the kernel, such as threads with states and stacks: txtap kernel [START:SIZE].

START:SIZE is the RAM that has the kernel's objects, such as 0x20000000:128K; without it, the largest RAM of the
ELF file's writable sections."""

    def __init__(self):
        super().__init__("txtap kernel", gdb.COMMAND_DATA)

    def invoke(self, argument, _from_tty):
        elf = elf_file()
        if not elf:
            raise gdb.GdbError("txtap: the kernel is found by its symbols: load the ELF file with 'file firmware.elf'")
        if server():
            run(["kernel"] + server() + ([f"--ram={argument.strip()}"] if argument.strip() else []) + [elf])
            return
        begin, end = ram(argument.strip())
        with tempfile.NamedTemporaryFile(prefix="txtap-gdb.") as image:
            image.write(read(begin, end - begin))
            image.flush()
            run(["kernel", f"--image={image.name}@0x{begin:x}", elf])


Txtap()
Snapshot()
Tail()
Kernel()


class SetPrefix(gdb.Command):
    """Settings of the commands of txtap."""

    def __init__(self, verb):
        super().__init__(verb + " txtap", gdb.COMMAND_DATA, prefix=True)


SetPrefix("set")
SetPrefix("show")
PROGRAM = Setting("program", "txtap", "Set the program txtap: a name in PATH, or a path.")
SERVER = Setting("server", "", "Set the debug server that txtap reads through, such as '--tcl 6666'; empty: GDB reads.")
DECODE = Setting("decode-options", "", "Set options of 'txtap decode' for 'txtap tail', such as '--hz 168M'.")
