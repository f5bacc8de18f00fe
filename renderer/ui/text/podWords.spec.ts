import { describe, expect, it } from 'vitest';
import type { Pod, PodFacts } from '#contract/api/pod.ts';
import { podFactsOf } from '../../../test/support/pods/podFacts.ts';
import { formatMoment } from './format.ts';
import { changeWords, podCountWords, stateOf } from './podWords.ts';

const runtime = { uptimeInSeconds: 1800, ports: [], container: null, gpus: [] };
const once = {
  times: 1,
  endedAt: '2026-03-01T12:00:00.000Z',
  text: 'Its container ended with exit code 1.',
  lastLines: [],
  isCrashLoop: false,
  nextStartAt: null,
};
const row = (pod: Partial<Pod>, facts: Partial<PodFacts> | null = null) => ({
  pod: { desiredStatus: 'RUNNING', lastStatusChange: 'then', ...pod } as Pod,
  facts: facts && podFactsOf(facts),
});

describe('the state of a Pod', () => {
  it('is the gravest of what holds', () => {
    expect(stateOf(row({ desiredStatus: 'EXITED' }, { problem: 'old' }))).toEqual({ state: 'stopped', why: 'then' });
    expect(stateOf(row({}, { problem: 'no image', preparing: 'Pulling' })).state).toBe('failing');
    expect(stateOf(row({}, { preparing: 'Pulling' })).state).toBe('preparing');
    // The container of before is still up while a new one is to take its place.
    const preparing = 'Resetting: the old container is being stopped';
    expect(stateOf(row({}, { preparing, runtime }))).toEqual({ state: 'preparing', why: preparing });
    expect(stateOf(row({}, { runtime })).state).toBe('running');
    expect(stateOf(row({}, { problem: 'It ended.', restarts: { ...once, nextStartAt: 'soon' } })).state).toBe(
      'restarting',
    );
    const loop = { ...once, times: 7, isCrashLoop: true };
    for (const facts of [{ runtime }, { preparing: 'Starting its container' }, { problem: 'It ended.' }]) {
      expect(stateOf(row({}, { ...facts, restarts: loop })).state).toBe('looping');
    }
    expect(stateOf(row({})).state).toBe('unreported');
  });

  it('has its last change in the words of the window, and whatever else as it came', () => {
    expect(changeWords('Rented by User: Wed, 25 Nov 2026 08:11:24 GMT')).toMatch(/^Deployed, .*2026/);
    expect(changeWords('Exited by Runpod: Wed, 25 Nov 2026 08:11:24 GMT')).toMatch(/^Exited by Runpod, .*2026/);
    expect(changeWords('Evicted: no reason')).toBe('Evicted: no reason');
  });

  it('has the moments in its reason as a person writes them', () => {
    const problem = `Its container ended at ${once.endedAt} (2 times so far). It restarts automatically at 2026-03-01T12:00:05.250Z.`;
    const words = `Its container ended at ${formatMoment(Date.parse(once.endedAt))} (2 times so far). It restarts automatically at ${formatMoment(Date.parse('2026-03-01T12:00:05.250Z'))}.`;
    for (const restarts of [{ ...once, isCrashLoop: true }, { ...once, nextStartAt: 'soon' }, null]) {
      expect(stateOf(row({}, { problem, restarts })).why).toBe(words);
    }
  });

  it('names the fields in its reason as the form does', () => {
    const problem = 'It cannot start. Check dockerEntrypoint and dockerStartCmd of the Pod.';
    expect(stateOf(row({}, { problem })).why).toBe('It cannot start. Check "Entrypoint" and "Command" of the Pod.');
  });

  it('is counted as its chip has it, and not by what it should do', () => {
    expect(podCountWords([])).toBe('');
    const loop = { ...once, times: 7, isCrashLoop: true };
    const rows = [
      row({}, { runtime, restarts: loop }),
      row({}, { problem: 'No such image.' }),
      row({}, { runtime }),
      row({}, { runtime }),
      row({ desiredStatus: 'EXITED' }),
      { ...row({}, { runtime }), work: 'stop' as const },
    ];
    expect(podCountWords(rows)).toBe('2 running, 1 in a crash loop, 1 not running, 1 stopping, 1 stopped');
  });
});
