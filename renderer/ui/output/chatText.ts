/**
 * Chat answers in the shapes that language models return: whole completions, pieces of a stream, and the lists of
 * tokens that vLLM workers return.
 */
import { isContainer, kindOf, memberOf, membersOf, stringOf } from './jsonNode.ts';

export interface ChatMessage {
  role: string;
  text: string;
  /** What the model thought before it answered; null if it does not say. */
  reasoning: string | null;
  toolCalls: { name: string; args: string }[];
  /** Why the model ended: "stop", "length"; null if it does not say. */
  finish: string | null;
}

export interface Chat {
  messages: ChatMessage[];
  model: string | null;
  /** Null if the answer does not say. */
  tokens: { input: number | null; output: number | null };
}

const text = (raw: string | undefined): string | null => (raw === undefined ? null : stringOf(raw));
const number = (raw: string | undefined): number | null =>
  raw !== undefined && kindOf(raw) === 'number' ? Number(raw) : null;

/** Content is a string, or a list of parts of which some are text. */
function contentOf(raw: string | undefined): string | null {
  if (raw === undefined) return null;
  if (kindOf(raw) !== 'array') return stringOf(raw);
  return membersOf(raw)
    .map((part) => text(memberOf(part.text, 'text')) ?? '')
    .join('');
}

function toolCallsOf(raw: string | undefined): ChatMessage['toolCalls'] {
  if (raw === undefined || kindOf(raw) !== 'array') return [];
  return membersOf(raw).flatMap(({ text: call }) => {
    const of = memberOf(call, 'function');
    if (of === undefined) return [];
    return [{ name: text(memberOf(of, 'name')) ?? '', args: text(memberOf(of, 'arguments')) ?? '' }];
  });
}

/** One choice of a completion, whole or a piece of one; null if it has no words. */
function messageOf(choice: string): ChatMessage | null {
  const message = memberOf(choice, 'message') ?? memberOf(choice, 'delta');
  const finish = text(memberOf(choice, 'finish_reason'));
  const tokens = memberOf(choice, 'tokens');
  if (message !== undefined && kindOf(message) === 'object') {
    return {
      role: text(memberOf(message, 'role')) ?? 'assistant',
      text: contentOf(memberOf(message, 'content')) ?? text(memberOf(message, 'refusal')) ?? '',
      reasoning: text(memberOf(message, 'reasoning_content')) ?? text(memberOf(message, 'reasoning')),
      toolCalls: toolCallsOf(memberOf(message, 'tool_calls')),
      finish,
    };
  }
  const words =
    tokens !== undefined && kindOf(tokens) === 'array'
      ? membersOf(tokens)
          .map((token) => stringOf(token.text) ?? '')
          .join('')
      : text(memberOf(choice, 'text'));
  return words === null ? null : { role: 'assistant', text: words, reasoning: null, toolCalls: [], finish };
}

function choicesOf(raw: string): string[] | null {
  if (kindOf(raw) !== 'object') return null;
  const choices = memberOf(raw, 'choices');
  return choices === undefined || kindOf(choices) !== 'array' ? null : membersOf(choices).map((choice) => choice.text);
}

function usageOf(raw: string): Chat['tokens'] {
  const usage = memberOf(raw, 'usage');
  if (usage === undefined || !isContainer(usage)) return { input: null, output: null };
  const first = (...names: string[]) => names.map((name) => number(memberOf(usage, name))).find((one) => one !== null);
  return {
    input: first('prompt_tokens', 'input_tokens', 'input') ?? null,
    output: first('completion_tokens', 'output_tokens', 'output') ?? null,
  };
}

/** A completion, or a list of its pieces, as one conversation; null for everything else. */
export function readChat(raw: string): Chat | null {
  // Far cheaper than to find the members of a large answer.
  if (!raw.includes('"choices"')) return null;
  const pieces = kindOf(raw) === 'array' ? membersOf(raw).map((piece) => piece.text) : [raw];
  // Most lists hold something else, which their first item shows.
  if (pieces.length === 0 || choicesOf(pieces[0] ?? '') === null) return null;
  const messages: ChatMessage[] = [];
  const chat: Chat = { messages, model: null, tokens: { input: null, output: null } };
  for (const piece of pieces) {
    const choices = choicesOf(piece);
    if (choices === null) return null;
    chat.model ??= text(memberOf(piece, 'model'));
    const usage = usageOf(piece);
    chat.tokens = { input: usage.input ?? chat.tokens.input, output: usage.output ?? chat.tokens.output };
    for (const [index, choice] of choices.entries()) {
      const message = messageOf(choice);
      if (message === null) return null;
      const at = number(memberOf(choice, 'index')) ?? index;
      const before = messages[at];
      if (before) extend(before, message);
      else messages[at] = message;
    }
  }
  const whole = messages.filter(Boolean);
  return whole.length === 0 ? null : { ...chat, messages: whole };
}

function extend(message: ChatMessage, piece: ChatMessage): void {
  message.text += piece.text;
  if (piece.reasoning !== null) message.reasoning = (message.reasoning ?? '') + piece.reasoning;
  message.toolCalls.push(...piece.toolCalls);
  message.finish = piece.finish ?? message.finish;
}

const LOOKS_LIKE_PIECE = /^\{[^]{0,400}"choices"\s*:/;

/** What one chunk of a stream adds to the text of the answer; null if the chunk is something else. */
export function chunkWords(raw: string): string | null {
  if (!LOOKS_LIKE_PIECE.test(raw)) return null;
  try {
    const chat = readChat(raw);
    const [message] = chat?.messages ?? [];
    // Reasoning and calls of tools have no place in running text: such a chunk is shown as it is.
    if (!message || message.toolCalls.length > 0) return null;
    return message.reasoning !== null && message.text === '' ? null : message.text;
  } catch {
    // Cut off on its way.
    return null;
  }
}
