/** The Pods of the target in the palette: each with its terminal, and the rules by which it stops. */
import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { Box, CircleDollarSign, SquareTerminal } from 'lucide-react';
import { orpc } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { targetAccount } from '../../../state/selection.ts';
import * as words from './keywords.ts';
import { t } from '../../../language/text.ts';

const ICON = 15;

export function usePodActions(open: boolean): SpotlightActionGroupData {
  const accountId = targetAccount.use();
  const { data } = useQuery(orpc.pods.now.queryOptions({ input: { accountId }, enabled: open, retry: false }));
  return {
    group: t`Pods`,
    actions: (data?.rows ?? []).flatMap(({ pod, facts }) => [
      {
        id: `pod-${pod.id}`,
        label: pod.name,
        description: pod.imageName,
        keywords: ['pod', pod.id],
        leftSection: <Box size={ICON} aria-hidden />,
        onClick: () => navigate({ page: 'pods', podId: pod.id, tab: 'logs' }),
      },
      {
        id: `stop-rules-${pod.id}`,
        label: t`When ${pod.name} stops by itself`,
        description: t`Its spend cap, and how long it may be idle`,
        keywords: ['pod', words.spendKeywords],
        leftSection: <CircleDollarSign size={ICON} aria-hidden />,
        onClick: () => navigate({ page: 'pods', podId: pod.id, tab: 'settings' }),
      },
      ...(facts?.runtime == null
        ? []
        : [
            {
              id: `terminal-${pod.id}`,
              label: t`Terminal in ${pod.name}`,
              description: t`Opens a terminal, or shows the open one`,
              keywords: ['shell', pod.id],
              leftSection: <SquareTerminal size={ICON} aria-hidden />,
              onClick: () => navigate({ page: 'terminals', podId: pod.id }),
            },
          ]),
    ]),
  };
}
