/** One file in a window of its own: a text to read or change, a picture, sound, a film, or a notebook. */
import { useState } from 'react';
import { Button, Modal, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { VolumeFile } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import { isGone, readBeginning, readRest, writeText } from '../../../client/files/content.ts';
import { download, type Place } from '../../../client/files/transfers.ts';
import { errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { requestRun } from '../../../client/jobs/requestedRun.ts';
import { targetAccount } from '../../../state/selection.ts';
import { Empty } from '../../primitives/Notice.tsx';
import { typeOfName } from '../../output/mediaType.ts';
import { OutputFrameContext } from '../../output/frame.ts';
import { PartView } from '../../output/PartView.tsx';
import { formatFileSize, formatWhen } from '../../text/format.ts';
import { MiddleCut } from '../MiddleCut.tsx';
import { loadFile, type LoadedFile } from './loadFile.ts';
import { NotebookView } from './NotebookView.tsx';
import { renderingOf, type Rendering } from './RenderedText.tsx';
import { previewOf, readText } from './readText.ts';
import { keyOf, textDrafts } from './textDrafts.ts';
import { useHandlerOf } from './useHandlerOf.ts';
import { TextFile } from './TextFile.tsx';
import type { TextFileIo } from './useFileText.ts';
import styles from './preview.module.css';
import { useFocusBack } from '../../keyboard/useFocusBack.ts';
import { Segments } from '../../tabs/Segments.tsx';
import { t } from '../../../language/text.ts';

/** The names of the folders that a file is in. */
const foldersOf = (path: string): readonly string[] => path.split('/').slice(0, -1);

interface FileViewerProps {
  place: Place;
  /** The name of what has the file: a volume, a Pod, this computer, or an endpoint. */
  holderName: string;
  /** The file as it was opened. */
  entry: VolumeFile;
  /** The file as its folder lists it now. */
  current: VolumeFile;
  /** The line that an editor begins at, from 1 on; null for the first one. */
  line?: number | null;
  onClose: () => void;
}

/** How the page reads and writes this file, for an editor. */
const ioOf = (place: Place, { name, sizeBytes }: VolumeFile): TextFileIo => ({
  async read() {
    try {
      const bytes = new Uint8Array(await (await readBeginning(place, sizeBytes)).arrayBuffer());
      const text = readText(bytes, bytes.length >= limits.page.pieceBytes);
      return previewOf(name, bytes).show === 'nothing' || text.whyFixed !== null ? null : text;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  },
  write: (text) => writeText(place, text),
  hasNewContent: () => queryClient.invalidateQueries({ queryKey: orpc.files.list.key() }),
});

export function FileViewer({ place, holderName, entry, current, line = null, onClose }: FileViewerProps) {
  const { name, sizeBytes, modifiedAt } = entry;
  const [doneBytes, setDoneBytes] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const [isSource, setSource] = useState(false);
  const file = useQuery({
    queryKey: ['file', place, modifiedAt],
    queryFn: ({ signal }) =>
      loadFile(entry, {
        beginning: () => readBeginning(place, sizeBytes, signal),
        rest: (beginning) => readRest(place, sizeBytes, beginning, signal, setDoneBytes),
      }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  const rendering = file.data?.show === 'text' ? renderingOf(name) : null;
  const draftKey = keyOf(place);
  const hasDraft = textDrafts.useHas(draftKey);
  // A save that ends meanwhile leaves nothing to ask about.
  if (isAsking && !hasDraft) setAsking(false);
  // What was typed may be newer than what the page shows, so the draft itself is asked.
  const close = () =>
    file.data?.show === 'text' && textDrafts.get(draftKey) !== undefined ? setAsking(true) : onClose();
  useFocusBack(true);
  const handler = useHandlerOf(place);
  return (
    <Modal
      opened
      onClose={close}
      size="min(1080px, 94vw)"
      classNames={{
        body: `${styles.body} ${isLong(name, file.data) ? styles.long : ''}`,
        title: styles.title ?? '',
      }}
      title={
        <span className={styles.named}>
          <MiddleCut text={name} title={`/${place.path}`} />
          <span className={styles.holder}>{[handler?.name ?? holderName, ...foldersOf(place.path)].join(' › ')}</span>
        </span>
      }
      closeButtonProps={{ 'aria-label': t`Close ${name}` }}
    >
      <div className={styles.facts}>
        <span>{t`${formatFileSize(current.sizeBytes)}, changed ${formatWhen(Date.parse(current.modifiedAt))}`}</span>
        {rendering !== null && (
          <Segments
            size="xs"
            aria-label={t`View`}
            data={[
              { value: 'rendered', label: rendering === 'table' ? t`Table` : t`Formatted` },
              { value: 'source', label: t`Source` },
            ]}
            value={isSource ? 'source' : 'rendered'}
            onChange={(view) => setSource(view === 'source')}
          />
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<Download size={13} aria-hidden />}
          onClick={() => download(place, current.sizeBytes)}
        >{t`Download`}</Button>
      </div>
      <div className={styles.content}>
        {file.isSuccess ? (
          <Content
            name={name}
            loaded={file.data}
            rendering={isSource ? null : rendering}
            onEdit={() => setSource(true)}
            draftKey={draftKey}
            changedAt={current.modifiedAt}
            io={ioOf(place, entry)}
            line={line}
            onRun={
              handler === null
                ? null
                : () => {
                    targetAccount.set(THIS_MACHINE);
                    onClose();
                    // The code may declare another input now.
                    void queryClient.invalidateQueries({ queryKey: orpc.folders.declaredInput.key() });
                    requestRun(THIS_MACHINE, handler.id);
                  }
            }
            closing={isAsking && hasDraft ? { onStay: () => setAsking(false), onClose } : null}
          />
        ) : file.isError ? (
          <Empty
            tone="bad"
            title={t`The file could not be read`}
            action={<Button onClick={() => void file.refetch()}>{t`Try again`}</Button>}
          >
            {errorText(file.error)}
          </Empty>
        ) : (
          <Progress
            value={sizeBytes === 0 ? 100 : (doneBytes / sizeBytes) * 100}
            size="sm"
            aria-label={t`Reading ${name}`}
          />
        )}
      </div>
    </Modal>
  );
}

/** Whether the dialog has its full height, which only texts, notebooks and large pictures need. */
const isLong = (name: string, loaded: LoadedFile | undefined): boolean =>
  loaded === undefined ? typeOfName(name)?.kind !== 'audio' : loaded.show === 'text' || loaded.show === 'notebook';

interface ContentProps {
  name: string;
  loaded: LoadedFile;
  rendering: Rendering | null;
  onEdit: () => void;
  draftKey: string;
  changedAt: string;
  io: TextFileIo;
  line: number | null;
  onRun: (() => void) | null;
  closing: { onStay: () => void; onClose: () => void } | null;
}

function Content({ name, loaded, ...ofText }: ContentProps) {
  const end = name.lastIndexOf('.');
  if (loaded.show === 'text') return <TextFile name={name} file={loaded.file} {...ofText} />;
  if (loaded.show === 'notebook') return <NotebookView cells={loaded.cells} />;
  if (loaded.show === 'nothing') return <Empty title={t`No preview`}>{loaded.why}</Empty>;
  return (
    <OutputFrameContext value={{ scroller: null, fileName: end > 0 ? name.slice(0, end) : name, hasSave: false }}>
      <PartView part={loaded.part} />
    </OutputFrameContext>
  );
}
