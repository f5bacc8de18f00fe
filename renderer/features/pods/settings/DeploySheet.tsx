/** The sheet that deploys a Pod: from a template or an image, on a GPU or the processor. */
import { useState } from 'react';
import { Button, Drawer, Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CPU_TYPE, isProcessor } from '#contract/api/gpuType.ts';
import type { PodChoices } from '#contract/bridge/pod.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { closeNewPod, useOverlays, type PodStart } from '../../../state/overlays.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import styles from '../../../ui/form/form.module.css';
import { Section } from '../../../ui/form/Section.tsx';
import sheet from '../../../ui/form/sheet.module.css';
import { formatPerHour } from '../../../ui/text/money.ts';
import { Empty, Notice } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { podsChanged } from '../usePodsNow.ts';
import { HardwareFields, lackingText } from './HardwareFields.tsx';
import { AccessFields, DiskFields, ImageFields } from './PodFields.tsx';
import {
  countOf,
  curlOf,
  fromTemplate,
  hardwareValues,
  newPodValues,
  offerOf,
  priceOf,
  problemsOf,
  toCreate,
  type PodValues,
} from './podForm.ts';

interface DeploySheetProps {
  accountId: string;
  /** As it stands within a sentence. */
  target: string;
  /** Whether running there costs money. */
  spends: boolean;
  /** Of its REST v1; null where it has none, and while it is not known. */
  address: string | null;
  onMade: (podId: string) => void;
}

export function DeploySheet({ accountId, target, spends, address, onMade }: DeploySheetProps) {
  const start = useOverlays((overlays) => overlays.newPod);
  const choices = useQuery(
    orpc.pods.choices.queryOptions({ input: { accountId }, enabled: start !== null, staleTime: 0, retry: false }),
  );
  const made = async (podId: string, name: string) => {
    closeNewPod();
    await podsChanged();
    onMade(podId);
    announce(`Deployed ${name}`);
  };
  return (
    <Drawer
      opened={start !== null}
      onClose={closeNewPod}
      position="right"
      size={560}
      title={`Deploy a Pod on ${target}`}
      classNames={{ content: sheet.sheet ?? '', header: sheet.head ?? '', body: sheet.body ?? '' }}
    >
      {start !== null && choices.data && (
        <DeployForm {...{ accountId, target, spends, start }} base={address} choices={choices.data} onMade={made} />
      )}
      {start !== null && choices.isError && (
        <Empty
          title="What a Pod can be made of could not be read"
          action={<Button onClick={() => void choices.refetch()}>Try again</Button>}
        >
          {errorText(choices.error)}
        </Empty>
      )}
    </Drawer>
  );
}

/** The first type of which one is free, else the processor. */
function firstType({ gpuTypes }: PodChoices): string {
  const free = gpuTypes.find((offer) => !isProcessor(offer) && lackingText(offer, 1) === null);
  return free?.id ?? CPU_TYPE;
}

function startValues(start: PodStart, choices: PodChoices): PodValues {
  const template = choices.templates.find(({ id }) => id === start.templateId);
  return {
    ...newPodValues,
    ...hardwareValues(start.gpuTypeId ?? firstType(choices), choices.gpuTypes),
    ...(template && { ...fromTemplate(template), name: template.name }),
  };
}

interface DeployFormProps {
  accountId: string;
  target: string;
  spends: boolean;
  start: PodStart;
  base: string | null;
  choices: PodChoices;
  onMade: (podId: string, name: string) => Promise<void>;
}

function DeployForm({ accountId, target, spends, start, base, choices, onMade }: DeployFormProps) {
  const [typed, setValues] = useState<PodValues>(() => startValues(start, choices));
  const { lacks } = choices;
  // What a template says of it holds all the same.
  const values = lacks.some(({ what }) => what === 'dockerEntrypoint') ? { ...typed, entrypoint: '' } : typed;
  /** What is empty is named only once the person has tried. */
  const [tried, setTried] = useState(false);
  const found = problemsOf(values);
  const problems = tried ? found : new Map([...found].filter(([field]) => !['name', 'imageName'].includes(field)));
  const onChange = (change: Partial<PodValues>) => setValues((before) => ({ ...before, ...change }));
  const fields = { values, onChange, problems, choices, lacks };
  const template = choices.templates.find(({ id }) => id === values.templateId);
  const variables = Object.keys(template?.env ?? {});
  const make = useMutation({
    mutationFn: () => api.pods.create({ accountId, pod: toCreate(values) }),
    onSuccess: ({ id, name }) => onMade(id, name),
  });
  const lacking = lackingText(offerOf(values, choices.gpuTypes), countOf(values));
  const price = priceOf(values, choices.gpuTypes);

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
          {choices.templates.length > 0 && (
            <Select
              label="Template"
              data={[
                { value: '', label: 'None: an image alone' },
                ...choices.templates.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={values.templateId}
              allowDeselect={false}
              onChange={(id) => {
                const next = choices.templates.find((known) => known.id === id);
                onChange(next ? { ...fromTemplate(next), name: values.name || next.name } : { templateId: '' });
              }}
            />
          )}
          {variables.length > 0 && <p className={panel.hint}>Variables of the template: {variables.join(', ')}</p>}
          <ImageFields {...fields} />
        </Section>
        <Section title="What it runs on">
          <HardwareFields {...fields} />
        </Section>
        <DiskFields {...fields} isNew />
        <AccessFields {...fields} />
      </div>
      {lacking !== null && <Notice tone="wait" title={lacking} />}
      {make.isError && (
        <Notice tone="bad" title="Not deployed.">
          {errorText(make.error)}
        </Notice>
      )}
      <div className={styles.formFoot}>
        <span>
          {price !== null && price > 0
            ? `≈ ${formatPerHour(price)} on ${target}`
            : spends
              ? 'What it costs is not told'
              : 'No price is set'}
        </span>
        <Button variant="default" onClick={closeNewPod}>
          Cancel
        </Button>
        {base !== null && (
          <Button
            variant="default"
            onClick={() =>
              void navigator.clipboard.writeText(curlOf(values, base)).then(() => announce('Copied curl command'))
            }
          >
            Copy as curl
          </Button>
        )}
        <Button type="submit" loading={make.isPending} disabled={lacking !== null} data-spends={spends || undefined}>
          {price !== null && price > 0
            ? `Deploy · ≈ ${formatPerHour(price)}`
            : spends
              ? 'Deploy · costs money'
              : 'Deploy'}
        </Button>
      </div>
    </form>
  );
}
