/** Words about the loop of a worker. */
import { describe, expect, it } from 'vitest';
import { loopCaution, loopWords } from './loopLabels.ts';

describe('the loop of a worker', () => {
  it('is that of Hangar for handlers, which lose no time between jobs', () => {
    expect(loopWords({ runtime: 'python', publicSdk: null })).toBe("Hangar's Python worker");
    expect(loopCaution({ runtime: 'python', publicSdk: null })).toBeNull();
  });

  it('is that of the public SDK wherever that asks, whoever started it, and sleeps', () => {
    for (const runtime of ['python', 'command', 'container'] as const) {
      expect(loopWords({ runtime, publicSdk: '1.12.0' })).toBe('the worker of the public SDK 1.12.0');
      expect(loopCaution({ runtime, publicSdk: '1.12.0' })).toMatch(/sleeps up to 1 s/);
    }
  });

  it('of a container that has not asked yet may be that of the public SDK', () => {
    expect(loopWords({ runtime: 'container', publicSdk: null })).toBe("the container's own worker");
    expect(loopCaution({ runtime: 'container', publicSdk: null })).toMatch(/public SDK sleeps up to 1 s/);
  });
});
