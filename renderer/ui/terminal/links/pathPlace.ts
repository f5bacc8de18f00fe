/** Finds and shows the files that the output of a terminal names: those of its Pod, or of this computer. */
import { notifications } from '@mantine/notifications';
import type { FileHolder } from '#contract/local/files.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { t } from '../../../language/text.ts';
import { parentOf } from '../../files/paths.ts';
import { entryPath, withoutEnd } from '../../paths/completion.ts';
import type { Pane } from '../layout.ts';
import { linkKey, type PathPlace, type ShownPath } from './pathLinks.ts';
import { copyText } from '../../clipboard/copyText.ts';

/** A list of a folder that was read within this time, in milliseconds, is not read again. */
const FRESH_MS = 3000;

interface PlaceOptions {
  accountId: string;
  pane: Pick<Pane, 'kind' | 'targetId' | 'session'>;
  /** The folder that the shell has reported last (OSC 7); null if it has reported none. */
  reported: () => string | null;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const warn = (title: string, message: string) => notifications.show({ title, message, 'data-tone': 'bad' });

/** Null for terminals whose files the page cannot show: those of workers, and of other computers over SSH. */
export function pathPlaceOf({ accountId, pane, reported }: PlaceOptions): PathPlace | null {
  if (pane.kind === 'host') {
    const { session } = pane;
    return {
      // The app knows the name of this computer, and of some systems the folder of the process.
      folder: async () => (session === null ? null : (await api.terminals.folder({ accountId, session })).folder),
      find: (path) => findHere(path).catch(() => null),
    };
  }
  if (pane.kind !== 'pod') return null;
  return {
    folder: () => Promise.resolve(reported()),
    find: (path) => findInPod(accountId, pane.targetId, path).catch(() => null),
  };
}

/** A path of the computer that Hangar runs on. */
async function findHere(path: string): Promise<ShownPath | null> {
  const input = { path: parentOf(path) === '' ? '/' : parentOf(path) };
  const listing = await queryClient.query(
    orpc.host.listFolder.queryOptions({ input, staleTime: FRESH_MS, gcTime: FRESH_MS, retry: false }),
  );
  const entry = listing.entries.find(({ name }) => name === nameOf(path));
  if (entry === undefined || listing.rest !== '') return null;
  const whole = withoutEnd(entryPath(listing.path, entry));
  if (window.hangarHost !== undefined) {
    return {
      hint: t`${linkKey}+click shows ${whole} in the file manager`,
      show: () =>
        void api.host.showFile({ path: whole }).catch((error: unknown) => warn(t`Not shown`, errorText(error))),
    };
  }
  return {
    hint: t`${linkKey}+click copies ${whole}`,
    show: () =>
      void copyText(whole).then((isCopied) => {
        if (isCopied) notifications.show({ title: t`Path copied`, message: whole });
      }),
  };
}

/** A path of a Pod: over SSH of all its files, otherwise of its volume or else of the disk of its running container. */
async function findInPod(accountId: string, podId: string, path: string): Promise<ShownPath | null> {
  // The page does not know the home folder in a Pod.
  if (path.startsWith('~')) return null;
  const [accounts, { rows }] = await Promise.all([
    queryClient.query(orpc.accounts.list.queryOptions({ staleTime: 'static' })),
    queryClient.query(orpc.pods.now.queryOptions({ input: { accountId }, retry: false, staleTime: 'static' })),
  ]);
  const pod = rows.find((row) => row.pod.id === podId)?.pod;
  if (pod === undefined) return null;
  const isOverSsh = accounts.find(({ id }) => id === accountId)?.kind === 'cloud';
  const volume = `${pod.volumeMountPath.replace(/\/+$/, '')}/`;
  const isInVolume = !isOverSsh && path.startsWith(volume) && (pod.networkVolumeId !== null || pod.volumeInGb > 0);
  const place: FileHolder['in'] = isOverSsh ? 'pod' : isInVolume ? 'volume' : 'container';
  const holder: FileHolder = { in: place, id: isInVolume ? (pod.networkVolumeId ?? podId) : podId };
  const below = path.slice(isInVolume ? volume.length : 1);
  const folder = parentOf(below);
  const { entries } = await queryClient.query(
    orpc.files.list.queryOptions({
      input: { accountId, holder, path: folder },
      staleTime: FRESH_MS,
      retry: false,
    }),
  );
  const entry = entries.find(({ name }) => name === nameOf(below));
  if (entry === undefined || entry.kind === 'other') return null;
  // As in the route of the tab.
  const shown = `${place === 'container' ? '/' : ''}${below}${entry.kind === 'folder' ? '/' : ''}`;
  return {
    hint: t`${linkKey}+click shows ${path} in Files`,
    show: () => navigate({ page: 'pods', podId, tab: 'files', path: shown }),
  };
}
