/**
 * The procedures about an engine's API keys. A new key goes to the host, which shows it to the person. The page only
 * learns how it is shown.
 */
import type { apiKeyContract, ShownKey } from '#contract/bridge/apiKey.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { pairingLink } from '#contract/app/pairingLink.ts';
import { AppError } from '#contract/core/errors.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import { reachableEngine } from '../accounts/reachable.ts';
import type { Directory } from '../services/directory.ts';
import type { ApiKeysApi } from '../compute/apiKeys.ts';

/** What a host shows once: a new API key, a link that adds an engine to another Hangar, or one that pairs a browser. */
export type ShownSecretKind = 'key' | 'pairing' | 'browser';

/** Shows a new key or a pairing link to the person, once, outside of the page. The host decides how. */
export type ShowKey = (secret: string, name: string, kind: ShownSecretKind) => ShownKey | Promise<ShownKey>;

export interface ApiKeyOptions {
  directory: Pick<Directory, 'compute' | 'get'>;
  /** What the engine of this computer listens on. */
  engineHost: string;
}

/** UNSUPPORTED, with a sentence for a person, if the account is no engine of Hangar. */
export function apiKeysOf(directory: Pick<Directory, 'compute' | 'get'>, accountId: string): ApiKeysApi {
  const { local } = directory.compute(accountId);
  if (local !== null) return local.apiKeys;
  const { name } = directory.get(accountId);
  throw new AppError('UNSUPPORTED', `"${name}" is not a Hangar engine. Create its keys on its own site.`);
}

/** A pairing link of an engine. It is worth a key: it never goes to the page. */
export async function createPairingLink({ directory, engineHost }: ApiKeyOptions, accountId: string) {
  const { code, expiresAt } = await apiKeysOf(directory, accountId).createPairingCode();
  const { address } = directory.get(accountId);
  if (address === null) throw new AppError('UNAVAILABLE', 'The engine has no address now. Try again.');
  const reachable =
    accountId === THIS_MACHINE ? reachableEngine(address, engineHost) : { addresses: [address], isOpen: true };
  return { ...reachable, expiresAt, link: pairingLink(reachable.addresses[0] ?? address, code) };
}

export function bindApiKeys(
  procedures: ImplementerInternalWithMiddlewares<typeof apiKeyContract, object, object>,
  options: ApiKeyOptions,
  showKey: ShowKey,
) {
  const { directory } = options;
  const of = (accountId: string): ApiKeysApi => apiKeysOf(directory, accountId);
  return {
    list: procedures.list.handler(({ input }) => of(input.accountId).list()),
    create: procedures.create.handler(async ({ input: { accountId, ...options } }) => {
      const keys = of(accountId);
      const { key, ...record } = await keys.create(options);
      try {
        return { record, shown: await showKey(key, record.name, 'key') };
      } catch (cause) {
        // Nobody saw the key, so it is deleted again.
        await keys.delete(record.id);
        throw new AppError('UNAVAILABLE', 'The new key could not be shown, so it was deleted again. Try again.', {
          cause,
        });
      }
    }),
    update: procedures.update.handler(({ input: { accountId, id, change } }) => of(accountId).update(id, change)),
    pair: procedures.pair.handler(async ({ input: { accountId } }) => {
      const { link, ...facts } = await createPairingLink(options, accountId);
      return { ...facts, shown: await showKey(link, directory.get(accountId).name, 'pairing') };
    }),
    delete: procedures.delete.handler(({ input: { accountId, id } }) => of(accountId).delete(id)),
  };
}
