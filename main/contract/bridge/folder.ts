/** The page's procedures about the folder of an endpoint; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { declaredInputSchema, environmentStateSchema, workerCheckSchema } from '../local/folder.ts';
import { endpointReadinessSchema } from '../local/engine.ts';

const endpointRef = z.object({ accountId: z.string(), endpointId: z.string() });

/** All of these require an account with the capability `local`; otherwise NOT_FOUND with a sentence. */
export const folderContract = {
  /**
   * Sets the Python that runs the handler from now on; null: the one that the folder requires. Answers the new state of
   * the endpoint.
   */
  setPython: oc.input(endpointRef.extend({ python: z.string().nullable() })).output(endpointReadinessSchema),
  /** The input that the folder declares, as its files are now. */
  declaredInput: oc.input(endpointRef).output(declaredInputSchema),
  environment: oc.input(endpointRef).output(environmentStateSchema),
  /** Starts to create the environment of the folder. CONFLICT while that already runs. */
  makeEnvironment: oc.input(endpointRef).output(environmentStateSchema),
  /** Answers after what was made is removed. */
  stopEnvironment: oc.input(endpointRef).output(environmentStateSchema),
  /** The last check of the worker; before the first one, the list of its tests. */
  check: oc.input(endpointRef).output(workerCheckSchema),
  /** Starts a check. CONFLICT while one runs. */
  startCheck: oc.input(endpointRef).output(workerCheckSchema),
  stopCheck: oc.input(endpointRef).output(workerCheckSchema),
};
