/** The path of a folder of this computer, and what Hangar finds in it. */
import { useEffect, useState } from 'react';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Check, TriangleAlert } from 'lucide-react';
import type { FolderCheck } from '#contract/endpointViews.ts';
import { errorText, orpc } from '../../../client/orpc.ts';
import styles from '../../../ui/form/form.module.css';

const TYPING_MS = 300;

export interface CheckedFolder {
  /** Its last part, for a name. */
  name: string;
  check: FolderCheck;
}

interface FolderFieldProps {
  checked: CheckedFolder | null;
  /** What is wrong with it as the image of a template. */
  problem: string | undefined;
  onChecked: (folder: CheckedFolder | null) => void;
}

const lastPart = (path: string): string =>
  path
    .trim()
    .replace(/[/\\]+$/, '')
    .split(/[/\\]/)
    .at(-1) ?? '';

export function FolderField({ checked, problem, onChecked }: FolderFieldProps) {
  const [path, setPath] = useState('');
  const [settled] = useDebouncedValue(path, TYPING_MS);
  const wanted = settled.trim();
  const { data, error } = useQuery(
    orpc.endpoints.checkFolder.queryOptions({
      input: { path: wanted },
      enabled: wanted !== '',
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),
  );
  useEffect(() => {
    onChecked(data && wanted !== '' ? { name: lastPart(wanted), check: data } : null);
    // oxlint-disable-next-line react/exhaustive-deps -- told of answers alone, not of every new function
  }, [data, wanted]);

  const check = wanted === '' ? undefined : checked?.check;
  const failure = error ? errorText(error) : check && check.imageName === null ? check.problem : null;
  return (
    <div>
      <TextInput
        label="Folder"
        withAsterisk
        data-autofocus
        placeholder="~/projects/my-handler"
        description="The whole path of a folder on this computer; its files stay where they are"
        value={path}
        error={failure ?? (wanted === '' ? problem : undefined)}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <p className={styles.found} aria-live="polite">
        {check?.handler && (
          <>
            <Check size={13} aria-hidden data-tone="ok" />
            <span>
              Runs <code>{check.handler}</code>
              {check.reading?.python && ` with Python ${check.reading.python.version} (${check.reading.python.from})`};
              a changed file makes new workers
            </span>
          </>
        )}
        {check?.handler &&
          [check.problem, ...(check.reading?.notices ?? [])]
            .filter((text) => text !== null)
            .map((text) => (
              <span key={text}>
                <TriangleAlert size={13} aria-hidden data-tone="wait" /> {text}
              </span>
            ))}
        {check?.imageName && check.handler === null && (
          <>
            <TriangleAlert size={13} aria-hidden data-tone="wait" /> {check.problem}
          </>
        )}
      </p>
    </div>
  );
}
