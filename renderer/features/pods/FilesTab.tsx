/** The files of a Pod, from where its volume is on. */
import { useState } from 'react';
import type { PodRow } from '#contract/bridge/pod.ts';
import { FileBrowser } from '../../ui/files/FileBrowser.tsx';

export function FilesTab({ accountId, row: { pod } }: { accountId: string; row: PodRow }) {
  const [path, setPath] = useState(() => pod.volumeMountPath.replace(/^\/+|\/+$/g, ''));
  const stopped = { title: 'The Pod is stopped', text: 'Start it to look at its files: they are reached over SSH.' };
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
