/** The path of a folder of this computer, what Hangar finds in it, and which Python is to run its handler. */
import { useEffect } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Check, FilePlus2, Info, TriangleAlert } from 'lucide-react';
import type { FolderCheck } from '#contract/app/endpointReadModels.ts';
import { NODE_HANDLERS, PYTHON_HANDLERS } from '#contract/local/folder.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { PYTHON_HELP } from '../handler/pythonWords.ts';
import { ChoosePath } from '../../../ui/paths/ChoosePath.tsx';
import { withFieldLabels } from '../../../ui/text/fieldLabels.ts';
import { pastedFolder, splitFolder } from './folderPath.ts';
import styles from '../../../ui/form/form.module.css';
import { counted, rich, t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

const TYPING_MS = 300;

export interface CheckedFolder {
  /** Its last part, for a name. */
  name: string;
  check: FolderCheck;
}

interface FolderFieldProps {
  /** As it is typed. */
  path: string;
  onPath: (path: string) => void;
  checked: CheckedFolder | null;
  /** What is wrong with it as the image of a template. */
  problem: string | undefined;
  onChecked: (folder: CheckedFolder | null) => void;
  /** Whether a check of the typed folder is still to come. */
  onChecking: (isChecking: boolean) => void;
  /** As it is typed; empty for whichever the folder calls for. */
  python: string;
  onPython: (python: string) => void;
  /** Opens the form for a new handler with the folder that is typed. */
  onWriteHandler: () => void;
}

export function FolderField(props: FolderFieldProps) {
  const { path, onPath, checked, problem, onChecked, onChecking, python, onPython, onWriteHandler } = props;
  const [settled] = useDebouncedValue(path, TYPING_MS);
  const wanted = settled.trim();
  const { data, error, isFetching } = useQuery(
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
  // Until the next folder is checked the last one stays, so that a field below it is not lost while somebody types into
  // it.
  const isUnchecked = wanted !== '' && isFetching && data === undefined;
  useEffect(() => {
    if (isUnchecked) return;
    onChecked(data && wanted !== '' ? { name: splitFolder(wanted).name, check: data } : null);
    // oxlint-disable-next-line react/exhaustive-deps -- told of answers alone, not of every new function
  }, [data, wanted, isUnchecked]);

  const isChecking = path.trim() !== wanted || isFetching;
  useEffect(() => {
    onChecking(isChecking);
    // oxlint-disable-next-line react/exhaustive-deps -- as above
  }, [isChecking]);

  const check = wanted === '' ? undefined : checked?.check;
  const chosen = wantsPython ? withPython.data : check;
  const failure = error ? errorText(error) : check && check.imageName === null ? problemText(check) : null;
  return (
    <div>
      <TextInput
        label={t`Folder`}
        {...requiredField}
        data-autofocus
        placeholder={t`~/projects/my-handler`}
        description={t`The full path of a folder on this computer. Its files stay there.`}
        value={path}
        error={failure ?? (wanted === '' ? problem : undefined)}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onPath(pastedFolder(event.currentTarget.value))}
      />
      <div className={styles.choose}>
        <ChoosePath kind="folder" path={path} onChosen={onPath} />
      </div>
      <FolderResult
        check={check}
        chosen={chosen}
        namesPython={wantsPython}
        onWriteHandler={onWriteHandler}
        onFolder={onPath}
      />
      {check?.handler?.endsWith('.py') && (
        <TextInput
          mt={8}
          label={t`Python`}
          description={PYTHON_HELP}
          placeholder={t`Automatic`}
          value={python}
          error={wantsPython && withPython.data?.reading?.python === null ? problemText(withPython.data) : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onPython(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

interface FolderResultProps {
  check: FolderCheck | undefined;
  /** The same with the Python that the person names. */
  chosen: FolderCheck | undefined;
  namesPython: boolean;
  onWriteHandler: () => void;
  /** Takes the folder of the file that was named. */
  onFolder: (path: string) => void;
}

function FolderResult({ check, chosen, namesPython, onWriteHandler, onFolder }: FolderResultProps) {
  const python = chosen?.reading?.python;
  const hasNoHandler = check?.handler === null && check.imageName !== null;
  const warnings = hasNoHandler ? [noHandlerText(check)] : noticesOf(chosen, namesPython);
  const folderOfFile = check?.folderOfFile ?? null;
  return (
    <div className={styles.found} aria-live="polite">
      {check?.handler && (
        <p>
          <Check size={13} aria-hidden data-tone="ok" />
          <span>
            {python
              ? rich`Runs ${<code>{check.handler}</code>} with Python ${python.version} (${python.from}). When a file changes, new workers start`
              : rich`Runs ${<code>{check.handler}</code>}. When a file changes, new workers start`}
          </span>
        </p>
      )}
      {warnings.map((text) => (
        <p key={text}>
          <TriangleAlert size={13} aria-hidden data-tone="wait" />
          <span>{text}</span>
        </p>
      ))}
      {hasNoHandler && (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<FilePlus2 size={12} aria-hidden />}
            onClick={onWriteHandler}
          >{t`Write a handler here…`}</Button>
        </div>
      )}
      {folderOfFile !== null && (
        <div>
          <Button size="xs" variant="default" onClick={() => onFolder(folderOfFile)}>{t`Use its folder`}</Button>
        </div>
      )}
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

/** That the folder has nothing that runs, and which files would. */
const noHandlerText = (check: FolderCheck): string | null =>
  check.isEmpty
    ? t`This folder is empty. It needs one of these files: ${[...NODE_HANDLERS, ...PYTHON_HANDLERS.slice(0, 1)].join(', ')}.`
    : problemText(check);

const problemText = ({ problem }: FolderCheck): string | null => problem && withFieldLabels(problem);

/**
 * What a person should know of a folder with a handler. What is wrong with the Python that they name stands at its
 * field.
 */
function noticesOf(check: FolderCheck | undefined, namesPython: boolean): string[] {
  if (!check || check.handler === null) return [];
  const { reading } = check;
  const problem = problemText(check);
  const isAtField = namesPython && reading?.python === null;
  return [...(problem === null || isAtField ? [] : [problem]), ...(reading?.notices ?? [])];
}

/** What can be done with it once the endpoint is there. */
function offersOf({ reading }: FolderCheck): string[] {
  const { environmentSource = null, tests = 0, notices = [] } = reading ?? {};
  // A notice about missing modules names the source already.
  const isNamed = environmentSource === null || notices.some((text) => text.includes(environmentSource));
  return [
    ...(isNamed
      ? []
      : [t`The packages of ${environmentSource} are not installed yet. Install them in the endpoint's overview.`]),
    ...(tests === 0
      ? []
      : [t`It includes ${counted(tests, '1 test', '{0} tests')}. Run them in the overview of the endpoint.`]),
  ];
}
