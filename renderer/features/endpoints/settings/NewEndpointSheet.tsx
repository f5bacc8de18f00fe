/** The sheet for a new endpoint: from a folder of this computer, an image, or a sample. */
import { useEffect, useState } from 'react';
import { Button, Drawer, SegmentedControl, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FileCode2 } from 'lucide-react';
import type { EndpointChoices } from '#contract/app/endpointReadModels.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { closeNewEndpoint, openNewEndpoint, useOverlays, type EndpointSource } from '../../../state/overlays.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { endpointsChanged } from '../useEndpointsNow.ts';
import { FolderField, type CheckedFolder } from './FolderField.tsx';
import { CommandField, ImageFields, PlaceFields, ScaleFields } from './SettingsFields.tsx';
import {
  filledBy,
  newSettings,
  problemsOf,
  toNewEndpoint,
  withPreset,
  withPython,
  type SettingsValues,
} from './settingsForm.ts';
import { EnvFields } from '../../../ui/form/EnvFields.tsx';
import { Section } from '../../../ui/form/Section.tsx';
import styles from '../../../ui/form/form.module.css';
import sheet from '../../../ui/form/sheet.module.css';

interface NewEndpointSheetProps {
  accountId: string;
  /** As it stands within a sentence. */
  target: string;
  onMade: (endpointId: string) => void;
}

/** The word that the last one was made. */
const MADE = 'endpoint-made';

const sourceWords: Record<EndpointSource, string> = { folder: 'Folder', image: 'Image', sample: 'Sample' };

export function NewEndpointSheet({ accountId, target, onMade }: NewEndpointSheetProps) {
  const source = useOverlays((overlays) => overlays.newEndpoint);
  // It would lie over the buttons of the next one.
  useEffect(() => {
    if (source !== null) notifications.hide(MADE);
  }, [source]);
  const choices = useQuery(orpc.endpoints.choices.queryOptions({ input: { accountId }, enabled: source !== null }));
  const made = async (endpointId: string, name: string) => {
    closeNewEndpoint();
    await endpointsChanged();
    onMade(endpointId);
    notifications.show({ id: MADE, title: `Made ${name}`, message: `It is ready for jobs on ${target}.` });
  };
  return (
    <Drawer
      opened={source !== null}
      onClose={closeNewEndpoint}
      position="right"
      size={560}
      title={`New endpoint on ${target}`}
      classNames={{ content: sheet.sheet ?? '', header: sheet.head ?? '', body: sheet.body ?? '' }}
    >
      {source !== null && (
        <>
          <div className={sheet.source}>
            <SegmentedControl
              aria-label="Begin from"
              data={(Object.keys(sourceWords) as EndpointSource[])
                .filter((name) => name === 'image' || choices.data?.folders !== false)
                .map((value) => ({ value, label: sourceWords[value] }))}
              value={source}
              onChange={(value) => openNewEndpoint(value)}
            />
          </div>
          {source === 'sample' ? (
            <Samples accountId={accountId} samples={choices.data?.samples} onMade={made} />
          ) : (
            <Settings key={source} {...{ accountId, target, source, onMade: made }} choices={choices.data} />
          )}
        </>
      )}
    </Drawer>
  );
}

interface SettingsProps {
  accountId: string;
  target: string;
  source: Exclude<EndpointSource, 'sample'>;
  choices: EndpointChoices | undefined;
  onMade: (endpointId: string, name: string) => Promise<void>;
}

