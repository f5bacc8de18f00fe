/** What a person dismissed on Home. */
import * as z from 'zod';
import { asJson, personalSetting } from '../../state/personalSetting.ts';

/** When the failures of an endpoint were last dismissed, by `failureKey`, in milliseconds since the epoch. */
export const failuresSeen = personalSetting('failuresSeen', asJson(z.record(z.string(), z.number())), {});

const stepNames = ['hardware', 'containers', 'job', 'endpoint'] as const;
export type StepName = (typeof stepNames)[number];

/** The first steps that were skipped. */
export const skippedSteps = personalSetting('skippedSteps', asJson(z.array(z.enum(stepNames))), []);
