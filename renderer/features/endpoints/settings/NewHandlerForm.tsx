/** Writes the folder of a new handler from a template, makes an endpoint of it, and shows where the folder is. */
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, CodeXml, FolderOpen, Play } from 'lucide-react';
import * as z from 'zod';
import {
  countsAsEmpty,
  newHandlerSchema,
  type HandlerKind,
  type HandlerLanguage,
  type NewHandler,
} from '#contract/app/endpointReadModels.ts';
import { NODE_HANDLERS, PYTHON_HANDLERS } from '#contract/local/folder.ts';
import { api, errorField, errorText, orpc } from '../../../client/transport/orpc.ts';
import { personalSetting } from '../../../state/personalSetting.ts';
import { navigate } from '../../../state/route.ts';
import { focusFirstProblem } from '../../../ui/form/useSchemaForm.ts';
import { CreateForm } from '../../../ui/form/CreateForm.tsx';
import { Section } from '../../../ui/form/Section.tsx';
import { entryPath } from '../../../ui/paths/completion.ts';
import { Id } from '../../../ui/primitives/Id.tsx';
import panel from '../../../ui/theme/panel.module.css';
import form from '../../../ui/form/form.module.css';
import { endpointsChanged } from '../../../ui/endpoint/endpointsChanged.ts';
import { splitFolder, type FolderParts } from './folderPath.ts';
import { HandlerFolder } from './HandlerFolder.tsx';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { showCode } from '../../../ui/endpoint/handlerCode.ts';
import { rich, t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

interface Language {
  value: HandlerLanguage;
  label: string;
  /** The file with the function. */
  file: string;
  /** All that are written, by their names. */
  files: readonly string[];
}

const languages: readonly [Language, Language] = [
  {
    value: 'python',
    label: t`Python`,
    file: 'handler.py',
    files: ['handler.py', 'requirements.txt', 'test_input.json', 'README.md'],
  },
  {
    value: 'node',
    label: t`Node`,
    file: 'handler.mjs',
    files: ['handler.mjs', 'package.json', 'test_input.json', 'README.md'],
  },
];

interface Kind {
  value: HandlerKind;
  label: string;
  /** What such a handler does, as a sentence. */
  text: string;
}

const kinds: readonly [Kind, Kind, Kind] = [
  { value: 'job', label: t`Job`, text: t`Takes an input and returns one result.` },
  { value: 'stream', label: t`Stream`, text: t`Sends its result piece by piece while it runs.` },
  {
    value: 'chat',
    label: t`Chat`,
    text: t`Answers chats and OpenAI clients. Its model is a few rules, without a GPU or a download: put your own model there.`,
  },
];

interface MadeHandler {
  endpointId: string;
  folder: string;
  file: string;
}

interface NewHandlerFormProps {
  /** The folder that was typed where an endpoint of a folder is made; empty without one. */
  folder: string;
  /** Whether that folder is there, and the handler is to be written into it. */
  isHere?: boolean;
  /** What the handler does until the person chooses. */
  firstKind: HandlerKind;
  /** Called once it is created: then there is nothing left to choose. */
  onMade: () => void;
  /** Shows the endpoint. */
  onOpen: (endpointId: string) => void;
  onClose: () => void;
}

export function NewHandlerForm(props: NewHandlerFormProps) {
  const { folder, isHere = false, firstKind, onMade, onOpen, onClose } = props;
  const first = isHere ? { name: '', parent: folder.trim() } : firstValues(folder);
  /** Null until the person types one: then it is the name of the empty folder. */
  const [typedName, setTypedName] = useState(first.name === '' ? null : first.name);
  const [isNameLeft, setIsNameLeft] = useState(false);
  /** Whether the form was sent while a field was missing. */
  const [isSent, setIsSent] = useState(false);
  const [folderPath, setFolderPath] = useState(first.parent);
  const [kind, setKind] = useState(firstKind);
  const [language, setLanguage] = useState<HandlerLanguage>('python');
  const [isInto, setIsInto] = useState(isHere);
  const { isChecking, empty, own } = useFolder(folderPath.trim());
  const into = isInto && own !== null;
  const name = typedName ?? empty?.name ?? (into ? own.name : '');
  // An empty folder of this name is the folder of the handler; another one contains it.
  const usesFolder = empty !== null && empty.name === name.trim();
  const wanted = {
    parent: usesFolder ? empty.parent : folderPath.trim(),
    name: name.trim(),
    kind,
    language,
    ...(into && { into }),
  };
  const { make, fields, refusedField, refusal, isAtField } = useMaking(wanted, onMade);
  if (make.data) return <Made made={make.data} wanted={wanted} onOpen={onOpen} onClose={onClose} />;
  const problem =
    wanted.name === ''
      ? t`Enter a name.`
      : newHandlerSchema.shape.name.safeParse(wanted.name).error?.issues[0]?.message;
  const noFolder = wanted.parent === '' ? t`Choose a folder.` : undefined;
  const present = into ? [...NODE_HANDLERS, ...PYTHON_HANDLERS].find((one) => own.files.has(one)) : undefined;
  const hasHandler =
    present === undefined
      ? null
      : t`The folder already has ${present}. Choose "Folder" above to run it, or give the new handler a folder of its own.`;
  const whyNot = hasHandler ?? (isChecking ? t`The folder is being read.` : null);
  const isComplete = problem === undefined && noFolder === undefined;
  const { file, files } = languages.find(({ value }) => value === language) ?? languages[0];
  const keptFiles = into && hasHandler === null ? files.filter((one) => own.files.has(one)) : [];
  const written = files.filter((one) => !keptFiles.includes(one));
  return (
    <CreateForm
      onSubmit={(event) => {
        event.preventDefault();
        // The problems are marked in the page before the first one is looked for.
        flushSync(() => setIsSent(true));
        if (!isComplete) focusFirstProblem(fields.current);
        else if (whyNot === null && !make.isPending) make.mutate();
      }}
      onCancel={onClose}
      action={t`Create the handler`}
      isPending={make.isPending}
      whyNot={whyNot}
      failure={refusal === undefined || isAtField ? null : { title: t`Not created.`, text: refusal }}
      note={t`Existing files are not changed`}
    >
      <div className={panel.panel} ref={fields} onInput={() => make.isError && make.reset()}>
        <KindSection kind={kind} onKind={setKind} />
        <Section title={t`Language and place`}>
          <Segments
            aria-label={t`Language`}
            data={languages.map(({ value, label }) => ({ value, label }))}
            value={language}
            onChange={setLanguage}
          />
          <TextInput
            label={t`Name`}
            description={into ? t`The name of the endpoint` : t`The name of the endpoint and of its folder`}
            {...requiredField}
            data-autofocus
            autoFocus={isHere}
            placeholder={t`my-handler`}
            value={name}
            error={refusedField === 'name' ? refusal : isSent || (isNameLeft && name !== '') ? problem : undefined}
            spellCheck={false}
            autoComplete="off"
            onBlur={() => setIsNameLeft(true)}
            onChange={(event) => setTypedName(event.currentTarget.value)}
          />
          <HandlerFolder
            path={folderPath}
            isWritten={usesFolder || into}
            problem={refusedField === 'parent' ? refusal : isSent ? noFolder : undefined}
            into={own === null ? null : isInto}
            hasFiles={own !== null && own.files.size > 0}
            onPath={setFolderPath}
            onChosen={(path) => {
              make.reset();
              setFolderPath(path);
            }}
            onInto={setIsInto}
          />
          <Outcome
            path={
              whyNot === null && isComplete
                ? pathOf(into ? wanted.parent : pathOf(wanted.parent, wanted.name), file)
                : null
            }
            hasHandler={hasHandler}
            ownFiles={keptFiles}
            written={written}
          />
        </Section>
      </div>
    </CreateForm>
  );
}

interface OutcomeProps {
  /** The path of the new file; null while the form is not complete. */
  path: string | null;
  /** That the folder has a handler already; null without one. */
  hasHandler: string | null;
  /** Files of the person, which stay as they are. */
  ownFiles: readonly string[];
  written: readonly string[];
}

function Outcome({ path, hasHandler, ownFiles, written }: OutcomeProps) {
  return (
    <div className={form.found} aria-live="polite">
      {path !== null && (
        <p>
          <span>{rich`Creates ${<code>{path}</code>}`}</span>
        </p>
      )}
      {hasHandler !== null && <p>{hasHandler}</p>}
      {ownFiles.length > 0 && <p>{t`Keeps your ${ownFiles.join(', ')}.`}</p>}
      <p>{t`Writes ${written.join(', ')}. It works right away. Change the code and save it, and the next job runs the change.`}</p>
    </div>
  );
}

function KindSection({ kind, onKind }: { kind: HandlerKind; onKind: (kind: HandlerKind) => void }) {
  return (
    <Section title={t`What it does`}>
      <Segments
        aria-label={t`What it does`}
        data={kinds.map(({ value, label }) => ({ value, label }))}
        value={kind}
        onChange={onKind}
      />
      <p className={panel.hint} aria-live="polite">
        {kinds.find(({ value }) => value === kind)?.text}
      </p>
    </Section>
  );
}

/** Makes the handler. A refusal that is about a field is shown there, and `fields` moves the focus to it. */
function useMaking(wanted: NewHandler, onMade: () => void) {
  const make = useMutation({
    mutationFn: () => api.endpoints.newHandler(wanted),
    onSuccess: async (made) => {
      if (wanted.into !== true) lastParent.set(wanted.parent);
      onMade();
      if (window.hangarHost !== undefined) showFile(made.file);
      await endpointsChanged();
    },
  });
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (make.error !== null) focusFirstProblem(fields.current);
  }, [make.error]);
  const refusedField = errorField(make.error);
  return {
    make,
    fields,
    refusedField,
    refusal: make.isError ? errorText(make.error) : undefined,
    isAtField: refusedField === 'name' || refusedField === 'parent',
  };
}

