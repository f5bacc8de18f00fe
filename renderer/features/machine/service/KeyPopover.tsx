/** How to get an API key for a script: a command, since no key ever passes through the page. */
import { useState } from 'react';
import { Anchor, Button, Group, Popover, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { ApiKeyScope } from '#contract/local/engine.ts';
import { formatRoute } from '../../../state/routePath.ts';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import { KEY_VARIABLE, keyCommand } from './keyCommand.ts';
import styles from './service.module.css';

const scopes: { value: ApiKeyScope; label: string; may: string }[] = [
  { value: 'jobs', label: 'Jobs', may: 'It may send jobs and read them.' },
  { value: 'read', label: 'Read', may: 'It may only read.' },
  { value: 'all', label: 'Everything', may: 'It may do everything, also run programs on this computer.' },
];

export function KeyPopover({ address }: { address: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={440} trapFocus returnFocus withRoles>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<KeyRound size={12} aria-hidden />}
          onClick={() => setOpen(!open)}
        >
          Get an API key
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Get an API key">
        <KeyForm address={address} />
      </Popover.Dropdown>
    </Popover>
  );
}

function KeyForm({ address }: { address: string }) {
  const [name, setName] = useState('my-script');
  const [scope, setScope] = useState<ApiKeyScope>('jobs');
  const command = keyCommand(address, name.trim() || 'my-script', scope);
  return (
    <Stack gap={0}>
      <Stack gap={10} px={14} py={12}>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group gap={10}>
          <SegmentedControl
            aria-label="What it may do"
            data={scopes.map(({ value, label }) => ({ value, label }))}
            value={scope}
            onChange={(value) => setScope(scopes.find((known) => known.value === value)?.value ?? 'jobs')}
          />
        </Group>
        <Text fz="xs" c="dimmed">
          {scopes.find(({ value }) => value === scope)?.may}
        </Text>
      </Stack>
      <div className={styles.command}>
        <pre tabIndex={0} aria-label="Command that makes the key">
          {command}
        </pre>
        <CopyButton text={command} what="command" size={26} />
      </div>
      <Text px={14} py={10} fz="xs" c="dimmed">
        Its answer shows the key this once. Keys never pass through this page.{' '}
        <code className={styles.inline}>{KEY_VARIABLE}</code> is the key that Hangar printed when it started.{' '}
        <Anchor fz="xs" underline="always" href={formatRoute({ page: 'settings', tab: 'api-keys' })}>
          All keys, and making one without a command
        </Anchor>
      </Text>
    </Stack>
  );
}
