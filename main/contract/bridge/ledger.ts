/** The page's procedures about the retention of the ledger. */
import { oc } from '@orpc/contract';
import { keepingSchema, ledgerStorageSchema } from '../app/jobs/keeping.ts';

export const ledgerContract = {
  storage: oc.output(ledgerStorageSchema),
  /** Removes jobs beyond the new limits, oldest first, and answers the new state. */
  keep: oc.input(keepingSchema).output(ledgerStorageSchema),
};
