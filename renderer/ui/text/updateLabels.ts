/** Texts about an update. */
import type { UpdateChannel, UpdateStatus } from '#contract/bridge/updates.ts';
import { formatBytes, formatPercent } from './format.ts';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

export const channelLabels: Record<UpdateChannel, string> = { stable: t`Stable`, beta: t`Beta` };

/** "2 jobs, 1 file transfer and 1 terminal". */
const listWords = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : t`${parts.slice(0, -1).join(', ')} and ${parts.slice(-1).join('')}`;

function idleWords({ current, newest, withheld, channel, manual }: UpdateStatus): string {
  if (newest === null) return manual === null ? t`Not checked yet.` : t`Updates are off.`;
  if (withheld === 'older') {
    return t`The newest version of the ${channel} channel is ${newest}, which is older than ${current}. Hangar does not downgrade automatically: an older version may not be able to read your data.`;
  }
  if (withheld === 'held-back') {
    return t`Version ${newest} is being rolled out gradually and is not available for this computer yet.`;
  }
  return t`Hangar ${current} is the newest version of the ${channel} channel.`;
}

function progressWords(version: string, progress: UpdateStatus['progress']): string {
  if (progress === null || progress.totalBytes === 0) return t`Version ${version} is being downloaded.`;
  const { doneBytes, totalBytes } = progress;
  return t`Version ${version} is being downloaded: ${formatPercent((100 * doneBytes) / totalBytes)} of ${formatBytes(totalBytes)}.`;
}

const planWords = { now: null, 'at-quit': t`It is installed when you quit Hangar.`, later: null };

/** The status as sentences. */
export function updateWords(status: UpdateStatus): string {
  const { state, plan, work, reason, command } = status;
  const version = status.version ?? '';
  switch (state) {
    case 'idle':
      return idleWords(status);
    case 'checking':
      return t`Checking for updates.`;
    case 'available':
      return joinSentences(
        t`Version ${version} is available.`,
        command !== null && t`Download its package and install it in a terminal.`,
      );
    case 'downloading':
      return progressWords(version, status.progress);
    case 'ready':
      return joinSentences(t`Version ${version} is downloaded.`, plan && planWords[plan]);
    case 'waiting':
      return t`Version ${version} will be installed when nothing is running. It waits for ${listWords(work)}.`;
    case 'installing':
      return t`Installing version ${version}. Hangar restarts.`;
    case 'failed':
      return reason ?? t`The update failed.`;
  }
}
