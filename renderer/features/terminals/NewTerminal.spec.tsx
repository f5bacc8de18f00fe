import { act, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { podFactsOf } from '../../../test/support/pods/podFacts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { orpc, queryClient } from '../../client/transport/orpc.ts';
import { targetAccount } from '../../state/selection.ts';
import type { TerminalTarget } from '../../ui/terminal/layout.ts';
import { Begin, NewTerminal } from './NewTerminal.tsx';
import { SshDialog } from './SshDialog.tsx';
import { useTargets, type NamedTarget, type SshHosts } from './useTargets.ts';

const NO_SSH = 'There is no program "ssh".';
const host = (reason: string | null): NamedTarget => ({
  kind: 'host',
  targetId: 'host',
  name: 'This computer',
  reason,
});
const read = { unread: null, retry: () => undefined };
let refreshes = 0;
const hosts = (changes: Partial<SshHosts> = {}): SshHosts => ({
  hosts: ['web', 'db'],
  unread: null,
  problem: null,
  refresh: () => void refreshes++,
  ...changes,
});

function renderChoice(Choice: typeof Begin, targets: NamedTarget[], ssh: SshHosts | null) {
  const begun: TerminalTarget[] = [];
  let askCount = 0;
  const choice = (
    <Choice
      {...read}
      targets={targets}
      ssh={ssh}
      onBegin={(target) => begun.push(target)}
      onAskForHost={() => void askCount++}
      onBeginHere={null}
    />
  );
  return { ...renderPage(choice), begun, askCount: () => askCount };
}

it('the menu has the hosts of the settings, which it reads again, and asks for another', async () => {
  refreshes = 0;
  const { user, screen, begun, askCount } = renderChoice(NewTerminal, [host(null)], hosts());
  await user.click(screen.getByRole('button', { name: 'New terminal' }));
  const names = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(names()).toEqual(['This computer', 'Another host…', 'web', 'db']);
  expect(refreshes).toBe(1);
  await user.click(screen.getByRole('menuitem', { name: 'db' }));
  expect(begun).toEqual([{ kind: 'ssh', targetId: 'db' }]);
  await user.click(screen.getByRole('button', { name: 'New terminal' }));
  await user.click(screen.getByRole('menuitem', { name: 'Another host…' }));
  expect(askCount()).toBe(1);
});

it('an account that does not answer is not said to have no Pods', async () => {
  const lab = { ...thisComputer, id: 'lab', name: 'lab', state: 'offline' as const };
  targetAccount.set('lab');
  const begin = {
    ...read,
    targets: [],
    ssh: null,
    onBegin: () => undefined,
    onAskForHost: () => undefined,
    onBeginHere: null,
  };
  const { screen } = renderPage(<Begin {...begin} />);
  act(() => void queryClient.setQueryData(orpc.accounts.list.queryKey(), [thisComputer, lab]));
  expect(await screen.findByText('Available again when lab is back')).toBeVisible();
  expect(screen.queryByText(/No running Pods/)).toBeNull();
});

it('a computer without the program says so, and a reason that both have is said once', async () => {
  const without = hosts({ hosts: [], problem: NO_SSH });
  const { user, screen } = renderChoice(NewTerminal, [host(null)], without);
  await user.click(screen.getByRole('button', { name: 'New terminal' }));
  expect(screen.getByRole('menuitem', { name: NO_SSH })).toHaveAccessibleDescription(NO_SSH);
});

it.each([
  ['its own reason', null, 2],
  ['the reason of this computer', NO_SSH, 1],
])('the choice while no terminal is open has %s', async (_words, reason, count) => {
  const { user, screen, begun, askCount } = renderChoice(Begin, [host(reason)], hosts({ hosts: [], problem: NO_SSH }));
  const ways = screen.getAllByRole('button').filter(({ textContent }) => !textContent?.includes('Show Pods'));
  expect(ways).toHaveLength(count);
  expect(ways.at(-1)).toHaveAttribute('aria-disabled', 'true');
  expect(ways.at(-1)).toHaveTextContent(NO_SSH);
  ways.at(-1)?.focus();
  expect(ways.at(-1)).toHaveFocus();
  await user.keyboard('{Enter}');
  expect([begun, askCount()]).toEqual([[], 0]);
});

it('the choice begins with what can be opened now', () => {
  const pod = (name: string, reason: string | null): NamedTarget => ({ kind: 'pod', targetId: name, name, reason });
  const { screen } = renderChoice(Begin, [host(null), pod('old-run', 'stopped'), pod('trainer', null)], hosts());
  const names = screen.getAllByRole('button').map((way) => way.querySelector('b')?.textContent);
  expect(names).toEqual(['This computer', 'trainer', 'Another computer', 'old-run']);
});

it('the choice says of each Pod its state, in the same form', () => {
  const pod = (name: string, reason: string | null): NamedTarget => ({ kind: 'pod', targetId: name, name, reason });
  const { screen } = renderChoice(Begin, [pod('trainer', null), pod('refused', 'not running')], hosts());
  expect(screen.getByRole('button', { name: /trainer/ })).toHaveTextContent('Pod, running');
  expect(screen.getByRole('button', { name: /refused/ })).toHaveTextContent('Pod, not running');
});

it('the dialog takes a host of the settings or another, and no option of the program', async () => {
  const chosen: string[] = [];
  let closes = 0;
  const { user, screen } = renderPage(
    <SshDialog
      ssh={hosts({ unread: 'The file x cannot be read.' })}
      onConnect={(destination) => chosen.push(destination)}
      onClose={() => void closes++}
    />,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Terminal over SSH' });
  const [field, connect] = [
    within(dialog).getByRole('combobox', { name: 'Host' }),
    within(dialog).getByText('Connect').closest('button')!,
  ];
  expect(connect).toHaveAccessibleDescription('Enter a host first.');
  expect(dialog).toHaveTextContent('The file x cannot be read.');
  await user.type(field, '-oProxyCommand=id');
  expect(dialog).toHaveTextContent('Enter host, user@host or user@host:port');
  await user.keyboard('{Enter}');
  expect(chosen).toEqual([]);
  await user.clear(field);
  await user.type(field, ' me@10.0.0.5:2222 ');
  expect(dialog).not.toHaveTextContent('Enter host, user@host');
  await user.click(connect);
  expect(chosen).toEqual(['me@10.0.0.5:2222']);
  expect(closes).toBe(1);
});

it.each([
  ['an account', null],
  ['this computer', host(null)],
])('the Pods of %s that could not be read are not said to be none', async (_where, own) => {
  let retries = 0;
  const begin = {
    targets: own === null ? [] : [own],
    ssh: null,
    onBegin: () => undefined,
    onAskForHost: () => undefined,
    onBeginHere: null,
  };
  const { user, screen } = renderPage(
    <Begin {...begin} unread="the database is locked" retry={() => void retries++} />,
    { accounts: { list: () => [thisComputer] } },
  );
  expect(screen.getByText('The Pods could not be read')).toBeVisible();
  expect(screen.getByText('It answered: "the database is locked".')).toBeVisible();
  expect(screen.queryByText(/No running Pods|None is running/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retries).toBe(1);
});

function PodMenu() {
  const { targets } = useTargets('box');
  return (
    <NewTerminal
      targets={targets}
      unread={null}
      ssh={null}
      onBegin={() => undefined}
      onAskForHost={() => undefined}
      onBeginHere={null}
    />
  );
}

it('a Pod in which no terminal can begin has the state of its chip in the menu', async () => {
  const row = (name: string, facts: Partial<PodRow['facts'] & object> | null): PodRow => ({
    pod: lenientPodSchema.parse({ id: name, name, desiredStatus: 'RUNNING' }),
    facts: facts && podFactsOf({ id: name, ...facts }),
  });
  const restarts = {
    times: 7,
    endedAt: 'then',
    text: 'It ended.',
    lastLines: [],
    isCrashLoop: true,
    nextStartAt: null,
  };
  const rows = [row('crasher', { restarts }), row('refused', { problem: 'No such image.' }), row('cloud', null)];
  const { user, screen } = renderPage(<PodMenu />, {
    pods: { now: () => ({ rows, factsProblem: null, lacks: [], containerProblem: null }) },
    machine: { workers: () => [] },
  });
  await user.click(screen.getByRole('button', { name: 'New terminal' }));
  const names = await screen.findAllByRole('menuitem');
  expect(names.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['crasher: in a crash loop', 'refused: not running', 'cloud']),
  );
});
