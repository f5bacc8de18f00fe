import { expect, test } from 'vitest';
import { createPowerSource } from './powerSource.ts';

test('the report of the host is right, and without one the system is asked', async () => {
  let questions = 0;
  const ask = async (): Promise<boolean> => {
    questions += 1;
    return true;
  };
  const power = createPowerSource();
  expect(await power.onBattery(ask)).toBe(true);
  power.report(false);
  expect(await power.onBattery(ask)).toBe(false);
  expect(questions).toBe(1);
  power.report(null);
  expect(await power.onBattery(ask)).toBe(true);
});
