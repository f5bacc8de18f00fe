/** The heading of the machine's page. */
import { expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { MachineTitle } from './MachineTitle.tsx';

const atlas = { hostname: 'atlas', platform: 'linux' };

it.each([
  ['this computer', THIS_MACHINE, atlas, 'atlas this computer, Linux'],
  ['another machine', 'a1', atlas, 'atlas lab, Linux'],
  ['another machine that has not answered yet', 'a1', undefined, 'lab'],
])('the heading of %s names it by its host name once that is known', (_what, accountId, machine, words) => {
  const { screen } = renderPage(<MachineTitle accountId={accountId} accountName="lab" machine={machine} />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(words);
});
