/** The sheet for a new endpoint: from a folder of this computer, an image, a sample, or another endpoint. */
import { useEffect, useEffectEvent, useState } from 'react';
import { Button, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FileCode2 } from 'lucide-react';
import type { EndpointChoices, HandlerKind } from '#contract/app/endpointReadModels.ts';
import { useTarget } from '../../../client/accounts.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import {
  closeNewEndpoint,
  endpointSources,
  openNewEndpoint,
  useOverlays,
  type EndpointSource,
  type EndpointStart,
} from '../../../state/overlays.ts';
import { AdvisedCommands } from '../../../ui/domain/AdvisedCommands.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { readAdvice } from '../../../ui/text/commandsIn.ts';
import panel from '../../../ui/theme/panel.module.css';
import { endpointsChanged } from '../../../ui/endpoint/endpointsChanged.ts';
import { chargeNote } from './chargeNote.ts';
import { DuplicateForm } from './DuplicateForm.tsx';
import { FolderField, type CheckedFolder } from './FolderField.tsx';
import { NewHandlerForm } from './NewHandlerForm.tsx';
import { CommandField, ImageFields, PlaceFields, ScaleFields } from './SettingsFields.tsx';
import {
  newEndpointForm,
  newSettings,
  suggestedBy,
  toNewEndpoint,
  withPreset,
  withPython,
  withSuggestions,
} from './settingsForm.ts';
import { CreateForm } from '../../../ui/form/CreateForm.tsx';
import { EnvFields } from '../../../ui/form/EnvFields.tsx';
import { Section } from '../../../ui/form/Section.tsx';
import { ImageField } from '../../../ui/images/ImageField.tsx';
import { useSchemaForm } from '../../../ui/form/useSchemaForm.ts';
import { CreateSheet } from '../../../ui/form/sheet/CreateSheet.tsx';
import sheet from '../../../ui/form/sheet.module.css';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

interface NewEndpointSheetProps {
  accountId: string;
  /** As it stands within a sentence. */
  target: string;
  onMade: (endpointId: string) => void;
}

/** The word that the last one was made. */
const MADE = 'endpoint-made';

const sourceWords: Record<EndpointSource, string> = {
  handler: t`New handler`,
  folder: t`Folder`,
  image: t`Container image`,
  sample: t`Sample`,
};

export function NewEndpointSheet({ accountId, target, onMade }: NewEndpointSheetProps) {
  const start = useOverlays((overlays) => overlays.newEndpoint);
  const { like, kind, source: wanted } = readStart(start);
  const choices = useQuery(orpc.endpoints.choices.queryOptions({ input: { accountId }, enabled: wanted !== null }));
  // Only the engine of this computer reads folders.
  const sources = endpointSources.filter((name) => name === 'image' || choices.data?.folders !== false);
  /** Whether the sheet shows what was created. */
  const [isMade, setIsMade] = useState(false);
  if (isMade && start === null) setIsMade(false);
  const source = wanted !== null && !sources.includes(wanted) ? 'image' : wanted;
  // It would lie over the buttons of the next one.
  useEffect(() => {
    if (start !== null) notifications.hide(MADE);
  }, [start]);
  // Nor over those of the page that a person goes to next.
  useEffect(() => () => void notifications.hide(MADE), []);
  const made = async (endpointId: string, name: string) => {
    closeNewEndpoint();
    await endpointsChanged();
    onMade(endpointId);
    const canRun = await isAvailable(accountId, endpointId);
    notifications.show({
      id: MADE,
      title: t`Created ${name}`,
      message: canRun ? t`It is ready for jobs on ${target}.` : t`It cannot run yet. Its overview says why.`,
      ...(!canRun && { 'data-tone': 'bad' }),
    });
  };
  return (
    <CreateSheet
      opened={start !== null}
      onClose={closeNewEndpoint}
      title={isMade ? t`Endpoint created on ${target}` : t`New endpoint on ${target}`}
    >
      {like !== null && <DuplicateForm key={like} accountId={accountId} endpointId={like} onMade={made} />}
      {source !== null && (
        <>
          {!isMade && (
            <div className={sheet.source}>
              <Segments
                aria-label={t`Start from`}
                data={sources.map((value) => ({ value, label: sourceWords[value] }))}
                value={source}
                onChange={(value) => openNewEndpoint(value)}
              />
            </div>
          )}
          <SourceForm
            accountId={accountId}
            target={target}
            source={source}
            kind={kind}
            choices={choices.data}
            onMade={made}
            onHandlerMade={() => setIsMade(true)}
            onOpen={onMade}
          />
        </>
      )}
    </CreateSheet>
  );
}

