/**
 * The procedures about an engine's API keys. A new key goes to the host, which shows it to the person. The page only
 * learns how it is shown.
 */
import type { apiKeyContract, ShownKey } from '#contract/bridge/apiKey.ts';
import { AppError } from '#contract/core/errors.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Directory } from '../services/directory.ts';
import type { ApiKeysApi } from '../compute/apiKeys.ts';

/** Shows a new key to the person, once, outside of the page. The host decides how. */
export type ShowKey = (key: string, name: string) => ShownKey | Promise<ShownKey>;

/** UNSUPPORTED, with a sentence for a person, if the account is no engine of Hangar. */
export function apiKeysOf(directory: Pick<Directory, 'compute' | 'get'>, accountId: string): ApiKeysApi {
  const { local } = directory.compute(accountId);
  if (local !== null) return local.apiKeys;
  const { name } = directory.get(accountId);
  throw new AppError('UNSUPPORTED', `"${name}" is not a Hangar engine. Create its keys on its own site.`);
}

export function bindApiKeys(
  procedures: ImplementerInternalWithMiddlewares<typeof apiKeyContract, object, object>,
  directory: Directory,
  showKey: ShowKey,
) {
  const of = (accountId: string): ApiKeysApi => apiKeysOf(directory, accountId);
  return {
    list: procedures.list.handler(({ input }) => of(input.accountId).list()),
    create: procedures.create.handler(async ({ input: { accountId, ...options } }) => {
      const keys = of(accountId);
      const { key, ...record } = await keys.create(options);
      try {
        return { record, shown: await showKey(key, record.name) };
      } catch (cause) {
        // Nobody saw the key, so it is deleted again.
        await keys.delete(record.id);
        throw new AppError('UNAVAILABLE', 'The new key could not be shown, so it was deleted again. Try again.', {
          cause,
        });
      }
    }),
    update: procedures.update.handler(({ input: { accountId, id, change } }) => of(accountId).update(id, change)),
    delete: procedures.delete.handler(({ input: { accountId, id } }) => of(accountId).delete(id)),
  };
}
