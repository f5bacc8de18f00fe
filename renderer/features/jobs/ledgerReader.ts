/**
 * Reads the rows of one filter: the first block, the visible blocks, the next one while a person scrolls, and the first
 * block again after a change at an unknown position.
 */
import type { LedgerEntry, LedgerFilter } from '#contract/app/ledger.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { pause } from '../../client/pause.ts';
import { BLOCK_ROWS, LedgerRows } from './ledgerRows.ts';

/** Delay between a change at an unknown position and the next read: short enough to look live. */
const REFRESH_MS = 300;
/** Delay between two steps of a search in a long ledger, so that other requests can run. */
const SEARCH_STEP_MS = 30;
const RETRY_MS = 1500;
/** Delay before visible rows are read: a person who drags the scroll bar passes many blocks. */
const SIGHT_MS = 60;

/** Indexes of the visible rows. */
export interface Sight {
  first: number;
  last: number;
}

export interface LedgerReaderEvents {
  /** Called after rows changed or moved. */
  onChange: () => void;
  /** Called when the visible rows move down by this many; negative: up. */
  onShift: (rows: number) => void;
  /** Called with the reason why the rows are not current; null: they are. */
  onProblem: (problem: string | null) => void;
}

export class LedgerReader {
  readonly rows: LedgerRows;
  private readonly life = new AbortController();
  /** Requested blocks without an answer yet. */
  private readonly requested = new Set<number>();
  private sight: Sight = { first: 0, last: 0 };
  /** How many rows the list moved at last: down, or up if negative. */
  private moved = 0;
  private refreshTimer: ReturnType<typeof setTimeout> | null = null;
  private sightTimer: ReturnType<typeof setTimeout> | null = null;
  private readonly filter: LedgerFilter;
  private readonly events: LedgerReaderEvents;

  constructor(filter: LedgerFilter, events: LedgerReaderEvents) {
    this.filter = filter;
    this.events = events;
    this.rows = new LedgerRows(filter);
  }

  /** Stops all reads. The rows stay, and changes still apply to them. */
  stop(): void {
    this.life.abort();
    this.clearRefresh();
    if (this.sightTimer !== null) clearTimeout(this.sightTimer);
    this.sightTimer = null;
  }

  /** Reads the first block, with retries until it succeeds. False: the reader was stopped before. */
  async start(): Promise<boolean> {
    const { signal } = this.life;
    while (!signal.aborted) {
      try {
        const page = await api.jobs.list({ filter: this.filter, offset: 0, limit: BLOCK_ROWS }, { signal });
        if (signal.aborted) return false;
        this.rows.place(0, page);
        if (!page.complete) this.refreshIn(SEARCH_STEP_MS);
        this.events.onProblem(null);
        return true;
      } catch (error) {
        if (!signal.aborted) this.events.onProblem(errorText(error));
      }
      await pause(RETRY_MS, signal);
    }
    return false;
  }

  /** Sets the visible rows. Missing ones are read soon, and the rows that come into sight next. */
  show(sight: Sight): void {
    this.moved = sight.first - this.sight.first;
    this.sight = sight;
    if (this.life.signal.aborted) return;
    this.sightTimer ??= setTimeout(() => {
      this.sightTimer = null;
      this.fill();
    }, SIGHT_MS);
  }

  /** Applies changed or new entries. */
  change(entries: readonly LedgerEntry[]): void {
    const { shifted, unsure } = this.rows.change(entries, this.sight.first);
    if (shifted !== 0) this.events.onShift(shifted);
    if (unsure) this.refreshIn(REFRESH_MS);
    this.events.onChange();
  }

  /** Applies the removal of entries by a person. */
  remove(entryIds: readonly string[]): void {
    this.rows.remove(entryIds);
    this.events.onChange();
  }

  /** Reads the first block and the counts again. */
  async refresh(): Promise<void> {
    this.clearRefresh();
    const { rows } = this;
    try {
      const page = await api.jobs.list({ filter: this.filter, offset: 0, limit: BLOCK_ROWS });
      if (this.life.signal.aborted) return;
      const added = page.matching - rows.matching;
      // Rows were added or removed at unknown positions: all blocks except this one are read again.
      if (added !== 0) rows.clear();
      // A search that continues finds older rows, which are below the visible rows.
      const isBelow = !rows.complete;
      rows.place(0, page);
      if (added !== 0 && !isBelow) this.events.onShift(added);
      if (!page.complete) this.refreshIn(SEARCH_STEP_MS);
      this.events.onProblem(null);
      this.events.onChange();
      this.fill();
    } catch (error) {
      if (!this.life.signal.aborted) this.events.onProblem(errorText(error));
    }
  }

  private refreshIn(ms: number): void {
    if (!this.life.signal.aborted) this.refreshTimer ??= setTimeout(() => void this.refresh(), ms);
  }

  private clearRefresh(): void {
    if (this.refreshTimer !== null) clearTimeout(this.refreshTimer);
    this.refreshTimer = null;
  }

  private fill(): void {
    const { rows, sight, moved } = this;
    if (rows.matching === 0) return;
    // After a jump it is not known where a person goes next.
    const ahead = Math.abs(moved) < BLOCK_ROWS ? BLOCK_ROWS * Math.sign(moved) : 0;
    const end = rows.blockOf(Math.min(sight.last + Math.max(0, ahead), rows.matching - 1));
    for (let block = rows.blockOf(Math.max(0, sight.first + Math.min(0, ahead))); block >= end; block -= 1) {
      void this.readBlock(block);
    }
  }

  private async readBlock(block: number): Promise<void> {
    const { rows } = this;
    if (this.requested.has(block) || rows.hasBlock(block)) return;
    this.requested.add(block);
    const range = rows.rangeOf(block);
    try {
      const page = await api.jobs.list({ filter: this.filter, ...range });
      if (this.life.signal.aborted) return;
      // Rows were added or removed without an event: the known rows have other positions now.
      if (page.matching !== rows.matching) rows.clear();
      rows.place(range.offset, page);
      this.events.onChange();
    } catch (error) {
      if (!this.life.signal.aborted) this.events.onProblem(errorText(error));
    } finally {
      this.requested.delete(block);
    }
  }
}
