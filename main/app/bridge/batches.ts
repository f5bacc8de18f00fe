/** The procedures about batches: the runner executes, the ledger answers. */
import type { batchContract } from '#contract/bridge/batch/batches.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import { exportBatchTable } from '../ledger/export/batchTable.ts';
import { exportEntries } from '../ledger/export/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { BatchRunner } from '../services/jobs/batchRunner.ts';
import type { JobBinding } from './jobs.ts';

export interface BatchBinding extends Pick<JobBinding, 'lifeOf' | 'translated'> {
  ledger: Ledger;
  batches: BatchRunner;
}

export function bindBatches(
  batches: ImplementerInternalWithMiddlewares<typeof batchContract, object, object>,
  { ledger, batches: runner, lifeOf, translated }: BatchBinding,
) {
  const rows = ledger.batches;
  return {
    start: batches.start.handler(({ input }) => runner.start(input)),
    stop: batches.stop.handler(({ input }) => runner.stop(input.batchId)),
    resume: batches.resume.handler(({ input }) => runner.resume(input.batchId)),
    runAgain: batches.runAgain.handler(({ input }) => runner.runAgain(input.batchId)),
    get: batches.get.handler(({ input }) => rows.get(input.batchId)),
    list: batches.list.handler(({ input }) => rows.list(input.accountId, input.endpointId)),
    rows: batches.rows.handler(({ input: { batchId, offset, limit, view } }) => ({
      batch: rows.get(batchId),
      rows: rows.rows(batchId, offset, limit, view),
    })),
    export: batches.export.handler(({ input: { batchId, format }, signal }) => {
      rows.get(batchId);
      if (format === 'csv') return translated(exportBatchTable(ledger, batchId, lifeOf(signal)));
      const wanted = { format, filter: {}, entryIds: rows.entryIds(batchId) };
      return translated(exportEntries(ledger, wanted, lifeOf(signal)));
    }),
  };
}
