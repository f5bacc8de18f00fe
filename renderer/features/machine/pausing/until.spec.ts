/** Rules of "until a time of day". */
import { describe, expect, it } from 'vitest';
import { msUntil, timeOfDayAt } from './until.ts';

const at = (text: string) => new Date(`2026-11-21T${text}`).getTime();
const HOUR = 3_600_000;

describe('until a time of day', () => {
  it('is today where it is still to come', () => {
    expect(msUntil('14:30', at('12:30:00'))).toBe(2 * HOUR);
  });

  it('is tomorrow where it has passed, or is now', () => {
    expect(msUntil('12:00', at('13:00:00'))).toBe(23 * HOUR);
    expect(msUntil('12:00', at('12:00:00'))).toBe(24 * HOUR);
  });

  it.each(['', '24:00', '7:00', '12:60', 'noon'])('is nothing for %j', (text) => {
    expect(msUntil(text, at('12:00:00'))).toBeNull();
  });

  it('is written as an input for times takes it', () => {
    expect(timeOfDayAt(at('07:05:59'))).toBe('07:05');
  });
});
