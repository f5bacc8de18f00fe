/** Drops cached keys and updates their records when all keys move to another store, or when the store is locked. */
import type { AccountRepository } from '../accounts/repository.ts';
import type { Directory } from './directory.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** Returns a function that unsubscribes. */
export function watchKeyMoves(
  secrets: Pick<Secrets, 'state' | 'onState'>,
  repository: Pick<AccountRepository, 'keysMoved'>,
  directory: Pick<Directory, 'dropKeys'>,
): () => void {
  let { kind } = secrets.state();
  return secrets.onState((now) => {
    const hasMoved = now.kind !== kind;
    ({ kind } = now);
    if (hasMoved || now.problem !== null) directory.dropKeys();
    // Without entries, the keys stayed in the old store.
    if (hasMoved && now.entries > 0) repository.keysMoved(kind);
  });
}
