/** Lists of REST v2: under their name, whole or in pages with a cursor. */
import * as z from 'zod';
import { unprocessable } from './operation.ts';
import type { Named } from '../../openapi/operation.ts';

const MOST = 1000;

export const pageQuery = {
  limit: {
    schema: z.coerce.number().int().min(1).max(MOST).optional(),
    words: 'How many records a page has at most. Without it, everything is told at once.',
  },
  cursor: { schema: z.string().optional(), words: '`nextCursor` of the page before.' },
};
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const paginationSchema = z.object({ nextCursor: z.string().nullable(), hasNextPage: z.boolean() });

/** The answer that has records of this shape under `name`. */
export const listAnswer = (listName: string, name: string, record: Named): { words: string; shape: Named } => ({
  words: 'The records, those that were made first at the beginning where that is known.',
  shape: { name: listName, schema: z.object({ [name]: z.array(record.schema), pagination: paginationSchema }) },
});

/** The place of a record in the order, which does not depend on other records. */
type PageCursor = readonly [createdAt: string, id: string];

const isAfter = (one: PageCursor, other: PageCursor): boolean =>
  one[0] === other[0] ? one[1] > other[1] : one[0] > other[0];

const cursorOf = (place: PageCursor): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function placeOf(cursor: string): PageCursor {
  const schema = z.tuple([z.string(), z.string()]);
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw unprocessable('cursor must be the nextCursor of an answer');
  }
}

/**
 * One page of the records. A cursor names a place in the order, not a number of records: a record that is deleted
 * between two pages causes no gap.
 */
export function pageOf<T extends { id: string; createdAt?: string }>(
  records: readonly T[],
  { limit, cursor }: PageQuery,
): { page: T[]; pagination: z.infer<typeof paginationSchema> } {
  const placed = records
    .map((record) => ({ record, place: [record.createdAt ?? '', record.id] as const }))
    .sort((one, other) => (isAfter(one.place, other.place) ? 1 : -1));
  const from = cursor === undefined ? null : placeOf(cursor);
  const rest = from === null ? placed : placed.filter(({ place }) => isAfter(place, from));
  const page = limit === undefined ? rest : rest.slice(0, limit);
  const last = page.at(-1);
  const hasNextPage = last !== undefined && page.length < rest.length;
  return {
    page: page.map(({ record }) => record),
    pagination: { nextCursor: hasNextPage ? cursorOf(last.place) : null, hasNextPage },
  };
}
