import { afterEach, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { FolderListing } from '#contract/bridge/host.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { pathPlaceOf } from './pathPlace.ts';

const host = window.hangarHost;
const setHost = (value: unknown) => Object.defineProperty(window, 'hangarHost', { configurable: true, value });
afterEach(() => void setHost(host));

const listing = (folder: string): FolderListing => ({
  path: folder.startsWith('~') ? '/home/ann' : '/srv',
  rest: folder === '/srv/gone' ? 'gone' : '',
  parent: '/',
  home: '/home/ann',
  entries: [{ name: 'run.sh', isFolder: false }],
  isCut: false,
});

const hostPlace = () =>
  pathPlaceOf({
    accountId: THIS_MACHINE,
    pane: { kind: 'host', targetId: 'host', session: 'host-1' },
    reported: () => '/not/asked',
  })!;

it('In the desktop program, a path of this computer is shown in the file manager and not opened', async () => {
  const shown: string[] = [];
  renderPage(<p />, {
    host: { listFolder: ({ path }) => listing(path), showFile: ({ path }) => void shown.push(path) },
    terminals: { folder: () => ({ folder: '/srv' }) },
  });
  const place = hostPlace();
  expect(await place.folder()).toBe('/srv');
  const target = await place.find('/srv/run.sh');
  expect(target?.hint).toBe('Ctrl+click shows /srv/run.sh in the file manager');
  target?.show();
  await expect.poll(() => shown).toEqual(['/srv/run.sh']);
  expect(await place.find('/srv/other.sh')).toBeNull();
  expect(await place.find('/srv/gone/run.sh')).toBeNull();
});

it('In a browser, a path of this computer is copied, with the home folder written out', async () => {
  setHost(undefined);
  const { screen } = renderPage(<p />, { host: { listFolder: ({ path }) => listing(path) } });
  const target = await hostPlace().find('~/run.sh');
  expect(target?.hint).toBe('Ctrl+click copies /home/ann/run.sh');
  target?.show();
  expect(await screen.findByText('Path copied')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('/home/ann/run.sh');
});

const file = (name: string, kind: VolumeFile['kind'] = 'file'): VolumeFile => ({
  name,
  kind,
  sizeBytes: 0,
  modifiedAt: '2026-01-01T00:00:00Z',
});

it.each([
  ['below its volume in the tab Files', {}, '/workspace/a b/run.py', '#/pods/p1/files/a%20b%2Frun.py'],
  ['that is a folder in the tab Files', {}, '/workspace/a b/data', '#/pods/p1/files/a%20b%2Fdata%2F'],
  ['outside of its volume on the disk of its container', {}, '/etc/run.py', '#/pods/p1/files/%2Fetc%2Frun.py'],
  ['that is a folder of its container there, too', {}, '/etc', '#/pods/p1/files/%2Fetc%2F'],
  ['beside its volume not in the volume', {}, '/workspace2/run.py', null],
  ['that leads out of its volume nowhere', {}, '/workspace/a b/link', null],
  ['that is not there nowhere', {}, '/workspace/a b/other.py', null],
  ['of its home folder nowhere', {}, '~/run.py', null],
  [
    'without a volume on the disk of its container',
    { volumeInGb: 0 },
    '/workspace/a b/run.py',
    '#/pods/p1/files/%2Fworkspace%2Fa%20b%2Frun.py',
  ],
])('A Pod shows a path %s', async (_, change, path, address) => {
  const pod = lenientPodSchema.parse({
    id: 'p1',
    name: 'trainer',
    desiredStatus: 'RUNNING',
    volumeMountPath: '/workspace',
    volumeInGb: 20,
    ...change,
  });
  const disks: Record<string, VolumeFile[]> = {
    'volume/a b': [file('run.py'), file('data', 'folder'), file('link', 'other')],
    'container/': [file('etc', 'folder')],
    'container/etc': [file('run.py')],
    'container/workspace/a b': [file('run.py')],
  };
  const answers: Answers = {
    accounts: { list: () => [thisComputer] },
    pods: { now: () => ({ rows: [{ pod, facts: null }], factsProblem: null, lacks: [], containerProblem: null }) },
    files: {
      list: ({ path: listed, holder }) => ({
        path: listed,
        entries: holder.id === 'p1' ? (disks[`${holder.in}/${listed}`] ?? []) : [],
        truncated: false,
      }),
    },
  };
  renderPage(<p />, answers);
  const pane = { kind: 'pod', targetId: 'p1', session: 's' } as const;
  const place = pathPlaceOf({ accountId: THIS_MACHINE, pane, reported: () => '/workspace' })!;
  expect(await place.folder()).toBe('/workspace');
  const target = await place.find(path);
  target?.show();
  expect(target === null ? null : location.hash).toBe(address);
});

it('Terminals of workers and of other computers over SSH show no files', () => {
  for (const kind of ['worker', 'ssh'] as const) {
    const pane = { kind, targetId: 'x', session: 's' };
    expect(pathPlaceOf({ accountId: THIS_MACHINE, pane, reported: () => '/srv' })).toBeNull();
  }
});
