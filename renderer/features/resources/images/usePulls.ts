/** The pulls of images on the computer of an account, as its engine reports them. */
import { useRef, useState } from 'react';
import type { ImagePull } from '#contract/local/image.ts';
import { withPoint, type ProgressPoint } from '../../../client/files/speed.ts';
import { api } from '../../../client/transport/orpc.ts';
import { useSubscription } from '../../../client/transport/subscription.ts';
import { imagesChanged } from '../useImages.ts';
import { t } from '../../../language/text.ts';

export interface PullNow extends ImagePull {
  /** How many bytes were there when, for the speed. */
  points: readonly ProgressPoint[];
  /** It ended with its engine, which does not know it any more. */
  isLost: boolean;
}

interface Pulls {
  /** The newest first; null before the first answer. */
  pulls: readonly PullNow[] | null;
  /** Why its engine cannot pull on request; null if it can, or if that is not known. */
  missing: string | null;
}

interface PullsView extends Pulls {
  /** Removes a lost pull from the list. */
  forgetLost(id: string): void;
}

const NONE: Pulls = { pulls: null, missing: null };

const withPoints = (pulls: readonly ImagePull[], before: readonly PullNow[], at: number): PullNow[] =>
  pulls.map((pull) => {
    const points = before.find(({ id }) => id === pull.id)?.points ?? [];
    const { downloadedBytes: doneBytes } = pull;
    return {
      ...pull,
      points: points.at(-1)?.doneBytes === doneBytes ? points : withPoint(points, { at, doneBytes }),
      isLost: false,
    };
  });

/**
 * Those that ran before and are unknown to an engine that was connected to anew, and earlier ones without a newer pull.
 */
function lostPulls(before: readonly PullNow[], pulls: readonly ImagePull[], isReconnected: boolean): PullNow[] {
  const isGone = ({ id, name, state, isLost }: PullNow): boolean =>
    (isLost || (isReconnected && state === 'PULLING' && !pulls.some((pull) => pull.id === id))) &&
    !pulls.some((pull) => pull.name === name);
  const problem = t`The pull ended because the engine stopped or restarted. Try again.`;
  return before.filter(isGone).map((pull) => ({ ...pull, state: 'FAILED', problem, isLost: true }));
}

/** `isReady`: whether the computer has a container engine. The images are read again when a pull ends well. */
export function usePulls(accountId: string, isReady: boolean): PullsView {
  const [known, setKnown] = useState<Pulls>(NONE);
  const isFirstEvent = useRef(true);
  useSubscription<ImagePull[]>({
    key: isReady ? accountId : null,
    ends: 'never',
    open(signal) {
      isFirstEvent.current = true;
      return api.machine.pulls({ accountId }, { signal });
    },
    onMissing: (missing) => setKnown({ pulls: null, missing }),
    onEvent(pulls) {
      const before = known.pulls ?? [];
      const isDone = ({ id, state }: ImagePull): boolean =>
        state === 'DONE' && before.some((one) => one.id === id && one.state !== 'DONE');
      const lost = lostPulls(before, pulls, isFirstEvent.current);
      isFirstEvent.current = false;
      setKnown({ pulls: [...withPoints(pulls, before, Date.now()), ...lost], missing: null });
      if (pulls.some(isDone)) void imagesChanged();
    },
  });
  return {
    ...known,
    forgetLost(id) {
      setKnown(({ pulls, ...others }) => ({ ...others, pulls: pulls?.filter((pull) => pull.id !== id) ?? null }));
    },
  };
}
