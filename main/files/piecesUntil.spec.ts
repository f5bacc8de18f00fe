import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { until } from '../../test/support/core/until.ts';
import { piecesUntil } from './piecesUntil.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('pieces that were passed are not kept while the next one is awaited', async () => {
  const life = new AbortController();
  const passed: WeakRef<Uint8Array>[] = [];
  function makePiece(): Uint8Array {
    const piece = new Uint8Array(1000);
    passed.push(new WeakRef(piece));
    return piece;
  }
  async function* body() {
    for (let count = 0; count < 5; count++) yield makePiece();
    await new Promise(() => undefined);
  }
  const reading = (async () => {
    for await (const piece of piecesUntil(life.signal, body())) expect(piece.length).toBe(1000);
  })();
  // The last one may still stand in a variable of who read it.
  await until('the pieces to be collected', () => {
    collect();
    return passed.length === 5 && passed.slice(0, 4).every((piece) => piece.deref() === undefined);
  });
  life.abort(new Error('no longer wanted'));
  await expect(reading).rejects.toThrow('no longer wanted');
});

test('a failure of the body and its end are passed on', async () => {
  const { signal } = new AbortController();
  async function* failing() {
    yield new Uint8Array(1);
    throw new Error('the source is gone');
  }
  const read = async (body: AsyncIterable<Uint8Array>): Promise<number[]> => {
    const lengths: number[] = [];
    for await (const { length } of piecesUntil(signal, body)) lengths.push(length);
    return lengths;
  };
  await expect(read(failing())).rejects.toThrow('the source is gone');
  async function* whole() {
    yield* [new Uint8Array(1), new Uint8Array(2)];
  }
  expect(await read(whole())).toEqual([1, 2]);
});
