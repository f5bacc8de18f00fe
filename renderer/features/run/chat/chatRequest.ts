/** The requests of a chat, in the form of OpenAI clients. */
import type { ChatMessage, ChatOptions } from './conversations.ts';

/** The request of a conversation. Answers without text are left out: a service refuses them. */
function chatRequest(options: ChatOptions, messages: readonly ChatMessage[]): object {
  const { model, system, temperature, maxTokens } = options;
  const spoken = messages.filter(({ role, text }) => role === 'user' || text !== '');
  return {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
      ...spoken.map(({ role, text }) => ({ role, content: text })),
    ],
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { max_tokens: maxTokens }),
    stream: true,
  };
}

/** The request of a conversation as JSON text. */
export const chatBody = (options: ChatOptions, messages: readonly ChatMessage[]): string =>
  JSON.stringify({
    ...chatRequest(options, messages),
    // Without it a service does not count the tokens of a stream.
    stream_options: { include_usage: true },
  });

/** Stands in code for the name of a model that a person has not chosen yet. */
const ANY_MODEL = 'MODEL';
const FIRST_MESSAGE: ChatMessage = { role: 'user', text: 'Hello' };

/** The request of the last answer as JSON text for a program. Without an answer, the request of a first message. */
export function chatCode(options: ChatOptions, messages: readonly ChatMessage[]): string {
  const until = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const model = options.model.trim() || ANY_MODEL;
  const sent = until === 0 ? [FIRST_MESSAGE] : messages.slice(0, until);
  return JSON.stringify(chatRequest({ ...options, model }, sent), null, 2);
}
