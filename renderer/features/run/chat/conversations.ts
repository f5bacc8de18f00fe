/** The conversations of each endpoint and the options of its chat. They are kept in this browser, the newest ones. */
import * as z from 'zod';
import { asJson, personalSettings } from '../../../state/personalSetting.ts';
import { t } from '../../../language/text.ts';

/** Why a conversation cannot be changed while an answer arrives. */
export const STILL_ARRIVES = t`An answer still arrives. Stop it or wait for its end.`;

const messageSchema = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  /** What a reasoning model wrote before its answer. */
  reasoning: z.string().optional(),
  /** Why the answer is missing or is not whole, for a person. */
  problem: z.string().optional(),
  /** What to do about it. */
  advice: z.string().optional(),
  /** The person stopped the answer. */
  stopped: z.boolean().optional(),
  /** The model stopped at its greatest length. */
  cutOff: z.boolean().optional(),
  model: z.string().optional(),
  jobId: z.string().nullish(),
  /** Milliseconds from the request to the first piece of the answer. */
  firstMs: z.number().optional(),
  /** Tokens of the answer; pieces of it where the worker does not count tokens, and then `isEstimate`. */
  tokens: z.number().optional(),
  isEstimate: z.boolean().optional(),
  /** Milliseconds from the first piece to the last one. */
  streamMs: z.number().optional(),
});
export type ChatMessage = z.infer<typeof messageSchema>;

const conversationSchema = z.object({
  id: z.string(),
  updatedAt: z.number(),
  messages: z.array(messageSchema),
});
export type Conversation = z.infer<typeof conversationSchema>;

const optionsSchema = z.object({
  model: z.string(),
  system: z.string(),
  /** Null: what the endpoint takes by itself. */
  temperature: z.number().nullable(),
  maxTokens: z.int().nullable(),
});
export type ChatOptions = z.infer<typeof optionsSchema>;

/** By draft key, newest first. */
export const conversations = personalSettings('chats', asJson(z.array(conversationSchema)), []);
/** By draft key: the id of the conversation that is shown; null for a new one. */
export const shownConversation = personalSettings('chat', z.string(), null);
/** By draft key. */
export const chatOptions = personalSettings('chat-options', asJson(optionsSchema), {
  model: '',
  system: '',
  temperature: null,
  maxTokens: null,
});
/** By draft key: the models that the endpoint listed last; null if it was not asked yet. */
export const knownModels = personalSettings('chat-models', asJson(z.array(z.string())), null);

/** By draft key: whether the endpoint answered a request of OpenAI clients with something else. */
export const noChat = personalSettings('chat-refused', asJson(z.boolean()), false);

const MOST_CONVERSATIONS = 30;
/** Characters of all conversations of one endpoint: browsers store about five million for the whole page. */
const MOST_CHARS = 400_000;

const lengthOf = ({ messages }: Conversation): number =>
  messages.reduce((sum, { text, reasoning = '' }) => sum + text.length + reasoning.length, 0);

/** The newest conversations that fit; the first one always stays. */
function bounded(list: readonly Conversation[], mostChars: number): Conversation[] {
  let chars = 0;
  return list.slice(0, MOST_CONVERSATIONS).filter((conversation, index) => {
    chars += lengthOf(conversation);
    return index === 0 || chars <= mostChars;
  });
}

/**
 * Writes a conversation as the newest one; the oldest ones make room for it. False: it lasts only until the page closes,
 * because the storage of the browser is full or disabled.
 */
export function keepConversation(draftKey: string, conversation: Conversation): boolean {
  const others = conversations.get(draftKey).filter(({ id }) => id !== conversation.id);
  const all = [conversation, ...others];
  return (
    conversations.set(draftKey, bounded(all, MOST_CHARS)) ||
    conversations.set(draftKey, bounded(all, 0)) ||
    // Nothing fits: on this page, all of them stay.
    conversations.set(draftKey, bounded(all, MOST_CHARS))
  );
}

export const findConversation = (draftKey: string, id: string | null): Conversation | undefined =>
  conversations.get(draftKey).find((conversation) => conversation.id === id);

/** Removes a conversation. The answer puts it back, and shows it again unless another one is shown by then. */
export function removeConversation(draftKey: string, id: string): () => void {
  const removed = findConversation(draftKey, id);
  const wasShown = shownConversation.get(draftKey) === id;
  conversations.set(
    draftKey,
    conversations.get(draftKey).filter((conversation) => conversation.id !== id),
  );
  if (wasShown) shownConversation.set(draftKey, null);
  return () => {
    if (removed === undefined) return;
    const all = [...conversations.get(draftKey), removed].toSorted((a, b) => b.updatedAt - a.updatedAt);
    conversations.set(draftKey, all);
    if (wasShown && shownConversation.get(draftKey) === null) shownConversation.set(draftKey, id);
  };
}

const TITLE_CHARS = 60;

/** The first words of a conversation, on one line. */
export function titleOf({ messages }: Conversation): string {
  const text = (messages[0]?.text ?? '').replaceAll(/\s+/g, ' ').trim();
  if (text === '') return t`Empty conversation`;
  return text.length <= TITLE_CHARS ? text : `${text.slice(0, TITLE_CHARS - 1)}…`;
}

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

/** The request of the last answer as JSON text for a program; that of a first message where there is none. */
export function chatCode(options: ChatOptions, messages: readonly ChatMessage[]): string {
  const until = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const model = options.model.trim() || ANY_MODEL;
  const sent = until === 0 ? [FIRST_MESSAGE] : messages.slice(0, until);
  return JSON.stringify(chatRequest({ ...options, model }, sent), null, 2);
}

/** Tokens per second of an answer; null if it was too short to tell. */
export function tokenRate({ tokens, streamMs }: Pick<ChatMessage, 'tokens' | 'streamMs'>): number | null {
  // The first token begins the time, and so is not part of the rate.
  if (tokens === undefined || streamMs === undefined || tokens < 3 || streamMs < 50) return null;
  return ((tokens - 1) * 1000) / streamMs;
}
