/** The permissions of API keys in words, and the keys that Hangar itself may use. */
import type { Account } from '#contract/app/account.ts';
import type { ApiKeyRecord, ApiKeyScope } from '#contract/local/engine.ts';
import { t } from '../../../language/text.ts';

/** The smallest permission first: it is the default of a new key, and enough for most scripts. */
export const scopeWords: Record<ApiKeyScope, { title: string; text: string }> = {
  jobs: { title: t`Send jobs`, text: t`Sends jobs to every endpoint and reads them; changes nothing else.` },
  endpoints: {
    title: t`Selected endpoints`,
    text: t`Sends jobs to the endpoints you choose and reads them; nothing else.`,
  },
  read: { title: t`Read only`, text: t`Reads everything but secrets, changes nothing.` },
  all: { title: t`Everything`, text: t`Can do everything, including running programs on that computer.` },
};

/** The names of the endpoints of a key, or the id of a deleted endpoint. */
export const endpointNames = (
  { endpointIds }: Pick<ApiKeyRecord, 'endpointIds'>,
  endpoints: readonly { id: string; name: string }[] | undefined,
): string[] =>
  endpointIds.map((id) => {
    const endpoint = endpoints?.find((one) => one.id === id);
    return endpoint?.name ?? (endpoints === undefined ? id : t`${id} (deleted)`);
  });

/** Whether the account may use this key itself; only the last characters of its key are known. */
export const mayBeOurs = (account: Pick<Account, 'key'>, { last4 }: Pick<ApiKeyRecord, 'last4'>): boolean =>
  account.key !== null && account.key.last4 !== '' && account.key.last4 === last4;
