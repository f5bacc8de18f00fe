/**
 * Prints the candidates for the word at the cursor. It prints nothing after an error, because a shell would show it.
 */
import { homedir } from 'node:os';
import type { Command } from 'commander';
import type { CommandClient } from '#contract/command/index.ts';
import type { Cli } from '../cli.ts';
import { oneLine } from '../output/text.ts';
import { findAccount } from '../targets.ts';
import { candidatesOf, valuePrefix, withoutEquals, type NameKind } from './candidates.ts';
import { FILES_MARK } from './scripts.ts';

/** Longest wait for names after Tab. */
const NAMES_MS = 2000;
const JOBS = 20;

async function namesOf(client: CommandClient, kind: NameKind, account: string | null): Promise<string[]> {
  if (kind === 'account') return (await client.accounts.list()).map(({ name }) => name);
  if (kind === 'job') {
    const { entries } = await client.jobs.list({ filter: {}, offset: 0, limit: JOBS });
    return entries.map(({ jobId, entryId }) => jobId ?? entryId);
  }
  const { id: accountId } = await findAccount(client, account ?? undefined);
  if (kind === 'endpoint') return (await client.endpoints.list({ accountId })).map(({ name, id }) => name || id);
  if (kind === 'key') return (await client.apiKeys.list({ accountId })).map(({ name, id }) => name || id);
  const { rows } = await client.pods.now({ accountId });
  return rows.map(({ pod }) => pod.name || pod.id);
}

/** Shells pass words as they are typed: with a backslash before a space, or an open quote. */
const unquoted = (word: string): string => word.replace(/^(--[^=]+=)?["']/, '$1').replaceAll(/\\(.)/g, '$1');

async function namesWithin(cli: Cli, kind: NameKind, account: string | null): Promise<string[]> {
  const tooLate = new Promise<string[]>((resolve) => void setTimeout(() => resolve([]), NAMES_MS).unref());
  const names = cli.client().then((client) => namesOf(client, kind, account));
  return Promise.race([names, tooLate]).catch(() => []);
}

const FLAG = '--data-dir';

/** The data folder that the typed words name; undefined without one. The word at the cursor is not complete. */
export function typedDataDir(typed: readonly string[]): string | undefined {
  const words = typed.slice(0, -1).map(unquoted);
  const at = words.findLastIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  const value = words[at] === FLAG ? words[at + 1] : words[at]?.slice(FLAG.length + 1);
  // Shells pass words before they replace the tilde.
  return value ? value.replace(/^~(?=\/|$)/, homedir()) : undefined;
}

/** Prints one candidate on each line. `typed`: see candidatesOf. */
export async function complete(program: Command, cli: Cli, typed: readonly string[]): Promise<void> {
  const words = withoutEquals(typed.map(unquoted));
  const current = words.at(-1) ?? '';
  const candidates = candidatesOf(program, words);
  if (candidates.kind === 'files') return cli.output.line(FILES_MARK);
  const list =
    candidates.kind === 'words' ? candidates.words : await namesWithin(cli, candidates.names, candidates.account);
  const prefix = valuePrefix(current);
  for (const word of list) {
    const whole = `${prefix}${word}`;
    if (whole.startsWith(current)) cli.output.line(oneLine(whole));
  }
}
