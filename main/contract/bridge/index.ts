/** The oRPC contract between the page and its app: every procedure, its input and its result. No secret ever crosses it. */
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
  newEndpointSchema,
} from '../app/endpointReadModels.ts';
import { folderContract } from './folder.ts';
import { hostContract } from './host.ts';
import { limits } from '../core/limits.ts';
import { purgedSchema } from '../api/job.ts';
import {
  jobEventSchema,
  jobOutcomeSchema,
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
import { billingContract } from './billing.ts';
import { graphqlContract } from './graphql.ts';
import { fileContract, resourceContract } from './resource.ts';
import { laneSchema, toldLogFilterSchema, logPageSchema } from '../local/log.ts';
import { podContract } from './pod.ts';
import { toldHealthSchema } from '../api/lenient.ts';
import { sshContract } from './ssh.ts';
import { apiKeyContract } from './apiKey.ts';
import { secretsContract } from './secrets.ts';
import { terminalContract } from './terminal.ts';

/** An endpoint as the page lists it. */
export const endpointSummarySchema = z.object({
  accountId: z.string(),
  id: z.string(),
  name: z.string(),
  /** Image, or `file://` folder, of its template; null when the template cannot be read. */
  imageName: z.string().nullable(),
  workersMin: z.number(),
  workersMax: z.number(),
  /** Null where the account cannot tell. */
  runtime: z.enum(['node', 'python', 'command', 'container']).nullable(),
  /** The version of the public SDK, where its workers asked with its loop. */
  publicSdk: z.string().nullable(),
  /** False only when it is known that it cannot run; `reason` then says why and what to do. */
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
  /** The sender makes it. The same id sent again is the same job: it is sent to the service once. */
  entryId: z.uuid(),
  /** The name of the endpoint as the sender shows it: the ledger lists the job by it. */
  endpointName: z.string().min(1),
  mode: z.enum(runModes),
  /** The request body as JSON text: it is sent as written, so that large numbers survive. */
  body: z.string().max(limits.runsyncBodyBytes),
});

export const bridgeContract = {
  host: hostContract,
  engine: {
    /** The engine's state now, then each change. */
    watch: oc.output(eventIterator(engineStatusSchema)),
    /** Starts it again now instead of at its next try. */
    restart: oc.output(engineStatusSchema),
  },
  accounts: accountContract,
  endpoints: {
    list: oc.input(accountRef).output(z.array(endpointSummarySchema)),
    health: oc.input(endpointRef).output(toldHealthSchema),
    /** All of them with their numbers, in one answer. */
    now: oc.input(accountRef).output(endpointsNowSchema),
    get: oc.input(endpointRef).output(endpointDetailSchema),
    choices: oc.input(accountRef).output(endpointChoicesSchema),
    /** Looks into a folder of this computer. `python`: which one is to run its handler; without it, whichever the folder calls for. */
    checkFolder: oc
      .input(z.object({ path: z.string().max(4096), python: z.string().max(4096).optional() }))
      .output(folderCheckSchema),
    create: oc.input(accountRef.extend(newEndpointSchema.shape)).output(z.object({ endpointId: z.string() })),
    /** Makes a copy of an example that came with Hangar, or takes the one that is there, and an endpoint of it. */
    createSample: oc.input(accountRef.extend({ name: z.string() })).output(z.object({ endpointId: z.string() })),
    update: oc.input(endpointRef.extend(endpointChangeSchema.shape)).output(endpointDetailSchema),
    /** `templateKept`: why its template is still there; null when it went, too, or nobody asked for it. */
    remove: oc
      .input(endpointRef.extend({ withTemplate: z.boolean() }))
      .output(z.object({ templateKept: z.string().nullable() })),
    /** Removes the jobs that wait. */
    purge: oc.input(endpointRef).output(purgedSchema.pick({ removed: true })),
  },
  folders: folderContract,
  /** Engines of ours tell of their workers, and accounts that speak REST v2; others are refused with a sentence. */
  workers: {
    lanes: oc
      .input(endpointRef.extend({ sinceMs: z.int().min(1000).max(limits.page.lanesMs) }))
      .output(z.array(laneSchema)),
  },
  logs: {
    /** The newest lines that fit the filter, oldest first; `before` (exclusive) pages back. */
    page: oc
      .input(
        accountRef.extend({
          filter: toldLogFilterSchema,
          before: z.int().optional(),
          limit: z.int().min(1).max(limits.page.logLines),
        }),
      )
      .output(logPageSchema),
    /** Every line after the one numbered `after`, as it is written. */
    follow: oc
      .input(accountRef.extend({ filter: toldLogFilterSchema, after: z.int() }))
      .output(eventIterator(logBatchSchema)),
  },
  ledger: ledgerContract,
  apiKeys: apiKeyContract,
  secrets: secretsContract,
  machine: machineContract,
  pods: podContract,
  graphql: graphqlContract,
  billing: billingContract,
  resources: resourceContract,
  files: fileContract,
  terminals: terminalContract,
  ssh: sshContract,
  jobs: {
    /** Writes the job to the ledger under `entryId`, sends it, and answers its entry once the service has answered. */
    submit: oc.input(submitSchema).output(ledgerEntrySchema),
    cancel: oc.input(entryRef).output(ledgerEntrySchema),
    /** Queues a job once more that failed or timed out; answers the entry of this attempt. */
    retry: oc.input(entryRef).output(ledgerEntrySchema),
    /** The same for many, each within the rates of its endpoint: how it went, one after the other. Who stops listening stops it. */
    cancelMany: oc.input(entryRefs).output(eventIterator(jobOutcomeSchema)),
    retryMany: oc.input(entryRefs).output(eventIterator(jobOutcomeSchema)),
    /** The pieces of a file of what the ledger holds, without secrets; `jobs`: how many were in it so far. */
    export: oc.input(ledgerExportSchema).output(eventIterator(z.object({ text: z.string(), jobs: z.int() }))),
    /** A snapshot, then each change, until the job has ended. */
    watch: oc.input(entryRef).output(eventIterator(jobEventSchema)),
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
    chunks: oc
      .input(entryRef.extend({ from: z.int().min(0), limit: z.int().min(1).max(1000) }))
      .output(z.array(ledgerChunkSchema)),
    /** What was asked of the service about this job. */
    requests: oc.input(entryRef).output(z.array(requestLineSchema)),
    webhooks: oc.input(entryRef).output(ledgerWebhooksSchema),
    /** Every entry that is new or has changed, from now on. */
    changes: oc.output(eventIterator(ledgerEntrySchema)),
    /** Removes finished entries from this computer; the service is not asked. Answers how many went. */
    forget: oc
      .input(z.object({ entryIds: z.array(z.string()).min(1).max(1000) }))
      .output(z.object({ removed: z.int() })),
  },
};
export type BridgeContract = typeof bridgeContract;
/** What the page calls. */
export type BridgeClient = ContractRouterClient<BridgeContract>;
