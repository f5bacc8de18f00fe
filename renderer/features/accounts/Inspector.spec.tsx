import { expect, it } from 'vitest';
import type { Account, AccountState } from '#contract/app/account.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { formatWhen } from '../../ui/text/format.ts';
import { Inspector } from './Inspector.tsx';

const CHECKED = Date.now() - 5 * 60_000;
const when = formatWhen(CHECKED);

const account = (state: AccountState): Account => ({
  ...thisComputer,
  id: 'work',
  name: 'work',
  kind: 'cloud',
  state,
  capabilities: ['jobs', 'billing'],
  probedAt: CHECKED,
});

const show = (state: AccountState) =>
  renderPage(<Inspector account={account(state)} asksKey={false} onClose={() => undefined} />, {
    accounts: { list: () => [account(state)] },
  });

it('What an account can do has ticks while it answers, and says when it was checked', async () => {
  const { screen } = show('ok');
  expect(await screen.findAllByRole('img', { name: 'has' })).toHaveLength(2);
  expect(screen.getByText(`Checked ${when}, with calls that change nothing.`)).toBeVisible();
});

it.each([
  ['refused', `It refuses the key now. It was so when it was last checked, ${when}.`],
  ['offline', `It cannot be reached now. It was so when it was last checked, ${when}.`],
] as const)('What an account could do is neutral while it is %s, with the time of the check', async (state, words) => {
  const { screen } = show(state);
  expect(await screen.findByText(words)).toBeVisible();
  const chips = screen.getByRole('list', { name: 'What it can do' });
  expect(screen.getAllByRole('img', { name: 'had' })).toHaveLength(2);
  expect(chips.querySelectorAll('[data-tone="ok"]')).toHaveLength(0);
});
