import { expect, it } from 'vitest';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { timeTexts } from './timeTexts.ts';

it.each([
  ['that waits', { status: 'IN_QUEUE' }, 2860, { waited: '1 s', ran: null }],
  ['that begins', { status: 'IN_PROGRESS', startedAt: 1310 }, 1860, { waited: '310 ms', ran: '0 s' }],
  ['that runs', { status: 'IN_PROGRESS', startedAt: 1310 }, 9260, { waited: '310 ms', ran: '7 s' }],
  ['that runs long', { status: 'IN_PROGRESS', startedAt: 1310 }, 66_900, { waited: '310 ms', ran: '1 min 5 s' }],
  ['that nobody can be asked about', { status: 'IN_PROGRESS', startedAt: 1310 }, null, { waited: '310 ms', ran: null }],
  [
    'that ended',
    { status: 'COMPLETED', startedAt: 1310, finishedAt: 9260, executionTime: 7950 },
    10_000,
    { waited: '310 ms', ran: '8.0 s' },
  ],
] as const)('a job %s has whole seconds of what goes on, and exact times of the rest', (_, fields, now, texts) => {
  expect(timeTexts(entryOf({ sentAt: 1000, ...fields }), now)).toEqual(texts);
});
