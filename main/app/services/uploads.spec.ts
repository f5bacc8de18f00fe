import { describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createUploads } from './uploads.ts';

function made() {
  const timers = new Map<number, () => void>();
  const waits: number[] = [];
  let last = 0;
  const clock = {
    now: () => 0,
    after(ms: number, act: () => void) {
      waits.push(ms);
      const id = (last += 1);
      timers.set(id, act);
      return () => void timers.delete(id);
    },
  };
  const stopping = new AbortController();
  const uploads = createUploads({ clock, stopping: stopping.signal });
  const pass = () => [...timers.values()].forEach((act) => act());
  return { uploads, stopping, pass, timers, waits };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Takes the whole body, as a request that is not refused. */
const taking = (got: string[]) => async (file: { body: AsyncIterable<Uint8Array> }) => {
  for await (const piece of file.body) got.push(new TextDecoder().decode(piece));
};

/** Never takes anything, and ends with its signal. */
const stuck = (file: { signal: AbortSignal }) =>
  new Promise<void>((_resolve, reject) =>
    file.signal.addEventListener('abort', () => reject(file.signal.reason as Error)),
  );

describe('an upload', () => {
  it('hands on its pieces in order, and is there once it has ended', async () => {
    const { uploads, timers } = made();
    const got: string[] = [];
    const id = uploads.begin(6, taking(got));
    await uploads.put(id, 0, bytes('one'));
    expect(uploads.list()).toEqual([{ doneBytes: 3, totalBytes: 6 }]);
    await uploads.put(id, 3, bytes('two'));
    await uploads.end(id);
    expect(uploads.list()).toEqual([]);
    expect(got).toEqual(['one', 'two']);
    expect(timers.size).toBe(0);
    await expect(uploads.put(id, 6, bytes('more'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('takes neither a piece of another place nor more than was announced', async () => {
    const { uploads } = made();
    const id = uploads.begin(3, taking([]));
    await expect(uploads.put(id, 1, bytes('x'))).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(uploads.put(id, 0, bytes('four'))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('tells with its next piece why it was refused', async () => {
    const { uploads } = made();
    const id = uploads.begin(3, () => Promise.reject(new Error('no room')));
    await expect(uploads.put(id, 0, bytes('one'))).rejects.toThrow('no room');
  });

  it('ends when it is cancelled, when nothing more comes, and when Hangar stops', async () => {
    const { uploads, pass, stopping, timers } = made();
    const put = (): Promise<void> => uploads.put(uploads.begin(3, stuck), 0, bytes('one'));
    let silence: unknown = null;
    const silent = uploads.begin(3, (file) => stuck(file).catch((why: unknown) => void (silence = why)));
    pass();
    await expect(uploads.put(silent, 0, bytes('one'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(silence).toMatchObject({ message: 'Nothing more came of the file.' });
    const notTaken = put();
    pass();
    await expect(notTaken).rejects.toThrow('takes no more');
    for (const [keeps, why] of [
      [false, 'cancelled'],
      [true, 'broken off'],
    ] as const) {
      const id = uploads.begin(3, stuck);
      const ended = uploads.put(id, 0, bytes('one'));
      uploads.cancel(id, keeps);
      await expect(ended).rejects.toThrow(why);
    }
    const stopped = put();
    stopping.abort();
    await expect(stopped).rejects.toThrow('stopping');
    expect(timers.size).toBe(0);
  });

  it('is waited for longer while the other side takes a piece than between two pieces', async () => {
    const { uploads, waits } = made();
    const id = uploads.begin(6, taking([]));
    await uploads.put(id, 0, bytes('one'));
    await uploads.put(id, 3, bytes('two'));
    await uploads.end(id);
    const { idleMs, takenMs } = limits.page.uploads;
    expect(waits).toEqual([idleMs, takenMs, idleMs, takenMs, idleMs, takenMs]);
  });

  it('is refused while too many others are under way', () => {
    const { uploads } = made();
    for (let count = 0; count < limits.page.uploads.most; count += 1)
      uploads.begin(1, () => new Promise(() => undefined));
    expect(() => uploads.begin(1, stuck)).toThrow('already');
  });
});
