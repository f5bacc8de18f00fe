/** Pauses the machine, now, after the running jobs or for a time, and lets it go on. */
import { useState } from 'react';
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { ChevronDown, Pause, Play } from 'lucide-react';
import type { PauseRequest, PauseState } from '#contract/local/machine.ts';
import { usePausing } from '../../../client/machine.ts';
import { formatSetting } from '../../../ui/text/format.ts';
import { resumeLabel } from '../../../ui/text/pauseLabels.ts';
import styles from './pause.module.css';
import { msUntil, timeOfDayAt } from './until.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const forATime = [
  { label: 'For 30 minutes', forMs: 30 * MINUTE_MS },
  { label: 'For 1 hour', forMs: HOUR_MS },
];

interface PauseControlProps {
  state: PauseState;
  /** How many jobs run now. */
  running: number;
}

export function PauseControl({ state, running }: PauseControlProps) {
  const { pause, resume } = usePausing();
  const [asking, setAsking] = useState(false);
  const ask = (request: PauseRequest) => pause.mutate(request);
  const back = running === 0 ? 'No job runs now' : `${jobs(running)} back to the queue and ${again(running)}`;
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
            {state.state === 'finishing' ? 'Pause now' : 'Pause'}
          </Button>
          <Menu position="bottom-end" width={290}>
            <Menu.Target>
              <ActionIcon variant="default" size={34} aria-label="More ways to pause">
                <ChevronDown size={14} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => ask({ when: 'now' })}>
                Now
                <span className={styles.consequence}>{back}</span>
              </Menu.Item>
              <Menu.Item onClick={() => ask({ when: 'after-job' })}>
                After the running job
                <span className={styles.consequence}>What runs ends first; nothing else begins</span>
              </Menu.Item>
              <Menu.Divider />
              {forATime.map(({ label, forMs }) => (
                <Menu.Item key={label} onClick={() => ask({ when: 'now', forMs })}>
                  {label}
                </Menu.Item>
              ))}
              <Menu.Item onClick={() => setAsking(true)}>Until a time…</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
      <Modal opened={asking} onClose={() => setAsking(false)} title="Pause until" size={360}>
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

const jobs = (count: number): string => (count === 1 ? 'The running job goes' : `${count} running jobs go`);
const again = (count: number): string => (count === 1 ? 'begins again' : 'begin again');

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
          label="Work goes on at"
          data-autofocus
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <Text fz="xs" c="dimmed">
          {wait === null
            ? 'A time of day, such as 18:30.'
            : `In ${formatSetting(Math.ceil(wait / MINUTE_MS) * MINUTE_MS)}.`}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" disabled={wait === null}>
            Pause until {time}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
