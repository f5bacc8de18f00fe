/** The path of a folder of this computer, what Hangar finds in it, and which Python is to run its handler. */
import { useEffect, useState } from 'react';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Check, Info, TriangleAlert } from 'lucide-react';
import type { FolderCheck } from '#contract/app/endpointReadModels.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { PYTHON_HELP } from '../handler/pythonWords.ts';
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
  /** As it is typed; empty for whichever the folder calls for. */
  python: string;
  onPython: (python: string) => void;
}

const lastPart = (path: string): string =>
  path
    .trim()
    .replace(/[/\\]+$/, '')
    .split(/[/\\]/)
    .at(-1) ?? '';

export function FolderField({ checked, problem, onChecked, python, onPython }: FolderFieldProps) {
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
  const [settledPython] = useDebouncedValue(python.trim(), TYPING_MS);
  const wantsPython = wanted !== '' && settledPython !== '' && checked?.check.handler?.endsWith('.py') === true;
  const withPython = useQuery(
    orpc.endpoints.checkFolder.queryOptions({
      input: { path: wanted, python: settledPython },
      enabled: wantsPython,
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
  const chosen = wantsPython ? withPython.data : check;
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
      <Found check={check} chosen={chosen} namesPython={wantsPython} />
      {check?.handler?.endsWith('.py') && (
        <TextInput
          mt={8}
          label="Python"
          description={PYTHON_HELP}
          placeholder="Automatic"
          value={python}
          error={wantsPython && withPython.data?.reading?.python === null ? withPython.data.problem : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onPython(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

interface FoundProps {
  check: FolderCheck | undefined;
  /** The same with the Python that the person names. */
  chosen: FolderCheck | undefined;
  namesPython: boolean;
}

function Found({ check, chosen, namesPython }: FoundProps) {
  const python = chosen?.reading?.python;
  const warnings =
    check?.handler === null && check.imageName !== null ? [check.problem] : noticesOf(chosen, namesPython);
  return (
    <div className={styles.found} aria-live="polite">
      {check?.handler && (
        <p>
          <Check size={13} aria-hidden data-tone="ok" />
          <span>
            Runs <code>{check.handler}</code>
            {python && ` with Python ${python.version} (${python.from})`}; a changed file makes new workers
          </span>
        </p>
      )}
      {warnings.map((text) => (
        <p key={text}>
          <TriangleAlert size={13} aria-hidden data-tone="wait" />
          <span>{text}</span>
        </p>
      ))}
      {check?.handler &&
        offersOf(check).map((text) => (
          <p key={text}>
            <Info size={13} aria-hidden />
            <span>{text}</span>
          </p>
        ))}
    </div>
  );
}

/** What a person should know of a folder with a handler. What is wrong with the Python that they name stands at its field. */
function noticesOf(check: FolderCheck | undefined, namesPython: boolean): string[] {
  if (!check || check.handler === null) return [];
  const { problem, reading } = check;
  const isAtField = namesPython && reading?.python === null;
  return [...(problem === null || isAtField ? [] : [problem]), ...(reading?.notices ?? [])];
}

/** What can be done with it once the endpoint is there. */
function offersOf({ reading }: FolderCheck): string[] {
  const { environmentSource = null, tests = 0, notices = [] } = reading ?? {};
  // Where modules are missing, what is said of them names it as well.
  const isNamed = environmentSource === null || notices.some((text) => text.includes(environmentSource));
  return [
    ...(isNamed ? [] : [`Its ${environmentSource} has no environment yet: make one in the overview of the endpoint.`]),
    ...(tests === 0
      ? []
      : [`It brings ${tests === 1 ? '1 test' : `${tests} tests`}: run them in the overview of the endpoint.`]),
  ];
}
