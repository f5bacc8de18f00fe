/**
 * The oRPC contract between the page and the app: every procedure, its input and its result. The page never receives a
 * secret.
 */
import { eventIterator, oc, type ContractRouterClient } from '@orpc/contract';
import * as z from 'zod';
import { engineStatusSchema } from '../app/account.ts';
import { accountContract } from './account.ts';
import {
  endpointChangeSchema,
  endpointChoicesSchema,
  endpointDetailSchema,
  endpointsNowSchema,
  folderCheckSchema,
  logBatchSchema,
  wholeLogEventSchema,
  newEndpointSchema,
  newHandlerSchema,
  resumedEndpointSchema,
  shownMetricsSchema,
} from '../app/endpointReadModels.ts';
import { bucketContract } from './bucket/bucket.ts';
import { dataContract } from './data/index.ts';
import { folderContract } from './folder.ts';
import { hostContract } from './host.ts';
import { limits } from '../core/limits.ts';
import { purgedSchema } from '../api/job.ts';
import { exportPieceSchema } from '../app/jobs/exportPiece.ts';
import {
  jobAttemptSchema,
  jobChangesSchema,
  expiringJobsSchema,
  jobCountsSchema,
  jobsToAttendSchema,
  jobEventSchema,
  jobOutcomeSchema,
  jobProgressSchema,
  ledgerChunkSchema,
  ledgerDetailSchema,
  ledgerEntrySchema,
  ledgerExportSchema,
  ledgerFilterSchema,
  ledgerPageSchema,
  ledgerWebhooksSchema,
  requestLineSchema,
  runModes,
} from '../app/ledger.ts';
import { ledgerContract } from './ledger.ts';
import { machineContract } from './machine.ts';
import { mediaContract } from './media/remoteMedia.ts';
import { openaiContract } from './openai/chat.ts';
import { batchContract } from './batch/batches.ts';
import { billingContract } from './billing.ts';
import { graphqlContract } from './graphql.ts';
import { fileContract, resourceContract } from './resource.ts';
import { laneSchema, podLogFilterSchema, logPageSchema } from '../local/log.ts';
import { endpointTotalSchema, metricPeriodSchema } from '../local/metrics.ts';
import { podContract } from './pod.ts';
import { priceContract } from './prices/prices.ts';
import { lenientHealthSchema } from '../api/lenient.ts';
import { savedContract } from './saved/saved.ts';
import { sshContract } from './ssh.ts';
import { apiKeyContract } from './apiKey.ts';
import { secretsContract } from './secrets.ts';
import { terminalContract } from './terminal.ts';
import { updatesContract } from './updates.ts';

/** An endpoint as the page lists it. */
export const endpointSummarySchema = z.object({
  accountId: z.string(),
  id: z.string(),
  name: z.string(),
  /** Image, or `file://` folder, of its template; null when the template cannot be read. */
  imageName: z.string().nullable(),
  workersMin: z.number(),
  workersMax: z.number(),
  /** Null if the account does not report it, or its folder cannot be read. */
  runtime: z.enum(['node', 'python', 'command', 'container']).nullable(),
  /** The version of the public SDK, if its workers run the SDK's own loop. */
  publicSdk: z.string().nullable(),
  /** False only if the endpoint is known not to run; `reason` then says why and what to do. */
  available: z.boolean(),
  reason: z.string().nullable(),
  /** A first input: the first fenced `json` block of the template's readme. */
  sampleInput: z.string().nullable(),
  /** First paragraph of the template's readme. */
  description: z.string().nullable(),
});
export type EndpointSummary = z.infer<typeof endpointSummarySchema>;

const accountRef = z.object({ accountId: z.string() });
const endpointRef = accountRef.extend({ endpointId: z.string() });
const entryRef = z.object({ entryId: z.string() });
const entryRefs = z.object({ entryIds: z.array(z.string()).min(1).max(1000) });

export const submitSchema = endpointRef.extend({
  /** The sender creates it. A repeated id is the same job: the service gets it once. */
  entryId: z.uuid(),
  /** The name of the endpoint in the list of the sender: the ledger lists the job under it. */
  endpointName: z.string().min(1),
  mode: z.enum(runModes),
  /** The page, unless the command line says so. */
  source: z.enum(['window', 'command']).optional(),
  /** The tags that the job begins with. */
  tags: z.array(z.string().trim().min(1).max(limits.ledger.tagLength)).max(limits.ledger.tags).optional(),
  /** The entry of the job that it runs again. */
  retryOf: z.string().min(1).optional(),
  /** The request body as JSON text. It is sent as written, so that large numbers survive. */
  body: z.string().max(limits.runsyncBodyBytes),
});

