/** The procedures of the page about what the ledger keeps. */
import { oc } from '@orpc/contract';
import { keepingSchema, ledgerStorageSchema } from '../app/ledger.ts';

export const ledgerContract = {
  storage: oc.output(ledgerStorageSchema),
  /** Removes what is beyond the new bounds, oldest first, and answers what is kept then. */
  keep: oc.input(keepingSchema).output(ledgerStorageSchema),
};
