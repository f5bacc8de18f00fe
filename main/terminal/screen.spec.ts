import serialize from '@xterm/addon-serialize';
import unicode11 from '@xterm/addon-unicode11';
import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createReplayBuffer } from './replayBuffer.ts';
import { wholeLength } from './safeBoundaries.ts';
import { PLAIN_AGAIN } from './resetSequence.ts';
import { createScreen } from './screen.ts';

const SIZE = { columns: 40, rows: 12 };
const { scrollback, storedBytes } = limits.terminal;

const fail = (error: unknown): void => expect.unreachable(String(error));

/** What a terminal of the page shows after this, with what has scrolled out of it. */
async function drawn(...output: (string | Uint8Array)[]): Promise<string> {
  const terminal = new headless.Terminal({ cols: SIZE.columns, rows: SIZE.rows, scrollback, allowProposedApi: true });
  const serializer = new serialize.SerializeAddon();
  terminal.loadAddon(serializer);
  terminal.loadAddon(new unicode11.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  for (const bytes of output) await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const text = serializer.serialize({ scrollback });
  terminal.dispose();
  return text;
}

describe('the output that is kept', () => {
  it('is the newest, in its order, wherever it is asked for from', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 12 }), fc.nat(), (sizes, pick) => {
        const most = 300_000;
        const buffer = createReplayBuffer(most);
        const all = Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index + 1)));
        let at = 0;
        for (const size of sizes) buffer.add(all.subarray(at, (at += size)));
        expect(buffer.end).toBe(all.length);
        expect(buffer.end - buffer.start).toBeGreaterThanOrEqual(Math.min(most, all.length));
        expect(buffer.end - buffer.start).toBeLessThan(most + 2 * 64 * 1024);
        const from = buffer.start + (pick % (buffer.end - buffer.start + 1));
        expect(Buffer.concat(buffer.from(from)).equals(all.subarray(from))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a screen', () => {
  // Links are no part of what a snapshot can tell.
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\x1b[31m',
      '\x1b[0m',
      '\x1b[1;38;5;200m',
      '\x1b[2J\x1b[H',
      '\x1b[5;7H',
      '\x1b]0;title\x07',
      '\x1b]0;title\x1b\\',
      '\x1b(B',
      '\t',
    ),
    fc.constantFrom(
      'plain text ',
      'röt',
      '日本語',
      '🎉',
      'a longer line of words that is wrapped at the end of the screen',
    ),
  );

  it('drawn from its snapshot and what came after is the one drawn from everything, wherever it was taken', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (pieces, cuts) => {
          const all = Buffer.from(pieces.join(''));
          const places = cuts.map((cut) => cut % (all.length + 1)).sort((one, other) => one - other);
          const buffer = createReplayBuffer(storedBytes);
          const screen = createScreen(buffer, SIZE, { onCaughtUp: () => undefined, onFailure: fail });
          const whole = await drawn(all);
          let at = 0;
          for (const place of [...places, all.length]) {
            buffer.add(all.subarray(at, place));
            at = place;
            screen.grown();
            const { text, upTo } = await screen.snapshot();
            expect(upTo).toBeLessThanOrEqual(place);
            expect(await drawn(text, all.subarray(upTo))).toBe(whole);
          }
          await screen.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  const row = 'x'.repeat(SIZE.columns);
  it.each([
    ['elsewhere, after a row that text fills', `${row}\x1b[5;7H`],
    // The property above has found this one.
    ['elsewhere, after text with an emoji', 'plain text rötrötplain text 🎉plain text \x1b[5;7H'],
    ['elsewhere, after a row that a wide sign fills', `${row.slice(2)}日\x1b[5;7H`],
    ['at the end of a row that text fills', row],
    ['at the end of a row that text fills above other text', `\x1b[2Hbelow\x1b[H\x1b[31m${row}`],
    ['at the end of a row that a wide sign fills above other text', `\x1b[2Hbelow\x1b[H${row.slice(2)}日`],
    ['elsewhere on the screen of a program, after a row that text fills', `first\x1b[?1049h\x1b[H${row}\x1b[5;7H`],
    ['at the end of a row that text fills on the screen of a program', `first\x1b[?1049h\x1b[H${row}`],
    ['below the screen of a program, after a row that text fills', `${row}\x1b[5;7H\x1b[?1049hprogram`],
    ['behind an emoji, which is two columns wide', '🎉\x1b[10Gafter'],
    ['on a row that was emptied, after which its text goes on', `${row}and on the next\x1b[H\x1b[K`],
  ])('drawn from its snapshot goes on where the cursor was: %s', async (_, output) => {
    const buffer = createReplayBuffer(storedBytes);
    const screen = createScreen(buffer, SIZE, { onCaughtUp: () => undefined, onFailure: fail });
    buffer.add(Buffer.from(output));
    const { text } = await screen.snapshot();
    await screen.close();
    for (const rest of ['', '\r\x1b[Cnext', PLAIN_AGAIN]) {
      expect(await drawn(text, rest, ' and on')).toBe(await drawn(output, rest, ' and on'));
    }
  });

  it('of a flood of text is that of all of it, and interprets little of it', async () => {
    const lines = Array.from({ length: 400_000 }, (_, n) => `line ${n}\r\n`);
    const flood = Buffer.from(`${lines.join('')}\x1b[32mend`);
    const buffer = createReplayBuffer(storedBytes);
    const screen = createScreen(buffer, SIZE, { onCaughtUp: () => undefined, onFailure: fail });
    for (let at = 0; at < flood.length; at += 50_000) {
      buffer.add(flood.subarray(at, at + 50_000));
      screen.grown();
      if (screen.isBehind()) await screen.snapshot();
    }
    const { text, upTo } = await screen.snapshot();
    expect(upTo).toBe(flood.length);
    // The lines before these have left the scrollback.
    const last = lines.slice(-2 * scrollback).join('');
    expect(await drawn(text)).toBe(await drawn(`${last}\x1b[32mend`));
    await screen.close();
  });

  it.each([
    ['a title', '\x1b]0;train.py\x07', '\x1b]0;train.py\x07'],
    ['a title of the window alone', '\x1b]2;röt\x1b\\', '\x1b]0;röt\x07'],
    ['the last of two titles', '\x1b]0;one\x07\x1b]0;two\x07', '\x1b]0;two\x07'],
    ['no title, because it was removed', '\x1b]0;one\x07\x1b]0;\x07', ''],
    ['a folder', '\x1b]7;file://box/a%20b\x07', '\x1b]7;file://box/a%20b\x07'],
  ])('reports what the shell has reported: %s', async (_, output, reports) => {
    const buffer = createReplayBuffer(storedBytes);
    const screen = createScreen(buffer, SIZE, { onCaughtUp: () => undefined, onFailure: fail });
    buffer.add(Buffer.from(`${output}shown`));
    const { text } = await screen.snapshot();
    await screen.close();
    expect(text.slice(0, text.indexOf('shown'))).toBe(reports);
  });

  it('takes its new size after the output that came before it', async () => {
    const buffer = createReplayBuffer(storedBytes);
    const screen = createScreen(buffer, SIZE, { onCaughtUp: () => undefined, onFailure: fail });
    buffer.add(Buffer.from('x'.repeat(30)));
    screen.resize(20, 5);
    buffer.add(Buffer.from('\r\nafter'));
    const { text } = await screen.snapshot();
    expect(text).toContain('after');
    await screen.close();
  });
});

