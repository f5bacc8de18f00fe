/** How long a worker waits for its output to be read. The test moves the time. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import { createLineIntake } from './throttledReader.ts';

const LINE = `${'x'.repeat(99)}\n`;
const PIECE = Buffer.from(LINE.repeat(500));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function startReading() {
  const clock = createFakeClock();
  const intake = createLineIntake(clock, () => false);
  const stream = new PassThrough();
  const lines: string[] = [];
  const takeLast = intake.read(stream, (line) => lines.push(line));
  /** Writes as fast as the reader reads, while time passes. Returns how many characters were read. */
  async function flood(ms: number): Promise<number> {
    let written = 0;
    for (let at = 0; at < ms; at += 10) {
      // Several times what is read in these 10 ms.
      for (let more = 0; more < 6 && !stream.writableNeedDrain; more++) {
        stream.write(PIECE);
        written += PIECE.length;
        await turn();
      }
      clock.advance(10);
      await turn();
    }
    return written;
  }
  async function end(): Promise<void> {
    stream.end();
    // The rest is read in as many windows as necessary.
    for (let n = 0; n < 50; n++) {
      clock.advance(10);
      await turn();
    }
    takeLast();
    intake.stop();
  }
  return { clock, stream, lines, flood, end };
}

test('A worker that writes faster than is read waits, and no line of it is missing', async () => {
  const { lines, flood, end } = startReading();
  const written = await flood(3000);
  await end();
  expect(lines.length * LINE.length).toBe(written);
  expect(written).toBeLessThan(300 * 2 * 128 * 1024);
});

test('A worker that has waited for too long writes on at once, and a line says what was left out', async () => {
  const { lines, flood, end } = startReading();
  const first = await flood(5000);
  const second = await flood(5000);
  await end();
  expect(second).toBeGreaterThan(first * 2);
  const notes = lines.filter((line) => line.startsWith('['));
  expect(notes[0]).toMatch(/^\[\d+ bytes were left out here: they were written faster than they can be kept\]$/);
  const leftOut = notes.reduce((sum, note) => sum + Number(/\d+/.exec(note)![0]), 0);
  const whole = lines.filter((line) => line === LINE.trimEnd()).length * LINE.length;
  // The first and last line of each read section are cut.
  expect(first + second - leftOut - whole).toBeLessThan(notes.length * 2 * LINE.length);
  expect(lines.filter((line) => line !== LINE.trimEnd()).length).toBeLessThanOrEqual(notes.length * 2);
});

test('A worker that was quiet for a while is read in full again', async () => {
  const { clock, lines, flood, end } = startReading();
  for (let n = 0; n < 4; n++) {
    await flood(3000);
    for (let ms = 0; ms < 3000; ms += 10) {
      clock.advance(10);
      await turn();
    }
  }
  await end();
  expect(lines.filter((line) => line.startsWith('['))).toEqual([]);
});
