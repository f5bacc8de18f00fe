/** How many files and connections the system lets this process have open at once. */
import { readFileSync } from 'node:fs';

/** Where the system does not tell: what macOS gives, and fewer than Windows. */
const USUAL = 10_240;

export function openFilesLimit(): number {
  if (process.platform !== 'linux') return USUAL;
  const softLimit = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return softLimit === undefined ? USUAL : softLimit === 'unlimited' ? Infinity : Number(softLimit);
}
