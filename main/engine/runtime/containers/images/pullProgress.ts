/** The progress of a pull, from the container engine's events for each layer. */
import * as z from 'zod';

/** A line of the response to a pull. Fields with an unexpected type count as missing. */
export const pullEventSchema = z.object({
  id: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  progressDetail: z
    .object({ current: z.number().optional(), total: z.number().optional() })
    .optional()
    .catch(undefined),
});
export type PullEvent = z.infer<typeof pullEventSchema>;

interface Layer {
  /** The bytes to download; null while unknown. */
  totalBytes: number | null;
  /** From 0 to 1: the download is one half, unpacking the other. */
  done: number;
}

const DOWNLOADED = 0.5;

export interface PullProgress {
  take(event: PullEvent): void;
  /** 0 to 100, never decreasing; null before the first layer. */
  percent(): number | null;
}

export function createPullProgress(): PullProgress {
  const layers = new Map<string, Layer>();
  let most = 0;

  return {
    take({ id, status = '', progressDetail = {} }) {
      // The first event is about the tag, in the same field as the layers.
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
      // A waiting layer does not report its size: use the average of the others.
      const usual = sizes.length === 0 ? 1 : sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length;
      const weights = all.map(({ totalBytes, done }) => ({ weight: totalBytes ?? usual, done }));
      const total = weights.reduce((sum, { weight }) => sum + weight, 0);
      const done = weights.reduce((sum, { weight, done: part }) => sum + weight * part, 0);
      most = Math.max(most, Math.floor((done / total) * 100));
      return most;
    },
  };
}
