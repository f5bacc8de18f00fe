/** What a running app leaves outside its window: its settings, lines in its log, and processes. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from './desktop.ts';

/** The settings of the desktop as their file has them; null while it is not written yet. */
export function savedSettings(home: string): unknown {
  const file = join(home, 'hangar/config/desktop.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

interface LogLine {
  msg: string;
  enginePid?: number;
  address?: string;
  from?: string;
  to?: string;
}

function readLog(home: string): LogLine[] {
  const file = join(home, 'hangar/logs/app.log');
  if (!existsSync(file)) return [];
  // What is behind the last line end is a line that is being written.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LogLine);
}

/** Waits for the `count`th line that says `message`, and answers all of them. */
export async function logged(home: string, message: string, count = 1): Promise<LogLine[]> {
  const matching = (): LogLine[] => readLog(home).filter(({ msg }) => msg === message);
  await expect.poll(() => matching().length, { message: `lines saying "${message}"` }).toBeGreaterThanOrEqual(count);
  return matching();
}

export interface EngineStart {
  readonly pid: number;
  readonly address: string;
}

/** Waits until the engine was started `count` times. */
export async function engineStarts(home: string, count = 1): Promise<EngineStart[]> {
  const lines = await logged(home, 'engine ready', count);
  return lines.map(({ enginePid = 0, address = '' }) => ({ pid: enginePid, address }));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No process has this id.
    return false;
  }
}

/** Processes started for this test, by the folder in their environment. Only Linux tells; elsewhere none are found. */
export function processesOf(home: string): string[] {
  if (process.platform !== 'linux') return [];
  const commands: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      if (environment.includes(home)) commands.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
    } catch {
      // Gone while we looked, or another person's.
    }
  }
  return commands;
}
