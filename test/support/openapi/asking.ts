/** Asks the operations of a document, and tells which were not asked and which answered otherwise than documented. */
import type { TestEngine } from '../engine/engine.ts';
import type { Answer, Body } from '../http/client.ts';
import { createAnswerCheck, operationsOf, type OpenApiDocument } from './document.ts';

interface Call {
  method: string;
  path: string;
  answer: Answer;
}

export interface Asker {
  /**
   * Sends a request to a path of the document with its parameters filled in; answers the JSON of the body, null for
   * none.
   */
  ask(method: string, path: string, body?: Body, query?: string, key?: string | null): Promise<unknown>;
  /** All that was asked; a request that was sent in another way is added by hand. */
  readonly calls: Call[];
  /** What is wrong with the answers, one sentence each. */
  faults(): Promise<string[]>;
  /** Operations that were never asked with success, as `METHOD path`: nothing is known about their answers. */
  unasked(): string[];
}

/** `values`: the parameters of the paths, which the caller may change between requests. */
export function createAsker(engine: TestEngine, document: OpenApiDocument, values: Record<string, string>): Asker {
  const calls: Call[] = [];
  return {
    calls,
    async ask(method, path, body, query = '', key) {
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
      const options = key === undefined ? {} : { authorization: key };
      const answer = await engine.http.send(method, url + query, body, options);
      calls.push({ method, path, answer });
      return answer.text === '' ? null : answer.json;
    },
    async faults() {
      const check = await createAnswerCheck(document);
      try {
        return calls.flatMap(({ method, path, answer }) => check.fault(method, path, answer) ?? []);
      } finally {
        await check.stop();
      }
    },
    unasked: () =>
      operationsOf(document)
        .filter(
          ({ method, path }) =>
            !calls.some((one) => one.method === method && one.path === path && one.answer.status < 300),
        )
        .map(({ method, path }) => `${method} ${path}`),
  };
}
