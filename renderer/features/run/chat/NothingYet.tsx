/** What stands in a conversation before its first message: what it needs. The endpoint is asked only on a click. */
import { Button, Group } from '@mantine/core';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { openNewEndpoint } from '../../../state/overlays.ts';
import { navigate } from '../../../state/route.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import type { Models } from './useModels.ts';
import { t } from '../../../language/text.ts';

interface NothingYetProps {
  accountId: string;
  endpointName: string;
  /** Whether a request there costs money. */
  spends: boolean;
  /** Why nothing can be sent now, for a person; null when it can. */
  blocked: string | null;
  /** Shows the jobs of the endpoint instead. */
  onStream: () => void;
  models: Models;
  /** Whether the name of a model is known. */
  hasModel: boolean;
}

export function NothingYet({ accountId, endpointName, spends, blocked, onStream, models, hasModel }: NothingYetProps) {
  const { list, problem, hasNoChat, isLoading, load } = models;
  // Only this computer runs handlers of folders.
  const create = accountId === THIS_MACHINE && (
    <Button size="xs" variant="default" onClick={newChatEndpoint}>{t`New chat endpoint`}</Button>
  );
  if (hasNoChat && !hasModel) {
    return (
      <Empty
        title={t`${endpointName} is not a chat model`}
        action={
          <Group gap={8} justify="center">
            <Button size="xs" onClick={onStream}>{t`Use Stream`}</Button>
            {create}
          </Group>
        }
      >{t`Chat needs a handler that answers OpenAI requests, such as vLLM. If this one answers /v1/chat/completions without a list of models, enter the name of its model.`}</Empty>
    );
  }
  const words = t`The answer appears here as it is written. Each message is a job of this endpoint.`;
  if (hasModel || list !== null) return <Empty title={t`Ask the model something`}>{words}</Empty>;
  return (
    <Empty
      title={problem === null ? t`Choose a model` : t`${endpointName} did not list its models`}
      action={
        <Group gap={8} justify="center">
          <ReasonButton size="xs" variant="default" loading={isLoading} whyNot={blocked} onClick={load}>
            {spends ? t`Load models · costs money` : t`Load models`}
          </ReasonButton>
          {create}
        </Group>
      }
    >
      {problem === null
        ? t`Chat needs a handler that answers OpenAI requests, such as vLLM. It is not known whether ${endpointName} does. "Load models" sends one job to find out, which may start a worker.`
        : t`Chat works only if the handler of the endpoint answers OpenAI requests. If it does, enter the name of a model.`}
    </Empty>
  );
}

function newChatEndpoint(): void {
  navigate({ page: 'endpoints', endpointId: null, tab: 'overview' });
  openNewEndpoint({ handler: 'chat' });
}
