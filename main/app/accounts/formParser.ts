/** Parses the form of an account. */
import type { Account, AccountAddresses } from '#contract/app/account.ts';
import type { AccountPreset } from '#contract/bridge/account.ts';
import type { AccountDraft, TypedAddresses } from '#contract/app/accountDraft.ts';
import { AppError, aboutField } from '#contract/core/errors.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import { dialectOf, readAddress } from './address.ts';
import { presets } from './presets.ts';

/** The addresses of an account and its dialect. */
export type AccountTarget = Pick<Account, 'dialect' | 'addresses'>;
export type Reading = Pick<Account, 'name' | 'kind' | 'dialect' | 'addresses'>;

const nonBlank = (typed: string | null): string | null => (typed === null || typed.trim() === '' ? null : typed);

function readField(area: keyof AccountAddresses, read: () => string): string {
  try {
    return read();
  } catch (thrown) {
    throw aboutField(area, thrown);
  }
}

function readAddresses(
  { kind, fields }: AccountPreset,
  typed: TypedAddresses,
  usual: Account['dialect'],
): AccountTarget {
  const read: AccountAddresses = { jobs: null, management: null, graphql: null };
  for (const { area, label, required } of fields) {
    const text = nonBlank(typed[area]);
    if (text !== null)
      read[area] = readField(area, () => readAddress(text, kind === 'engine' ? 'engine' : area, label));
    else if (required)
      throw new AppError('BAD_REQUEST', `${label}: an address is needed.`, { details: { field: area } });
  }
  const { jobs } = read;
  return {
    dialect: dialectOf(kind === 'engine' ? '' : (typed.management ?? '')) ?? usual,
    // An engine has all areas at its one address.
    addresses: kind === 'engine' ? { jobs, management: jobs, graphql: jobs } : read,
  };
}

/**
 * An account without a name has the host of its address as its name until its engine tells the name of its machine.
 * Throws BAD_REQUEST for an address that is invalid or missing.
 */
export function readDraft({ preset: id, name, addresses }: AccountDraft): Reading {
  const preset = requireValue(
    presets.find((one) => one.id === id),
    `the preset ${id}`,
  );
  const target = readAddresses(preset, addresses, preset.dialect);
  return { name: name ?? URL.parse(target.addresses.jobs ?? '')?.host ?? preset.title, kind: preset.kind, ...target };
}

/**
 * The new addresses of an account. The dialect stays, unless the end of the new REST address names another one. Throws
 * as `readDraft` does.
 */
export function readMove(
  { kind, dialect }: Pick<Account, 'kind' | 'dialect'>,
  addresses: TypedAddresses,
): AccountTarget {
  const preset = requireValue(
    presets.find((one) => one.kind === kind),
    `a preset of the kind ${kind}`,
  );
  return readAddresses(preset, addresses, dialect);
}

const hostsOf = (addresses: AccountAddresses): string[] =>
  Object.values(addresses).flatMap((address: string | null) => (address === null ? [] : [new URL(address).host]));

/** A host of `after` that does not occur in `before`; null if there is none. */
export function newHost(before: AccountAddresses, after: AccountAddresses): string | null {
  const knownHosts = hostsOf(before);
  return hostsOf(after).find((host) => !knownHosts.includes(host)) ?? null;
}
