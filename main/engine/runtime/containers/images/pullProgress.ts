/** The progress of a pull, from the container engine's events for each layer. */

/** A line of the answer to a pull. */
export interface PullEvent {
  id?: string;
  status?: string;
  error?: string;
  progressDetail?: { current?: number; total?: number };
}

interface Layer {
  /** Bytes to download; null until it is known. */
  totalBytes: number | null;
  /** From 0 to 1: downloaded is one half, unpacked the other. */
  done: number;
}

const DOWNLOADED = 0.5;

export interface PullProgress {
  take(event: PullEvent): void;
  /** 0 to 100, never less than before; null while nothing is known of any layer. */
  percent(): number | null;
}

export function createPullProgress(): PullProgress {
  const layers = new Map<string, Layer>();
  let most = 0;

  return {
    take({ id, status = '', progressDetail = {} }) {
      // The tag speaks first, under the same field as the layers.
      if (id === undefined || !/^(Pulling fs|Waiting|Down|Verif|Extract|Pull complete|Already)/.test(status)) return;
      const layer = layers.get(id) ?? { totalBytes: null, done: 0 };
      layers.set(id, layer);
      const { current, total } = progressDetail;
      const part = current !== undefined && total !== undefined && total > 0 ? Math.min(current / total, 1) : 0;
      if (status === 'Downloading') {
        layer.totalBytes = total ?? layer.totalBytes;
        layer.done = part * DOWNLOADED;
      } else if (status === 'Extracting') layer.done = DOWNLOADED + part * (1 - DOWNLOADED);
      else if (status.startsWith('Download') || status.startsWith('Verif')) layer.done = DOWNLOADED;
      else if (status === 'Pull complete' || status.startsWith('Already')) layer.done = 1;
    },
    percent() {
      if (layers.size === 0) return null;
      const all = [...layers.values()];
      const sizes = all.flatMap(({ totalBytes }) => (totalBytes === null ? [] : [totalBytes]));
      // A layer that waits for its turn does not tell its size: it is taken to be like the others.
      const usual = sizes.length === 0 ? 1 : sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length;
      const weights = all.map(({ totalBytes, done }) => ({ weight: totalBytes ?? usual, done }));
      const total = weights.reduce((sum, { weight }) => sum + weight, 0);
      const done = weights.reduce((sum, { weight, done: part }) => sum + weight * part, 0);
      most = Math.max(most, Math.floor((done / total) * 100));
      return most;
    },
  };
}
