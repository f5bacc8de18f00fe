/** The form values of a new account. The key is not among them: it stays in its field until it is sent. */
import { isPageLink } from '#contract/app/pairingLink.ts';
import type { AccountStart } from '#contract/app/hostMessage.ts';
import type { AccountPreset } from '#contract/bridge/account.ts';
import { accountDraftSchema, type AccountDraft, type TypedAddresses } from '#contract/app/accountDraft.ts';
import { isLoopbackHost } from '#contract/network/hosts.ts';
import { schemaProblems } from '../../ui/form/schemaProblems.ts';
import type { FormSchema } from '../../ui/form/useSchemaForm.ts';
import { t } from '../../language/text.ts';

export interface AccountValues {
  preset: AccountPreset;
  /** Empty: the title of the preset is used. */
  name: string;
  addresses: TypedAddresses;
  /** Whether the field of the key has text. */
  hasKey: boolean;
  /** Whether that text is a pairing code. */
  isPairing: boolean;
}

export const newAccount = (preset: AccountPreset): AccountValues => ({
  preset,
  name: '',
  addresses: preset.addresses,
  hasKey: false,
  isPairing: false,
});

/** A form with the initial values of a link. */
export function startedAccount(
  start: AccountStart,
  presets: readonly [AccountPreset, ...AccountPreset[]],
): AccountValues {
  const values = newAccount(presets.find(({ id }) => id === start.preset) ?? presets[0]);
  const { jobs, management, graphql } = start.addresses;
  const { addresses } = values;
  return {
    ...values,
    name: start.name,
    addresses: {
      jobs: jobs ?? addresses.jobs,
      management: management ?? addresses.management,
      graphql: graphql ?? addresses.graphql,
    },
  };
}

/** The hosts of the addresses, each once; one that cannot be read is shown as it is. */
export function hostsOf({ jobs, management, graphql }: TypedAddresses): string {
  const addresses = [jobs, management, graphql].flatMap((address) => address ?? []);
  return [...new Set(addresses.map((address) => URL.parse(address)?.host ?? address))].join(', ');
}

/** Whether another account has the name, in any case. `taken`: the names of all accounts. */
const isTaken = (name: string, taken: readonly string[]): boolean =>
  taken.some((other) => other.toLowerCase() === name.toLowerCase());

function hostName({ kind }: AccountPreset, { host, hostname }: URL): string | null {
  if (kind === 'cloud') return isLoopbackHost(hostname) ? host : hostname;
  return hostname === '' || isLoopbackHost(hostname) || hostname.startsWith('[') ? null : hostname;
}

/**
 * The name of an account that the person did not name: that of its host, if the preset has no addresses of its own.
 * An engine behind a tunnel is named as its preset. The second one of a name gets a number.
 */
export function usualName(preset: AccountPreset, { jobs }: TypedAddresses, taken: readonly string[]): string {
  const url = preset.addresses.jobs === null ? URL.parse(jobs ?? '') : null;
  const usual = (url && hostName(preset, url)) ?? preset.title;
  let name = usual;
  for (let number = 2; isTaken(name, taken); number += 1) name = `${usual} ${number}`;
  return name;
}

export const toDraft = (
  { preset, name, addresses }: AccountValues,
  key: string,
  taken: readonly string[],
): AccountDraft => ({
  preset: preset.id,
  name: name.trim() === '' ? usualName(preset, addresses, taken) : name.trim(),
  addresses,
  key,
});

/** What is wrong with an address that can be said while it is typed: the link of the page adds no account. */
export const pageLinkProblem = (address: string | null): string | undefined =>
  isPageLink(address ?? '')
    ? t`This link opens Hangar in a browser. Run "hangar keys pair" on that computer and paste its link.`
    : undefined;

const { name: nameSchema, addresses: addressesSchema } = accountDraftSchema.shape;

/** `taken`: the names of all accounts. */
export const accountForm = (taken: readonly string[]): FormSchema<AccountValues> => ({
  emptyAtFirst: ['jobs', 'management', 'graphql', 'key'],
  problemsOf(values) {
    const { name, addresses } = toDraft(values, '', taken);
    const problems = schemaProblems(addressesSchema, addresses);
    for (const { area, required } of values.preset.fields) {
      const linkProblem = pageLinkProblem(addresses[area]);
      if (linkProblem !== undefined) problems.set(area, linkProblem);
      if (required && (addresses[area] ?? '').trim() === '') problems.set(area, t`Enter an address.`);
    }
    const { error } = nameSchema.safeParse(name);
    if (error) problems.set('name', t`The name is too long.`);
    // Said before the key is sent, because the page forgets it then.
    if (isTaken(name, taken)) problems.set('name', t`Another account has this name. Choose a different name.`);
    // The right link brings the key, too.
    const hasPageLink = values.preset.fields.some(({ area }) => isPageLink(addresses[area] ?? ''));
    if (!values.hasKey && !hasPageLink) problems.set('key', t`Enter the key.`);
    return problems;
  },
});
