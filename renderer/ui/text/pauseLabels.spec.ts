/** How a pause is told. */
import { describe, expect, it } from 'vitest';
import type { PauseState } from '#contract/local/machine.ts';
import { formatClock } from './format.ts';
import { isRule, pauseLine, pauseTiming, resumeLabel } from './pauseLabels.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const paused = (change: Partial<PauseState>): PauseState => ({
  state: 'paused',
  source: 'person',
  message: 'Paused.',
  since: null,
  until: null,
  overruled: [],
  ...change,
});

describe('a pause in words', () => {
  it('is nothing while work goes on', () => {
    expect(pauseLine(paused({ state: 'running', source: null }), NOW)).toBeNull();
  });

  it('names the rule in the status bar', () => {
    expect(pauseLine(paused({ source: 'battery' }), NOW)).toBe('Paused: on battery');
    expect(pauseLine(paused({ source: 'person' }), NOW)).toBe('Paused by you');
    const until = '2026-11-21T13:00:00Z';
    expect(pauseLine(paused({ until }), NOW)).toBe(`Paused by you until ${formatClock(Date.parse(until))}`);
    expect(pauseLine(paused({ state: 'finishing' }), NOW)).toBe('Pausing after the running jobs');
  });

  it('offers to overrule a rule, and merely to resume otherwise', () => {
    expect(resumeLabel(paused({ source: 'quiet-hours' }))).toBe('Resume anyway');
    expect(resumeLabel(paused({ source: 'person' }))).toBe('Resume');
    expect(isRule('start')).toBe(false);
  });

  it('tells how long it has held, and until when', () => {
    const since = '2026-11-21T11:48:00Z';
    expect(pauseTiming(paused({ since }), NOW)).toBe('The pause began 12 min ago. No job starts meanwhile.');
    expect(pauseTiming(paused({ since: '2026-11-21T11:59:58Z' }), NOW)).toMatch(/^The pause began just now\./);
    expect(pauseTiming(paused({ since, until: '2026-11-21T12:30:00Z' }), NOW)).toMatch(
      /^The pause began 12 min ago\. It ends at .*\d\d/,
    );
    expect(pauseTiming(paused({}), NOW)).toBe('No job starts meanwhile.');
  });
});
