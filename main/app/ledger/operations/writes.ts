/** The writes of one job: its input, its chunks, its attempts and its end. */
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import { limits } from '#contract/core/limits.ts';
import { maskSecrets } from '../masking.ts';
import type { Ledger } from '../port.ts';
import { previewOf } from '../preview.ts';
import { NOT_STARTED } from '../rows/attempts.ts';
import type { LedgerParts } from './parts.ts';

type Writes = Pick<
  Ledger,
  'add' | 'update' | 'appendChunks' | 'restart' | 'retried' | 'tag' | 'finish' | 'giveUp' | 'takeUp' | 'setMeta'
>;

/** `add`, `retried`, `tag` and `setMeta` are committed when they return, the others with the next group commit. */
export function createWrites({ sql, batch, entries, attempts, payloads, webhookRows, changed }: LedgerParts): Writes {
  return {
    add(added, body) {
      const masked = maskSecrets(body);
      batch.write(() => {
        const seq = entries.add({ preview: previewOf(masked), ...added }, masked, Buffer.byteLength(body));
        if (topLevelSpans(masked).has('webhook')) webhookRows.ask(seq);
      });
      batch.flush();
      changed(added.entryId);
      return entries.entry(added.entryId);
    },
    update(entryId, patch) {
      const now = batch.write(() => entries.update(entryId, patch));
      changed(entryId);
      return now;
    },
    appendChunks(entryId, at, texts, metrics) {
      if (texts.length === 0) return Promise.resolve();
      batch.write(() => {
        const { chunkCount } = entries.entry(entryId);
        payloads.append(entries.seqOf(entryId), chunkCount, at, texts, metrics);
      });
      changed(entryId);
      return batch.committed();
    },
    restart(entryId, retries) {
      const now = batch.write(() => {
        const seq = entries.seqOf(entryId);
        const lost = entries.entry(entryId);
        // Only its end is known of an attempt that was over before its start was reported.
        attempts.add(seq, lost, 'lost', Date.now());
        payloads.dropAll(seq);
        return entries.update(entryId, { ...NOT_STARTED, retries });
      });
      changed(entryId);
      return now;
    },
    retried(entryId, at) {
      const now = batch.write(() => {
        const seq = entries.seqOf(entryId);
        const before = entries.entry(entryId);
        attempts.add(seq, before, 'retried-here', at);
        payloads.dropAll(seq);
        sql('UPDATE entries SET by_feed = 0 WHERE seq = ?').run(seq);
        return entries.update(entryId, {
          ...NOT_STARTED,
          status: 'IN_QUEUE',
          retries: before.retries + 1,
          queuedAt: at,
          finishedAt: null,
          error: null,
          waiting: null,
          trouble: null,
          chunkGap: null,
        });
      });
      batch.flush();
      changed(entryId);
      return now;
    },
    tag(entryIds, tags, change) {
      const known = entryIds.flatMap((entryId) => entries.find(entryId) ?? []);
      batch.write(() => {
        for (const { entryId, tags: before } of known) {
          const others = before.filter((tag) => !tags.includes(tag));
          const after = change === 'add' ? [...others, ...tags].slice(-limits.ledger.tags) : others;
          entries.update(entryId, { tags: after });
        }
      });
      batch.flush();
      for (const { entryId } of known) changed(entryId);
      return known.length;
    },
    finish(entryId, patch, output, gap) {
      batch.write(() => {
        const seq = entries.seqOf(entryId);
        if (gap) {
          const result = payloads.restoreLost(seq, gap.allChunks ?? output, patch.finishedAt ?? Date.now());
          if (result !== 'unknown') entries.update(entryId, { chunkGap: result === 'restored' ? 'filled' : null });
          else if (entries.entry(entryId).chunkCount > 0) entries.update(entryId, { chunkGap: 'possible' });
        }
        if (output !== null) payloads.setOutput(seq, output);
        entries.setSearchedOutput(seq, output ?? payloads.chunkText(seq));
        entries.update(entryId, patch);
      });
      changed(entryId);
      return batch.committed();
    },
    giveUp(entryId, patch) {
      batch.write(() => {
        sql('UPDATE entries SET unfollowed = status WHERE entry_id = ?').run(entryId);
        entries.update(entryId, patch);
      });
      changed(entryId);
      return batch.committed();
    },
    takeUp(accountId) {
      const unfollowed = entries.where('e.unfollowed IS NOT NULL AND e.account_id = ?', accountId);
      batch.write(() => {
        for (const { entryId } of unfollowed) {
          sql(
            'UPDATE entries SET status = unfollowed, unfollowed = NULL, finished_at = NULL, error = NULL WHERE entry_id = ?',
          ).run(entryId);
          entries.update(entryId, { error: null });
        }
      });
      for (const { entryId } of unfollowed) changed(entryId);
      return unfollowed.map(({ entryId }) => entries.entry(entryId));
    },
    setMeta(key, value) {
      batch.write(() => sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, JSON.stringify(value)));
      batch.flush();
    },
  };
}
