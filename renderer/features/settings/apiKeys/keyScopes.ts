/** What an API key may do, in words, and which of an account's keys Hangar may be using itself. */
import type { Account } from '#contract/app/account.ts';
import type { ApiKeyRecord, ApiKeyScope } from '#contract/local/engine.ts';

/** The least first: a new key begins with what most scripts need. */
export const scopeWords: Record<ApiKeyScope, { title: string; text: string }> = {
  jobs: { title: 'Send jobs', text: 'Sends jobs to every endpoint and reads them; changes nothing else.' },
  endpoints: {
    title: 'Chosen endpoints',
    text: 'Sends jobs to the endpoints you choose and reads them; nothing else.',
  },
  read: { title: 'Read only', text: 'Reads everything but secrets, changes nothing.' },
  all: { title: 'Everything', text: 'Whoever has it can do everything, also run programs on that computer.' },
};

/** The names of the endpoints that a key is good for; one that is not there is told by its id. */
export const endpointNames = (
  { endpointIds }: Pick<ApiKeyRecord, 'endpointIds'>,
  endpoints: readonly { id: string; name: string }[] | undefined,
): string[] =>
  endpointIds.map((id) => {
    const found = endpoints?.find((endpoint) => endpoint.id === id);
    return found?.name ?? (endpoints === undefined ? id : `${id} (not there any more)`);
  });

/** Whether the account may be reached with it; only its end is known here. */
export const mayBeOurs = (account: Pick<Account, 'key'>, { last4 }: Pick<ApiKeyRecord, 'last4'>): boolean =>
  account.key !== null && account.key.last4 !== '' && account.key.last4 === last4;
