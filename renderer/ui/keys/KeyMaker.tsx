/** Creates an API key in one click, wherever one is needed. The host shows it: a key never travels to the page. */
import { useEffect, useRef, useState } from 'react';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Check, ExternalLink, KeyRound } from 'lucide-react';
import { create } from 'zustand';
import type { ShownKey } from '#contract/bridge/apiKey.ts';
import { freeKeyName } from '#contract/local/access/keyNames.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { useRoute } from '../../state/route.ts';
import { formatRoute } from '../../state/routePath.ts';
import { announce } from '../primitives/announce.tsx';
import { t } from '../../language/text.ts';

interface KeyMakerProps {
  accountId: string;
  /** Where the key comes from, such as "Code of words": its name in the list of keys. */
  from: string;
  /** The endpoint that the key is for, which is then the only one that it works on; null for all endpoints. */
  endpoint: { id: string; name: string } | null;
}

/** What was made, by account and place: a place that is opened again on the same page does not offer another. */
const useMade = create<Readonly<Record<string, MadeKey>>>(() => ({}));

// The line about a key is about what was just done: with the page it goes, but for a key that nobody has seen yet.
useRoute.subscribe(({ page }, former) => {
  if (page === former.page) return;
  const unseen = Object.entries(useMade.getState()).filter(([, made]) => isUnseen(made));
  useMade.setState(Object.fromEntries(unseen), true);
});

interface MadeKey {
  name: string;
  shown: ShownKey;
  /** Whether the person has opened the page that shows it. */
  isFollowed: boolean;
}

const isUnseen = ({ shown, isFollowed }: MadeKey): boolean => shown.how === 'link' && !isFollowed;

/** A key whose page was not opened in time is lost, so another one is offered. */
const isLost = (made: MadeKey): boolean => isUnseen(made) && made.shown.how === 'link' && made.shown.until < Date.now();

/** Opens the page of the host that shows and copies the key. Returns whether the browser let it. */
function openTab(path: string): boolean {
  const tab = window.open(path, '_blank');
  if (tab === null) return false;
  tab.opener = null;
  return true;
}

export function KeyMaker({ accountId, from, endpoint }: KeyMakerProps) {
  const place = `${accountId} ${from}`;
  const known = useMade((all) => all[place]);
  const made = known && !isLost(known) ? known : undefined;
  const [isNew, setIsNew] = useState(false);
  const make = useMutation({
    mutationFn: async () => {
      const keys = await api.apiKeys.list({ accountId });
      const name = freeKeyName(
        from,
        keys.map((key) => key.name),
      );
      return endpoint
        ? api.apiKeys.create({ accountId, name, scope: 'endpoints', endpointIds: [endpoint.id] })
        : api.apiKeys.create({ accountId, name, scope: 'jobs' });
    },
    onSuccess: ({ record: { name }, shown }) => {
      setIsNew(true);
      useMade.setState({ [place]: { name, shown, isFollowed: shown.how === 'link' && openTab(shown.path) } });
      announce(shown.how === 'clipboard' ? t`Copied the new key` : t`The new key is ready`);
      return queryClient.invalidateQueries({ queryKey: orpc.apiKeys.key() });
    },
  });
  // In a browser the tab of the host copies it, if the browser lets it.
  const label = window.hangarHost === undefined ? t`Create a key` : t`Create a key and copy`;
  useCommands([made === undefined && { label, run: () => make.mutate() }]);
  return (
    <Group gap="6px 12px">
      {made ? (
        <Made
          made={made}
          endpointName={endpoint?.name ?? null}
          isNew={isNew}
          onFollow={() => {
            setIsNew(true);
            useMade.setState({ [place]: { ...made, isFollowed: true } });
          }}
        />
      ) : (
        <Button
          size="xs"
          variant="default"
          leftSection={<KeyRound size={12} aria-hidden />}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >
          {label}
        </Button>
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

interface MadeProps {
  made: MadeKey;
  /** The only endpoint of the key; null if it works on every endpoint. */
  endpointName: string | null;
  /** Whether it was made here now: its line comes into sight then, while an earlier one leaves the page at its top. */
  isNew: boolean;
  onFollow: () => void;
}

/** In the window the key is on the clipboard. In a browser, one page of the host shows and copies it, once. */
function Made({ made: { name, shown, isFollowed }, endpointName, isNew, onFollow }: MadeProps) {
  const isShown = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // In new browsers it answers a promise, which is no end of an effect.
    if (isNew) isShown.current?.scrollIntoView({ block: 'nearest' });
  }, [isFollowed, isNew]);
  if (shown.how === 'clipboard' || isFollowed) {
    return (
      <Text fz="xs" ref={isShown}>
        <Check size={12} aria-hidden />{' '}
        {isFollowed ? t`The key "${name}" is in the new tab, which shows it once.` : t`Copied the key "${name}".`}{' '}
        {endpointName === null
          ? t`It sends and reads jobs of every endpoint.`
          : t`It sends and reads jobs of ${endpointName} only.`}
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
