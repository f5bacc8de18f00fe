/** The actions of an endpoint that its menus and the palette share. */
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useTarget } from '../../../client/accounts.ts';
import { openNewEndpoint } from '../../../state/overlays.ts';
import { pauseEndpointNow, resumeEndpoint } from '../../../ui/endpoint/endpointPause.ts';
import { isPaused } from '../../../ui/text/endpointState.ts';

/** What is confirmed first. */
export type Question = 'pause' | 'purge' | 'remove';

export interface EndpointActions {
  duplicate: () => void;
  /** Pauses it, or resumes it if `isPaused`. */
  togglePause: () => void;
  isPaused: boolean;
  /** Whether a pause is confirmed first: a cloud may stop running jobs. */
  asksBefore: boolean;
}

export function useEndpointActions(
  accountId: string,
  row: EndpointRow,
  ask: (question: Question) => void,
): EndpointActions {
  const isCloud = useTarget().account?.kind === 'cloud';
  const paused = isPaused(row);
  return {
    duplicate: () => openNewEndpoint({ like: row.id }),
    togglePause: () => {
      if (paused) void resumeEndpoint(accountId, row);
      else if (isCloud) ask('pause');
      else void pauseEndpointNow(accountId, row);
    },
    isPaused: paused,
    asksBefore: isCloud,
  };
}
