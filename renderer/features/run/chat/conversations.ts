/** The conversations of each endpoint and the options of its chat, which the app keeps. */
import { useMemo } from 'react';
import { notifications } from '@mantine/notifications';
import * as z from 'zod';
import type { SavedRef } from '#contract/app/saved/document.ts';
import {
  keepDocument,
  onMoved,
  onNotRemoved,
  placeAt,
  savedNow,
  useSaved,
  type Saved,
  type SavedList,
} from '../../../client/saved/savedStore.ts';
import { asJson, personalSettings } from '../../../state/personalSetting.ts';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import { t } from '../../../language/text.ts';

/** Why a conversation cannot be changed while an answer arrives. */
export const STILL_ARRIVES = t`An answer is still arriving. Stop it or wait for it to finish.`;

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

/** A conversation as it is saved, under its id. */
const textSchema = asJson(z.object({ updatedAt: z.number(), messages: z.array(messageSchema) }));

export interface Conversation {
  id: string;
  /** Milliseconds since the epoch. */
  updatedAt: number;
  messages: ChatMessage[];
}

export interface SavedConversation extends Conversation {
  /** Why its last change is not saved, for a person; null if it is. */
  problem: string | null;
}

const optionsSchema = z.object({
  model: z.string(),
  system: z.string(),
  /** Null: what the endpoint takes by itself. */
  temperature: z.number().nullable(),
  maxTokens: z.int().nullable(),
});
export type ChatOptions = z.infer<typeof optionsSchema>;

export const chatsAt = (draftKey: string) => placeAt('chat', draftKey);
export const conversationRef = (draftKey: string, id: string): SavedRef => ({ ...chatsAt(draftKey), name: id });

/** Newest first. A conversation that a newer version wrote is left out. */
const conversationsOf = (list: readonly Saved[]): SavedConversation[] =>
  list
    .flatMap(({ name, text, problem }) => {
      const { data } = textSchema.safeDecode(text);
      return data === undefined ? [] : [{ id: name, ...data, problem }];
    })
    .toSorted((one, other) => other.updatedAt - one.updatedAt);

export const conversationsNow = (draftKey: string): SavedConversation[] => conversationsOf(savedNow(chatsAt(draftKey)));

/** The conversations of an endpoint, newest first; `useSavedFeed(chatsAt(…))` reads them. */
export function useConversations(draftKey: string): Omit<SavedList, 'list'> & { list: readonly SavedConversation[] } {
  const { list, ...reading } = useSaved(chatsAt(draftKey));
  return { list: useMemo(() => conversationsOf(list), [list]), ...reading };
}

/** By draft key: the id of the conversation that is shown; null for a new one. */
export const shownConversation = personalSettings('chat', z.string(), null);

const noOptions: ChatOptions = { model: '', system: '', temperature: null, maxTokens: null };
const optionsText = asJson(optionsSchema);

/** The options are the only document of their place. */
export const optionsRef = (draftKey: string): SavedRef => ({ ...placeAt('chat-options', draftKey), name: '' });

const optionsOf = (list: readonly Saved[]): ChatOptions => {
  const text = list.find(({ name }) => name === '')?.text;
  return (text === undefined ? undefined : optionsText.safeDecode(text).data) ?? noOptions;
};

export const chatOptionsNow = (draftKey: string): ChatOptions => optionsOf(savedNow(optionsRef(draftKey)));

/** The options of the chat of an endpoint; `useSavedFeed(optionsRef(…))` reads them. */
export function useChatOptions(draftKey: string): Omit<SavedList, 'list'> & {
  options: ChatOptions;
  /** Why they are not saved, for a person; null if they are. */
  problem: string | null;
} {
  const { list, ...reading } = useSaved(optionsRef(draftKey));
  const problem = list.find(({ name }) => name === '')?.problem ?? null;
  return { options: useMemo(() => optionsOf(list), [list]), problem, ...reading };
}

