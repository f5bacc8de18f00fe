/** Whether Run shows the jobs of an endpoint, or a chat with its model. */
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { orpc } from '../../client/transport/orpc.ts';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { draftKey } from '../../state/drafts.ts';
import { personalSettings } from '../../state/personalSetting.ts';

const runViews = ['job', 'chat'] as const;
export type RunView = (typeof runViews)[number];

/** By draft key; null if the person has not chosen. */
export const runView = personalSettings('run-view', z.enum(runViews), null);

/** The route in the input of every message of a chat. A request for the list of models has another route. */
const CHAT_ROUTE = '/v1/chat/completions';

const chatRequestSchema = z.object({ input: z.object({ openai_route: z.literal(CHAT_ROUTE) }) });

/** Whether a request, as JSON text, is a message of a chat. */
const isChatRequest = (request: string): boolean => chatRequestSchema.safeParse(parseJsonOrNull(request)).success;

interface RunViewOf {
  accountId: string;
  id: string;
  /** The request that its readme shows; null without one. */
  sampleInput: string | null;
}

/**
 * The view that the person chose. Without a choice it is the chat for an endpoint whose readme shows a message of a chat,
 * and for one that has answered a message of an OpenAI client before. The endpoint itself is not asked: each question is a
 * job, which may start a worker and cost money.
 */
export function useRunView({ accountId, id: endpointId, sampleInput }: RunViewOf): RunView {
  const isDeclared = sampleInput !== null && isChatRequest(sampleInput);
  const chosen = runView.use(draftKey(accountId, endpointId));
  const filter = { accountId, endpointId, statuses: ['COMPLETED' as const], openai: true, text: CHAT_ROUTE };
  const { data } = useQuery(
    orpc.jobs.list.queryOptions({
      input: { filter, offset: 0, limit: 1 },
      enabled: chosen === null && !isDeclared,
      retry: false,
      staleTime: Infinity,
    }),
  );
  return chosen ?? (isDeclared || (data !== undefined && data.entries.length > 0) ? 'chat' : 'job');
}
