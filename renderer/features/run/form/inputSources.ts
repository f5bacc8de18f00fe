/** Where the fields of an endpoint's input are known from, besides a schema of the person. */
import { useMemo } from 'react';
import { useQueries, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import type { SavedRef } from '#contract/app/saved/document.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';
import type { DeclaredInput } from '#contract/local/folder.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { ownJobsOptions } from '../../../client/jobs/ownJobs.ts';
import { placeAt, useSaved, useSavedFeed } from '../../../client/saved/savedStore.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { personalSettings } from '../../../state/personalSetting.ts';
import { emptyFields, inferFields, schemaOf } from './inputFields.ts';
import { counted, t } from '../../../language/text.ts';

export const inputTabs = ['form', 'json', 'schema'] as const;

/** How the input is shown, by draft key. */
export const inputTab = personalSettings('input-tab', z.enum(inputTabs), 'json');

export interface InputSource {
  accountId: string;
  endpointId: string;
  /** Whether a folder is its handler, which may declare its input. */
  hasFolder: boolean;
}

/** Where the input of an endpoint is declared. */
export const inputSourceOf = ({ accountId, id, imageName }: EndpointSummary): InputSource => ({
  accountId,
  endpointId: id,
  hasFolder: imageName?.startsWith(FILE_IMAGE_PREFIX) === true,
});

/** The schema that the person gave is the only one of its place. */
export const schemaAt = (draftKey: string): SavedRef => ({ ...placeAt('schema', draftKey), name: '' });

/**
 * The schema that inputs of an endpoint are to match: that of the person, or else the one that its folder declares. Null
 * without either: fields of past inputs are no rule for the next one.
 */
export function useInputRules(source: InputSource, draftKey: string): string | null {
  const ref = schemaAt(draftKey);
  useSavedFeed(ref);
  const own = useSaved(ref).list.find(({ name }) => name === '')?.text ?? '';
  const declared = useDeclaredInput(source)?.schema?.text ?? '';
  return (own.trim() === '' ? declared : own) || null;
}

/** Returns the function that finds the empty required texts of a body, by the schema of the endpoint; none without one. */
export function useEmptyFields(source: InputSource, draftKey: string): (body: string) => string[] {
  const schema = useInputRules(source, draftKey);
  return useMemo(() => (body: string) => (schema === null ? [] : emptyFields(schema, body)), [schema]);
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

/** Whether what the folder declares is read as it is now. Right after a change of the code it is read again. */
export function useIsInputRead({ accountId, endpointId, hasFolder }: InputSource): boolean {
  const { isFetching } = useQuery({
    ...orpc.folders.declaredInput.queryOptions({ input: { accountId, endpointId }, retry: false }),
    enabled: hasFolder,
  });
  return !isFetching;
}

interface PastBodies {
  bodies: readonly string[];
  /** Whether all these jobs succeeded; else they are jobs of any state. */
  areDone: boolean;
}

/** The bodies of the newest jobs of an endpoint that succeeded; undefined until they are read. `enabled`: false reads nothing. */
function usePastBodies({ accountId, endpointId }: InputSource, enabled: boolean): PastBodies | undefined {
  const list = useQuery({ ...ownJobsOptions({ accountId, endpointId }, NEWEST), enabled });
  const entries = enabled ? (list.data?.entries ?? []) : [];
  // What a failed job was sent may be no input of this handler. A handler that has never worked has no better ones.
  const done = entries.filter(({ status }) => status === 'COMPLETED');
  const areDone = done.length > 0;
  const small = (areDone ? done : entries).filter(({ inputBytes }) => inputBytes <= READ_BYTES);
  const details = useQueries({
    queries: small.map(({ entryId }) => orpc.jobs.get.queryOptions({ input: { entryId }, retry: false })),
  });
  if (!enabled) return { bodies: [], areDone };
  if (list.isPending || details.some(({ isPending }) => isPending)) return undefined;
  return { bodies: details.flatMap(({ data }) => data?.body ?? []), areDone };
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
  const past = usePastBodies(source, inferred && schema === null);
  if (schema !== null) {
    return { text: schema.text, origin: schema.line === null ? schema.file : t`${schema.file}, line ${schema.line}` };
  }
  if (past === undefined) return undefined;
  const fields = inferFields(past.bodies);
  if (fields.length === 0) return null;
  return { text: schemaOf(fields), origin: originWords(past) };
}

/** Which inputs these are, as the end of a sentence. */
const originWords = ({ bodies: { length }, areDone }: PastBodies): string =>
  areDone
    ? counted(
        length,
        'the input of the last job that succeeded',
        'the inputs of the last {0} jobs that succeeded',
        length,
      )
    : counted(length, 'the input of the last job', 'the inputs of the last {0} jobs', length);
