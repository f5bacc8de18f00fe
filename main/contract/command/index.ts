/**
 * The contract of the command line: every procedure of the page, and a few that only the socket of the command line
 * serves.
 */
import { oc, type ContractRouterClient } from '@orpc/contract';
import * as z from 'zod';
import { apiKeyCreateSchema, apiKeySchema } from '../local/engine.ts';
import { pairingShownSchema } from '../bridge/apiKey.ts';
import type { BridgeContract } from '../bridge/index.ts';

/** Path of the requests of the command line to its socket. */
export const COMMAND_PATH = '/rpc';

/**
 * Only the person who runs Hangar can open the socket. It may therefore carry secrets that the bridge of the page may
 * not.
 */
export const commandContract = {
  /**
   * Creates a key of an engine and answers it in clear text, only this time. UNSUPPORTED for an account that is no
   * engine of Hangar.
   */
  createApiKey: oc
    .input(z.object({ accountId: z.string(), ...apiKeyCreateSchema.shape }))
    .output(z.object({ record: apiKeySchema, key: z.string() })),
  /** Creates a pairing link of an engine and answers it in clear text. */
  createPairingLink: oc
    .input(z.object({ accountId: z.string() }))
    .output(pairingShownSchema.omit({ shown: true }).extend({ link: z.string() })),
};
export type CommandContract = typeof commandContract;

/** The client of the command line. */
export type CommandClient = ContractRouterClient<BridgeContract & { command: CommandContract }>;
