/** Writes the folder of a new handler from a template, makes an endpoint of it, and shows where the folder is. */
import { useEffect, useRef, useState } from 'react';
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, CodeXml, FolderOpen, Play } from 'lucide-react';
import * as z from 'zod';
import {
  newHandlerSchema,
  PREPARED_NAMES,
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
import { ChoosePath } from '../../../ui/paths/ChoosePath.tsx';
import { entryPath } from '../../../ui/paths/completion.ts';
import { Id } from '../../../ui/primitives/Id.tsx';
import panel from '../../../ui/theme/panel.module.css';
import form from '../../../ui/form/form.module.css';
import { endpointsChanged } from '../../../ui/endpoint/endpointsChanged.ts';
import { splitFolder, type FolderParts } from './folderPath.ts';
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

interface MadeHandler {
  endpointId: string;
  folder: string;
  file: string;
}

interface NewHandlerFormProps {
  /** The folder that was typed where an endpoint of a folder is made; empty without one. */
  folder: string;
  /** Called once it is created: then there is nothing left to choose. */
  onMade: () => void;
  /** Shows the endpoint. */
  onOpen: (endpointId: string) => void;
  onClose: () => void;
}

export function NewHandlerForm({ folder, onMade, onOpen, onClose }: NewHandlerFormProps) {
  const first = firstValues(folder);
  /** Null until the person types one: then it is the name of the empty folder. */
  const [typedName, setTypedName] = useState(first.name === '' ? null : first.name);
  const [isNameLeft, setIsNameLeft] = useState(false);
  const [folderPath, setFolderPath] = useState(first.parent);
  const [language, setLanguage] = useState<HandlerLanguage>('python');
  const [isInto, setIsInto] = useState(false);
  const { isChecking, empty, own } = useFolder(folderPath.trim());
  const into = isInto && own !== null;
  const name = typedName ?? empty?.name ?? (into ? own.name : '');
  // An empty folder of this name is the folder of the handler; another one contains it.
  const usesFolder = empty !== null && empty.name === name.trim();
  const wanted = {
    parent: usesFolder ? empty.parent : folderPath.trim(),
    name: name.trim(),
    language,
    ...(into && { into }),
  };
  const { make, fields, refusedField, refusal, isAtField } = useMaking(wanted, onMade);
  if (make.data) return <Made made={make.data} name={wanted.name} onOpen={onOpen} onClose={onClose} />;
  const problem = newHandlerSchema.shape.name.safeParse(wanted.name).error?.issues[0]?.message;
  const noFolder = wanted.parent === '' ? t`Choose a folder first.` : null;
  const present = into ? [...NODE_HANDLERS, ...PYTHON_HANDLERS].find((one) => own.files.has(one)) : undefined;
  const hasHandler =
    present === undefined
      ? null
      : t`The folder already has ${present}. Choose "Folder" above to run it, or give the new handler a folder of its own.`;
  const incomplete = wanted.name === '' ? t`Enter a name first.` : (problem ?? noFolder);
  const whyNot = hasHandler ?? incomplete ?? (isChecking ? t`The folder is being read.` : null);
  const { file, files } = languages.find(({ value }) => value === language) ?? languages[0];
  const keptFiles = into && hasHandler === null ? files.filter((one) => own.files.has(one)) : [];
  const written = files.filter((one) => !keptFiles.includes(one));
  return (
    <CreateForm
      onSubmit={(event) => {
        event.preventDefault();
        setIsNameLeft(true);
        if (whyNot === null && !make.isPending) make.mutate();
      }}
      onCancel={onClose}
      action={t`Create the handler`}
      isPending={make.isPending}
      whyNot={whyNot}
      failure={refusal === undefined || isAtField ? null : { title: t`Not created.`, text: refusal }}
      note={t`Existing files are not changed`}
    >
      <div className={panel.panel} ref={fields} onInput={() => make.isError && make.reset()}>
        <Section title={t`Language`}>
          <Segments
            aria-label={t`Language`}
            data={languages.map(({ value, label }) => ({ value, label }))}
            value={language}
            onChange={setLanguage}
          />
          <TextInput
            label={t`Name`}
            description={t`The name of the endpoint and of its folder`}
            {...requiredField}
            data-autofocus
            placeholder={t`my-handler`}
            value={name}
            error={refusedField === 'name' ? refusal : isNameLeft && name !== '' ? problem : undefined}
            spellCheck={false}
            autoComplete="off"
            onBlur={() => setIsNameLeft(true)}
            onChange={(event) => setTypedName(event.currentTarget.value)}
          />
          <div>
            <TextInput
              label={t`In the folder`}
              description={t`A folder on this computer; ~ is your home folder. The handler gets a folder of its own in it`}
              {...requiredField}
              value={folderPath}
              error={refusedField === 'parent' ? refusal : undefined}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setFolderPath(event.currentTarget.value)}
            />
            <div className={form.choose}>
              <ChoosePath
                kind="folder"
                path={folderPath}
                onChosen={(path) => {
                  make.reset();
                  setFolderPath(path);
                }}
              />
            </div>
            {own !== null && (
              <Checkbox
                mt={10}
                label={t`Write into this folder itself, beside your files`}
                checked={isInto}
                onChange={(event) => setIsInto(event.currentTarget.checked)}
              />
            )}
          </div>
          <div className={form.found} aria-live="polite">
            {whyNot === null && (
              <p>
                <span>{rich`Creates ${<code>{pathOf(into ? wanted.parent : pathOf(wanted.parent, wanted.name), file)}</code>}`}</span>
              </p>
            )}
            {hasHandler !== null && <p>{hasHandler}</p>}
            {keptFiles.length > 0 && <p>{t`Keeps your ${keptFiles.join(', ')}.`}</p>}
            <p>{t`Writes ${written.join(', ')}. It works right away. Change the code and save it, and the next job runs the change.`}</p>
          </div>
        </Section>
      </div>
    </CreateForm>
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
  /** The files of a folder that is not empty, and its name as that of a handler; '' if no handler may have it. */
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
  const files = new Set(data.entries.map(({ name }) => name));
  const isEmpty = [...files].every((name) => PREPARED_NAMES.has(name));
  const parts = splitFolder(settled);
  const isHandler = parts.parent !== '' && newHandlerSchema.shape.name.safeParse(parts.name).success;
  return {
    isChecking,
    empty: isEmpty && isHandler ? parts : null,
    own: isEmpty ? null : { name: isHandler ? parts.name : '', files },
  };
}

/** The folder of the last one, where the next one is likely to be. */
const lastParent = personalSetting('handlers.parent', z.string(), '~');

/** Fails only while the connection is lost, which the banner says. */
const showFile = (path: string): void => void api.host.showFile({ path }).catch(() => undefined);

interface MadeProps {
  made: MadeHandler;
  name: string;
  onOpen: (endpointId: string) => void;
  onClose: () => void;
}

function Made({ made: { endpointId, folder, file }, name, onOpen, onClose }: MadeProps) {
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
        <Button
          leftSection={<Play size={12} fill="currentColor" aria-hidden />}
          data-autofocus
          onClick={run}
        >{t`Run it`}</Button>
        {window.hangarHost === undefined ? (
          <Button
            variant="default"
            leftSection={<CodeXml size={14} aria-hidden />}
            onClick={() => {
              onClose();
              void showCode(folder);
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
