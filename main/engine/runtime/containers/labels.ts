/** Labels by which an engine knows the containers that it has started, and those that an earlier one has left behind. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const LABEL = {
  /** Of the data folder, so that engines on other folders, or other machines, leave them alone. */
  data: 'hangar.data',
  /** Of one run of the engine. */
  run: 'hangar.run',
  endpoint: 'hangar.endpoint',
  worker: 'hangar.worker',
};

export interface ContainerLabels {
  of(worker: { workerId: string; endpointId: string }): Record<string, string>;
  /** A filter for the containers of this data folder, of whatever run. */
  readonly ours: string;
  /** Whether a container was started by this very run. */
  ofThisRun(labels: Record<string, string>): boolean;
  /** Whether a container was ever started from this data folder. */
  used(): boolean;
}

/** The folder's id is made with the first container. A copied folder is another one: the place counts too. */
export function createContainerLabels(dataDir: string): ContainerLabels {
  const file = path.join(dataDir, 'containers', 'id');
  const run = randomBytes(6).toString('hex');
  let data: string | null = null;

  function dataId(): string {
    if (data !== null) return data;
    if (!existsSync(file)) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, randomBytes(16).toString('hex'));
    }
    const place = `${readFileSync(file, 'utf8')} ${realpathSync(dataDir)}`;
    return (data = createHash('sha256').update(place).digest('hex').slice(0, 32));
  }

  return {
    of: ({ workerId, endpointId }) => ({
      [LABEL.data]: dataId(),
      [LABEL.run]: run,
      [LABEL.endpoint]: endpointId,
      [LABEL.worker]: workerId,
    }),
    get ours() {
      return `${LABEL.data}=${dataId()}`;
    },
    ofThisRun: (labels) => labels[LABEL.run] === run,
    used: () => existsSync(file),
  };
}
