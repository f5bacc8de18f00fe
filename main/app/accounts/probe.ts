/**
 * Probes the capabilities of an account: one request for each capability. The requests change nothing, and the time is
 * limited.
 */
import { accountCapabilities, type AccountCapability, type AccountLack } from '#contract/app/account.ts';
import type { AccountProbe } from '#contract/bridge/account.ts';
import { AppError, toAppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Clock } from '../platform/clock.ts';
import { conditionOf, ok, unknown, type Condition } from './health.ts';

/** A request; or `lacks`, the reason why the account has no such part. */
export type Question = (() => Promise<unknown>) | { lacks: string };
export type Questions = Readonly<Record<AccountCapability, Question>>;

/** These run before all others: if the key is refused or nobody answers, the other requests are not sent. */
const first: readonly AccountCapability[] = ['jobs', 'management'];

type Finding = { capability: AccountCapability; error: AppError | null };

/** Never rejects. The caller aborts requests that still run at its end. */
export async function probe(questions: Questions, clock: Clock): Promise<AccountProbe> {
  const tooLate = new AppError('UNAVAILABLE', `There was no answer within ${limits.accounts.probeMs / 1000} s.`);
  let cancel = (): void => undefined;
  const end = new Promise<AppError>((resolve) => {
    cancel = clock.after(limits.accounts.probeMs, () => resolve(tooLate));
  });

  async function ask(capability: AccountCapability): Promise<Finding> {
    const question = questions[capability];
    if (typeof question !== 'function') return { capability, error: new AppError('UNSUPPORTED', question.lacks) };
    const outcome = question().then(
      () => null,
      (thrown: unknown) => toAppError(thrown),
    );
    return { capability, error: await Promise.race([outcome, end]) };
  }
  const askAll = (capabilities: readonly AccountCapability[]) => Promise.all(capabilities.map(ask));

  try {
    const findings = await askAll(first);
    const rest = accountCapabilities.filter((capability) => !first.includes(capability));
    const conditions = findings.flatMap(({ error }) => (error === null ? ok : (conditionOf(error, clock.now()) ?? [])));
    const isUp = conditions.some(({ state }) => state === 'ok');
    const stopped = conditions.find(({ state }) => state !== 'ok');
    if (isUp || !stopped) findings.push(...(await askAll(rest)));
    else {
      const error = new AppError('UNAVAILABLE', stopped.reason ?? '');
      findings.push(...rest.map((capability) => ({ capability, error })));
    }
    const silent = findings.find(({ error }) => error?.code === 'UNAVAILABLE')?.error;
    const away: Condition | null = silent ? { state: 'offline', reason: silent.message, nextTryAt: null } : null;
    const works = new Set(findings.flatMap(({ capability, error }) => (error === null ? [capability] : [])));
    const lacks: AccountLack[] = findings.flatMap(({ capability, error }) =>
      error === null ? [] : [{ capability, reason: error.message }],
    );
    return {
      capabilities: accountCapabilities.filter((capability) => works.has(capability)),
      lacks: lacks.toSorted(
        (a, b) => accountCapabilities.indexOf(a.capability) - accountCapabilities.indexOf(b.capability),
      ),
      ...(isUp || works.size > 0 ? ok : (stopped ?? away ?? unknown)),
    };
  } finally {
    cancel();
  }
}
