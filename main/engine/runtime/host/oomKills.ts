/** Counts the processes that the system killed because memory ran out. */
import { readFileSync } from 'node:fs';
import { expectCode } from '#contract/core/systemCode.ts';

/** The count since the start of the system; null where it does not report it. */
export function oomKills(): number | null {
  if (process.platform !== 'linux') return null;
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1];
    return count === undefined ? null : Number(count);
  } catch (error) {
    // A container without this file, or one that may not read it.
    expectCode(error, 'ENOENT', 'EACCES', 'EPERM');
    return null;
  }
}
