/** The files of a Pod: over SSH starting at its volume; of a Pod on an engine of Hangar, those of its volume. */
import { useEffect, useState } from 'react';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { FileHolder } from '#contract/local/files.ts';
import { navigate } from '../../state/route.ts';
import { FileBrowser } from '../../ui/files/FileBrowser.tsx';
import { parentOf } from '../../ui/files/paths.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { t } from '../../language/text.ts';

interface FilesTabProps {
  accountId: string;
  /** Whether its files are read over SSH. */
  overSsh: boolean;
  row: PodRow;
  /** A file that the address asks for, or a folder if it ends with a slash. */
  routePath?: string | undefined;
}

interface Shown {
  folder: string;
  /** The file of the folder that is opened at once. */
  file: string | null;
}

const shownAt = (path: string): Shown => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { folder: parentOf(path), file: name === '' ? null : name };
};

export function FilesTab({ accountId, overSsh, row: { pod }, routePath }: FilesTabProps) {
  const inside = pod.volumeMountPath.replace(/^\/+|\/+$/g, '');
  const [shown, setShown] = useState<Shown>(() =>
    routePath === undefined ? { folder: overSsh ? inside : '', file: null } : shownAt(routePath),
  );
  const [before, setBefore] = useState(routePath);
  if (routePath !== before) {
    setBefore(routePath);
    if (routePath !== undefined) setShown(shownAt(routePath));
  }
  useEffect(() => {
    // Without it, so that the next click on the same link changes the address again.
    if (routePath !== undefined) navigate({ page: 'pods', podId: pod.id, tab: 'files' }, { replace: true });
  }, [routePath, pod.id]);
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
      path={shown.folder}
      file={shown.file}
      absent={isAbsent ? stopped : null}
      onShow={(folder) => setShown({ folder, file: null })}
      onFileClosed={() => setShown(({ folder }) => ({ folder, file: null }))}
      back={null}
    />
  );
}
