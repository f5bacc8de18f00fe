/** The numbers of the lines of a Pod's log, for readers that come back after any line. */
import { expect, test } from 'vitest';
import { followPodLog, readPodPage, tailPodLog, type OutputLine, type ReadOutput } from './podLog.ts';

const START_US = 1_700_000_000_000_000;

/** A log of two outputs with lines behind later ones, at the same time, and after a pause. */
const log: OutputLine[] = [0, 40, 12, 12, 13, 41, 41, 200, 150, 5_000_000, 4_999_990, 5_000_001].map((us, place) => ({
  at: START_US + us,
  stream: place % 2 === 0 ? 'stdout' : 'stderr',
  text: `line ${place}`,
}));

/** As a container engine does: the lines in the order in which they came, the earlier ones left out by their time. */
const read: ReadOutput = async function* ({ sinceUs = 0, tail = Infinity }) {
  yield* log.filter(({ at }) => at >= sinceUs).slice(-tail);
};
const { signal } = new AbortController();

async function texts(lines: AsyncIterable<{ text: string }>): Promise<string[]> {
  const all: string[] = [];
  for await (const { text } of lines) all.push(text);
  return all;
}
const all = log.map(({ text }) => text);

test('a reader that comes back after any line gets the lines behind it, each once', async () => {
  const { lines } = await readPodPage(read, {}, signal);
  expect(lines.map(({ text }) => text)).toEqual(all);
  for (const [place, { n }] of lines.entries()) {
    expect(await texts(followPodLog(read, n, {}, signal)), `after line ${place}`).toEqual(all.slice(place + 1));
  }
});

test('the page before any page goes on where that begins', async () => {
  for (let limit = 1; limit < log.length; limit++) {
    const newest = await readPodPage(read, { limit }, signal);
    const before = await readPodPage(read, { before: newest.next ?? 0, limit: 1000 }, signal);
    expect(
      [...before.lines, ...newest.lines].map(({ text }) => text),
      `pages of ${limit}`,
    ).toEqual(all);
  }
});

test('the last lines, and those that come, are the log without a gap', async () => {
  for (let tail = 1; tail <= log.length; tail++) {
    expect(await texts(tailPodLog(read, tail, signal)), `the last ${tail}`).toEqual(all.slice(-tail));
  }
});
