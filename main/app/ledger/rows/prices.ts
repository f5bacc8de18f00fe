/**
 * The rows of prices that were seen: one for each time in which nothing changed. A time in which nobody looked belongs
 * to no row.
 */
import { seenPriceSchema, type SeenPrice } from '#contract/app/price.ts';
import * as z from 'zod';
import type { Batch as Writes } from '../groupCommit.ts';
import type { Sql } from '../query.ts';

const spanSchema = seenPriceSchema.extend({ gpuTypeId: z.string(), since: z.number(), seenAt: z.number() });
/** `since` and `seenAt`: when it was seen first and last, in milliseconds since the epoch. */
export type PriceSpan = z.infer<typeof spanSchema>;

export interface PriceRows {
  /** Notes what was seen now. A value that was seen last at most `gapMs` ago counts as unchanged in between. */
  note(accountId: string, seen: ReadonlyMap<string, SeenPrice>, now: number, gapMs: number): void;
  /** The rows that end after `from`, oldest first. `gpuTypeId`: only those of one type. */
  spans(accountId: string, from: number, gpuTypeId?: string): PriceSpan[];
  /** When the oldest row of the account begins; null without rows. */
  first(accountId: string): number | null;
  /** Removes the rows that end before a time. */
  prune(seenBefore: number): void;
  /** Removes the rows of an account. */
  forget(accountId: string): void;
}

const COLUMNS = 'gpu_type_id AS gpuTypeId, since, seen_at AS seenAt, on_demand AS onDemand, spot, stock';

export function createPriceRows(sql: Sql, writes: Writes): PriceRows {
  function last(accountId: string, gpuTypeId: string): PriceSpan | null {
    const row = sql(
      `SELECT ${COLUMNS} FROM price_spans WHERE account_id = ? AND gpu_type_id = ? ORDER BY since DESC LIMIT 1`,
    ).get(accountId, gpuTypeId);
    return row ? spanSchema.parse(row) : null;
  }

  function noteOne(accountId: string, gpuTypeId: string, price: SeenPrice, now: number, gapMs: number): void {
    const before = last(accountId, gpuTypeId);
    // A clock that was set back adds nothing until it has caught up.
    if (before !== null && now <= before.seenAt) return;
    const { onDemand, spot, stock } = price;
    const isNear = before !== null && now - before.seenAt <= gapMs;
    if (isNear) {
      sql('UPDATE price_spans SET seen_at = ? WHERE account_id = ? AND gpu_type_id = ? AND since = ?').run(
        now,
        accountId,
        gpuTypeId,
        before.since,
      );
      if (before.onDemand === onDemand && before.spot === spot && before.stock === stock) return;
    }
    sql(
      `INSERT INTO price_spans (account_id, gpu_type_id, since, seen_at, on_demand, spot, stock)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(accountId, gpuTypeId, now, now, onDemand, spot, stock);
  }

  return {
    note(accountId, seen, now, gapMs) {
      writes.write(() => {
        for (const [gpuTypeId, price] of seen) noteOne(accountId, gpuTypeId, price, now, gapMs);
      });
    },
    spans(accountId, from, gpuTypeId) {
      const text = `SELECT ${COLUMNS} FROM price_spans WHERE account_id = ? AND seen_at >= ?`;
      const rows =
        gpuTypeId === undefined
          ? sql(`${text} ORDER BY gpu_type_id, since`).all(accountId, from)
          : sql(`${text} AND gpu_type_id = ? ORDER BY since`).all(accountId, from, gpuTypeId);
      return rows.map((row) => spanSchema.parse(row));
    },
    first(accountId) {
      const at = sql('SELECT min(since) AS at FROM price_spans WHERE account_id = ?').get(accountId)?.['at'];
      return at == null ? null : Number(at);
    },
    prune(seenBefore) {
      writes.write(() => sql('DELETE FROM price_spans WHERE seen_at < ?').run(seenBefore));
    },
    forget(accountId) {
      writes.write(() => sql('DELETE FROM price_spans WHERE account_id = ?').run(accountId));
    },
  };
}
