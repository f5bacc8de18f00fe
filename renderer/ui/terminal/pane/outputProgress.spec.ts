import { expect, it } from 'vitest';
import { createOutputProgress } from './outputProgress.ts';

const KIB = 1024;

it('drawn output is reported once nothing more waits, and else every 64 KiB', () => {
  const reports: number[] = [];
  const output = createOutputProgress((drawn) => reports.push(drawn));
  output.restart(100);
  output.receive(70 * KIB);
  output.draw(10 * KIB);
  expect(reports).toEqual([]);
  output.draw(54 * KIB);
  output.draw(KIB);
  output.draw(5 * KIB);
  expect(reports).toEqual([100 + 64 * KIB, 100 + 70 * KIB]);
});

it('output goes on after what was received when the connection comes back', () => {
  const output = createOutputProgress(() => undefined);
  expect(output.received).toBeNull();
  output.restart(0);
  output.receive(5);
  expect(output.received).toBe(5);
  output.resume(5);
  output.receive(2);
  expect(output.received).toBe(7);
});
