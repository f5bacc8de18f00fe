/** Rules of forking a program as the engine, with tiny real programs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineExit } from '../../app/compose.ts';
import { forkProgram } from './childProgram.ts';

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
