/**
 * The first steps, each with a check of this computer, above the rest of the page. They are shown until all are done or
 * skipped.
 */
import { useState, type ReactNode } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck, X } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { Machine } from '#contract/local/machine.ts';
import { useKnownAccounts } from '../../client/accounts.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { useSampleMs } from '../../client/changes/samples.ts';
import { machineOptions } from '../../client/machine.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { openNewEndpoint, showNewAccount } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { formatRoute } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';
import { Tip } from '../../ui/popover/Tip.tsx';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { offerUndo } from '../../ui/undo/offerUndo.tsx';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { stateOf, type EndpointState } from '../../ui/text/endpointState.ts';
import { formatGpuMemory, formatMemory } from '../../ui/text/format.ts';
import { skippedSteps, type StepName } from './homeSettings.ts';
import styles from './home.module.css';
import { joinFacts } from '../../language/sentences.ts';
import { rich, t } from '../../language/text.ts';

/** Interval of the checks: a container engine may be installed meanwhile. */
const CHECK_MS = 5000;
/** The rest of the page waits for the checks for so long at most, in milliseconds. */
const PATIENCE_MS = 1000;

interface Step {
  name: StepName;
  /** Undefined until it is known. */
  isDone: boolean | undefined;
  title: string;
  text: string;
  action: { label: string; run: () => void } | null;
}

interface GuideProps {
  /** Whether a service has accepted a job; undefined until it is known. */
  hasJobs: boolean | undefined;
  /** The rest of the page. It is seen once it is known whether there are steps above it, which would move it. */
  children?: ReactNode;
}

export function Guide({ hasJobs, children }: GuideProps) {
  const [isLate, setLate] = useState(false);
  useTimeout(() => setLate(true), PATIENCE_MS, { autoInvoke: true });
  const skipped = skippedSteps.use();
  const sampleMs = useSampleMs(THIS_MACHINE, 'machine', CHECK_MS);
  const machine = useQuery({ ...machineOptions(THIS_MACHINE), refetchInterval: sampleMs, retry: false });
  const endpoints = useQuery({
    ...orpc.endpoints.now.queryOptions({ input: { accountId: THIS_MACHINE }, retry: false }),
    refetchInterval: useStatePollMs(THIS_MACHINE, CHECK_MS),
  });
  const choices = useQuery(orpc.endpoints.choices.queryOptions({ input: { accountId: THIS_MACHINE }, retry: false }));
  const samples = choices.data?.samples.map(({ name }) => name);
  const own = samples && endpoints.data?.rows.filter(({ name }) => !samples.includes(name));
  const steps = stepsOf(machine.data, hasJobs, own);
  const isOpen = (step: Step): boolean => step.isDone !== true && !skipped.includes(step.name);
  // Nothing flashes up before the answers are there.
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  const isShown = isKnown && steps.some(isOpen);
  const hasFailed = machine.isError || endpoints.isError || choices.isError;
  const skipAll = () =>
    skip(
      steps.map(({ name }) => name),
      t`Skipped the first steps`,
    );
  useCommands([
    ...steps.map((step) => isShown && isOpen(step) && step.action),
    isShown && { label: t`Skip all first steps`, run: skipAll },
  ]);
  return (
    <>
      {isShown && <Steps steps={steps} skipped={skipped} skipAll={skipAll} />}
      <div style={isKnown || hasFailed || isLate ? undefined : { visibility: 'hidden' }}>{children}</div>
    </>
  );
}

interface StepsProps {
  steps: readonly Step[];
  skipped: readonly StepName[];
  skipAll: () => void;
}

function Steps({ steps, skipped, skipAll }: StepsProps) {
  const accountId = targetAccount.use();
  const account = useKnownAccounts()?.find(({ id }) => id === accountId);
  const target = accountInSentence(account?.id ?? THIS_MACHINE, account?.name ?? '');
  return (
    <div className={styles.guide}>
      <Card aria-label={t`First steps`} role="region">
        <CardHead title={t`First steps`}>
          <Button size="xs" variant="subtle" onClick={skipAll}>{t`Skip all`}</Button>
        </CardHead>
        <ol className={styles.list}>
          {steps.map((step) => (
            <StepRow key={step.name} step={step} isSkipped={skipped.includes(step.name)} />
          ))}
        </ol>
        <p className={styles.foot}>
          <span className={styles.quiet}>
            {rich`Everything runs on ${target} until you choose another account. ${<a href={formatRoute({ page: 'accounts', accountId: null })} onClick={() => showNewAccount(true)}>{t`Add an account`}</a>} for a cloud or another machine, or ${<a href={formatRoute({ page: 'gpus' })}>{t`browse GPU prices`}</a>}.`}
          </span>
        </p>
      </Card>
    </div>
  );
}