/** `kind`: what a new handler does at first. */
function readStart(start: EndpointStart | null): {
  like: string | null;
  source: EndpointSource | null;
  kind: HandlerKind;
} {
  if (start === null) return { like: null, source: null, kind: 'job' };
  if (typeof start === 'string') return { like: null, source: start, kind: 'job' };
  if ('like' in start) return { like: start.like, source: null, kind: 'job' };
  return { like: null, source: 'handler', kind: start.handler };
}

/**
 * Whether the account runs the endpoint. An account that does not say so, or does not answer, counts as one that does.
 */
async function isAvailable(accountId: string, endpointId: string): Promise<boolean> {
  const now = await api.endpoints.now({ accountId }).catch(() => null);
  return now?.rows.find(({ id }) => id === endpointId)?.readiness?.available ?? true;
}

interface FormProps {
  accountId: string;
  target: string;
  choices: EndpointChoices | undefined;
  onMade: (endpointId: string, name: string) => Promise<void>;
}

interface SourceFormProps extends FormProps {
  source: EndpointSource;
  kind: HandlerKind;
  onHandlerMade: () => void;
  onOpen: (endpointId: string) => void;
}

function SourceForm({ source, kind, onHandlerMade, onOpen, ...form }: SourceFormProps) {
  // The forms for a folder and for a new handler share what was typed.
  const [path, setPath] = useState('');
  /** Whether the folder is there and the handler is to be written into it, as its form was asked to. */
  const [isHere, setIsHere] = useState(false);
  if (source === 'handler')
    return (
      <NewHandlerForm
        folder={path}
        isHere={isHere}
        firstKind={kind}
        onMade={onHandlerMade}
        onOpen={onOpen}
        onClose={closeNewEndpoint}
      />
    );
  if (source === 'sample') return <Samples {...form} />;
  return (
    <Settings
      key={source}
      {...form}
      source={source}
      path={path}
      onPath={(typed) => {
        setPath(typed);
        setIsHere(false);
      }}
      onWriteHandler={() => {
        setIsHere(true);
        openNewEndpoint('handler');
      }}
    />
  );
}

interface SettingsProps extends FormProps {
  source: 'folder' | 'image';
  /** The folder, as it is typed. */
  path: string;
  onPath: (path: string) => void;
  /** Opens the form for a new handler, which is written into this folder. */
  onWriteHandler: () => void;
}

