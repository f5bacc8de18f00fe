/** The results of a search below a folder, each with the way to it. */
import { Button, Loader } from '@mantine/core';
import { File, Folder, Link2 } from 'lucide-react';
import type { Place } from '../../../client/files/transfers.ts';
import { formatCount, formatFileSize } from '../../text/format.ts';
import { Empty } from '../../primitives/Notice.tsx';
import { MiddleCut } from '../MiddleCut.tsx';
import { parentOf } from '../paths.ts';
import styles from './search.module.css';
import { useBelowSearch, type BelowSearch } from './useBelowSearch.ts';
import { counted, t } from '../../../language/text.ts';

interface BelowResultsProps {
  folder: Place;
  text: string;
  /** Opens a folder. `marked`: the entry in it that was found. */
  onShow: (path: string, marked: string) => void;
  /** Back to the list of the folder. */
  onClose: () => void;
}

const icons = { file: File, folder: Folder, other: Link2 };

const ends: Record<'matches' | 'folders' | 'stopped', string> = {
  matches: t`Not all names are shown. Search for a longer part of the name`,
  folders: t`Not everything was searched. Start in a deeper folder`,
  stopped: t`Stopped`,
};

function factsOf({ matches, folders, incomplete, end, problem }: BelowSearch): string {
  const count = formatCount(folders);
  return [
    counted(matches.length, '1 found', '{0} found', formatCount(matches.length)),
    end === 'all'
      ? counted(folders, '1 folder searched', 'all {0} folders searched', count)
      : counted(folders, '1 folder searched', '{0} folders searched', count),
    incomplete > 0 && counted(incomplete, '1 folder not in full', '{0} folders not in full', formatCount(incomplete)),
    end === 'failed' ? problem : end !== null && end !== 'all' && ends[end],
  ]
    .filter((fact) => typeof fact === 'string')
    .join(' · ');
}

export function BelowResults({ folder, text, onShow, onClose }: BelowResultsProps) {
  const search = useBelowSearch(folder, text);
  const { matches, incomplete, end, stop } = search;
  const depth = folder.path === '' ? 0 : folder.path.length + 1;
  return (
    <section className={styles.results} aria-label={t`Found below this folder`}>
      <div className={styles.head}>
        {end === null && <Loader size={13} aria-hidden />}
        <span role="status">{factsOf(search)}</span>
        {end === null && <Button size="xs" variant="default" onClick={stop}>{t`Stop`}</Button>}
        <Button size="xs" variant="subtle" onClick={onClose}>{t`Back to the folder`}</Button>
      </div>
      {end === 'all' && matches.length === 0 && (
        <Empty title={t`No name below this folder contains "${text}"`}>
          {incomplete > 0 && t`Folders that cannot be read, or have too many entries, were not searched in full.`}
        </Empty>
      )}
      <ul className={styles.matches} hidden={matches.length === 0}>
        {matches.map(({ path, entry: { kind, sizeBytes, name } }) => {
          const Icon = icons[kind];
          const above = parentOf(path.slice(depth));
          const to = kind === 'folder' ? path : parentOf(path);
          return (
            <li key={path}>
              <Icon size={14} strokeWidth={1.8} aria-hidden />
              <button type="button" aria-label={t`Go to ${path}`} onClick={() => onShow(to, path)}>
                <b>
                  <MiddleCut text={name} />
                </b>
                <span>
                  <MiddleCut text={above === '' ? t`in this folder` : above} />
                </span>
              </button>
              <span data-number>{kind === 'file' ? formatFileSize(sizeBytes) : '–'}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
