/** Why an answer of a chat did not come, and what to do about it. */
import { LOST_MESSAGE, ORPCError, errorText } from '../../../client/transport/orpc.ts';
import { t } from '../../../language/text.ts';

export interface ChatProblem {
  /** What was wrong, in the words of the endpoint where it said something. */
  problem: string;
  advice: string;
}

const NO_WORKER = t`On the Endpoints page, check that the endpoint has workers and read their log. Then send the message again.`;

const adviceOf: Readonly<Record<string, string>> = {
  NOT_FOUND: t`Choose a model that the endpoint lists. If it lists none, its handler may not serve the route /v1/chat/completions, or the endpoint was deleted.`,
  UNSUPPORTED: t`Use Stream or Wait for result for this endpoint, or serve this route in its handler.`,
  BAD_REQUEST: t`Correct the message or the options, such as the maximum number of tokens, and send it again.`,
  TOO_LARGE: t`Start a new conversation, or remove messages with Edit.`,
  UNAUTHORIZED: t`Replace the key of the account on the Accounts page.`,
  FORBIDDEN: t`Use a key that may run jobs of this endpoint. You can replace the key on the Accounts page.`,
  TOO_MANY_REQUESTS: t`Wait a moment, then send the message again.`,
  CONFLICT: t`The job was cancelled elsewhere. Send the message again if you still want the answer.`,
  UNAVAILABLE: NO_WORKER,
  UPSTREAM_TIMEOUT: NO_WORKER,
  UPSTREAM: t`The handler of the endpoint failed. The log of the job on the Jobs page says more.`,
};

/** A handler that knows nothing of chats fails on their input, and nobody did anything wrong. */
const MAY_NOT_CHAT = t`The handler of this endpoint may not be made for chats. Use Stream or Wait for result here, and chat with an endpoint that answers OpenAI requests.`;

/**
 * The words for an error of `openai.chat`. `isKnownToChat`: whether the endpoint has listed models or answered a message
 * before.
 */
export function chatProblemOf(error: unknown, isKnownToChat: boolean): ChatProblem {
  const problem = errorText(error);
  if (problem === LOST_MESSAGE) return { problem, advice: t`Send the message again once Hangar is connected.` };
  const code = error instanceof ORPCError ? String(error.code) : '';
  if (code === 'UPSTREAM' && !isKnownToChat) return { problem, advice: MAY_NOT_CHAT };
  return { problem, advice: adviceOf[code] ?? t`Send the message again.` };
}

/** The words for an error of `openai.models`. Some handlers answer the chat and list no models. */
export function modelsProblemOf(error: unknown): ChatProblem {
  const isOfHandler =
    error instanceof ORPCError && ['UPSTREAM', 'NOT_FOUND', 'BAD_REQUEST'].includes(String(error.code));
  const { problem, advice } = chatProblemOf(error, false);
  return isOfHandler
    ? { problem, advice: t`Its handler may not be made for chats. If it is, enter the name of a model that it takes.` }
    : { problem, advice };
}
