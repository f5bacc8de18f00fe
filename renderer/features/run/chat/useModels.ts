/** The models of an endpoint, as it lists them. To ask is a job, so an endpoint that costs money is asked only on a click. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../client/transport/orpc.ts';
import type { Place } from './chatAnswers.ts';
import { chatProblemOf, type ChatProblem } from './chatProblem.ts';
import { chatOptions, knownModels } from './conversations.ts';
import { t } from '../../../language/text.ts';

export interface Models {
  /** Null until the endpoint was asked. */
  list: readonly string[] | null;
  problem: ChatProblem | null;
  isLoading: boolean;
  /** Whether the question costs money. */
  costs: boolean;
  /** What to know before the models are listed. */
  hint: string;
  load: () => void;
}

async function readModels({ draftKey, accountId, endpointId }: Place, signal: AbortSignal): Promise<string[]> {
  const list = await api.openai.models({ accountId, endpointId }, { signal });
  knownModels.set(draftKey, list);
  const options = chatOptions.get(draftKey);
  const [first] = list;
  if (options.model === '' && first !== undefined) chatOptions.set(draftKey, { ...options, model: first });
  return list;
}

export function useModels(place: Place, costs: boolean, canAsk: boolean): Models {
  const known = knownModels.use(place.draftKey);
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['chat-models', place.accountId, place.endpointId],
    queryFn: ({ signal }) => readModels(place, signal),
    enabled: known === null && !costs && canAsk,
    retry: false,
    staleTime: Infinity,
  });
  return {
    list: known,
    problem: error && !isFetching ? chatProblemOf(error) : null,
    isLoading: isFetching,
    costs,
    hint: isFetching
      ? t`Asking the endpoint for its models…`
      : costs
        ? t`To list the models is a job, which costs money.`
        : t`The endpoint was not asked for its models yet.`,
    load: () => void refetch(),
  };
}
