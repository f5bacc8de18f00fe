import { describe, expect, it } from 'vitest';
import { lenientPodSchema } from '../api/lenient.ts';
import type { PodFacts } from '../api/pod.ts';
import { costPerHourNow } from './podCost.ts';

const pod = (change: object = {}) =>
  lenientPodSchema.parse({ id: 'p', name: 'trainer', desiredStatus: 'RUNNING', costPerHr: 0.5, ...change });
const facts = (change: Partial<PodFacts>): PodFacts => ({
  id: 'p',
  preparing: null,
  problem: null,
  runtime: null,
  httpAddresses: {},
  gpus: [],
  ...change,
});
const limits = { vcpuCount: null, memoryInGb: null };
const runtime = { uptimeInSeconds: 60, ports: [], gpus: [], container: null };

describe('what a Pod costs an hour now', () => {
  it('on an engine of Hangar, is its price while its container runs, and nothing otherwise', () => {
    expect(costPerHourNow({ pod: pod(), facts: facts({ limits, runtime }) })).toBe(0.5);
    expect(costPerHourNow({ pod: pod(), facts: facts({ limits, preparing: 'Pulling me/image, 40 %' }) })).toBe(0);
    expect(costPerHourNow({ pod: pod(), facts: facts({ limits, problem: 'No such image.' }) })).toBe(0);
  });

  it('of a cloud, is its price until it is stopped, whatever its container does', () => {
    expect(costPerHourNow({ pod: pod(), facts: null })).toBe(0.5);
    expect(costPerHourNow({ pod: pod(), facts: facts({}) })).toBe(0.5);
    expect(costPerHourNow({ pod: pod({ desiredStatus: 'EXITED' }), facts: facts({}) })).toBe(0);
  });
});
