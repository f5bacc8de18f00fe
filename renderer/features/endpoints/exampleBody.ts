/** A request that an endpoint takes, for the code that calls it. */
import { useQuery } from '@tanstack/react-query';
import type { EndpointDetail, EndpointRow } from '#contract/app/endpointReadModels.ts';
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';
import { ownJobsOptions } from '../../client/jobs/ownJobs.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { draftKey, draftText } from '../../state/drafts.ts';

const EMPTY_BODY = '{"input": {}}';
/** A longer one, such as one with files, would bury the command. */
const MOST_LENGTH = 2000;

const isBody = (text: string): boolean => {
  if (text.length > MOST_LENGTH) return false;
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'input' in body;
  } catch {
    // A draft is not finished yet.
    return false;
  }
};

/**
 * The body of a request, as JSON text: what the person wrote in Run, the sample of the endpoint, `test_input.json` of
 * its folder, or the input of its last job; without any of these, an empty input.
 */
export function useExampleBody(accountId: string, row: EndpointRow, detail: EndpointDetail | undefined): string {
  const draft = draftText.use(draftKey(accountId, row.id));
  const known = [draft, detail?.sampleInput].find((text) => text != null && isBody(text)) ?? null;
  const isAsked = detail !== undefined && known === null && row.type === 'QB';
  const input = { accountId, endpointId: row.id };
  const declared = useQuery({
    ...orpc.folders.declaredInput.queryOptions({ input, retry: false }),
    enabled: isAsked && row.imageName?.startsWith(FILE_IMAGE_PREFIX) === true,
  });
  const test = declared.data?.test?.body;
  const newest = useQuery({
    ...ownJobsOptions(input, 1),
    enabled: isAsked && !declared.isFetching && test === undefined,
  });
  const [last] = newest.data?.entries ?? [];
  const body = useQuery({
    ...orpc.jobs.body.queryOptions({ input: { entryId: last?.entryId ?? '' }, retry: false }),
    enabled: isAsked && last !== undefined && last.inputBytes <= MOST_LENGTH,
  });
  return known ?? [test, body.data].find((text) => text !== undefined && isBody(text)) ?? EMPTY_BODY;
}
