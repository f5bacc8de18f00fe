/** The files of a Pod: over SSH starting at its volume; of a Pod on an engine of Hangar, those of its volume or its container. */
import { useEffect, useState } from 'react';
import * as z from 'zod';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { FileHolder } from '#contract/local/files.ts';
import { personalSettings } from '../../state/personalSetting.ts';
import { navigate } from '../../state/route.ts';
import { FileBrowser } from '../../ui/files/FileBrowser.tsx';
import { parentOf } from '../../ui/files/paths.ts';
import { Segments } from '../../ui/tabs/Segments.tsx';
import { t } from '../../language/text.ts';
import styles from './pods.module.css';

interface FilesTabProps {
  accountId: string;
  /** Whether its files are read over SSH. */
  overSsh: boolean;
  row: PodRow;
  /** A file that the address asks for, as in the route of the page. */
  routePath?: string | undefined;
}

interface Shown {
  folder: string;
  /** The file of the folder that is opened at once. */
  file: string | null;
}

function shownAt(routePath: string): Shown {
  const path = routePath.replace(/^\/+/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { folder: parentOf(path), file: name === '' ? null : name };
}

/** The disks of a Pod on an engine of Hangar. */
const diskSchema = z.enum(['volume', 'container']);
type Disk = z.infer<typeof diskSchema>;

/** The disk that was shown last, by account and Pod. */
const podDisk = personalSettings('pod-disk', diskSchema, 'volume');

const diskOf = (routePath: string): Disk => (routePath.startsWith('/') ? 'container' : 'volume');

const hasVolume = ({ pod }: PodRow): boolean => pod.networkVolumeId !== null || pod.volumeInGb > 0;

/** What becomes of the files on a disk. */
function lossWords(disk: Disk, row: PodRow): string {
  const { networkVolumeId, volumeMountPath } = row.pod;
  if (!hasVolume(row)) {
    return t`The files in its container are lost when the Pod is reset or deleted. A volume, which is kept, is set in its settings.`;
  }
  if (disk === 'container') {
    return t`All files in its container. What is not in ${volumeMountPath}, its volume, is lost when the Pod is reset or deleted.`;
  }
  return networkVolumeId === null
    ? t`Kept when the Pod is stopped or reset, and deleted with the Pod.`
    : t`A network volume: kept when the Pod is reset or deleted.`;
}

function DiskChoice({ disk, row, onChange }: { disk: Disk; row: PodRow; onChange: (disk: Disk) => void }) {
  return (
    <div className={styles.disk}>
      {hasVolume(row) && (
        <Segments
          size="xs"
          aria-label={t`Whose files are shown`}
          data={[
            { value: 'volume', label: t`Volume` },
            { value: 'container', label: t`Container disk` },
          ]}
          value={disk}
          onChange={(value) => onChange(diskSchema.parse(value))}
        />
      )}
      <p>{lossWords(disk, row)}</p>
    </div>
  );
}

/** The holder of the shown files. The own volume of a Pod has the id of the Pod. */
function holderOf({ overSsh, row: { pod } }: FilesTabProps, disk: Disk): FileHolder {
  if (overSsh) return { in: 'pod', id: pod.id };
  return disk === 'volume' ? { in: 'volume', id: pod.networkVolumeId ?? pod.id } : { in: 'container', id: pod.id };
}

/** Why a stopped Pod has no files to show; null if they are shown. */
function absenceOf({ overSsh, row }: FilesTabProps, disk: Disk): { title: string; text: string } | null {
  if (row.pod.desiredStatus === 'RUNNING' || (!overSsh && disk === 'volume')) return null;
  const text = overSsh
    ? t`Start it to look at its files: they are read over SSH.`
    : hasVolume(row)
      ? t`Start it to look at the files in its container. Those of its volume are shown also while it is stopped.`
      : t`Start it to look at the files in its container.`;
  return { title: t`The Pod is stopped`, text };
}

export function FilesTab(props: FilesTabProps) {
  const { accountId, overSsh, row, routePath } = props;
  const { pod } = row;
  const inside = pod.volumeMountPath.replace(/^\/+|\/+$/g, '');
  const [shown, setShown] = useState<Shown>(() =>
    routePath === undefined ? { folder: overSsh ? inside : '', file: null } : shownAt(routePath),
  );
  const key = `${accountId}/${pod.id}`;
  const chosen = podDisk.use(key);
  const [before, setBefore] = useState(routePath);
  if (routePath !== before) {
    setBefore(routePath);
    if (routePath !== undefined) setShown(shownAt(routePath));
  }
  useEffect(() => {
    if (routePath === undefined) return;
    podDisk.set(key, diskOf(routePath));
    // Without it, so that the next click on the same link changes the address again.
    navigate({ page: 'pods', podId: pod.id, tab: 'files' }, { replace: true });
  }, [routePath, key, pod.id]);
  const wanted = routePath === undefined ? chosen : diskOf(routePath);
  const disk = hasVolume(row) ? wanted : 'container';
  const choose = (next: Disk) => {
    podDisk.set(key, next);
    setShown({ folder: '', file: null });
  };
  const isWhole = overSsh || disk === 'container';
  const name = isWhole ? pod.name : pod.volumeMountPath;
  return (
    <FileBrowser
      key={disk}
      head={!overSsh && <DiskChoice disk={disk} row={row} onChange={choose} />}
      accountId={accountId}
      holder={holderOf(props, disk)}
      name={name}
      fullName={isWhole ? pod.name : `${pod.name}, ${pod.volumeMountPath}`}
      path={shown.folder}
      file={shown.file}
      absent={absenceOf(props, disk)}
      onShow={(folder) => setShown({ folder, file: null })}
      onFileClosed={() => setShown(({ folder }) => ({ folder, file: null }))}
      back={null}
    />
  );
}
