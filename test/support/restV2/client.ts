/**
 * Requests to REST v2 of an engine, each answer held against the engine's own document and against the published
 * description.
 */
import type { TestEngine } from '../engine/engine.ts';
import type { Answer, SendOptions } from '../http/client.ts';
import { createAnswerCheck, documentSchema } from '../openapi/document.ts';
import { readV2Description, whyNoV2Description, type V2Description } from '../openapi/restV2.ts';
import { accepted } from '../resources/resources.ts';

/** Where the engine serves what the description has below `/v2`. */
export const BASE = '/rest/v2';

export interface RestV2Request extends SendOptions {
  /** Parameters of the path, by name. */
  params?: Record<string, string>;
  /** With its question mark. */
  query?: string;
}

export interface RestV2Client {
  /** `path` as the documents have it, without the base address. */
  ask(method: string, path: string, body?: object, request?: RestV2Request): Promise<Answer>;
  /** The same, of which nothing but this status is accepted; the body. */
  made(status: number, method: string, path: string, body?: object, request?: RestV2Request): Promise<object>;
  /** Holds an answer that came another way against the documents. */
  hold(method: string, path: string, answer: Answer): void;
  /** What the documents do not allow of what was answered since this was called last. */
  faults(): string[];
  /** `METHOD /path` of what was answered with success. */
  readonly succeeded: ReadonlySet<string>;
  /** Null where the description is not there. */
  readonly description: V2Description | null;
  stop(): Promise<void>;
}

export async function createRestV2Client(engine: TestEngine): Promise<RestV2Client> {
  const document = documentSchema.parse(accepted(await engine.http.get(`${BASE}/openapi.json`)));
  const [own, description] = await Promise.all([
    createAnswerCheck(document),
    whyNoV2Description === null ? readV2Description() : null,
  ]);
  let faults: string[] = [];
  const succeeded = new Set<string>();

  function hold(method: string, path: string, answer: Answer): void {
    const answerFaults = [
      own.fault(method, BASE + path, answer),
      description?.fault(method, `/v2${path}`, answer) ?? null,
    ];
    faults.push(...answerFaults.filter((fault) => fault !== null));
    if (answer.status < 300) succeeded.add(`${method} ${path}`);
  }

  async function ask(
    method: string,
    path: string,
    body?: object,
    { params = {}, query = '', ...options }: RestV2Request = {},
  ): Promise<Answer> {
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'nobody'));
    const answer = await engine.http.send(method, `${BASE}${at}${query}`, body, options);
    hold(method, path, answer);
    return answer;
  }

  return {
    ask,
    hold,
    succeeded,
    description,
    faults() {
      const reported = faults;
      faults = [];
      return reported;
    },
    async made(status, method, path, body, request) {
      const answer = await ask(method, path, body, request);
      if (answer.status !== status) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      return answer.text === '' ? {} : (answer.json as object);
    },
    async stop() {
      await own.stop();
      await description?.stop();
    },
  };
}
