/** The OpenAI routes of an endpoint: its models, and chat completions that are read while the worker writes them. */
import type { ChatEvent } from '#contract/bridge/openai/chat.ts';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import * as z from 'zod';
import { codeOfStatus } from './http/answerErrors.ts';
import type { Outbound } from './http/outbound.ts';
import { readEvents } from './http/serverEvents.ts';

export interface OpenaiApi {
  /**
   * The ids of the models, as `/v1/models` lists them. Rejects with the error of the endpoint, and with UNSUPPORTED if
   * the answer is no list of models.
   */
  models(endpointId: string, signal: AbortSignal): Promise<string[]>;
  /**
   * Sends `body`, the JSON text of a chat completion, and yields its answer. Rejects with the error of the endpoint,
   * and with UPSTREAM if the answer is no chat completion. Ends without an event after an abort.
   */
  chat(endpointId: string, body: string, signal: AbortSignal): AsyncGenerator<ChatEvent, void, void>;
}

/** Longest wait for a worker: one that loads a large model needs minutes. */
const WORKER_START_MS = 15 * 60_000;
/** A message of an endpoint that is no completion is shown up to here. */
const SHOWN_CHARS = 300;

const word = z.string().nullish().catch(null);
const count = z.number().nullish().catch(null);
const messageSchema = z.looseObject({ content: word, reasoning_content: word, reasoning: word });

/** A whole completion, or one piece of it. */
const completionSchema = z.looseObject({
  choices: z.array(
    z.looseObject({
      delta: messageSchema.optional().catch(undefined),
      message: messageSchema.optional().catch(undefined),
      text: word,
      finish_reason: word,
    }),
  ),
  usage: z.looseObject({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
});

const errorSchema = z.looseObject({
  error: z.union([
    z.string().min(1),
    z.looseObject({ message: z.string(), code: z.union([z.number(), z.string()]).nullish().catch(null) }),
  ]),
});

const modelsSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** The error that an answer contains; null for every other answer. */
function errorIn(value: unknown): AppError | null {
  const parsed = errorSchema.safeParse(value);
  if (!parsed.success) return null;
  const { error } = parsed.data;
  if (typeof error === 'string') return new AppError('UPSTREAM', error);
  const status = Number(error.code);
  const code: ErrorCode | undefined = Number.isInteger(status) ? codeOfStatus[status] : undefined;
  return new AppError(code ?? 'UPSTREAM', error.message);
}

const notChat = (raw: string): AppError =>
  new AppError(
    'UNSUPPORTED',
    `The endpoint answered with something that is not a chat completion: ${raw.slice(0, SHOWN_CHARS) || 'an empty text'}. ` +
      'Its handler has to serve the route /v1/chat/completions.',
  );

const notModels = (raw: string): AppError =>
  new AppError(
    'UNSUPPORTED',
    `The endpoint answered with something that is not a list of models: ${raw.slice(0, SHOWN_CHARS) || 'an empty text'}. ` +
      'Its handler has to serve the route /v1/models.',
  );

/** Reads the texts of an answer, one after the other, into events. */
class AnswerReader {
  private readonly end: Extract<ChatEvent, { type: 'end' }> = {
    type: 'end',
    finish: null,
    inputTokens: null,
    outputTokens: null,
  };
  private hasCompletion = false;
  private other = '';

  /** The next piece of the answer; null if the text adds nothing to it. Throws the error that the text contains. */
  read(raw: string): ChatEvent | null {
    if (raw.trim() === '[DONE]') return null;
    const value = parseJsonOrNull(raw);
    const error = errorIn(value);
    if (error) throw error;
    const parsed = completionSchema.safeParse(value);
    if (!parsed.success) {
      this.other ||= raw;
      return null;
    }
    this.hasCompletion = true;
    const { choices, usage } = parsed.data;
    this.end.inputTokens = usage?.prompt_tokens ?? this.end.inputTokens;
    this.end.outputTokens = usage?.completion_tokens ?? this.end.outputTokens;
    // Only one answer is asked for.
    const [choice] = choices;
    if (!choice) return null;
    this.end.finish = choice.finish_reason ?? this.end.finish;
    const message = choice.delta ?? choice.message;
    const text = message?.content ?? choice.text ?? '';
    const reasoning = message?.reasoning_content ?? message?.reasoning ?? '';
    return text === '' && reasoning === '' ? null : { type: 'piece', text, reasoning };
  }

  /** Throws UNSUPPORTED if no text was a completion. */
  finish(): ChatEvent {
    if (!this.hasCompletion) throw notChat(this.other);
    return this.end;
  }
}

/** The texts of an answer: the data of its events, or its whole JSON where the handler does not stream. */
async function* textsOf(contentType: string, pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  if (contentType.startsWith('text/event-stream')) {
    yield* readEvents(pieces);
    return;
  }
  let whole = '';
  for await (const piece of pieces) whole += piece;
  yield whole;
}

export function createOpenaiApi(outbound: Outbound): OpenaiApi {
  const pathOf = (endpointId: string, route: string): string =>
    `/v2/${encodeURIComponent(endpointId)}/openai/v1/${route}`;
  return {
    async models(endpointId, signal) {
      const path = pathOf(endpointId, 'models');
      const text = await outbound.send({ method: 'GET', path, signal, holdMs: WORKER_START_MS });
      const value = parseJsonOrNull(text);
      const error = errorIn(value);
      if (error) throw error;
      const list = modelsSchema.safeParse(value);
      if (!list.success) throw notModels(text);
      return list.data.data.map(({ id }) => id);
    },
    async *chat(endpointId, body, signal) {
      try {
        const path = pathOf(endpointId, 'chat/completions');
        const answer = await outbound.open({ path, body, signal, holdMs: WORKER_START_MS });
        yield { type: 'begun', jobId: answer.requestId };
        const reader = new AnswerReader();
        for await (const text of textsOf(answer.contentType, answer.pieces)) {
          const event = reader.read(text);
          if (event) yield event;
        }
        yield reader.finish();
      } catch (thrown) {
        // The person stopped the answer, or left.
        if (!signal.aborted) throw thrown;
      }
    },
  };
}
