import { describe, expect, it } from 'vitest';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { readinessOf } from '../../../test/support/page/endpoints.ts';
import { shortSource, stateOf } from './endpointState.ts';

const NODE = readinessOf({ file: 'handler.mjs', python: null, environmentSource: null });
const row = (fields: Partial<EndpointRow> = {}): EndpointRow => ({
  id: 'e',
  name: 'e',
  type: 'QB',
  templateId: 't',
  imageName: 'i',
  workersMin: 0,
  workersMax: 3,
  idleTimeout: 5,
  health: {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 },
  },
  healthProblem: null,
  readiness: NODE,
  ...fields,
});
const readiness = (fields: object): Pick<EndpointRow, 'readiness'> => ({ readiness: { ...NODE, ...fields } });
const trouble = { deaths: 3, reason: 'ValueError: no (handler.py:2, exit code 1)', lastLines: [], nextTryAt: null };
const pause = (state: PauseState['state']): PauseState => ({
  state,
  source: 'person',
  message: 'Paused by hand.',
  since: null,
  until: null,
  overruled: [],
});

describe('the state of an endpoint', () => {
  it('is ready where nothing is in the way', () => {
    expect(stateOf(row(), null)).toEqual({ state: 'ready', why: null });
    expect(stateOf(row(), pause('running')).state).toBe('ready');
    expect(stateOf(row({ readiness: null }), null).state).toBe('ready');
  });

  it('names the gravest of what is in the way, with the reason', () => {
    const cannot = row(readiness({ available: false, reason: 'no Python', trouble }));
    expect(stateOf(cannot, pause('paused'))).toEqual({ state: 'cannot-run', why: 'no Python' });
    expect(stateOf(row(readiness({ trouble })), pause('paused'))).toEqual({
      state: 'crash-looping',
      why: 'ValueError: no (handler.py:2, exit code 1). 3 workers failed in a row.',
    });
    expect(stateOf(row(readiness({ trouble: { ...trouble, deaths: 1, reason: 'Out of luck.' } })), null).why).toBe(
      'Out of luck.',
    );
    expect(stateOf(row(), pause('paused'))).toEqual({ state: 'paused', why: 'Paused by hand.' });
    expect(stateOf(row(), pause('finishing')).state).toBe('pausing');
    expect(stateOf(row({ health: null, healthProblem: 'gone' }), null)).toEqual({ state: 'unknown', why: 'gone' });
    const paused = { state: 'endpoint-paused', why: 'New jobs wait in the queue.' };
    expect(stateOf(row({ workersMax: 0, ...readiness({ trouble }) }), pause('paused'))).toEqual(paused);
    expect(stateOf(row({ workersMax: 0, health: null }), null)).toEqual(paused);
  });

  it('says of a paused endpoint which jobs run and wait', () => {
    const health = { ...row().health!, jobs: { completed: 0, failed: 0, inProgress: 1, inQueue: 2, retried: 0 } };
    expect(stateOf(row({ workersMax: 0, health }), null).why).toBe('1 job still runs. 2 jobs wait in the queue.');
    expect(stateOf(row({ workersMax: 0, type: 'LB' }), null).why).toBe('Requests to it are not served.');
  });
});

describe('where an endpoint comes from', () => {
  it.each([
    ['file:///home/me/my%20handler/', 'my handler'],
    ['file:///home/me/100%', '100%'],
    ['registry.example/team/worker:1.2', 'worker:1.2'],
    [null, 'template not found'],
  ])('%s reads %s', (image, text) => expect(shortSource(image)).toBe(text));
});
