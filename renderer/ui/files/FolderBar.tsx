/** The bar above the files: the way back, the path of the folder, and the buttons to add something. */
import { useRef } from 'react';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { ArrowLeft, FolderPlus, Upload } from 'lucide-react';
import { useCommands } from '../../state/commands.ts';
import styles from './files.module.css';
import { crumbsOf } from './paths.ts';
import { t } from '../../language/text.ts';

interface FolderBarProps {
  /** The name of the holder, which stands for its root folder. */
  name: string;
  path: string;
  onShow: (path: string) => void;
  back: { label: string; onBack: () => void } | null;
  /** Null if the folder is read-only. */
  write: { onNewFolder: () => void; onUpload: (files: Iterable<File>) => void } | null;
}

export function FolderBar({ name, path, onShow, back, write }: FolderBarProps) {
  const crumbs = crumbsOf(path);
  useCommands([write !== null && { label: t`New folder`, run: write.onNewFolder }]);
  return (
    <div className={styles.bar}>
      {back !== null && (
        <Tooltip label={back.label}>
          <ActionIcon aria-label={back.label} onClick={back.onBack}>
            <ArrowLeft size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <nav aria-label={t`Folder`}>
        <ol className={styles.crumbs}>
          {[{ name, path: '' }, ...crumbs].map((crumb, index) => (
            <li key={crumb.path}>
              <button
                type="button"
                aria-current={index === crumbs.length ? 'location' : undefined}
                onClick={() => onShow(crumb.path)}
              >
                {crumb.name}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {write !== null && (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<FolderPlus size={13} aria-hidden />}
            onClick={write.onNewFolder}
          >{t`New folder`}</Button>
          <UploadButton onUpload={write.onUpload} />
        </>
      )}
    </div>
  );
}

function UploadButton({ onUpload }: { onUpload: (files: Iterable<File>) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const choose = () => picker.current?.click();
  useCommands([{ label: t`Upload files…`, run: choose }]);
  return (
    <>
      <Button size="xs" leftSection={<Upload size={13} aria-hidden />} onClick={choose}>{t`Upload`}</Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t`Files to upload`}
        onChange={(event) => {
          onUpload(event.currentTarget.files ?? []);
          // Allows the choice of the same file again.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
