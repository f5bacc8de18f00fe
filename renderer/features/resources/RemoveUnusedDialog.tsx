/** Removes all images that nothing uses: a preview with sizes first, then the result of each. */
import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { api, errorText } from '../../client/transport/orpc.ts';
import { formatMemory } from '../../ui/text/format.ts';
import dialog from '../../ui/theme/dialog.module.css';
import { bytesOf, shownName, type ImageRow } from './imageUse.ts';
import { imagesChanged } from './useImages.ts';
import { counted, t } from '../../language/text.ts';

interface RemoveUnusedDialogProps {
  accountId: string;
  opened: boolean;
  unused: readonly ImageRow[];
  onClose: () => void;
}

export function RemoveUnusedDialog({ accountId, opened, unused, onClose }: RemoveUnusedDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Remove images that nothing uses`} size={520}>
      {opened && <Removal accountId={accountId} unused={unused} onClose={onClose} />}
    </Modal>
  );
}

/** What became of an image: its error, or null once it is removed. */
type Results = ReadonlyMap<string, string | null>;

function Removal({ accountId, unused, onClose }: Omit<RemoveUnusedDialogProps, 'opened'>) {
  // The list of the first moment: removed images stay in it with their result.
  const [images] = useState(unused);
  const [results, setResults] = useState<Results>(new Map());
  const [state, setState] = useState<'asking' | 'working' | 'done'>('asking');

  async function removeAll() {
    setState('working');
    for (const { name } of images) {
      const problem = await api.machine.removeImage({ accountId, name }).then(() => null, errorText);
      setResults((before) => new Map(before).set(name, problem));
    }
    setState('done');
    await imagesChanged();
  }
  const failed = [...results.values()].filter((problem) => problem !== null).length;
  return (
    <>
      <div className={dialog.words}>
        <p role="status">
          {state === 'asking' &&
            t`No container, Pod or template uses these. Removing them frees up to ${formatMemory(bytesOf(images))}. Images that were built here and never pushed are lost.`}
          {state === 'working' && t`Removing ${results.size + 1} of ${images.length}…`}
          {state === 'done' &&
            (failed === 0
              ? counted(images.length, '{0} image was removed.', '{0} images were removed.')
              : t`${images.length - failed} of ${images.length} were removed.`)}
        </p>
        <ul>
          {images.map((image) => (
            <li key={image.name}>
              {shownName(image)} · {formatMemory(image.sizeBytes)}
              {results.has(image.name) && <b> · {results.get(image.name) ?? t`removed`}</b>}
            </li>
          ))}
        </ul>
      </div>
      <div className={dialog.answers}>
        <Button variant="default" data-autofocus onClick={onClose}>
          {state === 'asking' ? t`Cancel` : t`Close`}
        </Button>
        {state !== 'done' && (
          <Button className={dialog.danger ?? ''} loading={state === 'working'} onClick={() => void removeAll()}>
            {counted(images.length, 'Remove {0} image', 'Remove {0} images')}
          </Button>
        )}
      </div>
    </>
  );
}
