/** Counts what is kept encrypted with a key that is not there, and says it to a person. Nothing of it is removed. */

export interface Unreadable {
  noteEnv(kind: 'template' | 'Pod', name: string): void;
  /** A job whose end nobody is told of. */
  noteJob(seq: number): void;
  /** A delivery that is not tried. */
  noteDelivery(seq: number): void;
  /** Empty where everything could be read. */
  notices(): string[];
}

const SAME_KEY =
  'encrypted with a key that is not there. Nothing was removed: unlock the place where Hangar keeps its keys and restart the engine';

export function createUnreadable(): Unreadable {
  const owners = new Set<string>();
  const jobs = new Set<number>();
  const deliveries = new Set<number>();
  return {
    noteEnv: (kind, name) => void owners.add(`${kind} ${JSON.stringify(name)}`),
    noteJob: (seq) => void jobs.add(seq),
    noteDelivery: (seq) => void deliveries.add(seq),
    notices() {
      const notices: string[] = [];
      if (owners.size > 0) {
        const list = [...owners].join(', ');
        notices.push(`The environment variables of ${list} are ${SAME_KEY}, or set the variables again.`);
      }
      if (jobs.size + deliveries.size > 0) {
        const counts = `${jobs.size} jobs and ${deliveries.size} deliveries`;
        notices.push(`The webhook addresses of ${counts} are ${SAME_KEY}. Until then nobody is told of these jobs.`);
      }
      return notices;
    },
  };
}
