/** What terminals can open in, by name. */
import { expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import { endpointRow } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useSshHosts, useTargets } from './useTargets.ts';

const worker: WorkerRecord = {
  id: 'w1',
  endpointId: 'e',
  state: 'idle',
  pid: null,
  startedAt: '2026-11-21T12:00:00Z',
  jobs: [],
  runtime: 'container',
  publicSdk: null,
  python: null,
  preparing: null,
  gpus: [],
  cpuPercent: null,
  memoryBytes: null,
};

const terminals = {
  hostShell: () => ({ problem: null }),
  sshHosts: () => ({ hosts: [], unread: null, problem: null }),
};

function Names() {
  return useTargets(THIS_MACHINE).targets.map(({ kind, targetId, name }) => <p key={`${kind} ${targetId}`}>{name}</p>);
}

it('a worker has the name of its endpoint', async () => {
  const { screen } = renderPage(<Names />, {
    pods: { now: () => ({ rows: [], factsProblem: null, lacks: [], containerProblem: null }) },
    machine: { workers: () => [worker, { ...worker, id: 'w2', endpointId: 'deleted' }] },
    endpoints: { now: () => ({ rows: [endpointRow(null)], pause: null }) },
    terminals,
  });
  expect(await screen.findByText('greeter, worker w1')).toBeVisible();
  expect(screen.getByText('worker w2')).toBeVisible();
});

it('Pods that a terminal can open in now stand before the others', async () => {
  const rowOf = (name: string, desiredStatus: string) => ({
    pod: lenientPodSchema.parse({ id: name, name, desiredStatus }),
    facts: null,
  });
  const rows = [rowOf('old', 'EXITED'), rowOf('api', 'RUNNING'), rowOf('older', 'EXITED'), rowOf('trainer', 'RUNNING')];
  const { screen } = renderPage(<Names />, {
    pods: { now: () => ({ rows, factsProblem: null, lacks: [], containerProblem: null }) },
    machine: { workers: () => [] },
    terminals,
  });
  await screen.findByText('trainer');
  const names = screen.getAllByText(/./, { selector: 'p' }).map(({ textContent }) => textContent);
  expect(names.slice(-4)).toEqual(['api', 'trainer', 'old', 'older']);
});

function Hosts({ accountId }: { accountId: string }) {
  return <p aria-label={accountId}>{useSshHosts(accountId)?.hosts.join() ?? 'none'}</p>;
}

it('a remote account has no hosts of the ssh program here, also once they are known', async () => {
  const both = [THIS_MACHINE, 'box'].map((id) => <Hosts key={id} accountId={id} />);
  const { screen } = renderPage(<>{both}</>, {
    terminals: { sshHosts: () => ({ hosts: ['web'], unread: null, problem: null }) },
  });
  expect(await screen.findByText('web')).toHaveAccessibleName(THIS_MACHINE);
  expect(screen.getByText('none')).toHaveAccessibleName('box');
});
