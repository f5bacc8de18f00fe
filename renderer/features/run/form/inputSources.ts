/** Where the fields of an endpoint's input are known from, besides a schema of the person. */
import { useQueries, useQuery } from '@tanstack/react-query';
import type { DeclaredInput } from '#contract/local/folder.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { ownJobsOptions } from '../../../client/jobs/ownJobs.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { inferFields, schemaOf } from './inputFields.ts';
import { counted, t } from '../../../language/text.ts';

export interface InputSource {
  accountId: string;
  endpointId: string;
  /** Whether a folder is its handler, which may declare its input. */
  hasFolder: boolean;
}

/** A schema that the page derived, with the words for where it comes from. */
export interface DerivedSchema {
  text: string;
  /** "handler.py, line 3", "the inputs of the last 4 jobs": stands after "from". */
  origin: string;
}

/**
 * Interval of the polls of engines that do not report changes of these files, milliseconds: a person edits the folder while
 * looking at the form.
 */
const REREAD_MS = 5000;
const NEWEST = 20;
/** Larger bodies hold files; their fields stand in smaller ones, too. */
const READ_BYTES = 64 * 1024;

/** The input that the folder of an endpoint declares, read again while it is shown; null without one. */
export function useDeclaredInput({ accountId, endpointId, hasFolder }: InputSource): DeclaredInput | null {
  const refetchInterval = useStatePollMs(accountId, REREAD_MS, 'input');
  const { data } = useQuery({
    ...orpc.folders.declaredInput.queryOptions({
      input: { accountId, endpointId },
      retry: false,
      refetchInterval,
    }),
    enabled: hasFolder,
  });
  return (hasFolder && data) || null;
}

/** The bodies of the newest jobs of an endpoint; undefined until they are read. `enabled`: false reads nothing. */
function usePastBodies({ accountId, endpointId }: InputSource, enabled: boolean): string[] | undefined {
  const list = useQuery({ ...ownJobsOptions({ accountId, endpointId }, NEWEST), enabled });
  const small = (enabled ? (list.data?.entries ?? []) : []).filter(({ inputBytes }) => inputBytes <= READ_BYTES);
  const details = useQueries({
    queries: small.map(({ entryId }) => orpc.jobs.get.queryOptions({ input: { entryId }, retry: false })),
  });
  if (!enabled) return [];
  if (list.isPending || details.some(({ isPending }) => isPending)) return undefined;
  return details.flatMap(({ data }) => data?.body ?? []);
}

/**
 * The schema that the folder declares, or else the one that the inputs of past jobs have; null without either, and
 * undefined until these are read.
 * `inferred`: false reads no past jobs.
 */
export function useDerivedSchema(
  source: InputSource,
  declared: DeclaredInput | null,
  inferred: boolean,
): DerivedSchema | null | undefined {
  const schema = declared?.schema ?? null;
  const bodies = usePastBodies(source, inferred && schema === null);
  if (schema !== null) {
    return { text: schema.text, origin: schema.line === null ? schema.file : t`${schema.file}, line ${schema.line}` };
  }
  if (bodies === undefined) return undefined;
  const fields = inferFields(bodies);
  if (fields.length === 0) return null;
  const jobs = counted(bodies.length, 'the last job', 'the last {0} jobs');
  return { text: schemaOf(fields), origin: t`the inputs of ${jobs}` };
}
