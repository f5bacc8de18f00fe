/**
 * /v2/{endpoint}/openai/*: runs any request of an OpenAI client as a job, and answers in the client's format. Only the
 * handler knows the paths. The connection is the job's only reader: the job is cancelled when it closes.
 */
import { AppError } from '#contract/core/errors.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import { senderOf } from '../../domain/jobs/feed/sender.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { openaiJobWithoutInput, type OpenaiRequest } from '../../domain/jobs/payload/openaiRequest.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored } from '../../domain/jobs/payload/payloadRef.ts';
import { keyNameOf } from '../http/auth.ts';
import type { BodyIntake } from '../http/bodies/parser.ts';
import type { Call, NodeRoute } from '../http/route.ts';
import { sendError } from '../http/errorMapper.ts';
import type { NodeExchange } from '../http/types.ts';
import { anyAnswer, type DescribedJobRoute, type OperationDescription } from '../openapi/operation.ts';
import { createAttendance } from './cancelOnDisconnect.ts';
import { createStreamedAnswers } from './stream.ts';
import { createWholeAnswers } from './unary.ts';

/** The public worker protocol has only JSON, and no known worker reads the files of a form from it. */
const NO_FORMS =
  'A form with files (multipart/form-data), such as OpenAI clients send for audio, is not passed on: workers are handed JSON, ' +
  'which has no agreed place for files. Send the file in the input of a job (/run or /runsync), as base64 or as an address, ' +
  'under the name that the worker gives it.';

const description: OperationDescription = {
  id: 'openai',
  group: 'jobs',
  summary:
    'Any request of an OpenAI client, as a job whose handler knows the path. With `stream` in the body the answer is server-sent events, as the worker writes them.',
  answers: { 200: { words: 'What the handler answers.', shape: anyAnswer } },
  refusals: ['BAD_REQUEST', 'TOO_LARGE', 'STORAGE_FULL'],
};

export interface OpenaiRoutesOptions {
  clock: Clock;
  jobs: Jobs;
  intake: BodyIntake;
  texts: LargeTexts;
  logger: Logger;
  /** The limits in force. */
  limits(): LimitSettings;
}

export interface OpenaiRoutes {
  readonly routes: Record<string, NodeRoute & DescribedJobRoute>;
  /** Ends every open request with the error that the engine stops. */
  stop(): void;
}

export function createOpenaiRoutes(options: OpenaiRoutesOptions): OpenaiRoutes {
  const { clock, jobs, intake, texts, logger, limits } = options;
  const attendance = createAttendance(jobs, logger);
  const answerWhole = createWholeAnswers({ jobs, texts, logger, attendance });
  const answerStream = createStreamedAnswers({ clock, jobs, texts, attendance });

  function submit(call: Call & NodeExchange, { streamed, body }: OpenaiRequest): void {
    const { endpoint, request, response } = call;
    const submission = {
      endpointId: endpoint.id,
      request: {},
      body,
      sync: true,
      sender: senderOf(keyNameOf(call.caller), request.headers['user-agent']),
      cancelOnDisconnect: true,
      retentionMs: limits().retentionMs.runsync,
    };
    jobs.submit(submission, (error, job) => {
      if (error) {
        sendError(response, error, logger);
        return;
      }
      if (response.destroyed || response.writableEnded) {
        attendance.abandon(job);
        return;
      }
      // Clients show it as the id of the request.
      response.setHeader('x-request-id', job.id);
      if (streamed) answerStream(response, job);
      else answerWhole(response, job);
    });
  }

  function run(call: Call & NodeExchange): void {
    if (call.rest === '') {
      throw new AppError('NOT_FOUND', 'An OpenAI path is missing after /openai, such as /openai/v1/chat/completions.');
    }
    const route = `/${call.rest}`;
    if (call.request.method === 'GET') {
      submit(call, { streamed: false, body: openaiJobWithoutInput(route) });
      return;
    }
    if (/^multipart\//i.test(call.request.headers['content-type'] ?? '')) {
      // The body is read, so that the caller gets the reason and not a closed connection.
      call.request.resume();
      throw new AppError('BAD_REQUEST', NO_FORMS);
    }
    intake.openai(call.request, route, (bodyError, checked) => {
      try {
        if (!checked) throw bodyError;
        submit(call, checked);
      } catch (error) {
        if (checked && isStored(checked.body)) texts.discard(checked.body);
        sendError(call.response, error, logger);
      }
    });
  }

  return {
    routes: {
      openai: {
        node: true,
        methods: ['GET', 'POST'],
        need: 'jobs',
        rate: 'openai',
        tail: '/{route}',
        operation: description,
        run,
      },
    },
    stop: attendance.stop,
  };
}
