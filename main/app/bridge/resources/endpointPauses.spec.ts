/** Rules of pausing an endpoint, and of what it gets back. */
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { Endpoint, EndpointUpdate } from '#contract/api/resources.ts';
import { forgetPaused, forgetPausedOf, pauseEndpoint, resumeEndpoint } from './endpointPauses.ts';

const place = { accountId: 'a', endpointId: 'e' };

describe('a paused endpoint', () => {
  const stored = new Map<string, unknown>();
  const facts: Parameters<typeof pauseEndpoint>[1] = {
    meta: (key, schema) => schema.safeParse(stored.get(key)).data,
    setMeta: (key, value) => void stored.set(key, JSON.parse(JSON.stringify(value))),
  };
  let workers = { workersMin: 0, workersMax: 0 };
  let isRefused = false;
  const management = {
    endpoint: () => Promise.resolve({ ...workers } as Endpoint),
    updateEndpoint(_: string, { workersMin, workersMax }: EndpointUpdate) {
      if (isRefused) return Promise.reject(new AppError('FORBIDDEN', 'no'));
      workers = { workersMin: workersMin ?? NaN, workersMax: workersMax ?? NaN };
      return Promise.resolve(workers as Endpoint);
    },
  };
  beforeEach(() => {
    stored.clear();
    isRefused = false;
    workers = { workersMin: 2, workersMax: 7 };
  });

  it('may have no workers, and gets back those from before', async () => {
    await pauseEndpoint(management, facts, place);
    expect(workers).toEqual({ workersMin: 0, workersMax: 0 });
    // A second pause does not replace what the first one stored.
    await pauseEndpoint(management, facts, place);
    expect(await resumeEndpoint(management, facts, place)).toEqual({ workersMax: 7, isRestored: true });
    expect(workers).toEqual({ workersMin: 2, workersMax: 7 });
    expect(stored.get('pausedEndpoints')).toEqual([]);
  });

  it('that another program paused, or resumed, is no fault', async () => {
    workers = { workersMin: 0, workersMax: 0 };
    expect(await resumeEndpoint(management, facts, place)).toEqual({ workersMax: 3, isRestored: false });
    expect(workers).toEqual({ workersMin: 0, workersMax: 3 });
    await pauseEndpoint(management, facts, place);
    workers = { workersMin: 1, workersMax: 5 };
    expect(await resumeEndpoint(management, facts, place)).toEqual({ workersMax: 5, isRestored: true });
    expect(workers).toEqual({ workersMin: 1, workersMax: 5 });
  });

  it('keeps what it had when its service refuses to resume it', async () => {
    await pauseEndpoint(management, facts, place);
    isRefused = true;
    await expect(resumeEndpoint(management, facts, place)).rejects.toThrow('no');
    isRefused = false;
    expect(await resumeEndpoint(management, facts, place)).toMatchObject({ workersMax: 7 });
  });

  it('is forgotten with its deletion, and with its account', async () => {
    await pauseEndpoint(management, facts, place);
    workers = { workersMin: 2, workersMax: 7 };
    await pauseEndpoint(management, facts, { ...place, accountId: 'b' });
    forgetPaused(facts, place);
    expect(stored.get('pausedEndpoints')).toMatchObject([{ accountId: 'b' }]);
    forgetPausedOf(facts, 'b');
    expect(stored.get('pausedEndpoints')).toEqual([]);
  });
});
