import { expect, test } from 'vitest';
import { statusWords } from '#contract/app/jobs/statusWords.ts';
import { ledgerStatuses } from '#contract/app/ledger.ts';
import { stateStyles } from './StateChip.tsx';

test.each(ledgerStatuses)('A table of jobs calls the state %s as the window does', (status) => {
  expect(statusWords[status]).toBe(stateStyles[status].word);
});
