/** Pauses the machine now, after the running jobs, or for a time, and resumes it. */
import { useState } from 'react';
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { ChevronDown, Pause, Play } from 'lucide-react';
import { pauseDurations } from '#contract/app/pauseDurations.ts';
import type { PauseRequest, PauseState } from '#contract/local/machine.ts';
import { usePausing } from '../../../client/machine.ts';
import { useCommands } from '../../../state/commands.ts';
import { formatSetting } from '../../../ui/text/format.ts';
import { resumeLabel } from '../../../ui/text/pauseLabels.ts';
import styles from './pause.module.css';
import { msUntil, timeOfDayAt } from './until.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { counted, t, translated } from '../../../language/text.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface PauseControlProps {
  state: PauseState;
  /** How many jobs run now. */
  running: number;
}

export function PauseControl({ state, running }: PauseControlProps) {
  const { pause, resume } = usePausing();
  const [asking, setAsking] = useState(false);
  const ask = (request: PauseRequest) => pause.mutate(request);
  // The palette has the other ways on every page.
  useCommands([state.state !== 'paused' && { label: t`Pause until a time…`, run: () => setAsking(true) }]);
  const back =
    running === 0 ? t`No jobs are running` : t`${jobs(running)} back to the queue and ${again(running)} later`;
  return (
    <div className={styles.pauseControl}>
      {state.state !== 'running' && (
        <Button
          leftSection={<Play size={13} fill="currentColor" aria-hidden />}
          loading={resume.isPending}
          onClick={() => resume.mutate()}
        >
          {resumeLabel(state)}
        </Button>
      )}
      {state.state !== 'paused' && (
        <Group gap={0} wrap="nowrap" className={styles.split}>
          <Button
            variant="default"
            leftSection={<Pause size={13} fill="currentColor" aria-hidden />}
            title={back}
            loading={pause.isPending}
            onClick={() => ask({ when: 'now' })}
          >
            {state.state === 'finishing' ? t`Pause now` : t`Pause`}
          </Button>
          <Menu position="bottom-end" width={290}>
            <Menu.Target>
              <ActionIcon variant="default" size={34} aria-label={t`More ways to pause`}>
                <ChevronDown size={14} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => ask({ when: 'now' })}>
                {t`Now`}
                <span className={styles.consequence}>{back}</span>
              </Menu.Item>
              <Menu.Item onClick={() => ask({ when: 'after-job' })}>
                {t`After the running job`}
                <span className={styles.consequence}>{t`Running jobs finish; no new ones start`}</span>
              </Menu.Item>
              <Menu.Divider />
              {pauseDurations.map(({ item, forMs }) => (
                <Menu.Item key={forMs} onClick={() => ask({ when: 'now', forMs })}>
                  {translated(item.title)}
                </Menu.Item>
              ))}
              <Menu.Item onClick={() => setAsking(true)}>{t`Until a time…`}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
      <Modal opened={asking} onClose={() => setAsking(false)} title={t`Pause until`} size={360}>
        <UntilForm
          onPause={(request) => {
            ask(request);
            setAsking(false);
          }}
        />
      </Modal>
    </div>
  );
}

const jobs = (count: number): string => counted(count, 'The running job goes', '{0} running jobs go');
const again = (count: number): string => counted(count, 'starts again', 'start again');

function UntilForm({ onPause }: { onPause: (request: PauseRequest) => void }) {
  const [time, setTime] = useState(() => timeOfDayAt(Date.now() + HOUR_MS));
  const [opened] = useState(() => Date.now());
  const wait = msUntil(time, opened);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const forMs = msUntil(time, Date.now());
        if (forMs !== null) onPause({ when: 'now', forMs });
      }}
    >
      <Stack gap={12}>
        <TextInput
          type="time"
          label={t`Resume at`}
          data-autofocus
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <Text fz="xs" c="dimmed">
          {wait === null
            ? t`A time of day, such as 18:30.`
            : t`In ${formatSetting(Math.ceil(wait / MINUTE_MS) * MINUTE_MS)}.`}
        </Text>
        <Group justify="flex-end">
          <ReasonButton type="submit" whyNot={wait === null ? t`Enter a time of day first.` : null}>
            {t`Pause until ${time}`}
          </ReasonButton>
        </Group>
      </Stack>
    </form>
  );
}
