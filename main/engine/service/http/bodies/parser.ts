/** Checks the bodies of jobs, results and chunks: small ones here, large ones off the event loop, by the same rules. */
import type { LimitSettings } from '#contract/local/settings.ts';
import { parseRequest, type JobTerms } from '../../../domain/jobs/payload/requestParser.ts';
import { checkChunk } from '../../../domain/jobs/payload/chunkLog.ts';
import { openaiFrame, parseOpenaiRequest, type OpenaiRequest } from '../../../domain/jobs/payload/openaiRequest.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import type { LargeBody, LargeTexts } from '../../../domain/jobs/payload/largeBodies.ts';
import type { JsonText } from '../../../domain/jobs/payload/payloadRef.ts';
import { parseWorkerResult, type WorkerResult } from '../../../domain/jobs/payload/resultParser.ts';
import type { BodyBudget } from './budget.ts';
import type { JobRequest } from '../types.ts';
import { readBody } from './reader.ts';

/** Gets the checked body, or the error; the other one is null. */
export type Checked<T> = (error: unknown, value: T | null) => void;

export interface JobBody {
  terms: JobTerms;
  body: JsonText;
}

export interface BodyIntake {
  request(request: JobRequest, limitBytes: number, done: Checked<JobBody>): void;
  /** The body of an OpenAI client. `route`: the path below /openai. */
  openai(request: JobRequest, route: string, done: Checked<OpenaiRequest>): void;
  result(request: JobRequest, done: Checked<WorkerResult>): void;
  /** The raw JSON of a chunk, already split where it is large. */
  chunk(request: JobRequest, done: Checked<string[]>): void;
}

/** `limitsNow`: returns the limits in force, which the person may change at any time. */
export function createBodyIntake(
  texts: LargeTexts,
  budget: BodyBudget,
  logger: Logger,
  limitsNow: () => LimitSettings,
): BodyIntake {
  function read<T>(
    request: JobRequest,
    limitBytes: number,
    check: (text: string) => T,
    checkLarge: (body: LargeBody) => Promise<T>,
    done: Checked<T>,
  ): void {
    const small = (error: unknown, text: string): void => {
      let value: T | null = null;
      let failure = error;
      if (!failure) {
        try {
          value = check(text);
        } catch (thrown) {
          failure = thrown;
        }
      }
      done(failure, value);
    };
    readBody(request, limitBytes, small, {
      budget,
      gather: texts.gather,
      take(body, release) {
        checkLarge(body)
          .finally(release)
          .then(
            (value) => done(null, value),
            (error: unknown) => done(error, null),
          )
          .catch((err: unknown) => logger.error({ err }, 'a large body could not be worked on'));
      },
    });
  }

  return {
    request: (request, limitBytes, done) =>
      read(
        request,
        limitBytes,
        (text) => ({ terms: parseRequest(text, limitsNow()), body: text }),
        texts.checkRequest,
        done,
      ),
    openai(request, route, done) {
      const { before, after } = openaiFrame(route);
      const small = (text: string): OpenaiRequest => ({ ...parseOpenaiRequest(text), body: before + text + after });
      read(request, limitsNow().runsyncBodyBytes, small, (body) => texts.checkOpenai(body, route), done);
    },
    result: (request, done) => read(request, limitsNow().runsyncBodyBytes, parseWorkerResult, texts.checkResult, done),
    chunk: (request, done) =>
      read(request, limitsNow().runsyncBodyBytes, (text) => [checkChunk(text)], texts.checkChunk, done),
  };
}
