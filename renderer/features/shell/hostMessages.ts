/** Executes messages of the host: a person chose something in a menu, in the tray, or with a link. */
import { useEffect } from 'react';
import { hostMessageSchema, type HostMessage, type PageAction } from '#contract/app/hostMessage.ts';
import * as z from 'zod';
import {
  openNewEndpoint,
  openNewPod,
  showNewAccount,
  toggleShortcuts,
  toggleTargets,
  palette,
} from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { parseRoute } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';

/** Messages that the preload script forwards; it uses the same names. */
const passedSchema = z.object({ type: z.literal('hangar:message'), message: hostMessageSchema });
const LISTENING = 'hangar:listening';

/** Global actions, each on its own page. */
export const pageActions: Readonly<Record<PageAction, () => void>> = {
  palette: () => palette.open(),
  targets: toggleTargets,
  shortcuts: toggleShortcuts,
  'new-endpoint': () => {
    navigate({ page: 'endpoints', endpointId: null, tab: 'overview' });
    openNewEndpoint('handler');
  },
  'new-pod': () => {
    navigate({ page: 'pods', podId: null, tab: 'logs' });
    openNewPod();
  },
  'new-account': () => {
    navigate({ page: 'accounts', accountId: null });
    showNewAccount(true);
  },
  back: () => history.back(),
  forward: () => history.forward(),
};

function obey(message: HostMessage): void {
  switch (message.type) {
    case 'open':
      if (message.accountId !== undefined) targetAccount.set(message.accountId);
      return navigate(parseRoute(message.address));
    case 'do':
      return pageActions[message.action]();
    case 'new-account':
      navigate({ page: 'accounts', accountId: null });
      return showNewAccount(true, message.start);
  }
}

/** Mounted once. In a browser there are no messages. */
export function useHostMessages(): void {
  useEffect(() => {
    if (!window.hangarHost) return undefined;
    const onMessage = ({ data, source, origin }: MessageEvent): void => {
      // Frames inside the page, and the window that opened it, are other sources.
      if (source !== window || origin !== location.origin) return;
      const passed = passedSchema.safeParse(data);
      if (passed.success) obey(passed.data.message);
    };
    window.addEventListener('message', onMessage);
    window.postMessage(LISTENING, location.origin);
    return () => window.removeEventListener('message', onMessage);
  }, []);
}
