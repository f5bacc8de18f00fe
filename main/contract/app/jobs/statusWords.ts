/** The words for the states of a job, as the window and its exported tables show them. */
import type { LedgerStatus } from '../ledger.ts';

/** UNSENT and REMOVED are states of the inputs of a batch. */
export const statusWords: Readonly<Record<LedgerStatus | 'UNSENT' | 'REMOVED', string>> = {
  SENDING: 'Sending',
  IN_QUEUE: 'Queued',
  IN_PROGRESS: 'Running',
  COMPLETED: 'Done',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  TIMED_OUT: 'Timed out',
  REFUSED: 'Refused',
  UNANSWERED: 'No answer',
  GONE: 'Gone',
  UNSENT: 'Not sent',
  REMOVED: 'Removed',
};
