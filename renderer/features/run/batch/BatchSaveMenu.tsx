/** Saves the results of a batch as a table, as JSON Lines, or the files of its outputs as one archive. */
import { useState } from 'react';
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Batch } from '#contract/bridge/batch/batches.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { savePieces, type PieceFormat } from '../../../ui/files/savePieces.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { saveBatchFiles } from './batchFiles.ts';
import { inputsWords } from './batchTarget.ts';
import { joinSentences } from '../../../language/sentences.ts';
import { counted, t } from '../../../language/text.ts';

type SaveFormat = PieceFormat | 'zip';

const saveFormats: readonly { format: SaveFormat; label: string }[] = [
  { format: 'csv', label: t`CSV, for a table` },
  { format: 'jsonl', label: t`JSON Lines, with everything` },
  { format: 'zip', label: t`ZIP, with the files of the outputs` },
];

/** Says what the archive has, or why there is none. */
async function saveFiles(batch: Batch, onProgress: (rows: number) => void): Promise<void> {
  const { files, remote } = await saveBatchFiles(batch, onProgress);
  const elsewhere =
    remote > 0 &&
    counted(
      remote,
      'One file is on another host, which was not asked: open its job to load it.',
      '{0} files are on other hosts, which were not asked: open their jobs to load them.',
      formatCount(remote),
    );
  if (files > 0) announce(t`Saved ${counted(files, '{0} file', '{0} files', formatCount(files))}`);
  if (files > 0 && remote === 0) return;
  notifications.show({
    title: files === 0 ? t`No files to save` : t`Saved, without some files`,
    message: joinSentences(
      files === 0 && remote === 0 && t`The outputs of this batch have no pictures, sounds or other files.`,
      elsewhere,
    ),
  });
}

export function BatchSaveMenu({ batch }: { batch: Batch }) {
  const [rows, setRows] = useState(0);
  const save = useMutation({
    async mutationFn(format: SaveFormat) {
      if (format === 'zip') return saveFiles(batch, setRows);
      const pieces = await api.batches.export({ batchId: batch.batchId, format });
      const count = await savePieces(pieces, format, `hangar-${batch.tag.replace(' ', '-')}`, setRows);
      announce(t`Saved ${inputsWords(count)} with their results`);
    },
    onError: (error) => notifications.show({ title: t`Not saved`, message: errorText(error), 'data-tone': 'bad' }),
    onSettled: () => setRows(0),
  });
  const canSave = batch.unsent < batch.total && !save.isPending;
  useCommands(
    saveFormats.map(({ format, label }) => canSave && { label: t`Save all: ${label}`, run: () => save.mutate(format) }),
  );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ReasonButton
          size="xs"
          variant="default"
          leftSection={<Download size={13} aria-hidden />}
          whyNot={
            save.isPending ? t`A file is being saved.` : batch.unsent === batch.total ? t`No input was sent yet.` : null
          }
        >
          {save.isPending ? t`Saving ${formatCount(rows)}` : t`Save all`}
        </ReasonButton>
      </Menu.Target>
      <Menu.Dropdown>
        {saveFormats.map(({ format, label }) => (
          <Menu.Item key={format} onClick={() => save.mutate(format)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
