/** The endpoint whose workers run a file. */
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { Place } from '../../../client/files/transfers.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { folderOfImage, pathBelow } from '../../endpoint/codeFolder.ts';
import { join } from '../paths.ts';

/** The list of endpoints is read again by other parts of the page when it changes. */
const FRESH_MS = 60_000;

/** An endpoint that takes jobs, and has the file in its folder on this computer; null without one. */
export function useHandlerOf({ holder, path }: Place): { id: string; name: string } | null {
  const isHere = holder.in === 'handler' || holder.in === 'computer';
  const { data: home } = useQuery(
    orpc.files.thisComputer.queryOptions({ enabled: holder.in === 'computer', retry: false, staleTime: Infinity }),
  );
  const { data: endpoints } = useQuery(
    orpc.endpoints.now.queryOptions({
      input: { accountId: THIS_MACHINE },
      enabled: isHere,
      retry: false,
      staleTime: FRESH_MS,
    }),
  );
  const rows = endpoints?.rows.filter(({ type }) => type === 'QB') ?? [];
  if (holder.in === 'handler') return rows.find(({ id }) => id === holder.id) ?? null;
  if (holder.in !== 'computer' || home === undefined) return null;
  const file = join(home.folder, path);
  return (
    rows.find(({ imageName }) => {
      const folder = folderOfImage(imageName);
      return folder !== null && pathBelow(file, folder) !== null;
    }) ?? null
  );
}
