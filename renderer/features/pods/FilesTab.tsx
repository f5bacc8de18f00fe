/** The files of a Pod, starting at its volume. */
import { useState } from 'react';
import type { PodRow } from '#contract/bridge/pod.ts';
import { FileBrowser } from '../../ui/files/FileBrowser.tsx';
import { t } from '../../language/text.ts';

export function FilesTab({ accountId, row: { pod } }: { accountId: string; row: PodRow }) {
  const [path, setPath] = useState(() => pod.volumeMountPath.replace(/^\/+|\/+$/g, ''));
  const stopped = { title: t`The Pod is stopped`, text: t`Start it to look at its files: they are read over SSH.` };
  return (
    <FileBrowser
      accountId={accountId}
      holder={{ in: 'pod', id: pod.id }}
      name={pod.name}
      path={path}
      absent={pod.desiredStatus === 'RUNNING' ? null : stopped}
      onShow={setPath}
      back={null}
    />
  );
}
