/** Creates an API key in one click, wherever one is needed. The host shows it: a key never travels to the page. */
import { useState } from 'react';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Check, ExternalLink, KeyRound } from 'lucide-react';
import type { ShownKey } from '#contract/bridge/apiKey.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { formatRoute } from '../../state/routePath.ts';
import { announce } from '../primitives/announce.tsx';
import { t } from '../../language/text.ts';

/** As long as the name of a key may be. */
const NAME_CHARS = 100;

interface KeyMakerProps {
  accountId: string;
  /** Where the key comes from, such as "Code of words": its name in the list of keys. */
  from: string;
}

export function KeyMaker({ accountId, from }: KeyMakerProps) {
  const make = useMutation({
    mutationFn: () => api.apiKeys.create({ accountId, name: from.slice(0, NAME_CHARS), scope: 'jobs' }),
    onSuccess: ({ shown }) => {
      announce(shown.how === 'clipboard' ? t`Copied the new key` : t`The new key is ready`);
      return queryClient.invalidateQueries({ queryKey: orpc.apiKeys.key() });
    },
  });
  useCommands([make.data === undefined && { label: t`Create a key and copy`, run: () => make.mutate() }]);
  return (
    <Group gap="6px 12px">
      {make.data ? (
        <Made shown={make.data.shown} name={make.data.record.name} />
      ) : (
        <Button
          size="xs"
          variant="default"
          leftSection={<KeyRound size={12} aria-hidden />}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >{t`Create a key and copy`}</Button>
      )}
      <Anchor fz="xs" underline="always" href={formatRoute({ page: 'settings', tab: 'keys' })}>{t`All keys`}</Anchor>
      {make.isError && (
        <Text fz="xs" c="var(--bad)" role="alert">
          {errorText(make.error)}
        </Text>
      )}
    </Group>
  );
}

/** In the window the key is on the clipboard. In a browser, one page of the host shows it, once. */
function Made({ shown, name }: { shown: ShownKey; name: string }) {
  const [followed, setFollowed] = useState(false);
  if (shown.how === 'clipboard' || followed) {
    return (
      <Text fz="xs">
        <Check size={12} aria-hidden />{' '}
        {t`${followed ? t`It was shown in its own tab` : t`Copied`}. It is called "${name}", and may send and read jobs.`}
      </Text>
    );
  }
  return (
    <Button
      component="a"
      size="xs"
      href={shown.path}
      target="_blank"
      rel="noopener"
      leftSection={<ExternalLink size={12} aria-hidden />}
      onClick={() => setFollowed(true)}
    >{t`Show the key once, to copy it`}</Button>
  );
}