/** Skips steps, and offers to take that back. */
function skip(names: readonly StepName[], done: string): void {
  const added = names.filter((name) => !skippedSteps.get().includes(name));
  skippedSteps.set([...skippedSteps.get(), ...added]);
  offerUndo(done, () => skippedSteps.set(skippedSteps.get().filter((name) => !added.includes(name))));
}

function StepRow({ step: { name, isDone, title, text, action }, isSkipped }: { step: Step; isSkipped: boolean }) {
  const isOpen = isDone !== true && !isSkipped;
  return (
    <li data-closed={!isOpen || undefined}>
      {isDone ? (
        <CircleCheck size={16} className={styles.done} aria-label={t`Done`} />
      ) : (
        <Circle size={16} className={styles.open} aria-label={isSkipped ? t`Skipped` : t`Open`} />
      )}
      <div className={styles.about}>
        <b>{title}</b>
        <span>{text}</span>
      </div>
      {isOpen && action && (
        <Button size="xs" variant="default" onClick={action.run}>
          {action.label}
        </Button>
      )}
      {isOpen && (
        <Tip label={t`Skip this step`}>
          <ActionIcon aria-label={t`Skip: ${title}`} onClick={() => skip([name], t`Skipped: ${title}`)}>
            <X size={14} aria-hidden />
          </ActionIcon>
        </Tip>
      )}
    </li>
  );
}

/** `problem`: what the engine says; its first sentence is what is wrong, and the others are on the Pods page. */
function noContainersWords(problem: string | null): string {
  const [what = t`No container engine answers.`] = /^.+?\.(?= |$)/.exec(problem ?? '') ?? [];
  return t`${what} Handlers from a folder need none.`;
}

/** The steps are those of this computer, so their buttons make it the target. */
const onThisComputer = (go: () => void) => (): void => {
  targetAccount.set(THIS_MACHINE);
  go();
};

function stepsOf(
  machine: Machine | undefined,
  hasJobs: boolean | undefined,
  own: readonly EndpointRow[] | undefined,
): Step[] {
  return [
    {
      name: 'hardware',
      isDone: machine && true,
      title: t`Hardware`,
      text: machine ? hardwareWords(machine) : '',
      action: null,
    },
    {
      name: 'containers',
      isDone: machine?.containers.available,
      title: t`Container engine`,
      text: machine?.containers.available
        ? t`${[machine.containers.name, machine.containers.version].filter(Boolean).join(' ')} found: Pods and images can run here.`
        : noContainersWords(machine?.containers.problem ?? null),
      action: { label: t`What to do`, run: onThisComputer(() => navigate({ page: 'pods', podId: null, tab: 'logs' })) },
    },
    {
      name: 'job',
      isDone: hasJobs,
      title: t`First job`,
      text: hasJobs ? t`Done. See it under Recent.` : t`A sample takes seconds and needs no account.`,
      action: { label: t`Run a sample`, run: onThisComputer(() => navigate({ page: 'run', endpointId: null })) },
    },
    {
      name: 'endpoint',
      isDone: own && own.length > 0,
      title: t`Your own endpoint`,
      text: own?.length
        ? ownWords(own)
        : t`From a template, your own code in Python or Node, or an image. It has the same API as the cloud.`,
      action: {
        label: t`New handler`,
        run: onThisComputer(() => {
          navigate({ page: 'endpoints', endpointId: null, tab: 'overview' });
          openNewEndpoint('handler');
        }),
      },
    },
  ];
}

const BROKEN: ReadonlySet<EndpointState> = new Set(['cannot-run', 'crash-looping', 'endpoint-paused']);

/** The best that is true of one of them. */
function ownWords(own: readonly EndpointRow[]): string {
  const states = own.map((row) => ({ name: row.name, ...stateOf(row, null) }));
  const ready = states.find(({ state }) => !BROKEN.has(state));
  if (ready) return t`${ready.name} is ready for your scripts.`;
  const [first] = states;
  return first ? `${t`${first.name} exists, but cannot run jobs now.`} ${first.why ?? ''}`.trim() : '';
}

function hardwareWords({ gpus, cpu, memory }: Machine): string {
  const rest = t`${cpu.cores} cores, ${formatMemory(memory.totalBytes)} of memory`;
  if (gpus.length === 0) return t`No GPU, so everything runs on the CPU. ${rest}.`;
  const counts = new Map<string, number>();
  for (const { typeId, memoryBytes } of gpus) {
    const type = joinFacts(typeId, formatGpuMemory(memoryBytes / 1024 ** 3));
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const types = [...counts].map(([type, count]) => (count > 1 ? `${count} × ${type}` : type));
  return [...types, rest].join(' · ');
}
