/** The two endpoints that clients are run against: one of plain jobs, one that answers as OpenAI's API does. */
import { fileURLToPath } from 'node:url';
import type { TestEngine } from '../engine/engine.ts';
import { makeEndpoint, UNTIL_ABORTED } from '../resources/resources.ts';

const JOBS = `${UNTIL_ABORTED}
  async function* words(text) {
    for (const word of text.split(' ')) yield word;
  }
  export const concurrency = 4;
  export default async function (job, context) {
    if (job.input.fail) throw new Error('the handler refused');
    if (job.input.text) return words(job.input.text);
    if (job.input.hang) return untilAborted(context.signal);
    return { sum: job.input.a + job.input.b };
  }`;

/**
 * After the first part of a stream it waits for the file that the message names: the caller writes it once it has read
 * that part.
 */
const OPENAI = `import { existsSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  const event = (value) => 'data: ' + JSON.stringify(value) + '\\n\\n';
  const common = { model: 'tiny', created: 1, id: 'answer-1' };
  const usage = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 };

  async function* chat({ messages, stream }) {
    const { content } = messages.at(-1);
    const text = 'You wrote: ' + (typeof content === 'string' ? content : content[0].text);
    if (!stream) {
      const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
      yield { ...common, object: 'chat.completion', choices, usage };
      return;
    }
    for (const part of text.split(/(?<= )/)) {
      const choices = [{ index: 0, delta: { role: 'assistant', content: part }, finish_reason: null }];
      yield event({ ...common, object: 'chat.completion.chunk', choices });
      while (!existsSync(new URL(text.split(' ').at(-1), import.meta.url))) await pause(5);
    }
    const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }];
    yield event({ ...common, object: 'chat.completion.chunk', choices });
    yield 'data: [DONE]\\n\\n';
  }

  export const concurrency = 4;
  export default async function* ({ input: { openai_route: route, openai_input: request } }) {
    if (request?.model === 'missing') {
      yield { error: { message: 'There is no model missing.', type: 'invalid_request_error', code: 404 } };
    } else if (route === '/v1/models') {
      yield { object: 'list', data: [{ id: 'tiny', object: 'model', created: 1, owned_by: 'me' }] };
    } else if (route === '/v1/chat/completions') {
      yield* chat(request);
    } else if (route === '/v1/completions') {
      const choices = [{ index: 0, text: 'You wrote: ' + request.prompt, finish_reason: 'stop', logprobs: null }];
      yield { ...common, object: 'text_completion', choices, usage };
    } else if (route === '/v1/embeddings') {
      const data = [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }];
      yield { object: 'list', model: 'tiny', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
    } else if (route === '/v1/responses') {
      const content = [{ type: 'output_text', text: 'You wrote: ' + request.input, annotations: [] }];
      const output = [{ id: 'm', type: 'message', role: 'assistant', status: 'completed', content }];
      yield { id: 'r', object: 'response', created_at: 1, status: 'completed', model: 'tiny', output };
    }
  }`;

/** Makes both, and returns what a program has to be told to reach them. */
export async function clientVariables(engine: TestEngine): Promise<Record<string, string>> {
  const endpointOf = (handler: string) =>
    makeEndpoint(engine, { 'handler.mjs': handler }, { endpoint: { idleTimeout: 600 } });
  const openai = await endpointOf(OPENAI);
  return {
    ADDRESS: engine.address,
    KEY: engine.key,
    JOBS: (await endpointOf(JOBS)).endpoint.id,
    OPENAI: openai.endpoint.id,
    OPENAI_FOLDER: fileURLToPath(openai.template.imageName),
  };
}
