/**
 * A person's secrets: values for environment variables of templates, endpoints and Pods, which refer to them as `{{
 * RUNPOD_SECRET_name }}`. They are filled in at the start of a worker or Pod. API answers and stored records contain
 * only the reference.
 */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Clock, Ids } from '../core/ports.ts';

/** A secret without its value. No API returns the value. */
export interface Secret {
  id: string;
  name: string;
  /** Null without a description. */
  description: string | null;
  createdAt: string;
}

export interface SecretStore {
  load(): Secret[];
  /** Encrypts the value before it stores it. */
  save(secret: Secret, value: string): void;
  delete(id: string): void;
  /** Null where the value is encrypted with a missing key. */
  value(id: string): string | null;
}

export interface Secrets {
  list(): Secret[];
  /** Throws BAD_REQUEST for a name that exists already, and for a name that a reference cannot contain. */
  create(input: { name: string; value: string; description?: string | undefined }): Secret;
  /**
   * Throws NOT_FOUND for an unknown id. At the next start, workers and Pods that refer to it get the reference text
   * itself.
   */
  delete(id: string): void;
  /**
   * The variables with the values of secrets. A reference to an unknown secret stays unchanged. Throws FORBIDDEN where
   * a secret is encrypted with a missing key.
   */
  fillIn(env: Readonly<Record<string, string>>): Record<string, string>;
}

const NAME = /^[\w.-]+$/;
const REFERENCE = /\{\{\s*RUNPOD_SECRET_([\w.-]+)\s*\}\}/g;

function checkName(name: string): void {
  const { nameLength } = limits.secret;
  if (NAME.test(name) && name.length <= nameLength) return;
  throw new AppError(
    'BAD_REQUEST',
    `name must have 1 to ${nameLength} characters: letters, digits, "_", "-" and "."; got ${JSON.stringify(name.slice(0, nameLength))}.`,
  );
}

function checkValue(value: string): void {
  const { valueLength } = limits.secret;
  if (value.length === 0 || value.length > valueLength || value.includes('\0')) {
    // The message must not contain the value: it is secret.
    throw new AppError('BAD_REQUEST', `value must have 1 to ${valueLength} characters, none of them of code 0.`);
  }
}

export function createSecrets(store: SecretStore, ids: Ids, clock: Clock): Secrets {
  const secrets = new Map(store.load().map((secret) => [secret.id, secret]));
  const named = (name: string): Secret | undefined => [...secrets.values()].find((secret) => secret.name === name);

  function valueOf({ id, name }: Secret): string {
    const value = store.value(id);
    if (value !== null) return value;
    throw new AppError(
      'FORBIDDEN',
      `The secret ${JSON.stringify(name)} is encrypted with a key that is not there. ` +
        'Unlock the place where Hangar keeps its keys and restart the engine, or delete the secret and create it again.',
    );
  }

  return {
    list: () => [...secrets.values()],
    create({ name, value, description = '' }) {
      checkName(name);
      checkValue(value);
      if (named(name)) {
        throw new AppError('BAD_REQUEST', `There is a secret named ${JSON.stringify(name)} already; names are unique.`);
      }
      const secret: Secret = {
        id: ids.random(10),
        name,
        description: description === '' ? null : description.slice(0, limits.secret.descriptionLength),
        createdAt: new Date(clock.now()).toISOString(),
      };
      store.save(secret, value);
      secrets.set(secret.id, secret);
      return secret;
    },
    delete(id) {
      if (!secrets.has(id)) throw new AppError('NOT_FOUND', `There is no secret ${JSON.stringify(id)}.`);
      store.delete(id);
      secrets.delete(id);
    },
    fillIn: (env) =>
      Object.fromEntries(
        Object.entries(env).map(([key, text]) => [
          key,
          text.replaceAll(REFERENCE, (reference, name: string) => {
            const secret = named(name);
            return secret ? valueOf(secret) : reference;
          }),
        ]),
      ),
  };
}
