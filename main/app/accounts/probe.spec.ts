/** Rules of looking at what an account can do. */
import { describe, expect, it } from 'vitest';
import { accountCapabilities, type AccountCapability } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { probe, type Question, type Questions } from './probe.ts';

const fine: Question = () => Promise.resolve();
const failing =
  (error: AppError): Question =>
  () =>
    Promise.reject(error);
const asking = (overrides: Partial<Record<AccountCapability, Question>>): Questions => ({
  ...(Object.fromEntries(accountCapabilities.map((capability) => [capability, fine])) as Questions),
  ...overrides,
});
const refused = failing(new AppError('UNAUTHORIZED', 'no such key', { details: { status: 401 } }));
const forbidden = failing(new AppError('FORBIDDEN', 'This key may not.', { details: { status: 403 } }));

describe('a probe', () => {
  it('lists what works, and the reason for whatever does not', async () => {
    const result = await probe(asking({ billing: forbidden, local: { lacks: 'Only engines.' } }), createFakeClock());
    expect(result).toEqual({
      capabilities: accountCapabilities.filter((one) => one !== 'billing' && one !== 'local'),
      lacks: [
        { capability: 'billing', reason: 'This key may not.' },
        { capability: 'local', reason: 'Only engines.' },
      ],
      state: 'ok',
      reason: null,
      nextTryAt: null,
    });
  });

  it('asks no further where the key is not taken', async () => {
    let questionCount = 0;
    const graphql = () => Promise.resolve((questionCount += 1));
    const result = await probe(asking({ jobs: refused, management: refused, graphql }), createFakeClock());
    expect(result).toMatchObject({ state: 'refused', reason: 'no such key', capabilities: [] });
    expect(result.lacks).toHaveLength(accountCapabilities.length);
    expect(questionCount).toBe(0);
  });

  it('takes an account that is refused one thing alone for one that works', async () => {
    expect(await probe(asking({ management: refused }), createFakeClock())).toMatchObject({ state: 'ok' });
    expect(await probe(asking({ jobs: forbidden, management: forbidden }), createFakeClock())).toMatchObject({
      state: 'ok',
      capabilities: expect.arrayContaining(['graphql']),
    });
  });

  it('calls an account offline whose service answers nothing but that it cannot now, with its words', async () => {
    const down = failing(new AppError('UNAVAILABLE', 'Down for maintenance.', { details: { status: 503 } }));
    const none = Object.fromEntries(accountCapabilities.map((capability) => [capability, down])) as Questions;
    expect(await probe(none, createFakeClock())).toMatchObject({ state: 'offline', reason: 'Down for maintenance.' });
    expect(await probe(asking({ jobs: down, management: down }), createFakeClock())).toMatchObject({ state: 'ok' });
  });

  it('ends after its time, with what was answered until then', async () => {
    const clock = createFakeClock();
    const silent = () => new Promise<never>(() => undefined);
    const probing = probe(asking({ logs: silent, workers: silent }), clock);
    // Its second round begins once the first was answered.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    clock.advance(20_000);
    const { state, lacks } = await probing;
    expect(state).toBe('ok');
    expect(lacks).toEqual([
      { capability: 'logs', reason: 'There was no answer within 20 s.' },
      { capability: 'workers', reason: 'There was no answer within 20 s.' },
    ]);
    expect(clock.pending()).toBe(0);
  });

  it('calls an account offline that answers nothing in all that time', async () => {
    const clock = createFakeClock();
    const silent = () => new Promise<never>(() => undefined);
    const probing = probe(asking({ jobs: silent, management: silent }), clock);
    clock.advance(20_000);
    expect(await probing).toMatchObject({ state: 'offline', capabilities: [] });
  });
});
