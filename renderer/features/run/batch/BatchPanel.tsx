/** A list of inputs that runs against the endpoint: the list on the left, the results of a batch on the right. */
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@mantine/core';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { Panes } from '../../../ui/primitives/SplitPane.tsx';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { chooseBatch, useChosenBatch } from '../../../client/jobs/batchView.ts';
import { BatchForm } from './BatchForm.tsx';
import type { BatchTarget } from './batchTarget.ts';
import { BatchResult } from './BatchResult.tsx';
import { t } from '../../../language/text.ts';

export default function BatchPanel(target: BatchTarget) {
  const { accountId, id: endpointId } = target.endpoint;
  const batches = useQuery(orpc.batches.list.queryOptions({ input: { accountId, endpointId }, staleTime: 0 }));
  const chosenId = useChosenBatch(accountId, endpointId);
  const setChosenId = (batchId: string) => chooseBatch(accountId, endpointId, batchId);
  const chosen = batches.data?.find(({ batchId }) => batchId === chosenId) ?? batches.data?.[0];
  return (
    <Panes
      place="batch"
      left={<BatchForm {...target} onStarted={setChosenId} />}
      right={
        chosen ? (
          <BatchResult
            key={chosen.batchId}
            listed={chosen}
            others={batches.data ?? []}
            onChoose={setChosenId}
            {...target}
          />
        ) : (
          <Card grow aria-label={t`Batch`}>
            {batches.isPending ? (
              <Skeleton m={14} h={60} />
            ) : batches.isError ? (
              <LoadError
                capability="jobs"
                title={t`The batches could not be read`}
                problem={errorText(batches.error)}
                retry={() => void batches.refetch()}
              />
            ) : (
              <Empty
                title={t`No batches yet`}
              >{t`Paste or drop a list of inputs (JSON Lines or CSV) and run it. All results appear here in one table.`}</Empty>
            )}
          </Card>
        )
      }
    />
  );
}
