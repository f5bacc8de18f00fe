/** Credentials for private images. API answers contain only their names. */
import { AppError } from '#contract/core/errors.ts';
import type { RegistryAuth, RegistryAuthCreate } from '#contract/api/resources.ts';
import { createListeners } from '../core/listeners.ts';
import type { Cancel, Ids } from '../core/ports.ts';
import type { RegistryAuthStore } from './ports.ts';

export interface RegistryAuths {
  list(): RegistryAuth[];
  /** Throws NOT_FOUND for an unknown id. */
  get(id: string): RegistryAuth;
  has(id: string): boolean;
  create(input: RegistryAuthCreate): RegistryAuth;
  /** Replaces the credentials and keeps the name. */
  replace(id: string, credentials: { username: string; password: string }): RegistryAuth;
  /**
   * Throws BAD_REQUEST for an unknown id, as in the API description, and while it is in use. `usedBy`: its users, as
   * words for a message.
   */
  delete(id: string, usedBy: readonly string[]): void;
  /** The credentials for a registry. Throws FORBIDDEN where they are encrypted with a lost key. */
  credentials(id: string): { username: string; password: string };
  /** Called after credentials are created, replaced or deleted. */
  onChange(listener: () => void): Cancel;
}

export function createRegistryAuths(store: RegistryAuthStore, ids: Ids): RegistryAuths {
  const auths = new Map(store.load().map((auth) => [auth.id, auth]));
  const listeners = createListeners();

  function get(id: string): RegistryAuth {
    const auth = auths.get(id);
    if (!auth) throw new AppError('NOT_FOUND', `There is no container registry auth ${JSON.stringify(id)}.`);
    return auth;
  }

  return {
    list: () => [...auths.values()],
    get,
    has: (id) => auths.has(id),
    create({ name, username, password }) {
      if ([...auths.values()].some((other) => other.name === name)) {
        throw new AppError(
          'BAD_REQUEST',
          `There is a container registry auth named ${JSON.stringify(name)} already; names are unique.`,
        );
      }
      const auth = { id: ids.random(10), name };
      store.save(auth, { username, password });
      auths.set(auth.id, auth);
      listeners.call();
      return auth;
    },
    replace(id, { username, password }) {
      const auth = get(id);
      store.save(auth, { username, password });
      listeners.call();
      return auth;
    },
    delete(id, usedBy) {
      if (!auths.has(id)) {
        throw new AppError('BAD_REQUEST', `${JSON.stringify(id)} is not the id of a container registry auth.`);
      }
      if (usedBy.length > 0) {
        throw new AppError(
          'BAD_REQUEST',
          `The container registry auth is used by ${usedBy.join(', ')}; change what uses it first.`,
        );
      }
      store.delete(id);
      auths.delete(id);
      listeners.call();
    },
    onChange: listeners.add,
    credentials(id) {
      const { name } = get(id);
      const credentials = store.credentials(id);
      if (credentials) return credentials;
      throw new AppError(
        'FORBIDDEN',
        `The credentials of ${JSON.stringify(name)} were kept encrypted for an earlier run of Hangar, and that key is gone. Delete them and create them again.`,
      );
    },
  };
}
