/** Rules of stop signals, in a real process: signals end processes, so each case gets its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { needsPosix } from '../../../test/support/core/skip.ts';

const program = `
  import { onStopSignals } from ${JSON.stringify(pathToFileURL(`${import.meta.dirname}/signals.ts`).href)};
  const hanging = process.argv[1] === 'hang';
  const alive = setInterval(() => undefined, 1000);
  const ended = onStopSignals({
    first: async (signal) => {
      console.log('first ' + signal);
      if (hanging) await new Promise(() => undefined);
    },
    second: () => console.log('second'),
  });
  console.log('up');
  await ended;
  clearInterval(alive);
`;

async function run(
  mode: 'hang' | 'heed',
  signals: NodeJS.Signals[],
): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  const next = [...signals];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const signal = next.shift();
    if (signal) child.kill(signal);
  }
  await closed;
  return { code: child.exitCode, lines };
}

describe('stop signals', needsPosix, () => {
  it('stop in order at the first one', async () => {
    expect(await run('heed', ['SIGTERM'])).toEqual({ code: 0, lines: ['up', 'first SIGTERM'] });
  });

  it('end everything at once at a second one, with the code a shell expects', async () => {
    const { code, lines } = await run('hang', ['SIGTERM', 'SIGINT']);
    expect(lines).toEqual(['up', 'first SIGTERM', 'second']);
    expect(code).toBe(130);
  });
});
