/** What is done to a Pod, with its consequences in words. */
import type { PodRow } from '#contract/bridge/pod.ts';

/** What is asked about first. */

export type AskedKind = 'stop' | 'restart' | 'reset' | 'remove';

export interface Question {
  title: string;
  /** On the button. */
  action: string;
  /** What will happen, one thing a line. */
  consequences: string[];
  /** Whether it destroys what cannot be brought back. */
  destroys: boolean;
}

const volumeWords = ({ pod }: PodRow): string | null => {
  if (pod.networkVolumeId !== null) return `The network volume at ${pod.volumeMountPath} is kept.`;
  return pod.volumeInGb > 0 ? `What is below ${pod.volumeMountPath}, on its volume, is kept.` : null;
};

const freedWords = ({ pod }: PodRow): string | null =>
  pod.gpuCount > 0
    ? `${pod.gpuCount === 1 ? 'Its GPU is' : `Its ${pod.gpuCount} GPUs are`} free for others, and may be taken when it is started again.`
    : null;

export function questionOf(kind: AskedKind, row: PodRow): Question {
  const { name, networkVolumeId, volumeInGb, volumeMountPath } = row.pod;
  const runs = row.pod.desiredStatus === 'RUNNING';
  const ends = runs ? 'What runs in it ends.' : null;
  const lines = (...given: (string | null)[]) => given.filter((line) => line !== null);
  if (kind === 'stop') {
    return {
      title: `Stop the Pod ${name}?`,
      action: 'Stop the Pod',
      destroys: false,
      consequences: lines(
        ends,
        freedWords(row),
        volumeWords(row),
        'It costs nothing but its volume while it is stopped.',
      ),
    };
  }
  if (kind === 'restart') {
    return {
      title: `Restart the Pod ${name}?`,
      action: 'Restart the Pod',
      destroys: false,
      consequences: lines(
        'What runs in it ends, and its command begins again in the same container.',
        'Its tcp ports may get other numbers.',
      ),
    };
  }
  if (kind === 'reset') {
    return {
      title: `Reset the Pod ${name}?`,
      action: 'Reset the Pod',
      destroys: true,
      consequences: lines(
        'Its container is made anew: everything outside its volume is lost.',
        ends,
        volumeWords(row) ?? 'It has no volume: nothing is kept.',
      ),
    };
  }
  return {
    title: `Delete the Pod ${name}?`,
    action: 'Delete the Pod',
    destroys: true,
    consequences: lines(
      ends,
      'Its container and all that is in it is lost.',
      networkVolumeId !== null
        ? 'Its network volume is kept.'
        : volumeInGb > 0
          ? `Its volume, below ${volumeMountPath}, is deleted with it.`
          : null,
      'This cannot be undone.',
    ),
  };
}

/** What was done, for the person. */
export const doneWords: Record<AskedKind, string> = {
  stop: 'Stopped',
  restart: 'Restarted',
  reset: 'Reset',
  remove: 'Deleted',
};

/** Why it cannot be done to a locked Pod. */
export const lockedWords = 'It is locked: unlock it in its settings first.';
