/** One test for each call of a published client: it passes, or fails for the reason in `test/clients/reasons.ts`. */
import { beforeAll, describe, expect, test } from 'vitest';
import { reasonOf } from '../../clients/reasons.ts';
import type { PublishedClient } from '../../clients/table.ts';
import { install } from './install.ts';
import type { CallOutcome } from './program.ts';

/** A row of the table that the run prints, carried by the test of a call. */
export interface CallRow {
  readonly client: string;
  readonly call: string;
  readonly outcome: 'passes' | 'fails' | 'skipped';
  /** Why it fails or was skipped. */
  readonly reason?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    clientCall?: CallRow;
  }
}

export const titleOf = ({ name, version, registry, use }: PublishedClient): string =>
  `${name} ${version} (${registry}${use === 'client' ? '' : `, ${use}`})`;

/**
 * Installs the client, makes its calls with `makeCalls`, and tests what became of each. `makeCalls` takes the folder of
 * its packages and the calls that it leaves out, which are those that `whySkipped` has a reason for on this machine.
 */
export async function testClient(
  client: PublishedClient,
  makeCalls: (folder: string, leftOut: readonly string[]) => Promise<readonly CallOutcome[]>,
  whySkipped: (call: string) => string | null = () => null,
): Promise<void> {
  const installed = await install(client);
  const title = titleOf(client);
  const skipped = 'missing' in installed ? installed.missing : undefined;
  if (skipped !== undefined) process.stderr.write(`SKIPPED: ${title}, because ${skipped}\n`);
  const reasons = new Map(client.calls.map((call) => [call, skipped ?? whySkipped(call) ?? undefined]));
  const leftOut = client.calls.filter((call) => skipped === undefined && reasons.get(call) !== undefined);
  for (const call of leftOut) process.stderr.write(`SKIPPED: ${title}: ${call}, because ${reasons.get(call)}\n`);

  describe(title, () => {
    let outcomes: readonly CallOutcome[] = [];
    beforeAll(async () => {
      if ('folder' in installed) outcomes = await makeCalls(installed.folder, leftOut);
    });

    test('its program makes the calls of the table, each once and no other', ({ skip }) => {
      if (skipped !== undefined) skip(skipped);
      expect(outcomes.map(({ call }) => call)).toEqual(client.calls.filter((call) => !leftOut.includes(call)));
    });

    for (const call of client.calls) {
      const reason = reasonOf(client, call);
      test(`${call} ${reason === undefined ? 'passes' : 'fails for the reason that is given'}`, ({ skip, task }) => {
        const why = reasons.get(call);
        if (why !== undefined) {
          task.meta.clientCall = { client: title, call, outcome: 'skipped', reason: why };
          skip(why);
        }
        const outcome = outcomes.find((one) => one.call === call);
        const passed = outcome?.passed === true;
        task.meta.clientCall = {
          client: title,
          call,
          outcome: passed ? 'passes' : 'fails',
          ...(passed ? {} : { reason: reason?.reason ?? 'a fault' }),
        };
        if (reason === undefined) expect(passed, outcome?.detail ?? 'the call was not made').toBe(true);
        else {
          expect(passed, 'It passes: take its reason out of test/clients/reasons.ts.').toBe(false);
          expect(outcome?.detail, 'the call was not made').toContain(reason.error ?? '');
        }
      });
    }
  });
}
