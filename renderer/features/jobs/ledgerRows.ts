/**
 * The known rows of the ledger, newest first. A row's position counts from the end of the list, so that new jobs on top
 * move nothing. Rows that are not loaded are holes.
 */
import type { LedgerEntry, LedgerFilter, LedgerPage } from '#contract/app/ledger.ts';

export const BLOCK_ROWS = 100;

export interface ChangeResult {
  /** By how many rows the visible rows move: rows added above them, minus removed ones. */
  shifted: number;
  /** Only the ledger can place or count a change: it must be read again. */
  unsure: boolean;
}

export class LedgerRows {
  /** How many entries match the filter, and how many there are in total. */
  matching = 0;
  total = 0;
  /** False while a text search has not reached the oldest job. */
  complete = true;
  private readonly filter: LedgerFilter;
  private readonly byPlace = new Map<number, LedgerEntry>();
  private readonly places = new Map<string, number>();

  constructor(filter: LedgerFilter) {
    this.filter = filter;
  }

  at(index: number): LedgerEntry | undefined {
    return this.byPlace.get(this.matching - index);
  }

  /** -1 if the row is not known. */
  indexOf(entryId: string): number {
    const place = this.places.get(entryId);
    return place === undefined ? -1 : this.matching - place;
  }

  /** Whether an entry is one of the rows. With a search text, only loaded rows count: the ledger alone can search. */
  has(entry: LedgerEntry): boolean {
    const { text, openai } = this.filter;
    return this.places.has(entry.entryId) || (text === undefined && openai === undefined && this.mayMatch(entry));
  }

  /** The block of an index; it stays the same when jobs are added on top. */
  blockOf(index: number): number {
    return Math.floor((this.matching - index - 1) / BLOCK_ROWS);
  }

  hasBlock(block: number): boolean {
    const top = Math.min(this.matching, (block + 1) * BLOCK_ROWS);
    for (let place = block * BLOCK_ROWS + 1; place <= top; place += 1) if (!this.byPlace.has(place)) return false;
    return true;
  }

  /** The range of a block in a request to the ledger. */
  rangeOf(block: number): { offset: number; limit: number } {
    const offset = Math.max(0, this.matching - (block + 1) * BLOCK_ROWS);
    return { offset, limit: Math.max(1, this.matching - block * BLOCK_ROWS - offset) };
  }

  place(offset: number, page: Omit<LedgerPage, 'complete'> & Partial<LedgerPage>): void {
    this.complete = page.complete ?? true;
    this.matching = page.matching;
    this.total = page.total;
    page.entries.forEach((entry, row) => this.put(page.matching - offset - row, entry));
  }

  /** Removes every row; the counts stay until the next page. */
  clear(): void {
    this.byPlace.clear();
    this.places.clear();
  }

  private put(place: number, entry: LedgerEntry): void {
    const before = this.byPlace.get(place);
    if (before) this.places.delete(before.entryId);
    const elsewhere = this.places.get(entry.entryId);
    if (elsewhere !== undefined) this.byPlace.delete(elsewhere);
    this.byPlace.set(place, entry);
    this.places.set(entry.entryId, place);
  }

  /** `anchor` is the index of the first visible row. */
  change(entries: readonly LedgerEntry[], anchor: number): ChangeResult {
    const result: ChangeResult = { shifted: 0, unsure: false };
    for (const entry of entries) {
      const place = this.places.get(entry.entryId);
      if (place !== undefined) {
        if (this.mayMatch(entry)) this.byPlace.set(place, entry);
        else {
          if (this.matching - place < anchor) result.shifted -= 1;
          this.drop(place, entry.entryId);
        }
      } else if (this.isNarrowed()) result.unsure = true;
      else if (entry.sentAt >= (this.at(0)?.sentAt ?? 0)) {
        this.total += 1;
        this.matching += 1;
        this.put(this.matching, entry);
        result.shifted += 1;
      }
      // A job that is in a hole was counted, one that came late by the feed of an engine was not.
      else result.unsure = true;
    }
    return result;
  }

  /** Applies the removal of entries by a person. */
  remove(entryIds: readonly string[]): void {
    for (const entryId of entryIds) {
      this.total -= 1;
      const place = this.places.get(entryId);
      if (place !== undefined) this.drop(place, entryId);
    }
  }

  private drop(place: number, entryId: string): void {
    this.byPlace.delete(place);
    this.places.delete(entryId);
    this.matching -= 1;
    const above = [...this.byPlace].filter(([other]) => other > place).toSorted(([one], [other]) => one - other);
    for (const [other, entry] of above) {
      this.byPlace.delete(other);
      this.byPlace.set(other - 1, entry);
      this.places.set(entry.entryId, other - 1);
    }
  }

  private isNarrowed(): boolean {
    return Object.keys(this.filter).length > 0;
  }

  private mayMatch(entry: LedgerEntry): boolean {
    const { statuses, endpointId, accountId, sentAfter, sentBefore, source, tag } = this.filter;
    if (source !== undefined && entry.source !== source) return false;
    if (tag !== undefined && !entry.tags.includes(tag)) return false;
    if (statuses !== undefined && !statuses.includes(entry.status)) return false;
    if (endpointId !== undefined && entry.endpointId !== endpointId) return false;
    if (accountId !== undefined && entry.accountId !== accountId) return false;
    if (sentBefore !== undefined && entry.sentAt >= sentBefore) return false;
    return sentAfter === undefined || entry.sentAt >= sentAfter;
  }
}
