import { describe, expect, it } from 'vitest';
import type { LedgerEntry, LedgerFilter } from '#contract/app/ledger.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { LedgerRows } from './ledgerRows.ts';

const entry = (sentAt: number, patch: Partial<LedgerEntry> = {}): LedgerEntry =>
  entryOf({ entryId: `e${sentAt}`, status: 'COMPLETED', sentAt, ...patch });

/** A ledger with jobs sent at `count`, `count - 1`, … 1. */
const all = (count: number) => Array.from({ length: count }, (_, row) => entry(count - row));

function loaded(count: number, filter: LedgerFilter = {}) {
  const rows = new LedgerRows(filter);
  const entries = all(count);
  rows.place(0, { entries: entries.slice(0, 100), matching: count, total: count });
  return { rows, entries };
}

const ids = (rows: LedgerRows, from: number, to: number) =>
  Array.from({ length: to - from }, (_, step) => rows.at(from + step)?.sentAt);

describe('the rows of the ledger', () => {
  it('are newest first, with holes where nothing was fetched', () => {
    const { rows } = loaded(1000);
    expect(ids(rows, 0, 3)).toEqual([1000, 999, 998]);
    expect(rows.at(100)).toBeUndefined();
    expect(rows.indexOf('e999')).toBe(1);
  });

  it('tell of an entry that is not loaded whether it is one of them, unless they are those of a text', () => {
    const filter: LedgerFilter = { statuses: ['COMPLETED'] };
    const { rows } = loaded(1000, filter);
    expect(rows.has(entry(5))).toBe(true);
    expect(rows.has(entry(5, { status: 'FAILED' }))).toBe(false);
    const { rows: matching } = loaded(1000, { ...filter, text: 'cat' });
    expect(matching.has(entry(999))).toBe(true);
    expect(matching.has(entry(5))).toBe(false);
  });

  it('are fetched in blocks that cover every index', () => {
    const { rows, entries } = loaded(250);
    for (let index = 0; index < 250; index += 1) {
      const { offset, limit } = rows.rangeOf(rows.blockOf(index));
      expect(index).toBeGreaterThanOrEqual(offset);
      expect(index).toBeLessThan(offset + limit);
    }
    const { offset, limit } = rows.rangeOf(0);
    rows.place(offset, { entries: entries.slice(offset, offset + limit), matching: 250, total: 250 });
    expect(rows.hasBlock(0)).toBe(true);
    expect(rows.hasBlock(1)).toBe(false);
    expect(rows.at(249)?.sentAt).toBe(1);
  });

  it('a new job comes on top and moves nothing else in its place', () => {
    const { rows } = loaded(300);
    const block = rows.blockOf(150);
    expect(rows.change([entry(301)], 0)).toEqual({ shifted: 1, unsure: false });
    expect(ids(rows, 0, 2)).toEqual([301, 300]);
    expect(rows).toMatchObject({ matching: 301, total: 301 });
    expect(rows.blockOf(151)).toBe(block);
  });

  it('a changed job changes in place', () => {
    const { rows } = loaded(5);
    expect(rows.change([entry(3, { status: 'FAILED' })], 0)).toEqual({ shifted: 0, unsure: false });
    expect(rows.at(2)?.status).toBe('FAILED');
  });

  it('a change of a job that was not fetched yet counts nothing twice, and the ledger is asked whether it is new', () => {
    const { rows } = loaded(300);
    expect(rows.change([entry(7)], 0)).toEqual({ shifted: 0, unsure: true });
    expect(rows).toMatchObject({ matching: 300, total: 300 });
  });

  it('a job that no longer fits the filter leaves, and those above close up', () => {
    const { rows } = loaded(5, { statuses: ['COMPLETED'] });
    expect(rows.change([entry(3, { status: 'FAILED' })], 4)).toEqual({ shifted: -1, unsure: false });
    expect(ids(rows, 0, 5)).toEqual([5, 4, 2, 1, undefined]);
    expect(rows.indexOf('e5')).toBe(0);
  });

  it('with a filter, a job that is not listed is left to the ledger to place', () => {
    const { rows } = loaded(5, { endpointId: 'ep' });
    expect(rows.change([entry(6)], 0)).toEqual({ shifted: 0, unsure: true });
  });

  it('a removed job leaves both counts', () => {
    const { rows } = loaded(5);
    rows.remove(['e5', 'e1']);
    expect(ids(rows, 0, 3)).toEqual([4, 3, 2]);
    expect(rows).toMatchObject({ matching: 3, total: 3 });
  });
});
