/** The menu of the tray as data: the state of this computer, a pause, and the running Pods with their cost. */
import type { MenuItemConstructorOptions } from 'electron';
import { pauseDurations } from '#contract/app/pauseDurations.ts';
import { titleCase } from '../menu/template.ts';
import type { Activity } from './activity.ts';
import type { Load, RunningPod, TrayFacts } from './trayFacts.ts';

export interface TrayActions {
  readonly open: () => void;
  readonly openSettings: () => void;
  /** Pauses this computer for `forMs` milliseconds; null: until somebody resumes it. */
  readonly pause: (forMs: number | null) => void;
  readonly resume: () => void;
  readonly openPod: (pod: RunningPod) => void;
  /** Asks first. */
  readonly stopPod: (pod: RunningPod) => void;
  readonly quit: () => void;
}

const MINUTE_MS = 60_000;

function pauseWords({ running, until }: Activity): string {
  if (running > 0) return `Pauses after ${running === 1 ? 'the running job' : `${running} running jobs`}`;
  const time = until?.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return `Paused${time ? ` until ${time}` : ''}`;
}

/** The status line, such as "2 running · 5 queued · GPU 78 %". */
export function statusLine(activity: Activity, { queued, gpuPercent }: Load): string {
  const { state, running, message } = activity;
  if (state === 'problem') return message ?? 'There is a problem';
  const jobs = state === 'paused' ? [pauseWords(activity)] : running > 0 ? [`${running} running`] : [];
  if (queued > 0) jobs.push(`${queued} queued`);
  if (jobs.length === 0) jobs.push('Nothing runs');
  return [...jobs, ...(gpuPercent === null ? [] : [`GPU ${gpuPercent} %`])].join(' · ');
}

/** " · $0.69/h", with four decimals below a cent; empty without a price. */
const priceWords = (perHour: number): string =>
  perHour === 0 ? '' : ` · $${perHour.toFixed(perHour < 0.01 ? 4 : 2)}/h`;

/** In a label, one "&" marks the key of the entry. */
const label = (text: string): string => text.replaceAll('&', '&&');

function podsItem(pods: readonly RunningPod[], actions: TrayActions): MenuItemConstructorOptions {
  const id = 'tray-pods';
  if (pods.length === 0) return { id, label: 'No Running Pods', enabled: false };
  const perHour = pods.reduce((sum, { costPerHr }) => sum + costPerHr, 0);
  return {
    id,
    label: `Running Pods${priceWords(perHour)}`,
    submenu: pods.map((pod) => ({
      label: label(`${pod.name} (${pod.accountName})${priceWords(pod.costPerHr)}`),
      submenu: [
        { id: `tray-pod-open-${pod.podId}`, label: 'Open', click: () => actions.openPod(pod) },
        {
          id: `tray-pod-stop-${pod.podId}`,
          label: pod.isLocked ? 'Stop (It Is Locked)' : 'Stop…',
          enabled: !pod.isLocked,
          click: () => actions.stopPod(pod),
        },
      ],
    })),
  };
}

/** The menu, in the same order on every system. */
export function trayTemplate(
  activity: Activity,
  { load, pods }: TrayFacts,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const isPaused = activity.state === 'paused';
  const snooze: MenuItemConstructorOptions[] = [
    ...pauseDurations.map(({ words, forMs }) => ({
      id: `tray-pause-${forMs / MINUTE_MS}`,
      label: `For ${titleCase(words)}`,
      click: () => actions.pause(forMs),
    })),
    { id: 'tray-pause', label: 'Until I Resume', click: () => actions.pause(null) },
  ];
  return [
    { id: 'tray-state', label: label(statusLine(activity, load)), enabled: false },
    { type: 'separator' },
    isPaused
      ? { id: 'tray-resume', label: 'Resume', click: actions.resume }
      : { id: 'tray-snooze', label: 'Pause', enabled: activity.state !== 'problem', submenu: snooze },
    podsItem(pods, actions),
    { type: 'separator' },
    { id: 'tray-open', label: 'Open Hangar', click: actions.open },
    { id: 'tray-settings', label: 'Settings…', click: actions.openSettings },
    { type: 'separator' },
    { id: 'tray-quit', label: 'Quit Hangar', click: actions.quit },
  ];
}
