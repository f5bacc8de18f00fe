/** The router of the command line: every procedure of the page, and procedures that only its socket serves. */
import { commandContract } from '#contract/command/index.ts';
import { implement } from '@orpc/server';
import type { Logger } from 'pino';
import { apiKeysOf, createPairingLink, type ApiKeyOptions } from '../apiKeys.ts';
import { toBridgeError } from '../errors.ts';
import type { BridgeRouter } from '../router.ts';

export interface CommandRouterOptions extends ApiKeyOptions {
  /** The router of the page. */
  router: BridgeRouter;
  logger: Logger;
}

export function createCommandRouter({ router, directory, engineHost, logger }: CommandRouterOptions) {
  const app = implement(commandContract).use(async ({ next }) => {
    try {
      return await next();
    } catch (thrown) {
      throw toBridgeError(thrown, logger);
    }
  });
  const command = app.router({
    createApiKey: app.createApiKey.handler(async ({ input: { accountId, ...options } }) => {
      const { key, ...record } = await apiKeysOf(directory, accountId).create(options);
      return { record, key };
    }),
    createPairingLink: app.createPairingLink.handler(({ input: { accountId } }) =>
      createPairingLink({ directory, engineHost }, accountId),
    ),
  });
  return { ...router, command };
}
