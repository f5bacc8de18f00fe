/** The answers that arrive now, one for each endpoint. They go on while the person looks at another page. */
import { create } from 'zustand';
import { api } from '../../../client/transport/orpc.ts';
import { chatBody } from './chatRequest.ts';
import {
  chatOptionsNow,
  conversationsNow,
  findConversation,
  keepConversation,
  knownModels,
  noChat,
  shownConversation,
  type ChatMessage,
} from './conversations.ts';
import { chatProblemOf } from './chatProblem.ts';
import { t } from '../../../language/text.ts';

export interface Place {
  draftKey: string;
  accountId: string;
  endpointId: string;
}

export interface ArrivingAnswer {
  conversationId: string;
  text: string;
  reasoning: string;
  /** Milliseconds since the epoch. */
  sentAt: number;
  /** When the first piece came; null before it. */
  firstAt: number | null;
  lastAt: number | null;
  pieces: number;
  jobId: string | null;
  stop: () => void;
}

/** By draft key. */
const useAnswers = create<Readonly<Record<string, ArrivingAnswer>>>(() => ({}));

/** The answer that arrives at an endpoint now; null if none does. */
export const useArrivingAnswer = (draftKey: string): ArrivingAnswer | null =>
  useAnswers((answers) => answers[draftKey] ?? null);

/** Stops the answer that arrives at an endpoint now; null if none does. Renders nothing again for a piece of it. */
export const useStopAnswer = (draftKey: string): (() => void) | null =>
  useAnswers((answers) => answers[draftKey]?.stop ?? null);

/** Whether the endpoint has listed models, or answered a message. */
const isKnownToChat = (draftKey: string): boolean =>
  knownModels.get(draftKey) !== null ||
  conversationsNow(draftKey).some(({ messages }) =>
    messages.some(({ role, text, problem }) => role === 'assistant' && text !== '' && problem === undefined),
  );

/** About thirty updates a second: enough for the eye. */
const FRAME_MS = 33;

interface Question {
  messages: readonly ChatMessage[];
  model: string;
}

/** Reads the answer to the end, and calls `show` with what came so far. Resolves with the whole message. */
async function readAnswer(
  { draftKey, accountId, endpointId }: Place,
  { messages, model }: Question,
  signal: AbortSignal,
  show: (so: Partial<ArrivingAnswer>) => void,
): Promise<ChatMessage> {
  const options = { ...chatOptionsNow(draftKey), model };
  const sentAt = Date.now();
  const answer: { text: string; reasoning: string; firstAt: number | null; lastAt: number | null; pieces: number } = {
    text: '',
    reasoning: '',
    firstAt: null,
    lastAt: null,
    pieces: 0,
  };
  let jobId: string | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const facts: Partial<ChatMessage> = {};
  let counted: number | null = null;
  try {
    const body = chatBody(options, messages);
    for await (const event of await api.openai.chat({ accountId, endpointId, body }, { signal })) {
      if (event.type === 'begun') {
        ({ jobId } = event);
        show({ jobId });
      } else if (event.type === 'piece') {
        answer.text += event.text;
        answer.reasoning += event.reasoning;
        if (answer.firstAt === null) noChat.set(draftKey, false);
        answer.firstAt ??= Date.now();
        answer.lastAt = Date.now();
        answer.pieces += 1;
        timer ??= setTimeout(() => {
          timer = null;
          show({ ...answer });
        }, FRAME_MS);
      } else {
        counted = event.outputTokens;
        if (event.finish === 'length') facts.cutOff = true;
      }
    }
    if (signal.aborted) facts.stopped = true;
    else if (answer.text === '' && answer.reasoning === '') {
      facts.problem = t`The answer of the model was empty.`;
      facts.advice = t`Send the message again, or rephrase it.`;
    }
  } catch (error) {
    if (signal.aborted) facts.stopped = true;
    else Object.assign(facts, chatProblemOf(error, isKnownToChat(draftKey)));
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
  const { firstAt, lastAt } = answer;
  return {
    role: 'assistant',
    text: answer.text,
    ...(answer.reasoning !== '' && { reasoning: answer.reasoning }),
    ...(options.model !== '' && { model: options.model }),
    jobId,
    ...(firstAt !== null &&
      lastAt !== null && {
        firstMs: firstAt - sentAt,
        streamMs: lastAt - firstAt,
        tokens: counted ?? answer.pieces,
        isEstimate: counted === null,
      }),
    ...facts,
  };
}

/**
 * Sends the messages of a conversation, of which the last one is the person's, and adds the answer to it. Does nothing
 * while another answer of the endpoint arrives. Never rejects: a failure is part of the conversation.
 */
export async function askChat(
  place: Place,
  conversationId: string,
  messages: ChatMessage[],
  model: string,
): Promise<void> {
  const { draftKey } = place;
  if (useAnswers.getState()[draftKey]) return;
  const life = new AbortController();
  const question = { id: conversationId, updatedAt: Date.now(), messages };
  keepConversation(draftKey, question);
  shownConversation.set(draftKey, conversationId);
  const begun: ArrivingAnswer = {
    conversationId,
    text: '',
    reasoning: '',
    sentAt: Date.now(),
    firstAt: null,
    lastAt: null,
    pieces: 0,
    jobId: null,
    stop: () => life.abort(),
  };
  useAnswers.setState({ [draftKey]: begun });
  const show = (so: Partial<ArrivingAnswer>): void => {
    const now = useAnswers.getState()[draftKey];
    if (now) useAnswers.setState({ [draftKey]: { ...now, ...so } });
  };
  const answer = await readAnswer(place, { messages, model }, life.signal, show);
  const { [draftKey]: _, ...others } = useAnswers.getState();
  // The conversation may be removed meanwhile, and is not made again.
  if (findConversation(draftKey, conversationId)) {
    const answered = { id: conversationId, updatedAt: Date.now(), messages: [...messages, answer] };
    // Another page may have continued it meanwhile.
    keepConversation(draftKey, answered, question);
  }
  useAnswers.setState(others, true);
}
