/** What a person dismissed on Home. */
import * as z from 'zod';
import { asJson, personalSetting } from '../../state/personalSetting.ts';

/** Until when failures were dismissed, by `failureKey` or `OTHER_FAILURES`, in milliseconds since the epoch. */
export const failuresSeen = personalSetting('failuresSeen', asJson(z.record(z.string(), z.number())), {});

/** Home counts the failures of this time. */
export const SINCE_MS = 24 * 60 * 60 * 1000;

/** Dismisses failures, and forgets what no failure of today belongs to. The answer takes it back. */
export function dismissFailures(key: string, until: number): () => void {
  const before = failuresSeen.get()[key];
  const recent = Object.entries(failuresSeen.get()).filter(([, at]) => at > Date.now() - SINCE_MS);
  failuresSeen.set({ ...Object.fromEntries(recent), [key]: until });
  return () => {
    const { [key]: _, ...others } = failuresSeen.get();
    failuresSeen.set(before === undefined ? others : { ...others, [key]: before });
  };
}

const stepNames = ['hardware', 'containers', 'job', 'endpoint'] as const;
export type StepName = (typeof stepNames)[number];

/** The first steps that were skipped. */
export const skippedSteps = personalSetting('skippedSteps', asJson(z.array(z.enum(stepNames))), []);
