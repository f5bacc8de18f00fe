/** What a person typed about a new account, made into the account it would be. */
import type { Account, AccountAddresses } from '#contract/account.ts';
import type { AccountDraft } from '#contract/accountBridge.ts';
import { AppError } from '#contract/errors.ts';
import { dialectOf, readAddress } from './address.ts';
import { presets } from './presets.ts';

export type Reading = Pick<Account, 'name' | 'kind' | 'dialect' | 'addresses'>;

const given = (typed: string | null): string | null => (typed === null || typed.trim() === '' ? null : typed);

/** Throws BAD_REQUEST for an address that cannot be right or is missing. */
export function readDraft({ preset: id, name, addresses: typed }: AccountDraft): Reading {
  const preset = presets.find((one) => one.id === id)!;
  const read = { jobs: null, management: null, graphql: null } as AccountAddresses;
  for (const { area, label, required } of preset.fields) {
    const text = given(typed[area]);
    if (text !== null) read[area] = readAddress(text, preset.kind === 'engine' ? 'engine' : area, label);
    else if (required) throw new AppError('BAD_REQUEST', `${label}: an address is needed.`);
  }
  const { jobs } = read;
  return {
    ...{ name, kind: preset.kind },
    dialect: dialectOf(preset.kind === 'engine' ? '' : (typed.management ?? '')) ?? preset.dialect,
    // An engine has all of them at its one address.
    addresses: preset.kind === 'engine' ? { jobs, management: jobs, graphql: jobs } : read,
  };
}
