/** Changes of an open folder of a volume as they come, under /local/v1/volumes/{id}/files/events. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { CHANGES_PULSE_MS } from '#contract/local/changes/stateChange.ts';
import { folderChangeSchema, volumePathQuerySchema, volumePathSchema } from '#contract/local/files.ts';
import type { FolderListener, FolderWatcher } from '../../../../files/ports.ts';
import type { Clock } from '../../../domain/core/ports.ts';
import type { Api } from '../../access/api.ts';
import { createEventStream } from '../../http/sse.ts';
import { named, operation } from '../../openapi/operation.ts';

interface FolderChangeParts {
  /** The folder of a volume by its id. Throws NOT_FOUND for an unknown id. */
  rootOf: (id: string) => string;
  watcher: FolderWatcher;
  clock: Pick<Clock, 'after'>;
}

/** What was reported since the last event, also before there is a reader. */
interface Reports extends FolderListener {
  isStale: boolean;
  isOver: boolean;
  /** Called after each report. */
  onReport: () => void;
}

function collectReports(): Reports {
  const reports: Reports = {
    // The reader does not know what changed before.
    isStale: true,
    isOver: false,
    onReport: () => undefined,
    onChange() {
      reports.isStale = true;
      reports.onReport();
    },
    onEnd() {
      reports.isOver = true;
      reports.onReport();
    },
  };
  return reports;
}

/** Sends the reports until the reader leaves or the watch ends. Several ones while the reader is behind are one event. */
function sendReports(response: ServerResponse, reports: Reports, clock: FolderChangeParts['clock']): void {
  const stream = createEventStream(response);
  let sent = 0;
  function send(): void {
    if (reports.isStale && !stream.isFull()) {
      reports.isStale = false;
      stream.text(`id: ${++sent}\ndata: {}\n\n`);
      stream.flush();
    }
    if (reports.isOver) stream.end();
  }
  const pulse = (): void => {
    stream.pulse();
    nextPulse = clock.after(CHANGES_PULSE_MS, pulse);
  };
  let nextPulse = clock.after(CHANGES_PULSE_MS, pulse);
  reports.onReport = send;
  response.on('drain', send);
  response.on('close', () => nextPulse());
  send();
}

export function registerFolderChangeRoute(api: Api, { rootOf, watcher, clock }: FolderChangeParts): void {
  api.get(
    '/local/v1/volumes/:id/files/events',
    operation({
      id: 'volumeFolderEvents',
      group: 'files',
      need: 'read',
      summary:
        'Follows changes in a folder of a network volume, or of the own volume of a Pod by its id, as server-sent events: one at once, then one when entries are added, removed, renamed or written to, at most five a second. The stream ends when the folder is removed or replaced.',
      params: z.object({ id: z.string() }),
      querystring: z.strictObject({ path: volumePathQuerySchema.shape.path }),
      query: { path: { schema: volumePathSchema, words: 'From the volume on, with "/" between names.' } },
      answers: {
        200: {
          words: 'Events. Each says that the folder has to be listed again.',
          shape: named('VolumeFolderChange', folderChangeSchema),
          type: 'text/event-stream',
        },
      },
      // UNSUPPORTED: the system reports no changes of this folder.
      refusals: ['BAD_REQUEST', 'UNSUPPORTED'],
    }),
    async ({ params: { id }, query: { path } }, reply) => {
      const reports = collectReports();
      const stop = await watcher.watch(rootOf(id), path, reports);
      reply.hijack();
      const response = reply.raw;
      // The reader may have left while the watch began.
      if (response.destroyed) stop();
      else {
        response.on('close', stop);
        sendReports(response, reports, clock);
      }
      return reply;
    },
  );
}
