import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import type { ChatEvent } from '#contract/bridge/openai/chat.ts';
import { createOutbound } from './http/outbound.ts';
import { createOpenaiApi, type OpenaiApi } from './openai.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The API of an endpoint that a real server of this listener answers for. */
async function served(listener: RequestListener): Promise<OpenaiApi> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const outbound = createOutbound({
    target: () => Promise.resolve({ address: `http://127.0.0.1:${port}`, key: 'rpa_secret' }),
    name: 'the service',
    logger: pino({ level: 'silent' }),
  });
  stops.push(
    () => outbound.stop(),
    () => new Promise((resolve) => server.close(resolve)),
  );
  return createOpenaiApi(outbound);
}

const never = new AbortController().signal;

async function eventsOf(api: OpenaiApi, signal = never): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of api.chat('e/1', '{"stream":true}', signal)) events.push(event);
  return events;
}

const SSE = { 'content-type': 'text/event-stream', 'x-request-id': 'job-1' };

it('the answer of a stream comes in pieces, with its job and what was counted', async () => {
  const seen: unknown[] = [];
  const api = await served((request, response) => {
    seen.push(request.method, request.url, request.headers.authorization);
    response.writeHead(200, SSE);
    response.write(': pulse\n\ndata: {"choices":[{"delta":{"role":"assistant","content":"On"}}]}\n\n');
    response.write('data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n');
    response.write('data: {"choices":[{"delta":{"content":"e"},"finish_reason":"stop"}]}\n\n');
    response.end('data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\ndata: [DONE]\n\n');
  });
  expect(await eventsOf(api)).toEqual([
    { type: 'begun', jobId: 'job-1' },
    { type: 'piece', text: 'On', reasoning: '' },
    { type: 'piece', text: '', reasoning: 'hm' },
    { type: 'piece', text: 'e', reasoning: '' },
    { type: 'end', finish: 'stop', inputTokens: 3, outputTokens: 2 },
  ]);
  expect(seen).toEqual(['POST', '/v2/e%2F1/openai/v1/chat/completions', 'Bearer rpa_secret']);
});

it('a handler that does not stream answers in one piece', async () => {
  const api = await served((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"choices":[{"message":{"content":"All"},"finish_reason":"length"}]}');
  });
  expect(await eventsOf(api)).toEqual([
    { type: 'begun', jobId: null },
    { type: 'piece', text: 'All', reasoning: '' },
    { type: 'end', finish: 'length', inputTokens: null, outputTokens: null },
  ]);
});

it.each([
  [404, '{"error":{"message":"No such model."}}', 'NOT_FOUND', 'No such model.'],
  [200, 'data: {"error":{"message":"Out of memory.","code":503}}\n\n', 'UNAVAILABLE', 'Out of memory.'],
  [200, 'data: {"error":"It broke."}\n\n', 'UPSTREAM', 'It broke.'],
  [200, 'data: "a word"\n\n', 'UNSUPPORTED', /not a chat completion: "a word"\. .*\/v1\/chat\/completions/],
  [200, '', 'UNSUPPORTED', /an empty text/],
])('an answer with %i and %j is the error %s', async (status, text, code, message) => {
  const api = await served((_, response) => {
    response.writeHead(status, status === 200 ? SSE : { 'content-type': 'application/json' });
    response.end(text);
  });
  await expect(eventsOf(api)).rejects.toMatchObject({
    code,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
});

it('an abort closes the request, and ends the events without an error', async () => {
  const closed = Promise.withResolvers<undefined>();
  const api = await served((_, response) => {
    response.on('close', () => closed.resolve(undefined));
    response.writeHead(200, SSE);
    response.write('data: {"choices":[{"delta":{"content":"On"}}]}\n\n');
  });
  const life = new AbortController();
  for await (const event of api.chat('e', '{}', life.signal)) if (event.type === 'piece') life.abort();
  await closed.promise;
});

it('models are listed by their ids, and an endpoint without them says so', async () => {
  const api = await served((request, response) => {
    const isKnown = request.url === '/v2/e/openai/v1/models';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(isKnown ? '{"data":[{"id":"m","object":"model"}]}' : '{"error":{"message":"No route.","code":404}}');
  });
  expect(await api.models('e', never)).toEqual(['m']);
  await expect(api.models('other', never)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'No route.' });
});

it.each(['"a word"', '{"words":["a"]}', ''])('an answer of %j is no list of models', async (text) => {
  const api = await served((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
  });
  const message: unknown = expect.stringMatching(/not a list of models: .*\/v1\/models/);
  await expect(api.models('e', never)).rejects.toMatchObject({ code: 'UNSUPPORTED', message });
});
