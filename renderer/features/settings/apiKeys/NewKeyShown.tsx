/**
 * Shows how the person gets a new key, once: by a link of the host, or from the clipboard. The page never gets the key.
 */
import { useState } from 'react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { ShownKey } from '#contract/bridge/apiKey.ts';
import { formatDuration } from '../../../ui/text/format.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { t } from '../../../language/text.ts';

const TICK_MS = 1000;

const words = {
  key: {
    missed: t`It was shown once, in a separate tab. If you missed it, delete the key and create another one.`,
    expired: t`The link has expired, and the key was not shown. Delete it and create another.`,
    show: t`Show the new key`,
    leave: t`Close without the key`,
  },
  pairing: {
    missed: t`It was shown once, in a separate tab. If you missed it, create another one.`,
    expired: t`The time expired before the link was shown. Create another.`,
    show: t`Show the link`,
    leave: t`Close without the link`,
  },
} as const;
type Kind = keyof typeof words;

interface NewKeyShownProps {
  shown: ShownKey;
  kind?: Kind;
  onClose: () => void;
}

export function NewKeyShown({ shown, kind = 'key', onClose }: NewKeyShownProps) {
  const [followed, setFollowed] = useState(false);
  const isUnseen = shown.how !== 'clipboard' && !followed;
  return (
    <Stack gap={12}>
      {shown.how === 'clipboard' ? (
        <Text fz="sm">{t`It is on the clipboard of this computer. Paste it before you copy anything else: it is not shown again.`}</Text>
      ) : (
        <Link
          path={shown.path}
          until={shown.until}
          kind={kind}
          followed={followed}
          onFollowed={() => setFollowed(true)}
        />
      )}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" data-autofocus={shown.how === 'clipboard' || undefined} onClick={onClose}>
          {isUnseen ? words[kind].leave : t`Done`}
        </Button>
      </Group>
    </Stack>
  );
}

interface LinkProps {
  path: string;
  until: number;
  kind: Kind;
  followed: boolean;
  onFollowed: () => void;
}

function Link({ path, until, kind, followed, onFollowed }: LinkProps) {
  const left = until - useNow(followed ? null : TICK_MS);
  if (followed) {
    return <Text fz="sm">{words[kind].missed}</Text>;
  }
  if (left <= 0) {
    return <Text fz="sm">{words[kind].expired}</Text>;
  }
  return (
    <>
      <Text fz="sm">
        {kind === 'key'
          ? t`It is shown once, in a separate tab. Copy it there. The link works once and expires in ${formatDuration(left)}.`
          : t`It is shown once, in a separate tab. Copy it there within ${formatDuration(left)}.`}
      </Text>
      <Group>
        <Button
          component="a"
          href={path}
          target="_blank"
          rel="noopener"
          data-autofocus
          leftSection={<ExternalLink size={14} aria-hidden />}
          onClick={onFollowed}
        >
          {words[kind].show}
        </Button>
      </Group>
    </>
  );
}
