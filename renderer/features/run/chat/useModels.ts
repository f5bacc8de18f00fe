/** The models of an endpoint, as it lists them. To ask is a job, so the endpoint is asked only when the person wants it. */
import { useQuery } from '@tanstack/react-query';
import { api, ORPCError, queryClient } from '../../../client/transport/orpc.ts';
import type { Place } from './chatAnswers.ts';
import { modelsProblemOf, type ChatProblem } from './chatProblem.ts';
import { chatOptionsNow, knownModels, noChat, setChatOptions } from './conversations.ts';

export interface Models {
  /** What the endpoint listed last, also on an earlier visit; null if it never did. */
  list: readonly string[] | null;
  /** Why the models could not be listed just now; null if nobody asked, and for an endpoint that has no chat. */
  problem: ChatProblem | null;
  /** Whether the endpoint answered with something that is no chat, on this visit or an earlier one. */
  hasNoChat: boolean;
  isLoading: boolean;
  load: () => void;
  /** Forgets why the models could not be listed. */
  dismissProblem: () => void;
}

async function readModels({ draftKey, accountId, endpointId }: Place, signal: AbortSignal): Promise<string[]> {
  try {
    const list = await api.openai.models({ accountId, endpointId }, { signal });
    knownModels.set(draftKey, list);
    noChat.set(draftKey, false);
    const [first] = list;
    if (chatOptionsNow(draftKey).model === '' && first !== undefined) setChatOptions(draftKey, { model: first });
    return list;
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'UNSUPPORTED') {
      knownModels.set(draftKey, null);
      noChat.set(draftKey, true);
    }
    throw error;
  }
}

export function useModels(place: Place): Models {
  const list = knownModels.use(place.draftKey);
  const isRefused = noChat.use(place.draftKey);
  const queryKey = ['chat-models', place.accountId, place.endpointId];
  const { error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readModels(place, signal),
    enabled: false,
    retry: false,
    staleTime: Infinity,
  });
  const hasNoChat = isRefused && !isFetching;
  return {
    list,
    problem: error && !isFetching && !hasNoChat ? modelsProblemOf(error) : null,
    hasNoChat,
    isLoading: isFetching,
    load: () => void refetch(),
    dismissProblem: () => void queryClient.resetQueries({ queryKey, exact: true }),
  };
}
