/** Creates an API key in one click, wherever one is needed. The host shows it: a key never travels to the page. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Check, ExternalLink, KeyRound } from 'lucide-react';
import { create } from 'zustand';
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

/**
 * What was made since the page was loaded, by account and place: a place that is opened again does not offer another.
 */
const useMade = create<Readonly<Record<string, MadeKey>>>(() => ({}));

interface MadeKey {
  name: string;
  shown: ShownKey;
  /** Whether the person has opened the page that shows it. */
  isFollowed: boolean;
}

/** A key whose page was not opened in time is lost, so another one is offered. */
const isLost = ({ shown, isFollowed }: MadeKey): boolean =>
  shown.how === 'link' && !isFollowed && shown.until < Date.now();

/** The name of the place, with a number where another key has it already. */
async function freeName(accountId: string, from: string): Promise<string> {
  const names = new Set((await api.apiKeys.list({ accountId })).map(({ name }) => name));
  const plain = from.slice(0, NAME_CHARS);
  for (let number = 2, name = plain; ; number += 1) {
    if (!names.has(name)) return name;
    name = `${from.slice(0, NAME_CHARS - ` ${number}`.length)} ${number}`;
  }
}

/** Opens the page of the host that shows and copies the key. Returns whether the browser let it. */
function openTab(path: string): boolean {
  const tab = window.open(path, '_blank');
  if (tab === null) return false;
  tab.opener = null;
  return true;
}

export function KeyMaker({ accountId, from }: KeyMakerProps) {
  const place = `${accountId} ${from}`;
  const known = useMade((all) => all[place]);
  const made = known && !isLost(known) ? known : undefined;
  const make = useMutation({
    mutationFn: async () => api.apiKeys.create({ accountId, name: await freeName(accountId, from), scope: 'jobs' }),
    onSuccess: ({ record: { name }, shown }) => {
      useMade.setState({ [place]: { name, shown, isFollowed: shown.how === 'link' && openTab(shown.path) } });
      announce(shown.how === 'clipboard' ? t`Copied the new key` : t`The new key is ready`);
      return queryClient.invalidateQueries({ queryKey: orpc.apiKeys.key() });
    },
  });
  useCommands([made === undefined && { label: t`Create a key and copy`, run: () => make.mutate() }]);
  return (
    <Group gap="6px 12px">
      {made ? (
        <Made made={made} onFollow={() => useMade.setState({ [place]: { ...made, isFollowed: true } })} />
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

/** In the window the key is on the clipboard. In a browser, one page of the host shows and copies it, once. */
function Made({ made: { name, shown, isFollowed }, onFollow }: { made: MadeKey; onFollow: () => void }) {
  if (shown.how === 'clipboard' || isFollowed) {
    return (
      <Text fz="xs">
        <Check size={12} aria-hidden />{' '}
        {isFollowed
          ? t`The key is shown once, in a separate tab: copy it there. It is named "${name}" and can send and read jobs.`
          : t`Copied. The key is named "${name}" and can send and read jobs.`}
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
      onClick={onFollow}
    >{t`Show the key once, to copy it`}</Button>
  );
}
