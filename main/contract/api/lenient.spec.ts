/** What is read of answers of other services although it is not as described. */
import { expect, it } from 'vitest';
import { lenientBillingSchema } from './lenient.ts';

it('an amount of a bill is a number or its text', () => {
  expect(lenientBillingSchema.parse({ time: '', amount: '1.25' }).amount).toBe(1.25);
  expect(lenientBillingSchema.parse({ time: '', amount: 0.5 }).amount).toBe(0.5);
});

it.each([[undefined], [null], [''], ['free'], [{ usd: 1 }]])(
  'a bill with the amount %j is an error, not $0',
  (amount) => {
    expect(lenientBillingSchema.safeParse({ time: '', amount }).success).toBe(false);
  },
);
