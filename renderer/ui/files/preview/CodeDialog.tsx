/** The code of a handler of this computer, which opens above any page. */
import { useEffect, useState } from 'react';
import { Button, Modal, Progress } from '@mantine/core';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import { useListing } from '../../../client/files/listing.ts';
import { errorText } from '../../../client/transport/orpc.ts';
import { closeCode, useOverlays, type CodePlace } from '../../../state/overlays.ts';
import { navigate, useRoute } from '../../../state/route.ts';
import { formatRoute } from '../../../state/routePath.ts';
import { useHandlerCodes } from '../../endpoint/useHandlerCodes.ts';
import { Empty } from '../../primitives/Notice.tsx';
import { parentOf } from '../paths.ts';
import { FileViewer } from './FileViewer.tsx';
import { t } from '../../../language/text.ts';

export default function CodeDialog() {
  const code = useOverlays((overlays) => overlays.code);
  return code && <OpenFile key={JSON.stringify(code)} code={code} />;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function OpenFile({ code: { endpointId, path, line } }: { code: CodePlace }) {
  // Who goes to another page leaves the file. What was typed in it stays as its draft.
  const address = formatRoute(useRoute());
  const [first] = useState(address);
  useEffect(() => {
    if (address !== first) closeCode();
  }, [address, first]);

  const name = useHandlerCodes(THIS_MACHINE)(endpointId)?.name ?? endpointId;
  const holder = { in: 'handler', id: endpointId } as const;
  const folder = parentOf(path);
  const { query } = useListing({ accountId: THIS_MACHINE, holder, path: folder }, true);
  const current = query.data?.entries.find(({ kind, name }) => kind === 'file' && name === nameOf(path)) ?? null;
  /** The file as it was opened: it stays open when it is gone. */
  const [opened, setOpened] = useState<VolumeFile | null>(null);
  if (opened === null && current !== null) setOpened(current);
  if (opened !== null) {
    return (
      <FileViewer
        place={{ accountId: THIS_MACHINE, holder, path }}
        holderName={name}
        entry={opened}
        current={current ?? opened}
        line={line}
        onClose={closeCode}
      />
    );
  }
  return (
    <Modal
      opened
      onClose={closeCode}
      size="min(1080px, 94vw)"
      title={nameOf(path)}
      closeButtonProps={{ 'aria-label': t`Close ${nameOf(path)}` }}
    >
      {query.isError ? (
        <Empty
          tone="bad"
          title={t`The file could not be read`}
          action={<Button onClick={() => void query.refetch()}>{t`Try again`}</Button>}
        >
          {errorText(query.error)}
        </Empty>
      ) : query.isSuccess ? (
        <Empty
          title={t`There is no file ${path} in the folder of this endpoint`}
          action={
            <Button
              onClick={() => {
                closeCode();
                navigate({ page: 'resources', tab: 'computer', volumeId: null, endpointId, path: '' });
              }}
            >{t`Show the folder`}</Button>
          }
        >{t`It may have been deleted or renamed.`}</Empty>
      ) : (
        <Progress value={100} animated size="sm" aria-label={t`Reading ${nameOf(path)}`} />
      )}
    </Modal>
  );
}