function Settings({ accountId, target, source, choices, onMade }: SettingsProps) {
  const [values, setValues] = useState<SettingsValues>(newSettings);
  const [folder, setFolder] = useState<CheckedFolder | null>(null);
  const [python, setPython] = useState('');
  /** What is empty is named only once the person has tried. */
  const [tried, setTried] = useState(false);
  const found = problemsOf(values);
  const runsPython = source === 'folder' && folder?.check.handler?.endsWith('.py') === true;
  const needsCommand = source === 'folder' && folder?.check.handler === null && folder.check.imageName !== null;
  if (needsCommand && values.command.trim() === '') {
    found.set('dockerStartCmd', 'This folder has no handler file: give the command that serves it.');
  }
  const shown = tried
    ? found
    : new Map([...found].filter(([field]) => !['name', 'imageName', 'dockerStartCmd'].includes(field)));
  const make = useMutation({
    mutationFn: () =>
      api.endpoints.create({ accountId, ...toNewEndpoint(withPython(values, runsPython ? python : '')) }),
    onSuccess: ({ endpointId }) => onMade(endpointId, values.name.trim()),
  });
  const onChange = (change: Partial<SettingsValues>) => setValues((before) => ({ ...before, ...change }));
  const presets = (source === 'folder' && folder?.check.reading?.presets) || [];
  const fields = { values, onChange, choices, isNew: true, problems: shown };
  const onFolder = (checked: CheckedFolder | null) => {
    setFolder(checked);
    const { imageName, readme } = checked?.check ?? { imageName: null, readme: null };
    setValues((before) => {
      const named = {
        ...before,
        imageName: imageName ?? '',
        readme: readme ?? '',
        name: before.name === '' && imageName !== null ? (checked?.name ?? '') : before.name,
      };
      const reading = checked?.check.reading;
      return reading ? filledBy(named, reading) : named;
    });
  };

  return (
    <form
      className={styles.settings}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (found.size === 0) make.mutate();
      }}
    >
      <div className={panel.panel}>
        <Section title="What it is made of">
          {source === 'folder' ? (
            <FolderField
              checked={folder}
              problem={shown.get('imageName')}
              onChecked={onFolder}
              python={python}
              onPython={setPython}
            />
          ) : (
            <TextInput
              label="Image"
              withAsterisk
              data-autofocus
              placeholder="me/worker:1.0"
              value={values.imageName}
              error={shown.get('imageName')}
              spellCheck={false}
              onChange={(event) => onChange({ imageName: event.currentTarget.value })}
            />
          )}
          <TextInput
            label="Name"
            withAsterisk
            value={values.name}
            error={shown.get('name')}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <CommandField {...fields} ofImage={source === 'image'} needed={needsCommand} />
          {source === 'image' && <ImageFields {...fields} />}
        </Section>
        <Section title="Variables">
          {presets.length > 0 && (
            <Select
              label="Preset"
              description="Variables that the author of the folder has put together"
              placeholder="None"
              data={presets.map(({ name }) => name)}
              onChange={(name) => {
                const preset = presets.find((one) => one.name === name);
                if (preset) setValues((before) => withPreset(before, preset.env));
              }}
            />
          )}
          <EnvFields rows={values.env} problem={shown.get('env')} onChange={(env) => onChange({ env })} />
        </Section>
        <Section title="Where it runs">
          <PlaceFields {...fields} />
        </Section>
        <Section title="How it scales">
          <ScaleFields {...fields} />
        </Section>
      </div>
      {make.isError && (
        <Notice tone="bad" title="Not made; nothing was left behind.">
          {errorText(make.error)}
        </Notice>
      )}
      <div className={styles.formFoot}>
        <span>Costs nothing: it runs on {target}</span>
        <Button variant="default" onClick={closeNewEndpoint}>
          Cancel
        </Button>
        <Button type="submit" loading={make.isPending}>
          Make it on {target}
        </Button>
      </div>
    </form>
  );
}

interface SamplesProps {
  accountId: string;
  samples: EndpointChoices['samples'] | undefined;
  onMade: (endpointId: string, name: string) => Promise<void>;
}

function Samples({ accountId, samples, onMade }: SamplesProps) {
  const make = useMutation({
    mutationFn: (name: string) => api.endpoints.createSample({ accountId, name }),
    onSuccess: ({ endpointId }, name) => onMade(endpointId, name),
  });
  return (
    <div className={panel.panel}>
      <p className={sheet.note}>
        Each is a small folder that is copied to your data folder, for you to change. One that is there already is
        opened.
      </p>
      {make.isError && (
        <Notice tone="bad" title="Not made.">
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
              aria-label={`Use ${name}`}
              loading={make.isPending && make.variables === name}
              onClick={() => make.mutate(name)}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