export const setChatOptions = (draftKey: string, change: Partial<ChatOptions>): void =>
  keepDocument(optionsRef(draftKey), optionsText.encode({ ...chatOptionsNow(draftKey), ...change }));

/** By draft key: the models that the endpoint listed last; null if it was not asked yet. */
export const knownModels = personalSettings('chat-models', asJson(z.array(z.string())), null);

/** By draft key: whether the endpoint answered a request of OpenAI clients with something else. */
export const noChat = personalSettings('chat-refused', asJson(z.boolean()), false);

/** Shows a conversation as the newest one, and saves it. `follows`: the version of this page that it was made from. */
export const keepConversation = (
  draftKey: string,
  { id, ...conversation }: Conversation,
  follows?: Conversation,
): void => {
  const before = follows && textSchema.encode({ updatedAt: follows.updatedAt, messages: follows.messages });
  keepDocument(conversationRef(draftKey, id), textSchema.encode(conversation), before);
};

onMoved(({ from: { kind, accountId, endpointId, name }, to }) => {
  if (kind !== 'chat') return;
  const draftKey = `${accountId}/${endpointId}`;
  if (shownConversation.get(draftKey) === name) shownConversation.set(draftKey, to);
  notifications.show({
    title: t`The conversation continues twice`,
    message: t`Another window continued it at the same time. What you wrote here is now a separate conversation.`,
    autoClose: 20_000,
  });
});

export const findConversation = (draftKey: string, id: string | null): SavedConversation | undefined =>
  conversationsNow(draftKey).find((conversation) => conversation.id === id);

/** By id: takes back on the page what was shown of a removal. */
const removals = new Map<string, () => void>();

/**
 * Removes a conversation, and offers to undo that. If another window has added to it meanwhile, it stays, and a notice
 * says so. The returned function is that of the button: it puts the conversation back without replacing what another
 * window has saved meanwhile, and shows it again unless another one is shown by then.
 */
export function removeConversation(draftKey: string, id: string): () => void {
  const removed = findConversation(draftKey, id);
  if (removed === undefined) return () => undefined;
  const { updatedAt, messages } = removed;
  const wasShown = shownConversation.get(draftKey) === id;
  const showAgain = (): void => {
    if (wasShown && shownConversation.get(draftKey) === null) shownConversation.set(draftKey, id);
  };
  const putBack = (): void => {
    const before = { id, updatedAt, messages };
    keepConversation(draftKey, before, before);
    showAgain();
  };
  keepDocument(conversationRef(draftKey, id), null);
  if (wasShown) shownConversation.set(draftKey, null);
  const withdraw = offerUndo(t`Removed the conversation ${titleOf(removed)}`, putBack);
  removals.set(id, () => {
    withdraw();
    showAgain();
  });
  return putBack;
}

onNotRemoved(({ kind, name }) => {
  if (kind !== 'chat') return;
  removals.get(name)?.();
  removals.delete(name);
  notifications.show({
    title: t`The conversation was not removed`,
    message: t`Another window continued it at the same time. Read the new messages, then remove it again.`,
    autoClose: 20_000,
  });
});

const TITLE_CHARS = 60;

/** The first words of a conversation, on one line. */
export function titleOf({ messages }: Conversation): string {
  const text = (messages[0]?.text ?? '').replaceAll(/\s+/g, ' ').trim();
  if (text === '') return t`Empty conversation`;
  return text.length <= TITLE_CHARS ? text : `${text.slice(0, TITLE_CHARS - 1)}…`;
}

/** Tokens per second of an answer; null if it was too short to tell. */
export function tokenRate({ tokens, streamMs }: Pick<ChatMessage, 'tokens' | 'streamMs'>): number | null {
  // The first token begins the time, and so is not part of the rate.
  if (tokens === undefined || streamMs === undefined || tokens < 3 || streamMs < 50) return null;
  return ((tokens - 1) * 1000) / streamMs;
}
