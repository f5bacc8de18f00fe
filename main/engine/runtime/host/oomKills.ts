/** How many processes this system has killed because memory ran out. */
import { readFileSync } from 'node:fs';

/** Since it was started; null where it does not tell. */
export function oomKills(): number | null {
  if (process.platform !== 'linux') return null;
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1];
    return count === undefined ? null : Number(count);
  } catch {
    return null;
  }
}
