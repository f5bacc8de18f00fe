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
    expect(silence).toMatchObject({ message: 'The rest of the file did not arrive.' });
    const notTaken = put();
    pass();
    await expect(notTaken).rejects.toThrow('stopped accepting');
    for (const [keeps, why] of [
      [false, 'cancelled'],
      [true, 'interrupted'],
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

  describe('whose file comes in one request', () => {
    async function* body(...texts: string[]): AsyncGenerator<Uint8Array> {
      for (const text of texts) yield await Promise.resolve(bytes(text));
    }

    it('takes all of it, restarts the idle timer with each part, and is over with the request', async () => {
      const { uploads, timers, waits } = made();
      const got: string[] = [];
      const id = uploads.begin(6, taking(got));
      const followed = uploads.follow(id);
      expect(await uploads.receive(id, 6, body('one', 'two'))).toBe(true);
      await followed;
      expect(got).toEqual(['one', 'two']);
      expect(uploads.list()).toEqual([]);
      expect(timers.size).toBe(0);
      const { idleMs, takenMs } = limits.page.uploads;
      expect(waits).toEqual([idleMs, idleMs, takenMs, idleMs, takenMs, idleMs, takenMs]);
    });

    it('reads nothing of another length, of an unknown upload, and of a second request', async () => {
      const { uploads } = made();
      let reads = 0;
      const unread = {
        [Symbol.asyncIterator]: () => {
          reads += 1;
          return body()[Symbol.asyncIterator]();
        },
      };
      const id = uploads.begin(3, stuck);
      await expect(uploads.receive('other', 3, unread)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(uploads.receive(id, 4, unread)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      void uploads.receive(id, 3, unread);
      await expect(uploads.receive(id, 3, unread)).rejects.toMatchObject({ code: 'CONFLICT' });
      const pieces = uploads.begin(6, taking([]));
      await uploads.put(pieces, 0, bytes('one'));
      await expect(uploads.receive(pieces, 6, unread)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(reads).toBe(0);
    });

    it('tells its follower why it was refused, was cancelled or broke off', async () => {
      const { uploads } = made();
      const refused = uploads.begin(3, () => Promise.reject(new Error('no room')));
      expect(await uploads.receive(refused, 3, body('one'))).toBe(false);
      await expect(uploads.follow(refused)).rejects.toThrow('no room');
      const cancelled = uploads.begin(3, stuck);
      const receiving = uploads.receive(cancelled, 3, body('one'));
      uploads.cancel(cancelled, false);
      expect(await receiving).toBe(false);
      const broken = uploads.begin(6, (file) =>
        taking([])(file).catch((error: unknown) => {
          throw file.signal.aborted ? file.signal.reason : error;
        }),
      );
      const followed = uploads.follow(broken);
      async function* half(): AsyncGenerator<Uint8Array> {
        yield* body('one');
        throw new Error('ECONNRESET');
      }
      expect(await uploads.receive(broken, 6, half())).toBe(false);
      await expect(followed).rejects.toThrow('not sent to its end');
    });
  });

  it('is refused while too many others are under way', () => {
    const { uploads } = made();
    for (let count = 0; count < limits.page.uploads.most; count += 1)
      uploads.begin(1, () => new Promise(() => undefined));
    expect(() => uploads.begin(1, stuck)).toThrow('already');
  });
});
