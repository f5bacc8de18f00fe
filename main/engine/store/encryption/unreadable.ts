/** Counts records that are encrypted with a missing key, and tells a person. Removes none of them. */

export interface Unreadable {
  noteEnv(kind: 'template' | 'Pod', name: string): void;
  /** Counts a job whose webhook address is unreadable. */
  noteJob(seq: number): void;
  /** Counts a delivery whose webhook address is unreadable. */
  noteDelivery(seq: number): void;
  /** Empty where all records are readable. */
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
