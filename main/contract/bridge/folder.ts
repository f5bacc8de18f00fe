/** The page's procedures about the folder that an endpoint is made of; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { environmentStateSchema, workerCheckSchema } from '../local/folder.ts';
import { endpointReadinessSchema } from '../local/engine.ts';

const endpointRef = z.object({ accountId: z.string(), endpointId: z.string() });

/** All of these need an account with the capability `local`; others are refused with NOT_FOUND and a sentence. */
export const folderContract = {
  /** Which Python runs the handler from now on; null for whichever the folder calls for. Answers the endpoint as it is then. */
  setPython: oc.input(endpointRef.extend({ python: z.string().nullable() })).output(endpointReadinessSchema),
  environment: oc.input(endpointRef).output(environmentStateSchema),
  /** Begins to make the environment of the folder. CONFLICT while it is being made. */
  makeEnvironment: oc.input(endpointRef).output(environmentStateSchema),
  /** Answers once nothing of it is left. */
  stopEnvironment: oc.input(endpointRef).output(environmentStateSchema),
  /** The last check of the worker; before the first one, its tests. */
  check: oc.input(endpointRef).output(workerCheckSchema),
  /** Begins a check. CONFLICT while one runs. */
  startCheck: oc.input(endpointRef).output(workerCheckSchema),
  stopCheck: oc.input(endpointRef).output(workerCheckSchema),
};
