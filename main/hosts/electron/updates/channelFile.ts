/** The chosen channel, in a small file beside the state of the windows. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import * as z from 'zod';
import { updateChannelSchema, type UpdateChannel } from '#contract/bridge/updates.ts';
import { writeAtomicFile } from '../../../app/platform/atomicFile.ts';
import { readStateFile } from '../stateFile.ts';

const fileSchema = z.object({ channel: updateChannelSchema });

/** `stable` if nothing was chosen, or if the file cannot be read. */
export const readChannel = (path: string, logger: Logger): UpdateChannel =>
  readStateFile(path, fileSchema, logger)?.channel ?? 'stable';

/** Rejects with an error of the system if the file cannot be written; the earlier choice then stays. */
export async function writeChannel(path: string, channel: UpdateChannel): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeAtomicFile(path, `${JSON.stringify({ channel })}\n`);
}
