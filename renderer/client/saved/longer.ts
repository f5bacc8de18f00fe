/** Compares two versions of a conversation that two pages have made from the same one. */
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import * as z from 'zod';

const conversationSchema = z.object({ messages: z.array(z.unknown()) });

const messagesOf = (text: string): string[] | undefined =>
  conversationSchema.safeParse(parseJsonOrNull(text)).data?.messages.map((message) => JSON.stringify(message));

const begins = (whole: readonly string[], start: readonly string[]): boolean =>
  start.every((message, at) => whole[at] === message);

/**
 * Which of two conversations, as JSON, begins with all messages of the other, so that nothing is lost without that one:
 * `other` also if both are the same, `both` if neither does or one cannot be read.
 */
export function longerOf(one: string, other: string): 'one' | 'other' | 'both' {
  const [first, second] = [messagesOf(one), messagesOf(other)];
  if (first === undefined || second === undefined) return 'both';
  if (begins(second, first)) return 'other';
  return begins(first, second) ? 'one' : 'both';
}
