/** What a person typed about an account, made into the account it would be. */
import type { Account, AccountAddresses } from '#contract/app/account.ts';
import type { AccountDraft, AccountPreset, TypedAddresses } from '#contract/bridge/account.ts';
import { AppError } from '#contract/core/errors.ts';
import { dialectOf, readAddress } from './address.ts';
import { presets } from './presets.ts';

/** Where an account is, and how it is spoken to there. */
export type AccountTarget = Pick<Account, 'dialect' | 'addresses'>;
export type Reading = Pick<Account, 'name' | 'kind' | 'dialect' | 'addresses'>;

const nonBlank = (typed: string | null): string | null => (typed === null || typed.trim() === '' ? null : typed);

function readAddresses(
  { kind, fields }: AccountPreset,
  typed: TypedAddresses,
  usual: Account['dialect'],
): AccountTarget {
  const read = { jobs: null, management: null, graphql: null } as AccountAddresses;
  for (const { area, label, required } of fields) {
    const text = nonBlank(typed[area]);
    if (text !== null) read[area] = readAddress(text, kind === 'engine' ? 'engine' : area, label);
    else if (required) throw new AppError('BAD_REQUEST', `${label}: an address is needed.`);
  }
  const { jobs } = read;
  return {
    dialect: dialectOf(kind === 'engine' ? '' : (typed.management ?? '')) ?? usual,
    // An engine has all of them at its one address.
    addresses: kind === 'engine' ? { jobs, management: jobs, graphql: jobs } : read,
  };
}

/** Throws BAD_REQUEST for an address that cannot be right or is missing. */
export function readDraft({ preset: id, name, addresses }: AccountDraft): Reading {
  const preset = presets.find((one) => one.id === id)!;
  return { name, kind: preset.kind, ...readAddresses(preset, addresses, preset.dialect) };
}

/** Where an account is to be from now on; it speaks as before unless its REST address ends otherwise. Throws as `readDraft` does. */
export function readMove(
  { kind, dialect }: Pick<Account, 'kind' | 'dialect'>,
  addresses: TypedAddresses,
): AccountTarget {
  return readAddresses(
    presets.find((one) => one.kind === kind)!,
    addresses,
    dialect,
  );
}

const hostsOf = (addresses: AccountAddresses): string[] =>
  Object.values(addresses).flatMap((address: string | null) => (address === null ? [] : [new URL(address).host]));

/** A host of `after` that `before` has nowhere; null where there is none. */
export function newHost(before: AccountAddresses, after: AccountAddresses): string | null {
  const knownHosts = hostsOf(before);
  return hostsOf(after).find((host) => !knownHosts.includes(host)) ?? null;
}
