import { beforeEach, expect, it } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { endpointSummary } from '../../../../test/support/page/endpoints.ts';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { queryClient } from '../../../client/transport/orpc.ts';
import { targetAccount } from '../../../state/selection.ts';
import { JobActions } from './JobActions.tsx';

beforeEach(() => queryClient.clear());

const ofCloud = entryOf({ accountId: 'far', accountName: 'work', status: 'COMPLETED', startedAt: 2, finishedAt: 3 });
const cloud: Account = { ...thisComputer, id: 'far', name: 'work', kind: 'cloud' };
const endpointsOf = ({ accountId }: { accountId: string }) =>
  ['other', ofCloud.endpointName].map((name) => endpointSummary({ accountId, id: `${accountId}-${name}`, name }));

const show = () =>
  renderPage(<JobActions entry={ofCloud} body='{"input":{}}' onRemoved={() => undefined} />, {
    accounts: { list: () => [thisComputer, cloud] },
    endpoints: { list: endpointsOf },
  });

it('the input of a job of the cloud is opened on this computer, with the endpoint of the same name', async () => {
  targetAccount.set('far');
  const { user, screen } = show();
  const edit = () => screen.getByRole('button', { name: 'Edit and run…' });
  await expect.poll(() => edit().getAttribute('aria-haspopup')).toBe('menu');
  await user.click(edit());
  expect(await screen.findByRole('menuitem', { name: 'On work · costs money' })).toBeVisible();
  await user.click(screen.getByRole('menuitem', { name: 'On this computer' }));
  await expect.poll(() => location.hash).toBe(`#/run/this-machine-${ofCloud.endpointName}`);
  expect(targetAccount.get()).toBe('this-machine');
});

it('Retry of a job of the cloud says that it costs money, whatever the target is', async () => {
  const { screen } = show();
  await expect
    .poll(() => screen.getByRole('button', { name: 'Retry' }).getAttribute('aria-description'))
    .toBe('Runs the same input as a new job on work, which costs money');
});
