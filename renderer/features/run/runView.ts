/** Whether Run shows the jobs of an endpoint, or a chat with its model. */
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { orpc } from '../../client/transport/orpc.ts';
import { draftKey } from '../../state/drafts.ts';
import { personalSettings } from '../../state/personalSetting.ts';

const runViews = ['job', 'chat'] as const;
export type RunView = (typeof runViews)[number];

/** By draft key; null if the person has not chosen. */
export const runView = personalSettings('run-view', z.enum(runViews), null);

/** The route in the input of every message of a chat. A request for the list of models has another route. */
const CHAT_ROUTE = '/v1/chat/completions';

/**
 * The view that the person chose. Without a choice it is the chat for an endpoint that has answered a message of an
 * OpenAI client before. The endpoint itself is not asked: each question is a job, which may start a worker and cost money.
 */
export function useRunView(accountId: string, endpointId: string): RunView {
  const chosen = runView.use(draftKey(accountId, endpointId));
  const filter = { accountId, endpointId, statuses: ['COMPLETED' as const], openai: true, text: CHAT_ROUTE };
  const { data } = useQuery(
    orpc.jobs.list.queryOptions({
      input: { filter, offset: 0, limit: 1 },
      enabled: chosen === null,
      retry: false,
      staleTime: Infinity,
    }),
  );
  return chosen ?? (data !== undefined && data.entries.length > 0 ? 'chat' : 'job');
}
