/** Shared parts of commands: groups, and options that mean the same everywhere. */
import type { Command } from 'commander';
import type { LenientGpuType } from '#contract/api/lenient.ts';
import type { CommandClient } from '#contract/command/index.ts';
import { messageOf } from '#contract/core/errors.ts';
import { CommandFailure, exitCodes } from '../failure.ts';

/** Adds a command that only has subcommands. */
export const addGroup = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).helpCommand(false);

export interface AccountOption {
  account?: string;
}

export const ACCOUNT = ['-a, --account <name>', 'account to use (default: this computer)'] as const;
/** The number of an option; null for `word`, such as "never". `min`, `max`: the range, which is refused elsewhere. */
export function numberOr(
  word: string,
  option: string,
  text: string,
  { min, max }: { min: number; max: number },
): number | null {
  if (text === word) return null;
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  throw new CommandFailure(
    exitCodes.usage,
    `${option} is ${JSON.stringify(text)}. Give a number from ${min} to ${max}, or ${word}.`,
  );
}

export const YES = ['-y, --yes', 'do not ask'] as const;

/** The GPU types of an account with their prices, and why a price may be missing: words for a sentence. */
export interface GpuOffers {
  offers: LenientGpuType[];
  missing: string;
}

/** The one call that prices need. */
export type GpuTypesClient = { pods: Pick<CommandClient['pods'], 'gpuTypes'> };

/** Reads the prices of an account. A failure does not stop the command: `missing` has its reason. */
export async function readGpuOffers(client: GpuTypesClient, accountId: string): Promise<GpuOffers> {
  try {
    return { offers: await client.pods.gpuTypes({ accountId }), missing: 'the account does not say how much' };
  } catch (thrown) {
    return { offers: [], missing: `the price could not be read (${messageOf(thrown)})` };
  }
}
