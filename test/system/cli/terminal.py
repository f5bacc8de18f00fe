"""Runs a command on a terminal of its own: terminal.py COLUMNS COMMAND...

Its keys come on standard input and what it shows goes to standard output. Lines on descriptor 3 are sizes, such as
"100x30". At its end one line of JSON on standard error says its exit code, and whether the terminal is in raw mode.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
KEYS, SIZES, ROWS = 0, 3, 24


def resize(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


# The slave stays open here, so that its modes can be read after the end.
terminal, slave = pty.openpty()
resize(terminal, columns, ROWS)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(slave, stream)
    os.closerange(3, 256)
    os.execvp(command[0], command)

sources = [terminal, KEYS, SIZES]
status = None
while True:
    readable, _, _ = select.select(sources, [], [], 0.05)
    if terminal in readable:
        data = os.read(terminal, 65536)
        os.write(1, data)
    for source in (KEYS, SIZES):
        if source in readable:
            data = os.read(source, 65536)
            if not data:
                sources.remove(source)
            elif source == KEYS:
                os.write(terminal, data)
            else:
                for line in data.decode().split():
                    resize(terminal, *map(int, line.split("x")))
    if status is None:
        ended, code = os.waitpid(pid, os.WNOHANG)
        if ended:
            status = code
    elif terminal not in readable:
        break

is_raw = not termios.tcgetattr(slave)[3] & termios.ICANON
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "isRaw": is_raw}), file=sys.stderr)
