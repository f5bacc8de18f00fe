/** The facts about Pods that specs need. */
import type { PodFacts } from '#contract/api/pod.ts';

/** The facts of a Pod whose container does not run, with other values in `fields`. */
export const podFactsOf = (fields: Partial<PodFacts> = {}): PodFacts => ({
  id: 'p',
  preparing: null,
  problem: null,
  runtime: null,
  httpAddresses: {},
  gpus: [],
  ...fields,
});
