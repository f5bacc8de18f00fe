/** The Pods as a table, with a menu for each row and actions for those that are selected. */
import { useState } from 'react';
import type { PodLack } from '#contract/bridge/pod.ts';
import { RenameDialog } from '../actions/RenameDialog.tsx';
import type { ConfirmedChange } from '../podChanges.ts';
import { PodDialog } from '../PodDialog.tsx';
import type { ShownPod } from '../../../ui/text/podWords.ts';
import { ChosenPods } from './ChosenPods.tsx';
import { PodContextMenu } from './PodContextMenu.tsx';
import { PodsTable, type PodsTableProps } from './PodsTable.tsx';

interface PodListProps extends Pick<
  PodsTableProps,
  'accountId' | 'rows' | 'stale' | 'openId' | 'onOpen' | 'onClose' | 'chosen' | 'onChosen'
> {
  /** Whether their terminals use SSH. */
  overSsh: boolean;
  /** Whether running costs money. */
  spends: boolean;
  lacks: readonly PodLack[];
}

export function PodList({ overSsh, spends, lacks, ...table }: PodListProps) {
  const { accountId, rows, chosen, onChosen, openId, onOpen, onClose } = table;
  const [menu, setMenu] = useState<{ podId: string; at: { x: number; y: number } } | null>(null);
  const [question, setQuestion] = useState<{ row: ShownPod; kind: ConfirmedChange | null } | null>(null);
  const [renamed, setRenamed] = useState<ShownPod['pod'] | null>(null);
  const chosenRows = rows.filter(({ pod }) => chosen.has(pod.id));
  const menuRow = rows.find(({ pod }) => pod.id === menu?.podId);
  const clear = () => onChosen(new Set());
  return (
    <>
      {chosenRows.length > 0 && <ChosenPods accountId={accountId} spends={spends} rows={chosenRows} onClear={clear} />}
      <PodsTable {...table} onMenu={({ pod }, at) => setMenu({ podId: pod.id, at })} />
      {menu && menuRow && (
        <PodContextMenu
          key={`${menu.podId} ${menu.at.x} ${menu.at.y}`}
          accountId={accountId}
          overSsh={overSsh}
          spends={spends}
          lacks={lacks}
          row={menuRow}
          at={menu.at}
          onOpen={onOpen}
          onAsk={(kind) => setQuestion({ row: menuRow, kind })}
          onRename={() => setRenamed(menuRow.pod)}
          onClose={() => setMenu(null)}
        />
      )}
      {renamed && <RenameDialog accountId={accountId} pod={renamed} onClose={() => setRenamed(null)} />}
      {question && (
        <PodDialog
          accountId={accountId}
          row={question.row}
          kind={question.kind}
          onClose={() => setQuestion({ ...question, kind: null })}
          onRemove={() => question.row.pod.id === openId && onClose()}
        />
      )}
    </>
  );
}
