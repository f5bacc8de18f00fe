/** What runs in terminals that a person wants to close. */
import { api, ORPCError } from '../../client/transport/orpc.ts';
import type { Pane } from './layout.ts';

export interface Running {
  /** The command lines of all programs beside idle shells. */
  programs: string[];
  /** The number of terminals of which that is not known. */
  unknownCount: number;
}

/** The programs in one terminal; null if they are not known. */
async function programsOf(accountId: string, { session, ended }: Pane): Promise<string[] | null> {
  if (session === null || ended !== null) return [];
  try {
    return (await api.terminals.programs({ accountId, session })).programs;
  } catch (error) {
    // A terminal that has ended meanwhile runs nothing.
    return error instanceof ORPCError && error.code === 'NOT_FOUND' ? [] : null;
  }
}

/** Never rejects. */
export async function runningIn(accountId: string, panes: readonly Pane[]): Promise<Running> {
  const answers = await Promise.all(panes.map((pane) => programsOf(accountId, pane)));
  return {
    programs: answers.flatMap((programs) => programs ?? []),
    unknownCount: answers.filter((programs) => programs === null).length,
  };
}
