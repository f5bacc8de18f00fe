/** The files of a Pod: over SSH starting at its volume; of a Pod on an engine of Hangar, those of its volume. */
import { useState } from 'react';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { FileHolder } from '#contract/local/files.ts';
import { FileBrowser } from '../../ui/files/FileBrowser.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { t } from '../../language/text.ts';

interface FilesTabProps {
  accountId: string;
  /** Whether its files are read over SSH. */
  overSsh: boolean;
  row: PodRow;
}

export function FilesTab({ accountId, overSsh, row: { pod } }: FilesTabProps) {
  const inside = pod.volumeMountPath.replace(/^\/+|\/+$/g, '');
  const [path, setPath] = useState(() => (overSsh ? inside : ''));
  const stopped = { title: t`The Pod is stopped`, text: t`Start it to look at its files: they are read over SSH.` };
  const isAbsent = overSsh && pod.desiredStatus !== 'RUNNING';
  if (!overSsh && pod.networkVolumeId === null && pod.volumeInGb === 0) {
    return (
      <Empty
        title={t`It has no volume`}
      >{t`The files of its container are reached in a terminal. A volume is set in its settings, and its files are shown here, also while the Pod is stopped.`}</Empty>
    );
  }
  // The own volume of a Pod has the id of the Pod.
  const holder: FileHolder = overSsh ? { in: 'pod', id: pod.id } : { in: 'volume', id: pod.networkVolumeId ?? pod.id };
  return (
    <FileBrowser
      accountId={accountId}
      holder={holder}
      name={overSsh ? pod.name : pod.volumeMountPath}
      path={path}
      absent={isAbsent ? stopped : null}
      onShow={setPath}
      back={null}
    />
  );
}