/** The first values of the form, from the typed folder: its name and parent if a handler can have that name, else the parent. */
function firstValues(folder: string): { name: string; parent: string } {
  if (folder.trim() === '') return { name: '', parent: lastParent.get() };
  const { parent, name } = splitFolder(folder);
  const isHandler = parent !== '' && newHandlerSchema.shape.name.safeParse(name).success;
  return isHandler ? { name, parent } : { name: '', parent: folder.trim() };
}

const pathOf = (folder: string, name: string): string => entryPath(folder, { name, isFolder: false });

const TYPING_MS = 300;

interface FolderNow {
  isChecking: boolean;
  /** Its name and the folder that it is in, if it is empty and has a name that a handler may have. */
  empty: FolderParts | null;
  /** The files of any other folder, and its name as that of a handler; '' if no handler may have it. */
  own: { name: string; files: ReadonlySet<string> } | null;
}

/** The folder `path` as the place of a handler itself. Nothing of it is known while it is being checked. */
function useFolder(path: string): FolderNow {
  const [settled] = useDebouncedValue(path, TYPING_MS);
  const { data, isFetching } = useQuery(
    orpc.host.listFolder.queryOptions({
      input: { path: settled },
      enabled: settled !== '',
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),
  );
  const isChecking = path !== settled || isFetching;
  if (isChecking || data?.rest !== '') return { isChecking, empty: null, own: null };
  const names = data.entries.map(({ name }) => name);
  const isEmpty = countsAsEmpty(names);
  const parts = splitFolder(settled);
  const isHandler = parts.parent !== '' && newHandlerSchema.shape.name.safeParse(parts.name).success;
  return {
    isChecking,
    empty: isEmpty && isHandler ? parts : null,
    own: isEmpty && isHandler ? null : { name: isHandler ? parts.name : '', files: new Set(names) },
  };
}

/** The folder of the last one, where the next one is likely to be. */
const lastParent = personalSetting('handlers.parent', z.string(), '~');

/** Fails only while the connection is lost, which the banner says. */
const showFile = (path: string): void => void api.host.showFile({ path }).catch(() => undefined);

interface MadeProps {
  made: MadeHandler;
  wanted: NewHandler;
  onOpen: (endpointId: string) => void;
  onClose: () => void;
}

function Made({ made: { endpointId, folder, file }, wanted: { name, kind }, onOpen, onClose }: MadeProps) {
  const run = () => {
    onClose();
    navigate({ page: 'run', endpointId });
  };
  return (
    <Stack gap={14} p={14} role="status">
      <Group gap={8} wrap="nowrap">
        <CircleCheck size={16} color="var(--ok)" aria-hidden />
        <Text fw={550}>{t`${name} is ready for jobs`}</Text>
      </Group>
      <Text fz="sm">{t`Its code is in this folder. Open it in your editor; a saved change reaches the next job.`}</Text>
      <Id text={folder} copyLabel={t`Copy folder`} showsCopy />
      <Group gap={8}>
        <Button leftSection={<Play size={12} fill="currentColor" aria-hidden />} data-autofocus onClick={run}>
          {kind === 'chat' ? t`Chat with it` : t`Run it`}
        </Button>
        {window.hangarHost === undefined ? (
          <Button
            variant="default"
            leftSection={<CodeXml size={14} aria-hidden />}
            onClick={() => {
              onClose();
              showCode({ endpointId, folder, file });
            }}
          >{t`Edit the code`}</Button>
        ) : (
          <Button
            variant="default"
            leftSection={<FolderOpen size={14} aria-hidden />}
            onClick={() => showFile(file)}
          >{t`Show the folder`}</Button>
        )}
        <Button
          variant="default"
          onClick={() => {
            onClose();
            onOpen(endpointId);
          }}
        >{t`Show the endpoint`}</Button>
      </Group>
    </Stack>
  );
}
