/**
 * Secrets of the person: values that variables of templates, endpoints and Pods refer to as `{{ RUNPOD_SECRET_name }}`. They are
 * filled in as a worker or Pod starts; whatever is answered or written down has the reference in their place.
 */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Clock, Ids } from '../core/ports.ts';

/** A secret without its value, which is written once and never answered. */
export interface Secret {
  id: string;
  name: string;
  /** Null where none was given. */
  description: string | null;
  createdAt: string;
}

export interface SecretStore {
  load(): Secret[];
  /** The value is encrypted before it is written. */
  save(secret: Secret, value: string): void;
  delete(id: string): void;
  /** Null where it was sealed with a key that is not there. */
  value(id: string): string | null;
}

export interface Secrets {
  list(): Secret[];
  /** BAD_REQUEST for a name that there is already, or that a reference cannot have. */
  create(input: { name: string; value: string; description?: string | undefined }): Secret;
  /** NOT_FOUND where there is none. What refers to it has the reference as it is written from its next start on. */
  delete(id: string): void;
  /**
   * The variables with the values of secrets. A reference to a secret that there is not stays as it is written. FORBIDDEN where
   * one was sealed with a key that is not there.
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
    // Not repeated: it is secret.
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
