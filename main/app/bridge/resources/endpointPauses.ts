/**
 * Pauses and resumes an endpoint on any account. No service has a pause of its own: an endpoint that may have no workers
 * is paused. Its numbers of workers before that are kept here.
 */
import * as z from 'zod';
import type { ResumedEndpoint } from '#contract/app/endpointReadModels.ts';
import { limits } from '#contract/core/limits.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ComputeApi } from '../../services/directory.ts';

type Facts = Pick<Ledger, 'meta' | 'setMeta'>;
type Management = Pick<ComputeApi['management'], 'endpoint' | 'updateEndpoint'>;

const FACT = 'pausedEndpoints';
const pausedSchema = z.array(
  z.object({ accountId: z.string(), endpointId: z.string(), workersMin: z.number(), workersMax: z.number() }),
);
type Paused = z.infer<typeof pausedSchema>[number];
type Place = Pick<Paused, 'accountId' | 'endpointId'>;

const pausedIn = (facts: Facts): Paused[] => facts.meta(FACT, pausedSchema) ?? [];

/** Writes the facts without those that `isLeft` names. */
function leaveOut(facts: Facts, isLeft: (paused: Paused) => boolean): void {
  const before = pausedIn(facts);
  const after = before.filter((one) => !isLeft(one));
  if (after.length < before.length) facts.setMeta(FACT, after);
}

/** Forgets the endpoint after it was deleted. */
export const forgetPaused = (facts: Facts, { accountId, endpointId }: Place): void =>
  leaveOut(facts, (one) => one.accountId === accountId && one.endpointId === endpointId);

/** Forgets the endpoints of an account after it was removed. */
export const forgetPausedOf = (facts: Facts, accountId: string): void =>
  leaveOut(facts, (one) => one.accountId === accountId);

/** Does nothing if the endpoint is paused already. */
export async function pauseEndpoint(management: Management, facts: Facts, place: Place): Promise<void> {
  const { workersMin, workersMax } = await management.endpoint(place.endpointId);
  if (workersMax === 0) return;
  // Before the change: a crash in between loses nothing.
  forgetPaused(facts, place);
  facts.setMeta(FACT, [...pausedIn(facts), { ...place, workersMin, workersMax }]);
  await management.updateEndpoint(place.endpointId, { workersMin: 0, workersMax: 0 });
}

/**
 * Restores the numbers of workers from before the pause. If another program paused the endpoint, it gets the defaults of
 * a new one. Does nothing if the endpoint is not paused.
 */
export async function resumeEndpoint(management: Management, facts: Facts, place: Place): Promise<ResumedEndpoint> {
  const now = await management.endpoint(place.endpointId);
  if (now.workersMax > 0) return { workersMax: now.workersMax, isRestored: true };
  const before = pausedIn(facts).find(
    ({ accountId, endpointId }) => accountId === place.accountId && endpointId === place.endpointId,
  );
  const { workersMin, workersMax } = before ?? {
    workersMin: limits.endpoint.workersMin.default,
    workersMax: limits.endpoint.workersMax.default,
  };
  await management.updateEndpoint(place.endpointId, { workersMin, workersMax });
  forgetPaused(facts, place);
  return { workersMax, isRestored: before !== undefined };
}
