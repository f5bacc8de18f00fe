/** The limit of this process for open files and connections. */
import { readFileSync } from 'node:fs';

/** The limit where the system does not report it: that of macOS, and less than that of Windows. */
const USUAL = 10_240;

export function openFilesLimit(): number {
  if (process.platform !== 'linux') return USUAL;
  const softLimit = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return softLimit === undefined ? USUAL : softLimit === 'unlimited' ? Infinity : Number(softLimit);
}
