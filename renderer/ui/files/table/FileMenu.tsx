/** What can be done with one file or folder, in a menu. */
import { Menu } from '@mantine/core';
import { Copy, Download, Eye, SquarePen, Trash2, type LucideIcon } from 'lucide-react';
import type { VolumeFile } from '#contract/local/files.ts';
import { ContextMenu } from '../../popover/ContextMenu.tsx';
import type { FileActions } from './cells.tsx';
import { t } from '../../../language/text.ts';

interface FileMenuProps extends Omit<FileActions, 'rename'> {
  entry: VolumeFile;
  /** Where it opens, in pixels of the window. */
  at: { x: number; y: number };
  onRename: (entry: VolumeFile) => void;
  onClose: () => void;
}

export function FileMenu({ entry, at, onOpen, onDownload, onPickUp, onRename, onRemove, onClose }: FileMenuProps) {
  const { name, kind } = entry;
  return (
    <ContextMenu label={t`Actions for ${name}`} at={at} onClose={onClose}>
      {kind !== 'other' && (
        <>
          <Item label={t`Open`} icon={Eye} onClick={() => onOpen(entry)} />
          <Item
            label={kind === 'folder' ? t`Download as ZIP` : t`Download`}
            icon={Download}
            onClick={() => onDownload([entry])}
          />
        </>
      )}
      <Item label={t`Rename`} icon={SquarePen} onClick={() => onRename(entry)} />
      <Item label={t`Copy or move`} icon={Copy} onClick={() => onPickUp([entry])} />
      <Item label={t`Delete…`} icon={Trash2} onClick={() => onRemove([entry])} />
    </ContextMenu>
  );
}

function Item({ label, icon: Icon, onClick }: { label: string; icon: LucideIcon; onClick: () => void }) {
  return (
    <Menu.Item leftSection={<Icon size={14} aria-hidden />} onClick={onClick}>
      {label}
    </Menu.Item>
  );
}
