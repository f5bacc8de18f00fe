/** Moves, exports, imports and removes everything that Hangar keeps on this computer. */
import { useRef, useState, type ReactNode } from 'react';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { DataState } from '#contract/bridge/data/index.ts';
import { useAway } from '../../../client/away.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { BackLater } from '../../../ui/domain/LoadError.tsx';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { ChoosePath } from '../../../ui/paths/ChoosePath.tsx';
import styles from '../settings.module.css';
import { RemoveAll } from './RemoveAll.tsx';
import { LastWork, WorkUnderWay } from './WorkUnderWay.tsx';
import { useDataState } from './useDataState.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

/** Runs a call that answers the new state. */
type Act = (call: () => Promise<DataState>) => void;

export function DataBlock() {
  const [state, setState] = useDataState();
  const away = useAway('app');
  const act = useMutation({
    mutationFn: (call: () => Promise<DataState>) => call(),
    onSuccess: (latest) => setState(latest),
  });
  return (
    <section
      className={styles.block}
      aria-labelledby="all-data"
      aria-busy={(state === null && away === null) || undefined}
    >
      <h2 id="all-data">{t`All data`}</h2>
      <p>{t`Move your data to another disk, take it to another computer, or remove it.`}</p>
      {state === null && away !== null && <BackLater away={away} />}
      {state === null && away === null && <Skeleton h={120} m={14} radius={6} w="auto" />}
      {state !== null && (
        <>
          {act.isError && (
            <Notice tone="bad" title={t`Not done.`}>
              {errorText(act.error)}
            </Notice>
          )}
          {state.work !== null ? (
            <WorkUnderWay
              work={state.work}
              isStopping={act.isPending}
              onStop={() => act.mutate(() => api.data.stop())}
            />
          ) : (
            <>
              {state.last !== null && !act.isError && <LastWork last={state.last} />}
              <Works state={state} busy={act.isPending} act={(call) => act.mutate(call)} />
            </>
          )}
        </>
      )}
    </section>
  );
}

function Works({ state, busy, act }: { state: DataState; busy: boolean; act: Act }) {
  return (
    <>
      <MoveForm state={state} busy={busy} act={act} />
      <PathForm
        command={t`Export all data…`}
        label={t`Export to`}
        description={t`A new file with everything except keys and the folders of your own handlers. Jobs continue meanwhile.`}
        placeholder={t`/path/to/hangar.tar.gz`}
        action={t`Export`}
        busy={busy}
        pick="folder"
        chosen={(folder) => `${folder}/hangar-${new Date().toISOString().slice(0, 10)}.tar.gz`}
        onSubmit={(file) => act(() => api.data.export({ file }))}
      />
      <ImportForm busy={busy} act={act} />
      <RemoveAll />
    </>
  );
}

function MoveForm({
  state: { moveProblem, unfinishedMove },
  busy,
  act,
}: {
  state: DataState;
  busy: boolean;
  act: Act;
}) {
  if (unfinishedMove !== null && moveProblem === null) {
    return (
      <Notice
        tone="wait"
        title={t`A move was interrupted.`}
        action={
          <>
            <Button
              size="xs"
              loading={busy}
              onClick={() => act(() => api.data.move({ to: unfinishedMove }))}
            >{t`Continue`}</Button>
            <ReasonButton
              size="xs"
              variant="default"
              whyNot={busy ? t`The last action is still running.` : null}
              onClick={() => act(() => api.data.discardMove())}
            >{t`Discard it`}</ReasonButton>
          </>
        }
      >{t`To ${unfinishedMove}. Everything is still in the old folder. Discarding removes the copied files.`}</Notice>
    );
  }
  if (moveProblem !== null) {
    return (
      <Notice tone="off" title={t`The data folder cannot be moved while Hangar runs.`}>
        {moveProblem}
      </Notice>
    );
  }
  return (
    <PathForm
      command={t`Move the data folder…`}
      label={t`Move the data folder to`}
      description={t`An empty or new folder. Jobs continue while files are copied. Then Hangar restarts.`}
      placeholder={t`/path/to/folder`}
      action={t`Move`}
      busy={busy}
      pick="folder"
      onSubmit={(to) => act(() => api.data.move({ to }))}
    />
  );
}

function ImportForm({ busy, act }: { busy: boolean; act: Act }) {
  const [file, setFile] = useState<string | null>(null);
  return (
    <>
      <PathForm
        command={t`Import data…`}
        label={t`Import from`}
        description={t`An exported file. It replaces the jobs, endpoints and volumes of this computer.`}
        placeholder={t`/path/to/hangar.tar.gz`}
        action={t`Import…`}
        busy={busy}
        pick="file"
        onSubmit={setFile}
      />
      <ConfirmDialog
        opened={file !== null}
        onClose={() => setFile(null)}
        title={t`Replace the data of this computer?`}
        action={t`Import`}
        busy={busy}
        problem={null}
        onConfirm={() => {
          if (file !== null) act(() => api.data.import({ file }));
          setFile(null);
        }}
      >
        <ul>
          <li>{t`The file is checked and unpacked first. Jobs continue meanwhile.`}</li>
          <li>{t`Then Hangar restarts. Running jobs return to the queue of the old data.`}</li>
          <li>{t`The old data stays in the data folder, where you can remove it later.`}</li>
          <li>{t`Exports do not contain account keys. Enter them again.`}</li>
        </ul>
      </ConfirmDialog>
    </>
  );
}

interface PathFormProps {
  /** Its name in the palette, which moves the focus here. */
  command: string;
  label: string;
  description: ReactNode;
  placeholder: string;
  action: string;
  busy: boolean;
  /** What the dialog of the button chooses. */
  pick: 'folder' | 'file';
  /** The path of the form after a choice; without it, the chosen one. */
  chosen?: (path: string) => string;
  onSubmit: (path: string) => void;
}

function PathForm({ command, label, description, placeholder, action, busy, pick, chosen, onSubmit }: PathFormProps) {
  const [path, setPath] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ label: command, run: () => field.current?.focus() }]);
  return (
    <form
      className={styles.pathForm}
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() !== '' && !busy) onSubmit(path.trim());
      }}
    >
      <TextInput
        ref={field}
        label={label}
        description={description}
        inputWrapperOrder={['label', 'input', 'description']}
        placeholder={placeholder}
        value={path}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <div className={styles.pathActions}>
        <ChoosePath kind={pick} path={path} onChosen={(path) => setPath(chosen?.(path) ?? path)} />
        <ReasonButton
          size="xs"
          variant="default"
          type="submit"
          whyNot={path.trim() === '' ? t`Enter a path first.` : null}
          loading={busy}
        >
          {action}
        </ReasonButton>
      </div>
    </form>
  );
}
