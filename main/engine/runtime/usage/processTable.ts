/**
 * Lists the processes of this machine with their usage: from /proc on Linux, from `ps` on macOS, from CIM on Windows.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expectCode } from '#contract/core/systemCode.ts';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Null on systems without process groups. */
  readonly group: number | null;
  /** Identifies the process: a later process with the same id has another key. */
  readonly key: string;
  /** CPU time until `readAt`, milliseconds. */
  readonly cpuMs: number;
  /** When the row was read, monotonic milliseconds. On a busy machine, reading all rows may take long. */
  readonly readAt: number;
  readonly memoryBytes: number;
  /**
   * The value of the requested variable at the start of the process; null without it, and on systems other than Linux.
   */
  readonly mark: string | null;
}

const ANSWER_TIMEOUT_MS = 10_000;
const LONGEST_BYTES = 16 * 2 ** 20;

/** The units of the kernel, which it passes to each process at its start. */
function kernelUnits(): { pageBytes: number; tickMs: number } {
  const [PAGE_SIZE, TICKS_PER_SECOND] = [6n, 17n];
  const facts = new Map<bigint, number>();
  const vector = readFileSync('/proc/self/auxv');
  for (let at = 0; at + 16 <= vector.length; at += 16) {
    facts.set(vector.readBigUInt64LE(at), Number(vector.readBigUInt64LE(at + 8)));
  }
  return { pageBytes: facts.get(PAGE_SIZE) ?? 4096, tickMs: 1000 / (facts.get(TICKS_PER_SECOND) ?? 100) };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    expectCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM');
    // The process is gone, or belongs to another user.
    return null;
  }
}

/** Reads the environment of each process once: processes are many, and their environments do not change. */
function createLinuxTable(variable: string): () => ProcessRow[] {
  const { pageBytes, tickMs } = kernelUnits();
  let marks = new Map<string, string | null>();

  function markOf(pid: number): string | null {
    const mark = textOf(`/proc/${pid}/environ`)
      ?.split('\0')
      .find((entry) => entry.startsWith(`${variable}=`));
    return mark?.slice(variable.length + 1) ?? null;
  }

  return () => {
    const current = new Map<string, string | null>();
    const rows: ProcessRow[] = [];
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const stat = textOf(`/proc/${name}/stat`);
      const readAt = performance.now();
      if (stat === null) continue;
      // The name in parentheses may contain any character, so count fields from its end: the state is the first.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const pid = Number(name);
      const key = `${name}:${fields[19]}`;
      const cached = marks.get(key);
      const mark = cached === undefined ? markOf(pid) : cached;
      current.set(key, mark);
      rows.push({
        pid,
        key,
        mark,
        readAt,
        parent: Number(fields[1]),
        group: Number(fields[2]),
        cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
        memoryBytes: Number(fields[21]) * pageBytes,
      });
    }
    marks = current;
    return rows;
  };
}

/** Converts `[[days-]hours:]minutes:seconds`, with fractions of a second, to milliseconds. */
function msOfPsTime(time: string): number {
  const [days, rest = ''] = time.includes('-') ? time.split('-') : ['0', time];
  const seconds = rest.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1000;
}

/** Parses the output of `ps -A -o pid=,ppid=,pgid=,rss=,time=`, which ended at `readAt`. */
export function readPs(text: string, readAt: number): ProcessRow[] {
  return text.split('\n').flatMap((line): ProcessRow[] => {
    const [pid = '', parent, group, kib, time] = line.trim().split(/\s+/);
    if (time === undefined) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        key: pid,
        mark: null,
        readAt,
        cpuMs: msOfPsTime(time),
        memoryBytes: Number(kib) * 1024,
      },
    ];
  });
}

const CIM =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.WorkingSetSize) ' +
  '$($_.KernelModeTime + $_.UserModeTime)" }';

/**
 * Parses the output of the query above, which ended at `readAt`: id, parent, bytes, and CPU time in units of 100 ns.
 */
export function readCim(text: string, readAt: number): ProcessRow[] {
  return text.split(/\r?\n/).flatMap((line): ProcessRow[] => {
    const [pid = '', parent, bytes, units] = line.trim().split(' ');
    if (units === undefined) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: null,
        key: pid,
        mark: null,
        readAt,
        cpuMs: Number(units) / 10_000,
        memoryBytes: Number(bytes),
      },
    ];
  });
}

async function ask(program: string, args: string[]): Promise<string> {
  const options = { timeout: ANSWER_TIMEOUT_MS, maxBuffer: LONGEST_BYTES, windowsHide: true };
  return (await promisify(execFile)(program, args, options)).stdout;
}

/** `variable`: the environment variable of the wanted processes. Rejects where the system does not answer. */
export function createProcessTable(variable: string): () => Promise<ProcessRow[]> {
  switch (process.platform) {
    case 'linux': {
      let table: (() => ProcessRow[]) | null = null;
      return async () => (table ??= createLinuxTable(variable))();
    }
    case 'win32':
      return async () => {
        const text = await ask('powershell', ['-NoProfile', '-NonInteractive', '-Command', CIM]);
        return readCim(text, performance.now());
      };
    default:
      return async () => {
        const text = await ask('ps', ['-A', '-o', 'pid=,ppid=,pgid=,rss=,time=']);
        return readPs(text, performance.now());
      };
  }
}
