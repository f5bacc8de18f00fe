/** Rules of forking a program as the engine, with tiny real programs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineExit } from '../../app/compose.ts';
import { forkProgram, startAhead } from './childProgram.ts';

let dir: string;
let lines: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-fork-'));
  lines = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

function start(source: string) {
  const program = join(dir, 'program.mjs');
  writeFileSync(program, source);
  const child = forkProgram({
    program,
    nodeFlags: [],
    log: { write: (line) => lines.push(line) },
    onLine: () => undefined,
  });
  return { child, exited: new Promise<EngineExit>((resolve) => child.onExit(resolve)) };
}

describe('a forked engine', () => {
  it('gets messages as they were sent, and answers', async () => {
    const { child, exited } = start(
      `process.on('message', (m) => { process.send({ got: m }); process.disconnect(); });`,
    );
    const answered = new Promise((resolve) => child.onMessage(resolve));
    child.send({ type: 'start', n: 1 });
    expect(await answered).toEqual({ got: { type: 'start', n: 1 } });
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it('tells how it ended', async () => {
    expect(await start('process.exit(7);').exited).toEqual({ code: 7, signal: null });
    const { child, exited } = start('setInterval(() => undefined, 1000);');
    child.kill('SIGKILL');
    expect((await exited).signal).toBe('SIGKILL');
  });

  it('has what it prints in its log, line by line', async () => {
    await start(`console.log('one'); console.error('two');`).exited;
    await expect.poll(() => lines.toSorted()).toEqual(['one', 'two']);
  });

  it('takes a message to an engine that has just died for no failure of its own', async () => {
    const { child, exited } = start('process.exit(0);');
    await exited;
    expect(() => child.send({ type: 'stop' })).not.toThrow();
    await expect.poll(() => lines.join()).toContain('did not reach program.mjs');
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process.
    return false;
  }
}

describe('a program that started ahead', () => {
  function ahead(source: string) {
    const program = join(dir, 'program.mjs');
    writeFileSync(program, source);
    return startAhead(program, [], process.env);
  }

  it('keeps its messages and output until it gets a log', async () => {
    const mark = join(dir, 'mark');
    const take = ahead(`
      import { writeFileSync } from 'node:fs';
      console.log('early');
      process.send('early');
      writeFileSync(${JSON.stringify(mark)}, '');
      process.on('message', () => process.disconnect());
    `);
    await expect.poll(() => existsSync(mark)).toBe(true);
    const running = take();
    expect(take()).toBeNull();
    const child = forkProgram({
      program: 'none',
      nodeFlags: [],
      log: { write: (line) => lines.push(line) },
      onLine: () => undefined,
      running,
    });
    const messages: unknown[] = [];
    child.onMessage((message) => messages.push(message));
    const exited = new Promise<EngineExit>((resolve) => child.onExit(resolve));
    await expect.poll(() => messages).toEqual(['early']);
    child.send({ type: 'end' });
    expect(await exited).toEqual({ code: 0, signal: null });
    await expect.poll(() => lines).toEqual(['early']);
  });

  it('is not given to anybody after its end', async () => {
    const mark = join(dir, 'mark');
    const take = ahead(`
      import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(mark)}, String(process.pid));
      process.exit(3);
    `);
    await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8')).toBeTruthy();
    const pid = Number(readFileSync(mark, 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(take()).toBeNull();
  });
});
