/** The sheet that deploys a Pod: from a template or an image, on a GPU or the processor. */
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PodChoices } from '#contract/bridge/pod.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { closeNewPod, useOverlays, type PodStart } from '../../../state/overlays.ts';
import { navigate } from '../../../state/route.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { copyText } from '../../../ui/clipboard/copyText.ts';
import { linkedNames } from '../../../ui/endpoint/linkedNames.tsx';
import { CreateForm } from '../../../ui/form/CreateForm.tsx';
import { Section } from '../../../ui/form/Section.tsx';
import { useSchemaForm } from '../../../ui/form/useSchemaForm.ts';
import { CreateSheet } from '../../../ui/form/sheet/CreateSheet.tsx';
import { formatPerHour } from '../../../ui/text/money.ts';
import { Empty, Notice } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { AutoStopFields } from '../autoStop/AutoStopFields.tsx';
import { NoPods } from '../NoPods.tsx';
import { podMade, podNamesOf } from '../usePodsNow.ts';
import { preloadTerminal } from '../terminal/LazyTerminalTab.tsx';
import { useMachineParts, type MachineParts } from './useMachineParts.ts';
import { freeName } from '../../../ui/names/freeName.ts';
import { withSuggestedName } from './podNames.ts';
import { firstType, HardwareFields, unavailableReason } from './HardwareFields.tsx';
import { AccessFields, DiskFields } from './PodFields.tsx';
import { SourceFields } from './SourceFields.tsx';
import {
  countOf,
  curlOf,
  fromTemplate,
  hardwareValues,
  newPodValues,
  offerOf,
  priceOf,
  podFormOn,
  toAutoStop,
  toCreate,
  valuesOf,
  type PodValues,
} from './podForm.ts';
import { NameInButton } from '../../../ui/page/NameInButton.tsx';
import { rich, t } from '../../../language/text.ts';

interface DeploySheetProps {
  accountId: string;
  /** The name of the target in the middle of a sentence. */
  target: string;
  /** Whether running there costs money. */
  spends: boolean;
  /** The address of its REST v1; null if it has none, or if it is not known. */
  address: string | null;
  /** Whether an engine of Hangar runs there, which reports its GPUs and its size. */
  hasMachine: boolean;
  /** Why no Pod can run there, and what helps; null if one can. */
  obstacle: string | null;
  onMade: (podId: string) => void;
}

export function DeploySheet({ accountId, target, spends, address, hasMachine, obstacle, onMade }: DeploySheetProps) {
  const start = useOverlays((overlays) => overlays.newPod);
  const choices = useQuery(
    orpc.pods.choices.queryOptions({ input: { accountId }, enabled: start !== null, staleTime: 0, retry: false }),
  );
  const machine = useMachineParts(accountId, start !== null && hasMachine);
  const canDeploy = start !== null && obstacle === null;
  useEffect(() => {
    if (canDeploy) preloadTerminal();
  }, [canDeploy]);
  const made = async (podId: string, name: string) => {
    closeNewPod();
    await podMade(accountId);
    onMade(podId);
    announce(t`Deployed ${name}`);
  };
  const leave = () => {
    closeNewPod();
    if (start?.from) navigate(start.from);
  };
  return (
    <CreateSheet opened={start !== null} onClose={leave} title={t`Deploy a Pod on ${target}`}>
      {/* A form that cannot be sent is not filled in. */}
      {start !== null && obstacle !== null && <NoPods problem={obstacle} hasPods={false} />}
      {start !== null && obstacle === null && choices.data && (
        <DeployForm
          accountId={accountId}
          target={target}
          spends={spends}
          start={start}
          base={address}
          choices={choices.data}
          machine={machine}
          hasMachine={hasMachine}
          onMade={made}
          onLeave={leave}
        />
      )}
      {start !== null && obstacle === null && choices.isError && (
        <Empty
          tone="bad"
          title={t`The templates and GPUs could not be read`}
          action={<Button onClick={() => void choices.refetch()}>{t`Try again`}</Button>}
        >
          {errorText(choices.error)}
        </Empty>
      )}
    </CreateSheet>
  );
}

