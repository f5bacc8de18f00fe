/** The menu of the tray as data: the state of this computer, a pause, and the running Pods with their cost. */
import type { MenuItemConstructorOptions } from 'electron';
import { pauseDurations } from '#contract/app/pauseDurations.ts';
import { counted, menuCase, t, translated } from '../../language/text.ts';
import type { Activity } from '../activity.ts';
import type { Load, RunningPod, TrayFacts } from './facts.ts';

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
  if (running > 0) return counted(running, 'Pauses after the running job', 'Pauses after {0} running jobs');
  const time = until?.toLocaleTimeString(undefined, { timeStyle: 'short' });
  return time ? t`Paused until ${time}` : t`Paused`;
}

/** The status line, such as "2 running · 5 queued · GPU 78 %". */
export function statusLine(activity: Activity, { queued, gpuPercent }: Load): string {
  const { state, running, message } = activity;
  if (state === 'problem') return message ?? t`There is a problem`;
  const jobs = state === 'paused' ? [pauseWords(activity)] : running > 0 ? [t`${running} running`] : [];
  if (queued > 0) jobs.push(t`${queued} queued`);
  if (jobs.length === 0) jobs.push(t`Nothing is running`);
  return [...jobs, ...(gpuPercent === null ? [] : [t`GPU ${gpuPercent} %`])].join(' · ');
}

/** " · $0.69/h", with four decimals below a cent; empty without a price. */
const priceWords = (perHour: number): string =>
  perHour === 0 ? '' : ` · ${t`$${perHour.toFixed(perHour < 0.01 ? 4 : 2)}/h`}`;

/** In a label, one "&" marks the key of the entry. */
const label = (text: string): string => text.replaceAll('&', '&&');

function podsItem(pods: readonly RunningPod[], actions: TrayActions): MenuItemConstructorOptions {
  const id = 'tray-pods';
  if (pods.length === 0) return { id, label: menuCase(t`No running Pods`), enabled: false };
  const perHour = pods.reduce((sum, { costPerHr }) => sum + costPerHr, 0);
  return {
    id,
    label: `${menuCase(t`Running Pods`)}${priceWords(perHour)}`,
    submenu: pods.map((pod) => ({
      label: label(`${pod.name} (${pod.accountName})${priceWords(pod.costPerHr)}`),
      submenu: [
        { id: `tray-pod-open-${pod.podId}`, label: t`Open`, click: () => actions.openPod(pod) },
        {
          id: `tray-pod-stop-${pod.podId}`,
          label: pod.isLocked ? menuCase(t`Stop (it is locked)`) : t`Stop…`,
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
    ...pauseDurations.map(({ item, forMs }) => ({
      id: `tray-pause-${forMs / MINUTE_MS}`,
      label: menuCase(translated(item.title)),
      click: () => actions.pause(forMs),
    })),
    { id: 'tray-pause', label: menuCase(t`Until I resume`), click: () => actions.pause(null) },
  ];
  return [
    { id: 'tray-state', label: label(statusLine(activity, load)), enabled: false },
    { type: 'separator' },
    isPaused
      ? { id: 'tray-resume', label: t`Resume`, click: actions.resume }
      : { id: 'tray-snooze', label: t`Pause`, enabled: activity.state !== 'problem', submenu: snooze },
    podsItem(pods, actions),
    { type: 'separator' },
    { id: 'tray-open', label: t`Open Hangar`, click: actions.open },
    { id: 'tray-settings', label: t`Settings…`, click: actions.openSettings },
    { type: 'separator' },
    { id: 'tray-quit', label: t`Quit Hangar`, click: actions.quit },
  ];
}
