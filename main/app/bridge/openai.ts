/** The procedures about endpoints that answer OpenAI clients. The key is added here, and the page never receives it. */
import type { BridgeContract } from '#contract/bridge/index.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Directory } from '../services/directory.ts';

export interface OpenaiBinding {
  directory: Pick<Directory, 'compute'>;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindOpenai(
  openai: ImplementerInternalWithMiddlewares<BridgeContract['openai'], object, object>,
  { directory, lifeOf, translated }: OpenaiBinding,
) {
  const of = (accountId: string) => directory.compute(accountId).openai;
  return {
    models: openai.models.handler(({ input: { accountId, endpointId }, signal }) =>
      of(accountId).models(endpointId, lifeOf(signal)),
    ),
    chat: openai.chat.handler(({ input: { accountId, endpointId, body }, signal }) =>
      translated(of(accountId).chat(endpointId, body, lifeOf(signal))),
    ),
  };
}
