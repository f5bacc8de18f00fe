/** Rules of reading log lines from a stream of events. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '#contract/local/log.ts';
import { logLineOf } from '../../../../test/support/logs/logLine.ts';
import { readLogEvents } from './logEvents.ts';

const line = (n: number, text: string): LogLine => logLineOf({ n, text });

async function read(pieces: string[]): Promise<LogLine[]> {
  const source = async function* () {
    yield* pieces;
  };
  const lines: LogLine[] = [];
  for await (const logEvent of readLogEvents(source())) lines.push(logEvent);
  return lines;
}

describe('a stream of log events', () => {
  it('gives every line once and in order, however it was cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (texts, end, cuts) => {
          const lines = texts.map((text, n) => line(n, text));
          const whole = lines
            .map((one) => `id: ${one.n}${end}data: ${JSON.stringify(one)}${end}${end}: pulse${end}${end}`)
            .join('');
          const at = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
          const pieces = at.slice(1).map((to, index) => whole.slice(at[index], to));
          // A return at the very end cannot be told from half of a line end: the next piece tells.
          expect(await read([...pieces, ': pulse\n'])).toEqual(lines);
        },
      ),
      { numRuns: 30 },
    );
    // Most of it is the making of texts, on a machine that may have other things to do.
  });

  it('takes data in several lines as one event', async () => {
    const [first, ...rest] = JSON.stringify(line(1, 'a'), null, 1).split('\n');
    const text = [first, ...rest].map((part) => `data:${part}\n`).join('');
    expect(await read([`${text}\n`])).toEqual([line(1, 'a')]);
  });

  it('refuses what is no line', async () => {
    await expect(read(['data: {"n":1}\n\n'])).rejects.toMatchObject({ code: 'UPSTREAM' });
  });
});
