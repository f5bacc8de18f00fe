/** The descriptions that the operations of every kind of resource under /v1 share. */
import type { Named } from '../openapi/operation.ts';

/** The two operations that change a resource: PATCH, and a POST for clients that cannot send PATCH. */
export const UPDATES = [
  { method: 'PATCH', tail: '', idTail: '', summary: 'Changes the fields that are named.' },
  { method: 'POST', tail: '/update', idTail: 'ByUpdate', summary: 'The same, for clients that cannot send PATCH.' },
] as const;

export interface ResourceKind {
  readonly group: string;
  /** The nouns of one resource and of several, in sentences. */
  readonly nouns: readonly [one: string, several: string];
  /** The nouns in ids of operations. */
  readonly ids: readonly [one: string, several: string];
  readonly shape: Named;
  /** Headers that only this engine sends, in answers with one resource. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of descriptions that follow from the kind of resource. */
export function describeResource({ group, nouns: [one, several], ids: [id, ids], shape, headers }: ResourceKind) {
  const oneAnswer = { 200: { words: `The ${one}.`, shape, ...(headers && { headers }) } };
  return {
    list: {
      id: `List${ids}`,
      group,
      need: 'read',
      summary: `Lists ${several}.`,
      answers: { 200: { words: `All ${several}.`, shape: { listOf: shape } } },
    },
    create: {
      id: `Create${id}`,
      group,
      need: 'all',
      summary: `Makes ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}.`,
      answers: oneAnswer,
    },
    get: { id: `Get${id}`, group, need: 'read', summary: `Tells of one ${one}.`, answers: oneAnswer },
    updates: UPDATES.map(({ method, tail, idTail, summary }) => ({
      method,
      tail,
      description: { id: `Update${id}${idTail}`, group, need: 'all', summary, answers: oneAnswer } as const,
    })),
    remove: {
      id: `Delete${id}`,
      group,
      need: 'all',
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['BAD_REQUEST'],
    },
  } as const;
}
