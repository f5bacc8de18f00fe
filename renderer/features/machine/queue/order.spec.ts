/** Rules of moving a job within its queue. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beforeFor, moved } from './order.ts';

const ids = ['a', 'b', 'c', 'd'];

describe('moving a job', () => {
  it('up puts it before the one that stood there', () => {
    expect(beforeFor(ids, 2, 1)).toBe('b');
    expect(beforeFor(ids, 3, 0)).toBe('a');
  });

  it('down puts it before the one after that, or last', () => {
    expect(beforeFor(ids, 0, 1)).toBe('c');
    expect(beforeFor(ids, 0, 3)).toBeNull();
  });

  it('to where it stands, or out of the list, is no move', () => {
    expect(beforeFor(ids, 1, 1)).toBeUndefined();
    expect(beforeFor(ids, 0, -1)).toBeUndefined();
    expect(beforeFor(ids, 3, 4)).toBeUndefined();
  });

  it('shows what the service makes of it', () => {
    const index = fc.nat(ids.length - 1);
    fc.assert(
      fc.property(index, index, (from, to) => {
        const before = beforeFor(ids, from, to);
        const id = ids[from]!;
        const rest = ids.filter((other) => other !== id);
        const at = before === null ? rest.length : before === undefined ? from : rest.indexOf(before);
        expect(moved(ids, from, to)).toEqual(rest.toSpliced(at, 0, id));
      }),
    );
  });
});
