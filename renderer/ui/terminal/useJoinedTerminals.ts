/** The layout of the terminals of an account, once the sessions of the account have joined it. */
import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useLiveView } from '../../client/transport/live.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { joined, panesOf, withPodNames, withTab, type Layout, type Pane } from './layout.ts';
import { changeLayout, setJoined, useTerminals } from './terminalStore.ts';
import { newId } from '../../client/newId.ts';

/** The sessions join the layout after they are loaded. Until then, no terminal may begin. */
export function useJoinedTerminals(accountId: string) {
  const { layout, isJoined } = useTerminals(accountId);
  const sessions = useLiveView(
    useQuery(orpc.terminals.list.queryOptions({ input: { accountId }, enabled: !isJoined, retry: false })),
  );
  useEffect(() => {
    if (isJoined || sessions.now === undefined) return;
    const open = sessions.now;
    changeLayout(accountId, (before) => joined(before, open, newId));
    setJoined(accountId);
  }, [accountId, isJoined, sessions.now]);
  return { layout, isJoined, sessions };
}

/** Keeps the names of these Pods with their panes: nobody tells the name of a Pod that was deleted. */
export function usePodNames(accountId: string, pods: readonly { id: string; name: string }[]): void {
  const { layout, isJoined } = useTerminals(accountId);
  const names = new Map(pods.map(({ id, name }) => [id, name]));
  const isNew = isJoined && withPodNames(layout, names) !== layout;
  useEffect(() => {
    if (isNew) changeLayout(accountId, (before) => withPodNames(before, names));
  });
}

/** The first terminal into a Pod; null if there is none. */
export const paneOfPod = (layout: Layout, podId: string): Pane | null =>
  layout.tabs.flatMap(({ root }) => panesOf(root)).find(({ targetId }) => targetId === podId) ?? null;

/** Shows the tab with the first terminal into a Pod, or a new one. */
export function showPod(accountId: string, podId: string): void {
  changeLayout(accountId, (before) => {
    const there = before.tabs.find(({ root }) => panesOf(root).some(({ targetId }) => targetId === podId));
    return there ? { ...before, active: there.id } : withTab(before, { kind: 'pod', targetId: podId }, newId);
  });
}