function Settings(props: SettingsProps) {
  const { accountId, target, source, choices, path, onPath, onWriteHandler, onMade } = props;
  const { spends } = useTarget();
  const [folder, setFolder] = useState<CheckedFolder | null>(null);
  const [suggested, setSuggested] = useState(newSettings);
  const [python, setPython] = useState('');
  const runsPython = source === 'folder' && folder?.check.handler?.endsWith('.py') === true;
  const needsCommand = source === 'folder' && folder?.check.handler === null && folder.check.imageName !== null;
  const form = useSchemaForm(newEndpointForm(source, needsCommand), () => newSettings);
  const { values, problems } = form;
  const make = useMutation({
    mutationFn: () =>
      api.endpoints.create({ accountId, ...toNewEndpoint(withPython(values, runsPython ? python : '')) }),
    onSuccess: ({ endpointId }) => onMade(endpointId, values.name.trim()),
  });
  const [isChecking, setChecking] = useState(false);
  /** Whether the form was sent while its folder was being checked. It is sent once that is done. */
  const [isWaiting, setWaiting] = useState(false);
  const send = form.submit(() => make.mutate());
  const sendNow = useEffectEvent(() => {
    setWaiting(false);
    send({ preventDefault: () => undefined });
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the check ends by an answer, not by an event of the form
    if (isWaiting && !isChecking) sendNow();
  }, [isWaiting, isChecking]);
  const presets = (source === 'folder' && folder?.check.reading?.presets) || [];
  const fields = { values, problems, choices, isNew: true, onChange: form.put };
  const onFolder = (checked: CheckedFolder | null) => {
    const next = suggestedBy(checked?.name ?? '', checked?.check ?? null);
    setFolder(checked);
    setSuggested(next);
    form.update((before) => withSuggestions(before, suggested, next));
  };

  return (
    <CreateForm
      onSubmit={(event) => {
        if (!isChecking) return send(event);
        event.preventDefault();
        setWaiting(true);
      }}
      onCancel={closeNewEndpoint}
      action={t`Create on ${target}`}
      isPending={make.isPending || isWaiting}
      failure={make.isError ? { title: t`Not created. Nothing was changed.`, text: errorText(make.error) } : null}
      note={chargeNote(target, spends)}
    >
      {source === 'image' && choices && <ImageNotice problem={choices.imageProblem} target={target} />}
      <div className={panel.panel}>
        <Section title={t`Source`}>
          {source === 'folder' ? (
            <FolderField
              path={path}
              onPath={onPath}
              checked={folder}
              problem={problems.get('imageName')}
              onChecked={onFolder}
              onChecking={setChecking}
              python={python}
              onPython={setPython}
              onWriteHandler={onWriteHandler}
            />
          ) : (
            <ImageField
              accountId={accountId}
              autoFocus
              placeholder={t`me/worker:1.0`}
              value={values.imageName}
              problem={problems.get('imageName')}
              onChange={(imageName) => form.put({ imageName })}
            />
          )}
          <TextInput
            label={t`Name`}
            {...requiredField}
            value={values.name}
            error={problems.get('name')}
            onChange={(event) => form.put({ name: event.currentTarget.value })}
          />
          <CommandField {...fields} ofImage={source === 'image'} needed={needsCommand} />
          {source === 'image' && <ImageFields {...fields} />}
        </Section>
        <Section title={t`Variables`}>
          {presets.length > 0 && (
            <Select
              label={t`Preset`}
              description={t`Variables that the author of the folder prepared`}
              placeholder={t`None`}
              data={presets.map(({ name }) => name)}
              onChange={(name) => {
                const preset = presets.find((one) => one.name === name);
                if (preset) form.update((before) => withPreset(before, preset.env));
              }}
            />
          )}
          <EnvFields rows={values.env} problem={problems.get('env')} onChange={(env) => form.put({ env })} />
        </Section>
        <Section title={t`Where it runs`}>
          <PlaceFields {...fields} />
        </Section>
        <Section title={t`How it scales`}>
          <ScaleFields {...fields} />
        </Section>
      </div>
    </CreateForm>
  );
}

/** That images do not run on the target, and what to do. The endpoint may be created all the same. */
function ImageNotice({ problem, target }: { problem: string | null; target: string }) {
  if (problem === null) return null;
  const { text, steps } = readAdvice(problem);
  return (
    <Notice tone="wait" title={t`No image can run on ${target} yet.`} more={<AdvisedCommands steps={steps} />}>
      {text}
    </Notice>
  );
}

function Samples({ accountId, choices, onMade }: Pick<FormProps, 'accountId' | 'choices' | 'onMade'>) {
  const samples = choices?.samples;
  const make = useMutation({
    mutationFn: (name: string) => api.endpoints.createSample({ accountId, name }),
    onSuccess: ({ endpointId }, name) => onMade(endpointId, name),
  });
  return (
    <div className={panel.panel}>
      <p
        className={sheet.note}
      >{t`Each is a small folder, copied to your data folder so that you can change it. If the copy exists, it is opened.`}</p>
      {make.isError && (
        <Notice tone="bad" title={t`Not created.`}>
          {errorText(make.error)}
        </Notice>
      )}
      <ul className={sheet.samples} aria-busy={samples === undefined}>
        {(samples ?? []).map(({ name, description }) => (
          <li key={name}>
            <FileCode2 size={16} aria-hidden />
            <div>
              <b>{name}</b>
              <span>{description}</span>
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Use ${name}`}
              loading={make.isPending && make.variables === name}
              onClick={() => make.mutate(name)}
            >{t`Use`}</Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
