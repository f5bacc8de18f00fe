/** The changes of a Pod that a person confirms first, with their consequences in words. */
import type { PodRow } from '#contract/bridge/pod.ts';
import type { PodWork, ShownPod } from '../../ui/text/podWords.ts';
import { counted, t } from '../../language/text.ts';

/** The changes that a person confirms first. */
export type ConfirmedChange = 'stop' | 'restart' | 'reset' | 'remove';

export interface Question {
  title: string;
  /** The text of the button. */
  action: string;
  /** The consequences, one sentence for each. */
  consequences: string[];
  /** Whether it destroys data permanently. */
  destroys: boolean;
}

const volumeWords = ({ pod }: PodRow): string | null => {
  if (pod.networkVolumeId !== null) return t`The network volume at ${pod.volumeMountPath} is kept.`;
  return pod.volumeInGb > 0 ? t`Files in ${pod.volumeMountPath}, on its volume, are kept.` : null;
};

const freedWords = ({ pod }: PodRow): string | null =>
  pod.gpuCount > 0
    ? counted(
        pod.gpuCount,
        'Its GPU is released, and may not be available when you start it again.',
        'Its {0} GPUs are released, and may not be available when you start it again.',
      )
    : null;

export function questionOf(kind: ConfirmedChange, row: PodRow): Question {
  const { name, networkVolumeId, volumeInGb, volumeMountPath } = row.pod;
  const runs = row.pod.desiredStatus === 'RUNNING';
  const ends = runs ? t`Everything that runs in it stops.` : null;
  const lines = (...sentences: (string | null)[]) => sentences.filter((sentence) => sentence !== null);
  if (kind === 'stop') {
    return {
      title: t`Stop the Pod ${name}?`,
      action: t`Stop the Pod`,
      destroys: false,
      consequences: lines(ends, freedWords(row), volumeWords(row), t`While stopped, it costs only its volume.`),
    };
  }
  if (kind === 'restart') {
    return {
      title: t`Restart the Pod ${name}?`,
      action: t`Restart the Pod`,
      destroys: false,
      consequences: lines(
        t`Everything that runs in it stops, and its command starts again in the same container.`,
        t`Its TCP ports may change.`,
      ),
    };
  }
  if (kind === 'reset') {
    return {
      title: t`Reset the Pod ${name}?`,
      action: t`Reset the Pod`,
      destroys: true,
      consequences: lines(
        t`Its container is recreated: everything outside its volume is lost.`,
        ends,
        volumeWords(row) ?? t`It has no volume, so nothing is kept.`,
      ),
    };
  }
  return {
    title: t`Delete the Pod ${name}?`,
    action: t`Delete the Pod`,
    destroys: true,
    consequences: lines(
      ends,
      t`Its container and everything in it is lost.`,
      networkVolumeId !== null
        ? t`Its network volume is kept.`
        : volumeInGb > 0
          ? t`Its volume, at ${volumeMountPath}, is deleted, too.`
          : null,
      t`This cannot be undone.`,
    ),
  };
}

/** Why a locked Pod cannot be changed. */
export const lockedWords = t`It is locked. Unlock it in its settings first.`;

const underWay: Record<PodWork, string> = {
  start: t`It is being started.`,
  stop: t`It is being stopped.`,
  restart: t`It is being restarted.`,
  reset: t`It is being reset.`,
  remove: t`It is being deleted.`,
};

/** Why a Pod takes no other change now; null if none is under way. */
export const whyBusy = ({ work = null }: ShownPod): string | null => (work === null ? null : underWay[work]);

/** Why a Pod can be neither stopped nor reset nor deleted now; null if it can. */
export const whyNotStoppable = (row: ShownPod): string | null => whyBusy(row) ?? (row.pod.locked ? lockedWords : null);
