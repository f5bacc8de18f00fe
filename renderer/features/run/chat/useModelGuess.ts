/**
 * The model of a chat for which the person has named none, from what is known without a job: the list of the endpoint,
 * the last chat, the last request of a script, its settings and its sample.
 */
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { api } from '../../../client/transport/orpc.ts';
import type { Place } from './chatAnswers.ts';
import type { Conversation } from './conversations.ts';
import { t } from '../../../language/text.ts';

export interface ModelGuess {
  name: string;
  from: 'list' | 'chat' | 'request' | 'settings' | 'sample';
}

/** The variables that tell the public vLLM worker how its model is called by clients; the first one that is set counts. */
const NAME_VARIABLES = ['OPENAI_SERVED_MODEL_NAME_OVERRIDE', 'MODEL_NAME'] as const;

const named = z.object({ model: z.string().min(1) });
/** A request as a worker gets it from OpenAI clients, or one whose input has the model itself. */
const requestSchema = z.object({ input: z.union([z.object({ openai_input: named }), named]) });

function modelIn(request: string): string | null {
  const input = requestSchema.safeParse(JSON.parse(request)).data?.input;
  if (input === undefined) return null;
  return 'openai_input' in input ? input.openai_input.model : input.model;
}

async function modelOfRequests({ accountId, endpointId }: Place): Promise<string | null> {
  const filter = { accountId, endpointId, openai: true };
  const { entries } = await api.jobs.list({ filter, offset: 0, limit: 1 });
  const [last] = entries;
  if (last === undefined) return null;
  const { body } = await api.jobs.get({ entryId: last.entryId });
  return modelIn(body);
}

async function guessOfEndpoint({ accountId, endpointId }: Place): Promise<ModelGuess | null> {
  const { template, sampleInput } = await api.endpoints.get({ accountId, endpointId });
  const set = NAME_VARIABLES.map((variable) => template?.env[variable] ?? '').find((value) => value !== '');
  if (set !== undefined) return { name: set, from: 'settings' };
  const declared = sampleInput === null ? null : modelIn(sampleInput);
  return declared === null ? null : { name: declared, from: 'sample' };
}

async function readGuess(place: Place): Promise<ModelGuess | null> {
  // What cannot be read is not known; the person can enter a name.
  const unknown = (): null => null;
  const requested = await modelOfRequests(place).catch(unknown);
  if (requested !== null) return { name: requested, from: 'request' };
  return guessOfEndpoint(place).catch(unknown);
}

/** The model of the last answer that came. */
function lastModel(conversations: readonly Conversation[]): string | undefined {
  for (const { messages } of conversations) {
    const model = messages.findLast((message) => (message.model ?? '') !== '' && message.problem === undefined)?.model;
    if (model !== undefined) return model;
  }
  return undefined;
}

interface GuessSources {
  /** What the person has entered; then nothing is guessed. */
  entered: string;
  /** What the endpoint listed; null if it never did. */
  list: readonly string[] | null;
  /** The newest conversation first. */
  conversations: readonly Conversation[];
}

export function useModelGuess(place: Place, { entered, list, conversations }: GuessSources): ModelGuess | null {
  const listed = list?.[0];
  const spoken = lastModel(conversations);
  const isOpen = entered.trim() === '' && listed === undefined && spoken === undefined;
  const { data = null } = useQuery({
    queryKey: ['chat-model', place.accountId, place.endpointId],
    queryFn: () => readGuess(place),
    enabled: isOpen,
    retry: false,
  });
  if (entered.trim() !== '') return null;
  if (listed !== undefined) return { name: listed, from: 'list' };
  if (spoken !== undefined) return { name: spoken, from: 'chat' };
  return data;
}

/** Which model answers while the field is empty, and where its name comes from. */
export function guessWords({ name, from }: ModelGuess): string {
  if (from === 'list') return t`If empty: ${name}, the first model that the endpoint lists.`;
  if (from === 'chat') return t`If empty: ${name}, which answered the last chat.`;
  if (from === 'request') return t`If empty: ${name}, as in the last request of a script.`;
  if (from === 'sample') return t`If empty: ${name}, the model in the endpoint's sample input.`;
  return t`If empty: ${name}, the model in the endpoint's settings.`;
}
