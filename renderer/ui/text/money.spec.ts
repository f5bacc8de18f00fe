import { describe, expect, it } from 'vitest';
import { formatEstimate, formatMoney, formatPerHour } from './money.ts';

describe('money', () => {
  it('has two decimals, and four where two would tell nothing', () => {
    expect([0, 0.69, 12, 0.01, 0.0031, 1234.5, -1234567.891].map(formatMoney)).toEqual([
      '$0.00',
      '$0.69',
      '$12.00',
      '$0.01',
      '$0.0031',
      '$1\u202f234.50',
      '$-1\u202f234\u202f567.89',
    ]);
  });

  it('says for how long a price is', () => {
    expect(formatPerHour(0.69)).toBe('$0.69/h');
  });

  it('says of less than a hundredth of a cent that it is more than nothing', () => {
    expect([0, 0.00002, 0.0001].map(formatMoney)).toEqual(['$0.00', '< $0.0001', '$0.0001']);
  });

  it('marks an estimate, and says one sign of an amount that is too small', () => {
    expect([0.69, 0.00002, 0].map(formatEstimate)).toEqual(['≈ $0.69', '< $0.0001', '$0.00']);
  });
});
