/** The form values of a new account. The key is not among them: it stays in its field until it is sent. */
import { isPageLink } from '#contract/app/pairingLink.ts';
import type { AccountStart } from '#contract/app/hostMessage.ts';
import type { AccountPreset } from '#contract/bridge/account.ts';
import {
  accountDraftSchema,
  freeAccountName,
  isNameTaken,
  type AccountDraft,
  type TypedAddresses,
} from '#contract/app/accountDraft.ts';
import { isLoopbackHost } from '#contract/network/hosts.ts';
import { schemaProblems } from '../../ui/form/schemaProblems.ts';
import type { FormSchema } from '../../ui/form/useSchemaForm.ts';
import { t } from '../../language/text.ts';

export interface AccountValues {
  preset: AccountPreset;
  /** Empty: the account has its usual name. */
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

const hostName = ({ host, hostname }: URL): string => (isLoopbackHost(hostname) ? host : hostname);

/**
 * The name of an account that the person did not name: that of its host, if the preset has no addresses of its own;
 * null for an engine, which tells the name of its machine once it is added. The second one of a name gets a number.
 */
export function usualName(preset: AccountPreset, { jobs }: TypedAddresses, taken: readonly string[]): string | null {
  if (preset.kind === 'engine') return null;
  const url = preset.addresses.jobs === null ? URL.parse(jobs ?? '') : null;
  return freeAccountName((url && hostName(url)) ?? preset.title, taken);
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
    ? t`This link opens Hangar in a browser. Create the right one on that computer: Settings, Keys, "Pair another computer", or "hangar keys pair".`
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
    if (name !== null && isNameTaken(name, taken))
      problems.set('name', t`Another account has this name. Choose a different name.`);
    // The right link brings the key, too.
    const hasPageLink = values.preset.fields.some(({ area }) => isPageLink(addresses[area] ?? ''));
    if (!values.hasKey && !hasPageLink) problems.set('key', t`Enter the key.`);
    return problems;
  },
});
