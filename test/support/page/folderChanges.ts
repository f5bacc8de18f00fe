/** The answer of an app that reports no changes of a folder, as for a container. */
import { ORPCError } from '@orpc/server';

export async function* unreported(): AsyncGenerator<never> {
  throw new ORPCError('UNSUPPORTED', { message: 'Changes of this folder are not reported.' });
}
