/** Rules of the tray's menu: its order, its status line, and what it says of Pods. */
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, test } from 'vitest';
import type { Activity } from '../activity.ts';
import { noFacts, type RunningPod } from './facts.ts';
import { statusLine, trayTemplate, type TrayActions } from './menu.ts';

const idle: Activity = { state: 'idle', running: 0, message: null, isByRule: false, until: null };
const load = { queued: 0, gpuPercent: null, hasGpus: false };
const pod: RunningPod = {
  accountId: 'cloud',
  accountName: 'R&D',
  podId: 'pod-1',
  name: 'trainer',
  costPerHr: 0.69,
  isLocked: false,
  volumePath: '/workspace',
};

describe('the status line', () => {
  it.each([
    ['Nothing is running', idle, load],
    ['5 queued', idle, { ...load, queued: 5 }],
    [
      '2 running · 5 queued · GPU 78 %',
      { ...idle, state: 'running', running: 2 },
      { ...load, queued: 5, gpuPercent: 78 },
    ],
    ['Nothing is running · GPU 0 %', idle, { ...load, gpuPercent: 0 }],
    ['Paused · 1 queued', { ...idle, state: 'paused' }, { ...load, queued: 1 }],
    ['Pauses after the running job', { ...idle, state: 'paused', running: 1 }, load],
    ['The engine is away.', { ...idle, state: 'problem', message: 'The engine is away.' }, { ...load, queued: 3 }],
  ] satisfies [string, Activity, typeof load | { queued: number; gpuPercent: number; hasGpus: boolean }][])(
    'says "%s"',
    (words, activity, now) => expect(statusLine(activity, now)).toBe(words),
  );

  it('says when a pause ends', () => {
    const until = new Date(2030, 0, 1, 12, 30);
    const time = until.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    expect(statusLine({ ...idle, state: 'paused', until }, load)).toBe(`Paused until ${time}`);
  });
});

const calls: string[] = [];
const actions: TrayActions = {
  open: () => calls.push('open'),
  openSettings: () => calls.push('settings'),
  pause: (forMs) => calls.push(`pause ${forMs}`),
  resume: () => calls.push('resume'),
  openPod: ({ podId }) => calls.push(`open ${podId}`),
  stopPod: ({ podId }) => calls.push(`stop ${podId}`),
  quit: () => calls.push('quit'),
};
const menuWith = (pods: readonly RunningPod[], activity = idle) =>
  trayTemplate(activity, { ...noFacts, pods }, actions);

function submenu(items: MenuItemConstructorOptions[], id: string): MenuItemConstructorOptions[] {
  const item = items.find((one) => one.id === id);
  return Array.isArray(item?.submenu) ? item.submenu : [];
}

test('the menu has the same order always', () => {
  const labels = (items: MenuItemConstructorOptions[]) => items.flatMap(({ label }) => label ?? []);
  const after = ['Open Hangar', 'Settings…', 'Quit Hangar'];
  expect(labels(menuWith([]))).toEqual(['Nothing is running', 'Pause', 'No Running Pods', ...after]);
  expect(labels(menuWith([pod], { ...idle, state: 'paused' }))).toEqual([
    'Paused',
    'Resume',
    'Running Pods · $0.69/h',
    ...after,
  ]);
});

describe('running Pods', () => {
  it('have their account and cost, and the sum of the costs stands above them', () => {
    const cheap = { ...pod, podId: 'pod-2', name: 'cheap', accountName: 'Box', costPerHr: 0.002 };
    const own = { ...pod, podId: 'pod-3', name: 'own', accountName: 'This computer', costPerHr: 0 };
    const menu = menuWith([pod, cheap, own]);
    expect(menu.find(({ id }) => id === 'tray-pods')?.label).toBe('Running Pods · $0.69/h');
    expect(submenu(menu, 'tray-pods').map(({ label }) => label)).toEqual([
      // One "&" would mark the key of the entry.
      'trainer (R&&D) · $0.69/h',
      'cheap (Box) · $0.0020/h',
      'own (This computer)',
    ]);
    expect(menuWith([own]).find(({ id }) => id === 'tray-pods')?.label).toBe('Running Pods');
  });

  it('can be opened and stopped, but for a locked one', () => {
    const [of] = submenu(menuWith([pod]), 'tray-pods');
    const entries = Array.isArray(of?.submenu) ? of.submenu : [];
    expect(entries.map(({ label, enabled }) => [label, enabled])).toEqual([
      ['Open', undefined],
      ['Stop…', true],
    ]);
    calls.length = 0;
    for (const { click } of entries) Reflect.apply(click ?? (() => undefined), undefined, []);
    expect(calls).toEqual(['open pod-1', 'stop pod-1']);
    const [locked] = submenu(menuWith([{ ...pod, isLocked: true }]), 'tray-pods');
    expect(Array.isArray(locked?.submenu) && locked.submenu.at(-1)).toMatchObject({ enabled: false });
  });
});
