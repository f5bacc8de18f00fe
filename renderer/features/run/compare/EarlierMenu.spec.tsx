import { expect, it } from 'vitest';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { draftText, setDraft } from '../../../state/drafts.ts';
import { addColumn, columns, COMPARE_DRAFT } from './comparison.ts';
import { EarlierMenu } from './EarlierMenu.tsx';

it('an earlier comparison says its input, its endpoints and how many of them failed', async () => {
  // The newest first, as the ledger lists them.
  const entries = [
    entryOf({ entryId: '2', endpointId: 'b', endpointName: 'right', preview: 'a cat', status: 'FAILED', sentAt: 2 }),
    entryOf({ entryId: '1', endpointId: 'a', endpointName: 'left', preview: 'a cat', status: 'COMPLETED' }),
  ];
  const { user, screen } = renderPage(<EarlierMenu />, {
    jobs: {
      tags: () => ['compare 2026-11-23 14:05:09', 'nightly'],
      list: () => ({ entries, matching: 2, total: 2, complete: true }),
      get: ({ entryId }) => ({
        entry: entryOf({ entryId }),
        body: entryId === '1' ? '{"input": {"prompt": "a cat"}}' : '{"input": {"prompt": "a cat", "seed": 7}}',
        output: null,
      }),
    },
  });
  await user.click(screen.getByRole('button', { name: 'Earlier' }));
  const item = await screen.findByRole('button', { name: /^2026-11-23 14:05:09/ });
  await expect.poll(() => item.textContent).toBe('2026-11-23 14:05:09a catleft, right · 1 failed');

  // It takes the place of what was there, which comes back by Undo.
  addColumn({ accountId: 'here', endpointId: 'c', endpointName: 'before' });
  setDraft(COMPARE_DRAFT, '{"input": "before"}');
  await user.click(item);
  expect(await screen.findByText('Opened compare 2026-11-23 14:05:09')).toBeVisible();
  expect(columns.get().map(({ endpointName }) => endpointName)).toEqual(['left', 'right']);
  expect(draftText.get(COMPARE_DRAFT)).toBe('{"input": {"prompt": "a cat"}}');
  expect(columns.get().map(({ own, entryId }) => [own, entryId])).toEqual([
    ['{"input": {}}', '1'],
    ['{"input": { "seed": 7 }}', '2'],
  ]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(columns.get().map(({ endpointName }) => endpointName)).toEqual(['before']);
  expect(draftText.get(COMPARE_DRAFT)).toBe('{"input": "before"}');
});
