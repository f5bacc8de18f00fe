/** The endpoints as a table, with a menu for each row. */
import { useState } from 'react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useEngine } from '../../../client/engine.ts';
import { EndpointContextMenu } from './EndpointContextMenu.tsx';
import { EndpointsTable, type EndpointsTableProps } from './EndpointsTable.tsx';
import { Questions } from './Questions.tsx';
import type { Question } from './useEndpointActions.ts';

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
          accountId={accountId}
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
