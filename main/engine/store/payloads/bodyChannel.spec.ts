/** The parts of a body arrive at the other end of the channel in order, and no longer exist at the sender. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyPieces } from './bodyChannel.ts';

function allOf(port: MessagePort): Buffer {
  const pieces: Uint8Array[] = [];
  for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port))
    pieces.push(got.message as Uint8Array);
  port.close();
  return Buffer.concat(pieces);
}

/** Bytes that differ by position. `whole`: in a buffer of their own. */
function partOf(length: number, whole: boolean): Buffer {
  const part = whole ? Buffer.allocUnsafeSlow(length) : Buffer.allocUnsafeSlow(length + 7).subarray(3, 3 + length);
  for (let at = 0; at < length; at++) part[at] = (at * 31 + length) & 255;
  return part;
}

describe('the pieces of a body', () => {
  it('are what was added, in order, whatever the parts', () => {
    const part = fc.tuple(fc.oneof(fc.nat(100), fc.nat(300_000)), fc.boolean());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const body = new BodyPieces();
        const added = parts.map(([length, whole]) => partOf(length, whole));
        const expected = Buffer.concat(added);
        for (const one of added) body.add(one);
        expect(body.length).toBe(expected.length);
        expect(allOf(body.handOver()).equals(expected)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('leave no memory behind with who added them, but where it is shared with others', () => {
    const body = new BodyPieces();
    const [large, small, shared] = [partOf(65_536, true), partOf(100, true), partOf(100, false)];
    for (const part of [large, small, shared]) body.add(part);
    expect([large.length, small.length, shared.length]).toEqual([0, 0, 100]);
    body.drop();
  });
});
