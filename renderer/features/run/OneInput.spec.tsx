import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { endpointSummary } from '../../../test/support/page/endpoints.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { draftKey } from '../../state/drafts.ts';
import { shownEntry } from '../../state/selection.ts';
import { OneInput } from './OneInput.tsx';

it('the request is not rendered again for what its job puts out', async () => {
  const endpoint = endpointSummary();
  const entry = entryOf({ endpointId: endpoint.id, status: 'IN_PROGRESS' });
  shownEntry.set(draftKey(THIS_MACHINE, endpoint.id), entry.entryId);
  let renders = 0;
  let goesOn = false;
  // Each time, the request reads the address that its code names.
  const called = {
    endpointId: endpoint.id,
    accountId: THIS_MACHINE,
    endpointName: endpoint.name,
    makesKeys: true,
    get address() {
      renders += 1;
      return 'http://127.0.0.1:1';
    },
  };
  const { screen } = renderPage(
    <OneInput
      endpoint={endpoint}
      called={called}
      mode="run"
      text="{}"
      sample={null}
      source={{ accountId: THIS_MACHINE, endpointId: endpoint.id, hasFolder: false }}
      targetName="this computer"
      spends={false}
      blocked={null}
    />,
    {
      accounts: { list: () => [] },
      billing: { read: () => [] },
      jobs: {
        list: () => ({ entries: [entry], matching: 1, total: 1, complete: true }),
        async *watch() {
          yield { type: 'snapshot', entry, chunks: [{ index: 0, at: 1, text: '"one "' }], output: null };
          await expect.poll(() => goesOn).toBe(true);
          yield { type: 'chunks', chunks: [{ index: 1, at: 2, text: '"two "' }] };
        },
      },
    },
  );
  expect(await screen.findByText('one')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('grid', { name: 'Last runs' })).toBeVisible());
  const before = renders;
  expect(before).toBeGreaterThan(0);
  goesOn = true;
  expect(await screen.findByText('one two')).toBeVisible();
  expect(renders).toBe(before);
});
