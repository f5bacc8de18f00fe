/** Requests to REST v2: paged lists, request bodies, and one error for features that it lacks. */
import { AppError } from '#contract/core/errors.ts';
import * as z from 'zod';
import { createSendJson, type SendJson } from '../http/jsonRequests.ts';
import { readJson } from '../http/parsers.ts';
import type { Call, Outbound } from '../http/outbound.ts';

const ROOT = '/v2/';
/** Records on one page; the largest number that clients of the service request. */
const PAGE = 1000;
/** A limit for a service whose pages never end. */
const MOST_PAGES = 100;

const paginationSchema = z.looseObject({
  pagination: z
    .looseObject({ nextCursor: z.string().nullish(), hasNextPage: z.boolean().nullish() })
    .nullish()
    .catch(null),
});

/** Null for the last page; a service without pages sends no pagination. */
const nextPage = ({ pagination }: z.infer<typeof paginationSchema>): string | null =>
  (pagination?.hasNextPage && pagination.nextCursor) || null;

export interface RestV2 {
  ask: SendJson;
  /** Every record of a list, through all pages. `name`: the field of the list in the answer. */
  list<S extends z.ZodType>(path: string, name: string, record: S): Promise<z.output<S>[]>;
  remove(path: string): Promise<void>;
}

export const unsupported = (feature: string, instead: string): AppError =>
  new AppError('UNSUPPORTED', `${feature} is not in REST v2, which this account uses. ${instead}`);

export function createRestV2(outbound: Outbound): RestV2 {
  const read = async (method: Call['method'], path: string): Promise<string> =>
    outbound.send({ method, path: ROOT + path });

  return {
    ask: createSendJson(outbound, ROOT),
    async list<S extends z.ZodType>(path: string, name: string, record: S) {
      const listSchema = z.object({ [name]: z.array(record) });
      const records: z.output<S>[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < MOST_PAGES; page++) {
        const query: string = new URLSearchParams({
          limit: String(PAGE),
          ...(cursor !== null && { cursor }),
        }).toString();
        const text = await read('GET', `${path}?${query}`);
        records.push(...(readJson(path, text, listSchema)[name] ?? []));
        cursor = nextPage(readJson(path, text, paginationSchema));
        if (cursor === null) break;
      }
      return records;
    },
    async remove(path) {
      await read('DELETE', path);
    },
  };
}
