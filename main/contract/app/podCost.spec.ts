import { describe, expect, it } from 'vitest';
import { lenientPodSchema } from '../api/lenient.ts';
import { podFactsOf } from '../../../test/support/pods/podFacts.ts';
import { costPerHourNow } from './podCost.ts';

const pod = (change: object = {}) =>
  lenientPodSchema.parse({ id: 'p', name: 'trainer', desiredStatus: 'RUNNING', costPerHr: 0.5, ...change });
const limits = { vcpuCount: null, memoryInGb: null };
const runtime = { uptimeInSeconds: 60, ports: [], gpus: [], container: null };

describe('what a Pod costs an hour now', () => {
  it('on an engine of Hangar, is its price while its container runs, and nothing otherwise', () => {
    expect(costPerHourNow({ pod: pod(), facts: podFactsOf({ limits, runtime }) })).toBe(0.5);
    expect(costPerHourNow({ pod: pod(), facts: podFactsOf({ limits, preparing: 'Pulling me/image, 40 %' }) })).toBe(0);
    expect(costPerHourNow({ pod: pod(), facts: podFactsOf({ limits, problem: 'No such image.' }) })).toBe(0);
  });

  it('of a cloud, is its price until it is stopped, whatever its container does', () => {
    expect(costPerHourNow({ pod: pod(), facts: null })).toBe(0.5);
    expect(costPerHourNow({ pod: pod(), facts: podFactsOf({}) })).toBe(0.5);
    expect(costPerHourNow({ pod: pod({ desiredStatus: 'EXITED' }), facts: podFactsOf({}) })).toBe(0);
  });
});
