/** What can be done with all chosen files. */
import { Button } from '@mantine/core';
import { Copy, Download, Trash2 } from 'lucide-react';
import type { VolumeFile } from '#contract/local/files.ts';
import { useCommands } from '../../../state/commands.ts';
import { SelectionBar } from '../../grid/SelectionBar.tsx';
import { ReasonButton } from '../../popover/ReasonButton.tsx';
import { formatCount, formatFileSize } from '../../text/format.ts';
import { rich, t } from '../../../language/text.ts';

interface ChosenFilesProps {
  chosen: readonly VolumeFile[];
  /** Downloads one file as it is, anything else as an archive. */
  onDownload: (entries: readonly VolumeFile[]) => void;
  /** Picks them up, to copy or move them into another folder. */
  onPickUp: (entries: readonly VolumeFile[]) => void;
  onRemove: (entries: readonly VolumeFile[]) => void;
  onClear: () => void;
}

export function ChosenFiles({ chosen, onDownload, onPickUp, onRemove, onClear }: ChosenFilesProps) {
  const files = chosen.filter(({ kind }) => kind === 'file');
  const hasFolder = chosen.some(({ kind }) => kind === 'folder');
  const loadable = chosen.filter(({ kind }) => kind !== 'other');
  const isArchive = loadable.length > 1 || loadable[0]?.kind === 'folder';
  const bytes = files.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
  useCommands([
    loadable.length > 0 && { label: t`Download the selection`, run: () => onDownload(loadable) },
    { label: t`Copy or move the selection`, run: () => onPickUp(chosen) },
    { label: t`Delete selection…`, run: () => onRemove(chosen) },
  ]);
  return (
    <SelectionBar
      label={t`Selected files`}
      onClear={onClear}
      count={
        <>
          {rich`${<b>{formatCount(chosen.length)}</b>} selected`}
          {/* What a folder holds is not known. */}
          {files.length > 0 && !hasFolder && `, ${formatFileSize(bytes)}`}
        </>
      }
    >
      <ReasonButton
        size="xs"
        variant="default"
        leftSection={<Download size={13} aria-hidden />}
        whyNot={loadable.length === 0 ? t`None of them is a file or a folder.` : null}
        hint={isArchive ? t`They are downloaded as one ZIP archive, including everything in their folders.` : undefined}
        onClick={() => onDownload(loadable)}
      >{t`Download ${formatCount(loadable.length)}`}</ReasonButton>
      <Button
        size="xs"
        variant="default"
        leftSection={<Copy size={13} aria-hidden />}
        title={t`Then open the destination folder: in any volume or Pod, or of this computer.`}
        onClick={() => onPickUp(chosen)}
      >{t`Copy or move`}</Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Trash2 size={13} aria-hidden />}
        onClick={() => onRemove(chosen)}
      >{t`Delete ${formatCount(chosen.length)}…`}</Button>
    </SelectionBar>
  );
}
