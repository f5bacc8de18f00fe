/** Finds the process that listens on a TCP port, if the system reports it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { redact } from '../../../app/platform/redaction.ts';

const LISTEN = '0A';
/** Enough characters of a command line to recognize the program. */
const COMMAND_LENGTH = 80;

/** Socket inodes that listen on the port, from /proc/net/tcp and tcp6. */
function listeningInodes(port: number): Set<string> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(`:${hexPort}`) && state === LISTEN && inode !== undefined) inodes.add(inode);
    }
  }
  return inodes;
}

function holds(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
        return inode !== undefined && inodes.has(inode);
      } catch {
        // The descriptor was closed in the meantime.
        return false;
      }
    });
  } catch {
    // The process has ended, or belongs to another user.
    return false;
  }
}

/**
 * The command line of a process, without the folder of its program, secrets and unreadable parts. The name of its main
 * thread is not useful: Node calls each "MainThread".
 */
function commandOf(pid: string): string {
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  // A process that is ending, or a kernel process, has none.
  if (program === '') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  const line = redact([basename(program), ...args].join(' '))
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line.length > COMMAND_LENGTH ? `${line.slice(0, COMMAND_LENGTH)}…` : line;
}

/** A phrase such as "node server.js (pid 4711)"; null if the system does not report it. */
function holderOf(port: number): string | null {
  try {
    const inodes = listeningInodes(port);
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, inodes));
    return pid === undefined ? null : `${commandOf(pid)} (pid ${pid})`;
  } catch {
    // This system has no /proc.
    return null;
  }
}

/** One line for a person about a port that is in use. */
export function portTaken(port: number, flag: string): string {
  const command =
    process.platform === 'win32' ? `netstat -ano | findstr :${port}` : `lsof -nP -iTCP:${port} -sTCP:LISTEN`;
  const holder = holderOf(port);
  const who = holder === null ? `in use by another program; "${command}" shows which` : `in use by ${holder}`;
  // npm takes flags for itself that do not stand behind "--".
  const other = process.env['npm_lifecycle_event'] === 'start' ? `: npm start -- ${flag} 0` : ` with ${flag}`;
  return `Port ${port} is ${who}. Stop that program, or choose another port${other} (0 = any free one).`;
}
