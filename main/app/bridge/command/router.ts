/** The router of the command line: every procedure of the page, and procedures that only its socket serves. */
import { commandContract } from '#contract/command/index.ts';
import { implement } from '@orpc/server';
import type { Logger } from 'pino';
import type { Directory } from '../../services/directory.ts';
import { apiKeysOf } from '../apiKeys.ts';
import { toBridgeError } from '../errors.ts';
import type { BridgeRouter } from '../router.ts';

export interface CommandRouterOptions {
  /** The router of the page. */
  router: BridgeRouter;
  directory: Pick<Directory, 'compute' | 'get'>;
  logger: Logger;
}

export function createCommandRouter({ router, directory, logger }: CommandRouterOptions) {
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
  });
  return { ...router, command };
}