describe('a screen that is made plain again', () => {
  it('goes on where the cursor was', async () => {
    expect(await drawn('first\r\nsecond', PLAIN_AGAIN, ' and on')).toBe(await drawn('first\r\nsecond and on'));
  });

  it('is the one that a program with a screen of its own has covered', async () => {
    const inside = '\x1b[?1049h\x1b[H\x1b[31mcovered\x1b[?25l\x1b]0;half a title';
    expect(await drawn('first\r\nsecond', inside, PLAIN_AGAIN, ' and on')).toBe(await drawn('first\r\nsecond and on'));
  });
});

describe('output is cut', () => {
  it.each([
    ['text', 'abc', 3],
    ['a character', Buffer.from('aü').subarray(0, 2), 1],
    ['a character of four bytes', Buffer.from('a🎉').subarray(0, 4), 1],
    ['a command', 'ab\x1b[31', 2],
    ['a whole command', 'ab\x1b[31m', 7],
    ['a title', 'ab\x1b]0;tit', 2],
    ['a whole title', 'ab\x1b]0;t\x07', 8],
    ['a choice of signs', 'ab\x1b(', 2],
    ['a lone escape', 'ab\x1b', 2],
  ])('not within it: %s', (_, output, length) => {
    expect(wholeLength(Buffer.from(output as string))).toBe(length);
  });
});
