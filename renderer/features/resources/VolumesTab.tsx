/** The network volumes of an account, and the files of the one that is looked into. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { Plus, SquarePen, Trash2 } from 'lucide-react';
import type { ResourcesNow, VolumeRow } from '#contract/bridge/resource.ts';
import { api } from '../../client/transport/orpc.ts';
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

interface VolumesTabProps {
  accountId: string;
  target: string;
  now: ResourcesNow;
  volumeId: string | null;
  path: string;
}

const noFiles = {
  title: 'This account has no access to files',
  text: 'Attach the volume to a Pod: its files are below /workspace there, in the Files of the Pod and in a terminal.',
};

export function VolumesTab({ accountId, target, now, volumeId, path }: VolumesTabProps) {
  const [dialog, setDialog] = useState<VolumeDialogOf | null>(null);
  const [removing, setRemoving] = useState<VolumeRow | null>(null);
  const show = (id: string | null, to = '') => navigate({ page: 'resources', tab: 'volumes', volumeId: id, path: to });
  const open = now.volumes.find(({ id }) => id === volumeId);
  const begin = (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setDialog({ volume: null })}>
      New volume
    </Button>
  );
  const dialogs = (
    <>
      <VolumeDialog
        {...{ accountId, target }}
        // A machine of ours is where it is.
        hasRegions={!now.hasFiles}
        of={dialog}
        onClose={() => setDialog(null)}
      />
      <RemoveDialog
        what="volume"
        row={removing}
        podsProblem={now.podsProblem}
        typed
        remove={(id) => api.resources.removeVolume({ accountId, id })}
        onClose={() => setRemoving(null)}
        onRemoved={() => show(null)}
      >
        <p>
          <b>Every file in it</b> is deleted with it. This cannot be undone.
        </p>
        {removing?.folder && <p>It is the folder {removing.folder}.</p>}
      </RemoveDialog>
    </>
  );
  if (volumeId !== null && !open) {
    return (
      <Empty title="This volume is not here" action={<Button onClick={() => show(null)}>Show all volumes</Button>}>
        It was deleted, or it belongs to another account.
      </Empty>
    );
  }
  if (open) {
    return (
      <>
        <FileBrowser
          key={open.id}
          accountId={accountId}
          holder={{ in: 'volume', id: open.id }}
          name={open.name}
          path={path}
          absent={now.hasFiles ? null : noFiles}
          onShow={(to) => show(open.id, to)}
          back={{ label: 'All volumes', onBack: () => show(null) }}
        />
        {dialogs}
      </>
    );
  }
  return (
    <>
      {now.volumes.length === 0 ? (
        <Empty title={`No volume on ${target} yet`} action={begin}>
          A volume keeps files while Pods and workers come and go: models, data, results. Workers see it at
          /runpod-volume, Pods at /workspace.
        </Empty>
      ) : (
        <div className={styles.scroll}>
          <div className={styles.tools}>
            <p>Files that stay while Pods and workers come and go.</p>
            {begin}
          </div>
          <PlainTable
            label="Volumes"
            className={styles.table}
            rows={now.volumes}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Name',
                isHeader: true,
                cell: (volume) => (
                  <button type="button" className={styles.open} onClick={() => show(volume.id)}>
                    {volume.name}
                  </button>
                ),
              },
              { title: 'Size', isNumber: true, cell: ({ size }) => `${formatCount(size)} GB` },
              { title: 'Used by', cell: ({ usedBy }) => <UsedBy usedBy={usedBy} /> },
              {
                title: now.hasFiles ? 'Folder on the machine' : 'Data center',
                needs: 'wide',
                cell: ({ name, folder, dataCenterId }) =>
                  folder === null ? (
                    dataCenterId || <span className={styles.faint}>not told</span>
                  ) : (
                    <span className={styles.folder}>
                      <code title={folder}>{folder}</code>
                      <CopyButton text={folder} what={`folder of ${name}`} />
                    </span>
                  ),
              },
              {
                title: 'Actions',
                isTitleHidden: true,
                cell: (volume) => (
                  <RowMenu
                    name={volume.name}
                    items={[
                      { label: 'Rename or grow…', icon: SquarePen, onClick: () => setDialog({ volume }) },
                      { label: 'Delete…', icon: Trash2, onClick: () => setRemoving(volume) },
                    ]}
                  />
                ),
              },
            ]}
          />
        </div>
      )}
      {dialogs}
    </>
  );
}
