/** Answers chats of OpenAI clients. Its model is a few rules, which need no GPU: put yours into `reply`. */
import { setTimeout as pause } from 'node:timers/promises';

const MODEL = 'rules';

/** Yields the answer to a conversation piece by piece. Replace the body of this function with your model. */
async function* reply(messages, signal) {
  for (const piece of answerTo(messages).match(/\s*\S+/g)) {
    // A cancelled job ends this pause, and with it the handler.
    await pause(40, undefined, { signal });
    yield piece;
  }
}

function answerTo(messages) {
  const asked = messages.filter(({ role }) => role === 'user').map(textOf);
  const [message = '', before] = asked.toReversed();
  const [, left, sign, right] = /(-?\d+(?:\.\d+)?)\s*([-+*])\s*(-?\d+(?:\.\d+)?)/.exec(message) ?? [];
  if (sign !== undefined) {
    const result = sign === '*' ? left * right : Number(left) + Number(right) * (sign === '-' ? -1 : 1);
    return `${left} ${sign === '*' ? '×' : sign} ${right} = **${result}**`;
  }
  if (/\b(count|how many)\b/i.test(message)) {
    return `Your message has ${countWords(message)} words. It is message ${asked.length} of this conversation.`;
  }
  if (/\b(repeat|remember)\b|did i (say|write|ask)/i.test(message)) {
    return before === undefined ? 'This is your first message.' : `Before this, you wrote: ${before}`;
  }
  if (/\b(hello|hi|hey)\b/i.test(message)) {
    return 'Hello! I can calculate, such as 6 * 7, count your words, and repeat what you wrote before.';
  }
  return (
    `You wrote ${countWords(message)} words. I am no language model, only a few rules in the handler of this endpoint. ` +
    'Try "6 * 7", "Count my words" or "What did I say?", and put your own model into the function `reply`.'
  );
}

const countWords = (text) => text.match(/\S+/g)?.length ?? 0;

/** The text of a message. Its content is a text, or a list of parts. */
const textOf = ({ content }) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');

export default async function* handler(job, { signal }) {
  const { openai_route: route, openai_input: request } = job.input;
  if (route === '/v1/models') {
    yield { object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'me' }] };
  } else if (route === '/v1/chat/completions') {
    yield* chat(job.id, request, signal);
  } else if (route === undefined) {
    throw new TypeError('This handler answers OpenAI requests. Use Chat, or send openai_route and openai_input.');
  } else {
    yield { error: { message: `This handler has no route ${route}.`, type: 'not_found', code: 404 } };
  }
}

/** Yields the answer as the text of server-sent events if the client asked for a stream, and as one object otherwise. */
async function* chat(id, { messages, stream, max_tokens: most = Infinity, stream_options: options }, signal) {
  const head = { id: `chatcmpl-${id}`, created: Math.floor(Date.now() / 1000), model: MODEL };
  const event = (fields) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`;
  let text = '';
  let tokens = 0;
  let reason = 'stop';
  for await (const piece of reply(messages, signal)) {
    if (tokens === most) {
      reason = 'length';
      break;
    }
    text += piece;
    tokens += 1;
    if (stream) yield event({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] });
  }
  const asked = messages.reduce((sum, message) => sum + countWords(textOf(message)), 0);
  const usage = { prompt_tokens: asked, completion_tokens: tokens, total_tokens: asked + tokens };
  if (stream) {
    yield event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
    if (options?.include_usage) yield event({ choices: [], usage });
    yield 'data: [DONE]\n\n';
  } else {
    const message = { role: 'assistant', content: text };
    yield { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }], usage };
  }
}
