/** The engine's own lines in the log of a worker: its start, the reason of a stop, and its end. */
import type { WorkerWatch } from '../../domain/autoscaling/workerEvents.ts';
import type { WorkerLogs } from './workerLogs.ts';

/** A reason is part of a sentence, or a sentence of its own, such as the message of a pause. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

export function createWorkerNotes(logs: Pick<WorkerLogs, 'note'>): WorkerWatch {
  const started = new Set<string>();
  return {
    changed(change) {
      if (!started.has(change.workerId)) {
        started.add(change.workerId);
        logs.note(change, 'info', 'The worker is started.');
        for (const text of change.about) logs.note(change, 'info', text);
      }
      if (change.state === 'stopping') {
        logs.note(
          change,
          'info',
          asSentence(`The worker is being stopped: ${change.reason ?? 'it is no longer needed'}`),
        );
      }
    },
    ended(end) {
      started.delete(end.workerId);
      logs.note(end, end.unhealthy ? 'error' : 'info', asSentence(`The worker has ended: ${end.reason}`));
    },
  };
}
