import { describe, expect, it } from 'vitest';
import { releaseBytes } from './releaseBytes.ts';

describe('releaseBytes', () => {
  it('empties bytes that have their memory for themselves', () => {
    const bytes = new Uint8Array(1000);
    releaseBytes(bytes);
    expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0]);
    releaseBytes(bytes);
  });

  it('leaves bytes that share their memory with others', () => {
    const all = new Uint8Array([1, 2, 3, 4]);
    releaseBytes(all.subarray(1, 3));
    releaseBytes(Buffer.from('short texts share one memory'));
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    releaseBytes(shared);
    expect([[...all], shared.length]).toEqual([[1, 2, 3, 4], 4]);
  });
});
