/** The endpoints of the target in the palette: each opens; for a typed name also its run and its code. */
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { CodeXml, Layers, Play } from 'lucide-react';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { api, orpc } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { targetAccount } from '../../../state/selection.ts';
import { codeFolderOf, showCode } from '../../../ui/endpoint/handlerCode.ts';
import * as words from './keywords.ts';
import { t } from '../../../language/text.ts';

const ICON = 15;

export interface EndpointActions {
  group: SpotlightActionGroupData;
  /** Ids of the actions that are listed for a query only, so that an empty palette stays short. */
  queryOnly: readonly string[];
}

/** `open`: whether the palette is; the endpoints are read then. */
export function usePaletteEndpoints(open: boolean): EndpointActions {
  const accountId = targetAccount.use();
  const { data = [] } = useQuery(orpc.endpoints.list.queryOptions({ input: { accountId }, enabled: open }));
  const more = data.flatMap(moreActions);
  return {
    group: { group: t`Endpoints`, actions: [...data.map(openAction), ...more] },
    queryOnly: more.map(({ id }) => id),
  };
}

const openAction = ({ id, name, available, description }: EndpointSummary): SpotlightActionData => ({
  id: `endpoint-${id}`,
  label: name,
  description: available ? (description ?? '') : t`Cannot run here`,
  keywords: ['endpoint', id],
  leftSection: <Layers size={ICON} aria-hidden />,
  onClick: () => navigate({ page: 'endpoints', endpointId: id, tab: 'overview' }),
});

function moreActions({ accountId, id, name, imageName }: EndpointSummary): SpotlightActionData[] {
  const folder = codeFolderOf(accountId, imageName);
  const run = {
    id: `run-${id}`,
    label: t`Run a job on ${name}`,
    description: t`Opens Run with this endpoint`,
    keywords: id,
    leftSection: <Play size={ICON} aria-hidden />,
    onClick: () => navigate({ page: 'run', endpointId: id }),
  };
  if (folder === null) return [run];
  return [
    run,
    {
      id: `code-${id}`,
      label: t`Edit the code of ${name}`,
      description: folder,
      keywords: words.codeKeywords,
      leftSection: <CodeXml size={ICON} aria-hidden />,
      onClick: () => void editCode(accountId, id, folder),
    },
  ];
}

/** Opens the file of the handler, where the account knows it. */
async function editCode(accountId: string, endpointId: string, folder: string): Promise<void> {
  // Without an answer the folder opens alone, and says itself what is wrong.
  const now = await api.endpoints.now({ accountId }).catch(() => null);
  const row = now?.rows.find(({ id }) => id === endpointId);
  showCode({ endpointId, folder, file: row?.readiness?.handler?.file ?? null });
}