function startValues(start: PodStart, choices: PodChoices, names: readonly string[]): PodValues {
  if (start.like)
    return {
      ...valuesOf(start.like, start.autoStop, start.limits),
      name: freeName(start.like.name, names),
      locked: false,
    };
  const template = choices.templates.find(({ id }) => id === start.templateId);
  return {
    ...newPodValues,
    ...hardwareValues(start.gpuTypeId ?? firstType(choices.gpuTypes), choices.gpuTypes),
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
  machine: MachineParts;
  hasMachine: boolean;
  onMade: (podId: string, name: string) => Promise<void>;
  /** The person gives up. */
  onLeave: () => void;
}

function DeployForm(props: DeployFormProps) {
  const { accountId, target, spends, start, base, choices, machine, hasMachine, onMade, onLeave } = props;
  const names = podNamesOf(accountId);
  const [isHardwareChosen, setHardwareChosen] = useState(start.like !== undefined || start.gpuTypeId !== undefined);
  const form = useSchemaForm(podFormOn(machine.size), () => startValues(start, choices, names));
  const { problems } = form;
  const { lacks } = choices;
  // If the account has no entrypoints, the entrypoint of a template is not sent.
  const hasEntrypoint = !lacks.some(({ what }) => what === 'dockerEntrypoint');
  const values = hasEntrypoint ? form.values : { ...form.values, entrypoint: '' };
  const fields = {
    accountId,
    values,
    problems,
    choices,
    lacks,
    onChange: (change: Partial<PodValues>) => {
      if (change.gpuTypeId !== undefined) setHardwareChosen(true);
      form.put(withSuggestedName(values, change, names));
    },
  };
  const { gpuTypes } = choices;
  useEffect(() => {
    // What was known when the sheet opened may be old: meanwhile, another Pod may have taken the GPU.
    if (!isHardwareChosen) form.put(hardwareValues(firstType(gpuTypes), gpuTypes));
    // oxlint-disable-next-line react/exhaustive-deps -- only for other offers
  }, [gpuTypes]);
  const make = useMutation({
    mutationFn: () => {
      const autoStop = toAutoStop(values);
      const isSet = autoStop.idleMinutes !== null || autoStop.spendUsd !== null;
      return api.pods.create({ accountId, pod: toCreate(values), ...(isSet && { autoStop }) });
    },
    onSuccess: ({ id, name }) => onMade(id, name),
  });
  const lacking = unavailableReason(offerOf(values, choices.gpuTypes), countOf(values));
  const price = priceOf(values, choices.gpuTypes);
  const cost = price !== null && price > 0 ? `≈ ${formatPerHour(price)}` : null;

  return (
    <CreateForm
      onSubmit={form.submit(() => make.mutate())}
      onCancel={onLeave}
      action={
        cost !== null
          ? rich`Deploy on ${<NameInButton name={target} />} · ${cost}`
          : spends
            ? rich`Deploy on ${<NameInButton name={target} />} · costs money`
            : rich`Deploy on ${<NameInButton name={target} />}`
      }
      isPending={make.isPending}
      whyNot={lacking}
      spends={spends}
      failure={
        make.isError
          ? { title: t`Not deployed.`, text: linkedNames(accountId, errorText(make.error), closeNewPod) }
          : null
      }
      {...(cost === null && { note: spends ? t`Price not reported` : t`No price is set` })}
      moreActions={
        base !== null && (
          <Button
            variant="default"
            onClick={() => void copyText(curlOf(values, base), t`Copied curl command`)}
          >{t`Copy as curl`}</Button>
        )
      }
    >
      <div className={panel.panel}>
        <SourceFields
          {...fields}
          hasLimits={hasMachine}
          hasGallery={start.like === undefined && start.templateId === undefined}
        />
        <Section title={t`Hardware`}>
          <HardwareFields {...fields} machine={machine.gpus} size={machine.size} />
        </Section>
        <AutoStopFields {...fields} price={price ?? (spends ? null : 0)} byApp={!hasMachine} />
        <DiskFields {...fields} isNew />
        <AccessFields {...fields} />
      </div>
      {lacking !== null && <Notice tone="wait" title={lacking} />}
    </CreateForm>
  );
}