export const bridgeContract = {
  host: hostContract,
  data: dataContract,
  engine: {
    /** The engine's state now, then each change. */
    watch: oc.output(eventIterator(engineStatusSchema)),
    /** Restarts the engine now instead of at its next try. */
    restart: oc.output(engineStatusSchema),
  },
  accounts: accountContract,
  endpoints: {
    list: oc.input(accountRef).output(z.array(endpointSummarySchema)),
    health: oc.input(endpointRef).output(lenientHealthSchema),
    /** All endpoints with their numbers, in one answer. */
    now: oc.input(accountRef).output(endpointsNowSchema),
    get: oc.input(endpointRef).output(endpointDetailSchema),
    choices: oc.input(accountRef).output(endpointChoicesSchema),
    /**
     * Checks a folder of this computer. `python`: the Python that is to run its handler. Without it, the folder's own
     * requirement decides.
     */
    checkFolder: oc
      .input(z.object({ path: z.string().max(4096), python: z.string().max(4096).optional() }))
      .output(folderCheckSchema),
    create: oc.input(accountRef.extend(newEndpointSchema.shape)).output(z.object({ endpointId: z.string() })),
    /** Copies an example of Hangar, or uses the existing copy, and creates an endpoint of it. */
    createSample: oc.input(accountRef.extend({ name: z.string() })).output(z.object({ endpointId: z.string() })),
    /**
     * Writes the folder of a new handler on this computer and creates an endpoint of this computer from it. `folder`
     * and `file` (the handler) are absolute paths. CONFLICT if the name is taken: nothing is written over.
     */
    newHandler: oc
      .input(newHandlerSchema)
      .output(z.object({ endpointId: z.string(), folder: z.string(), file: z.string() })),
    update: oc.input(endpointRef.extend(endpointChangeSchema.shape)).output(endpointDetailSchema),
    /**
     * `templateKept`: why its template still exists; null if the template was deleted too, or if nobody requested that.
     */
    remove: oc
      .input(endpointRef.extend({ withTemplate: z.boolean() }))
      .output(z.object({ templateKept: z.string().nullable() })),
    /**
     * Lets the endpoint have no workers, so that none of its jobs starts. What happens to running jobs is up to its service:
     * a Hangar lets them end.
     */
    pause: oc.input(endpointRef).output(z.void()),
    /** Lets the endpoint have the workers again that it could have before it was paused here. */
    resume: oc.input(endpointRef).output(resumedEndpointSchema),
    /** The metrics of an endpoint over time; from the jobs in the ledger if its account does not report them. */
    metrics: oc.input(endpointRef.extend({ period: metricPeriodSchema })).output(shownMetricsSchema),
    /** The sums of a period for every endpoint; null if the account does not report them. */
    totals: oc.input(accountRef.extend({ period: metricPeriodSchema })).output(z.array(endpointTotalSchema).nullable()),
    /** Removes the waiting jobs. */
    purge: oc.input(endpointRef).output(purgedSchema.pick({ removed: true })),
  },
  folders: folderContract,
  /** Workers of engines of Hangar and of accounts with REST v2. Other accounts are refused with a sentence. */
  workers: {
    lanes: oc
      .input(endpointRef.extend({ sinceMs: z.int().min(1000).max(limits.page.lanesMs) }))
      .output(z.array(laneSchema)),
  },
  logs: {
    /** The newest lines that match the filter, oldest first; `before` (exclusive) pages back. */
    page: oc
      .input(
        accountRef.extend({
          filter: podLogFilterSchema,
          before: z.int().optional(),
          limit: z.int().min(1).max(limits.page.logLines),
        }),
      )
      .output(logPageSchema),
    /** Every line after the line with number `after`, as soon as it is written. */
    follow: oc
      .input(accountRef.extend({ filter: podLogFilterSchema, after: z.int() }))
      .output(eventIterator(logBatchSchema)),
    /** Every kept line that matches, oldest first, and at the end what the log lacks. It ends by itself. */
    whole: oc.input(accountRef.extend({ filter: podLogFilterSchema })).output(eventIterator(wholeLogEventSchema)),
  },
  ledger: ledgerContract,
  apiKeys: apiKeyContract,
  secrets: secretsContract,
  machine: machineContract,
  media: mediaContract,
  openai: openaiContract,
  pods: podContract,
  prices: priceContract,
  graphql: graphqlContract,
  batches: batchContract,
  billing: billingContract,
  bucket: bucketContract,
  resources: resourceContract,
  saved: savedContract,
  files: fileContract,
  terminals: terminalContract,
  ssh: sshContract,
  updates: updatesContract,
  jobs: {
    /**
     * Writes the job to the ledger under `entryId`, sends it, and answers its entry after the answer of the service.
     */
    submit: oc.input(submitSchema).output(ledgerEntrySchema),
    cancel: oc.input(entryRef).output(ledgerEntrySchema),
    /** Queues a failed or timed-out job once more; answers the entry of the new attempt. */
    retry: oc.input(entryRef).output(ledgerEntrySchema),
    /**
     * Cancels many jobs, one after the other, within the rates of their endpoints. Each event is the result of one job.
     * The procedure stops when the caller stops listening.
     */
    cancelMany: oc.input(entryRefs).output(eventIterator(jobOutcomeSchema)),
    retryMany: oc.input(entryRefs).output(eventIterator(jobOutcomeSchema)),
    /** The pieces of an export of the ledger, without secrets; `jobs`: how many jobs it contains so far. */
    export: oc.input(ledgerExportSchema).output(eventIterator(exportPieceSchema)),
    /**
     * A snapshot, then each change, until the job ends. `longestOutput`: an output of more bytes is not in the events, which
     * have its size and its start instead; `output` reads it. Without it, every output is in them.
     */
    watch: oc
      .input(entryRef.extend({ longestOutput: z.int().min(0).optional() }))
      .output(eventIterator(jobEventSchema)),
    /** What the handler of a running job reported last, asked from its account; nothing for any other job. */
    progress: oc.input(entryRef).output(jobProgressSchema),
    /** The raw JSON of the output in pieces; none if there is no output. */
    output: oc.input(entryRef).output(eventIterator(z.string())),
    list: oc
      .input(
        z.object({
          filter: ledgerFilterSchema,
          offset: z.int().min(0),
          limit: z.int().min(1).max(500),
        }),
      )
      .output(ledgerPageSchema),
    get: oc.input(entryRef).output(ledgerDetailSchema),
    /** The request body as it was sent, with masked storage secrets: `get` without an output of many megabytes. */
    body: oc.input(entryRef).output(z.string()),
    /** The newest entry whose service gave the job this id; null if none was sent from here. */
    find: oc.input(z.object({ jobId: z.string().min(1).max(200) })).output(ledgerEntrySchema.nullable()),
    chunks: oc
      .input(entryRef.extend({ from: z.int().min(0), limit: z.int().min(1).max(1000) }))
      .output(z.array(ledgerChunkSchema)),
    counts: oc.input(z.object({ accountId: z.string().optional(), since: z.number() })).output(jobCountsSchema),
    /**
     * Failed jobs sent at or after `since`, and all jobs that cannot start. `dismissed`: until when a person dismissed the
     * failures of a group, by `failureKey`, or those of the other groups, by `OTHER_FAILURES`.
     */
    toAttend: oc
      .input(z.object({ since: z.number(), dismissed: z.record(z.string(), z.number()) }))
      .output(jobsToAttendSchema),
    /** Results of each account that its service deletes within this time. */
    expiring: oc.input(z.object({ withinMs: z.int().min(0) })).output(z.array(expiringJobsSchema)),
    /** Sets the tags of jobs; answers how many jobs were there. */
    tag: oc
      .input(
        entryRefs.extend({
          tags: z.array(z.string().trim().min(1).max(limits.ledger.tagLength)).max(limits.ledger.tags),
          /** Whether the tags are added to each job, or taken from it. */
          change: z.enum(['add', 'remove']),
        }),
      )
      .output(z.object({ changed: z.int() })),
    /** All tags that jobs have, in the order of the alphabet. */
    tags: oc.output(z.array(z.string())),
    /** The names of all API keys that jobs were sent with, in the order of the alphabet. */
    keyNames: oc.output(z.array(z.string())),
    /** The attempts before the one that the entry shows, oldest first. */
    attempts: oc.input(entryRef).output(z.array(jobAttemptSchema)),
    requests: oc.input(entryRef).output(z.array(requestLineSchema)),
    webhooks: oc.input(entryRef).output(ledgerWebhooksSchema),
    /** Has a webhook of the job sent again. CONFLICT while it is being sent, and if its service has no longer what it sent. */
    redeliver: oc.input(entryRef.extend({ webhookId: z.string().min(1).max(200) })).output(z.object({})),
    /** New and changed entries, from now on. `endedSince`: before them, those that ended from then on. */
    changes: oc.input(z.object({ endedSince: z.number() }).optional()).output(eventIterator(jobChangesSchema)),
    /**
     * Removes ended entries from this computer, without a request to the service. Answers how many it removed. They can
     * be put back for a minute, also after a restart in between.
     */
    forget: oc.input(entryRefs).output(z.object({ removed: z.int() })),
    /** Puts removed entries back. Answers how many: not those that are deleted for good. */
    restore: oc.input(entryRefs).output(z.object({ restored: z.int() })),
    /** Deletes removed entries for good. */
    discard: oc.input(entryRefs).output(z.object({})),
    /** The removed entries that can be put back. */
    removed: oc.output(z.object({ entryIds: z.array(z.string()) })),
  },
};
export type BridgeContract = typeof bridgeContract;
/** The client of the page. */
export type BridgeClient = ContractRouterClient<BridgeContract>;
