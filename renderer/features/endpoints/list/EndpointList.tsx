/** The endpoints as a table, with a menu for each row. */
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useEngine } from '../../../client/engine.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { PurgeDialog } from '../PurgeDialog.tsx';
import { RemoveDialog } from '../RemoveDialog.tsx';
import { EndpointContextMenu } from './EndpointContextMenu.tsx';
import { EndpointsTable, type EndpointsTableProps } from './EndpointsTable.tsx';
import type { Question } from './QuestionItems.tsx';

interface EndpointListProps extends Omit<EndpointsTableProps, 'onMenu'> {
  /** The address of the account; null for that of the engine of this computer. */
  address: string | null;
}

export function EndpointList({ address, ...table }: EndpointListProps) {
  const { accountId, now, openId, onOpen, onClose } = table;
  const engine = useEngine((state) => state.status?.address ?? null);
  const [menu, setMenu] = useState<{ endpointId: string; at: { x: number; y: number } } | null>(null);
  const [question, setQuestion] = useState<{ row: EndpointRow; kind: Question | null } | null>(null);
  const menuRow = now.rows.find(({ id }) => id === menu?.endpointId);
  return (
    <>
      <EndpointsTable {...table} onMenu={({ id }, at) => setMenu({ endpointId: id, at })} />
      {menu && menuRow && (
        <EndpointContextMenu
          key={`${menu.endpointId} ${menu.at.x} ${menu.at.y}`}
          row={menuRow}
          base={address ?? engine}
          at={menu.at}
          onOpen={onOpen}
          onAsk={(kind) => setQuestion({ row: menuRow, kind })}
          onClose={() => setMenu(null)}
        />
      )}
      {question && (
        <Questions
          key={question.row.id}
          accountId={accountId}
          row={question.row}
          asking={question.kind}
          onClose={() => setQuestion({ ...question, kind: null })}
          onRemoved={() => question.row.id === openId && onClose()}
        />
      )}
    </>
  );
}

interface QuestionsProps {
  accountId: string;
  row: EndpointRow;
  /** Null while the dialog closes. */
  asking: Question | null;
  onClose: () => void;
  onRemoved: () => void;
}

function Questions({ accountId, row, asking, onClose, onRemoved }: QuestionsProps) {
  const input = { accountId, endpointId: row.id };
  const detail = useQuery(orpc.endpoints.get.queryOptions({ input, enabled: asking === 'remove', retry: false }));
  return (
    <>
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
