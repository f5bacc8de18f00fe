/** The bar above the files: the way back, the path of the folder, and the buttons to add something. */
import { useEffect, useRef } from 'react';
import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { ArrowLeft, FolderPlus, FolderUp, Search, Upload } from 'lucide-react';
import { useCommands } from '../../state/commands.ts';
import { pickedFiles, type Dropped } from './droppedFiles.ts';
import styles from './files.module.css';
import { crumbsOf } from './paths.ts';
import { isOfInputMethod } from '../keyboard/inputMethod.ts';
import { t } from '../../language/text.ts';

interface FolderSearch {
  text: string;
  onChange: (text: string) => void;
  /** Searches the folders below, too; null while that is done. */
  onBelow: (() => void) | null;
}

interface FolderBarProps {
  /** The name of the holder, which stands for its root folder. */
  name: string;
  path: string;
  onShow: (path: string) => void;
  back: { label: string; onBack: () => void } | null;
  /** Null if the folder is read-only. */
  write: { onNewFolder: () => void; onUpload: (picked: Dropped) => void } | null;
  /** Null if there is nothing to search in. */
  search: FolderSearch | null;
}

export function FolderBar({ name, path, onShow, back, write, search }: FolderBarProps) {
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
      {search !== null && <SearchField {...search} />}
      {write !== null && (
        <span className={styles.add}>
          <Button
            size="xs"
            variant="default"
            leftSection={<FolderPlus size={13} aria-hidden />}
            onClick={write.onNewFolder}
          >{t`New folder`}</Button>
          <UploadButton onUpload={write.onUpload} />
        </span>
      )}
    </div>
  );
}

function SearchField({ text, onChange, onBelow }: FolderSearch) {
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ label: t`Find a file in this folder`, keys: '/', run: () => field.current?.focus() }]);
  return (
    <>
      <TextInput
        ref={field}
        size="xs"
        type="search"
        className={styles.search ?? ''}
        aria-label={t`Find a file in this folder`}
        placeholder={t`Find in this folder`}
        leftSection={<Search size={13} aria-hidden />}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text !== '' && !isOfInputMethod(event.nativeEvent)) onBelow?.();
        }}
      />
      {text !== '' && onBelow !== null && (
        <Button size="xs" variant="default" title={t`Or press Enter`} onClick={onBelow}>{t`Search below`}</Button>
      )}
    </>
  );
}

function UploadButton({ onUpload }: { onUpload: (picked: Dropped) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // React knows no such property.
    if (folder.current) folder.current.webkitdirectory = true;
  }, []);
  const chooseFiles = () => files.current?.click();
  const chooseFolder = () => folder.current?.click();
  useCommands([
    { label: t`Upload files…`, run: chooseFiles },
    { label: t`Upload a folder…`, run: chooseFolder },
  ]);
  const pick = (picker: HTMLInputElement) => {
    onUpload(pickedFiles(picker.files ?? []));
    // Allows the choice of the same file again.
    picker.value = '';
  };
  return (
    <>
      <Tooltip label={t`Upload a folder`}>
        <ActionIcon aria-label={t`Upload a folder`} onClick={chooseFolder}>
          <FolderUp size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Button size="xs" leftSection={<Upload size={13} aria-hidden />} onClick={chooseFiles}>{t`Upload`}</Button>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t`Files to upload`}
        onChange={(event) => pick(event.currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={t`Folder to upload`}
        onChange={(event) => pick(event.currentTarget)}
      />
    </>
  );
}
