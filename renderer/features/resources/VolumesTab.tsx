/** The network volumes of an account, and the files of the open one. */
import { useState } from 'react';
import { Button, Kbd } from '@mantine/core';
import { Plus, SquarePen, Trash2 } from 'lucide-react';
import type { ResourcesNow, VolumeRow } from '#contract/bridge/resource.ts';
import { useWhyNotNow } from '../../client/away.ts';
import { api } from '../../client/transport/orpc.ts';
import { useBackStep } from '../../state/backStep.ts';
import { useCommands } from '../../state/commands.ts';
import { useLeaveFormerTarget } from '../../state/formerTarget.ts';
import { navigate } from '../../state/route.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { FileBrowser } from '../../ui/files/FileBrowser.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import styles from '../../ui/theme/resources.module.css';
import { RowMenu } from '../../ui/primitives/RowMenu.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { UsedBy } from './UsedBy.tsx';
import { VolumeDialog, type VolumeDialogOf } from './VolumeDialog.tsx';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { rich, t } from '../../language/text.ts';

interface VolumesTabProps {
  accountId: string;
  target: string;
  now: ResourcesNow;
  volumeId: string | null;
  path: string;
}

const noFiles = {
  title: t`This account has no access to files`,
  text: t`Attach the volume to a Pod. Its files are then in /workspace, in the Files tab of the Pod and in a terminal.`,
};

const all = { page: 'resources', tab: 'volumes', volumeId: null, path: '' } as const;
const show = (volumeId: string | null, path = '') => navigate({ ...all, volumeId, path });

export function VolumesTab({ accountId, target, now, volumeId, path }: VolumesTabProps) {
  const [dialog, setDialog] = useState<VolumeDialogOf | null>(null);
  const [removing, setRemoving] = useState<VolumeRow | null>(null);
  const whyNot = useWhyNotNow();
  useCommands([
    whyNot === null && { label: t`New volume on ${target}`, keys: 'N', run: () => setDialog({ volume: null }) },
    volumeId !== null && { label: t`Show all volumes`, run: () => show(null) },
  ]);
  const open = now.volumes.find(({ id }) => id === volumeId);
  useLeaveFormerTarget(accountId, volumeId, all);
  useBackStep(volumeId !== null, () => show(null));
  if (volumeId !== null && !open) {
    return (
      <Empty
        title={t`Volume not found`}
        action={<Button onClick={() => show(null)}>{t`Show all volumes`}</Button>}
      >{t`It was deleted, or it belongs to another account.`}</Empty>
    );
  }
  if (open) {
    return (
      <FileBrowser
        key={open.id}
        accountId={accountId}
        holder={{ in: 'volume', id: open.id }}
        name={open.name}
        path={path}
        absent={now.hasFiles ? null : noFiles}
        onShow={(to) => show(open.id, to)}
        back={{ label: t`All volumes`, onBack: () => show(null) }}
      />
    );
  }
  const begin = (
    <ReasonButton
      leftSection={<Plus size={14} aria-hidden />}
      rightSection={<Kbd aria-hidden>N</Kbd>}
      whyNot={whyNot}
      onClick={() => setDialog({ volume: null })}
    >{t`New volume`}</ReasonButton>
  );
  return (
    <>
      {now.volumes.length === 0 ? (
        <Empty
          title={t`No volumes on ${target} yet`}
          action={begin}
        >{t`A volume keeps models, data and results when Pods and workers end. Workers find it at /runpod-volume, Pods at /workspace.`}</Empty>
      ) : (
        <div className={styles.scroll}>
          <div className={styles.tools}>
            <p>{t`Files that stay when Pods and workers end.`}</p>
            {begin}
          </div>
          <VolumesTable
            accountId={accountId}
            now={now}
            onChange={(volume) => setDialog({ volume })}
            onRemove={setRemoving}
          />
        </div>
      )}
      <VolumeDialog
        accountId={accountId}
        target={target}
        // The volumes of an engine are on its own machine.
        hasRegions={!now.hasFiles}
        of={dialog}
        onClose={() => setDialog(null)}
      />
      <RemoveDialog
        question={(name) => t`Delete the volume ${name}?`}
        action={t`Delete the volume`}
        deleted={t`The volume is deleted.`}
        row={removing}
        podsProblem={now.podsProblem}
        typed
        remove={(id) => api.resources.removeVolume({ accountId, id })}
        onClose={() => setRemoving(null)}
      >
        <p>{rich`${<b>{t`Every file in it`}</b>} is deleted, too. This cannot be undone.`}</p>
        {removing?.folder && <p>{t`It is the folder ${removing.folder}.`}</p>}
      </RemoveDialog>
    </>
  );
}

interface VolumesTableProps {
  accountId: string;
  now: ResourcesNow;
  onChange: (volume: VolumeRow) => void;
  onRemove: (volume: VolumeRow) => void;
}

function VolumesTable({ accountId, now, onChange, onRemove }: VolumesTableProps) {
  return (
    <PlainTable
      label={t`Volumes`}
      className={styles.table}
      rows={now.volumes}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t`Name`,
          isHeader: true,
          cell: (volume) => (
            <button type="button" className={styles.open} onClick={() => show(volume.id)}>
              {volume.name}
            </button>
          ),
        },
        { title: t`Size`, isNumber: true, cell: ({ size }) => t`${formatCount(size)} GB` },
        {
          title: t`Used by`,
          cell: ({ usedBy }) => <UsedBy accountId={accountId} usedBy={usedBy} />,
          cellClass: styles.users,
        },
        {
          title: now.hasFiles ? t`Folder on the machine` : t`Data center`,
          needs: 'wide',
          cell: ({ name, folder, dataCenterId }) =>
            folder === null ? (
              dataCenterId || <span className={styles.faint}>{t`not reported`}</span>
            ) : (
              <span className={styles.folder}>
                <code title={folder}>{folder}</code>
                <CopyButton text={folder} label={t`Copy folder of ${name}`} />
              </span>
            ),
        },
        {
          title: t`Actions`,
          isTitleHidden: true,
          cell: (volume) => (
            <RowMenu
              name={volume.name}
              items={[
                { label: t`Rename or grow…`, icon: SquarePen, onClick: () => onChange(volume) },
                { label: t`Delete…`, icon: Trash2, onClick: () => onRemove(volume) },
              ]}
            />
          ),
        },
      ]}
    />
  );
}
