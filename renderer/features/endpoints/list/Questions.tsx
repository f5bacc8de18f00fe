/** The dialogs that confirm what is done to an endpoint. */
import { useQuery } from '@tanstack/react-query';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { PauseDialog } from '../PauseDialog.tsx';
import { PurgeDialog } from '../PurgeDialog.tsx';
import { RemoveDialog } from '../RemoveDialog.tsx';
import type { Question } from './useEndpointActions.ts';

interface QuestionsProps {
  accountId: string;
  row: EndpointRow;
  /** Null while the dialog closes. */
  asking: Question | null;
  onClose: () => void;
  onRemoved: () => void;
}

export function Questions({ accountId, row, asking, onClose, onRemoved }: QuestionsProps) {
  const input = { accountId, endpointId: row.id };
  const detail = useQuery(orpc.endpoints.get.queryOptions({ input, enabled: asking === 'remove', retry: false }));
  return (
    <>
      <PauseDialog accountId={accountId} row={row} opened={asking === 'pause'} onClose={onClose} />
      <PurgeDialog accountId={accountId} row={row} opened={asking === 'purge'} onClose={onClose} />
      <RemoveDialog
        accountId={accountId}
        row={row}
        sharedWith={detail.data?.templateSharedWith}
        opened={asking === 'remove'}
        onClose={onClose}
        onRemoved={onRemoved}
      />
    </>
  );
}
