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
  /** The bytes to download; null while unknown, and of a layer that is not downloaded. */
  totalBytes: number | null;
  downloadedBytes: number;
  isDownloaded: boolean;
  /** Whether it was here before the pull. */
  wasHere: boolean;
  /** From 0 to 1: the download is one half, unpacking the other. */
  done: number;
}

const DOWNLOADED = 0.5;

export interface PullAmounts {
  /** Bytes of the download so far; without layers that were here already. */
  downloadedBytes: number;
  /** Bytes of the whole download; null while the size of a layer is unknown. */
  totalBytes: number | null;
  /** All layers that are known. */
  layers: number;
  /** Layers that are complete. */
  layersDone: number;
}

export interface PullProgress {
  take(event: PullEvent): void;
  /** 0 to 100, never decreasing; null before the first layer that was not here already. */
  percent(): number | null;
  amounts(): PullAmounts;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export function createPullProgress(): PullProgress {
  const layers = new Map<string, Layer>();
  let most = 0;

  return {
    take({ id, status = '', progressDetail = {} }) {
      // The first event is about the tag, in the same field as the layers.
      if (id === undefined || !/^(Pulling fs|Waiting|Down|Verif|Extract|Pull complete|Already)/.test(status)) return;
      const layer = layers.get(id) ?? {
        totalBytes: null,
        downloadedBytes: 0,
        isDownloaded: false,
        wasHere: false,
        done: 0,
      };
      layers.set(id, layer);
      const { current, total } = progressDetail;
      const part = current !== undefined && total !== undefined && total > 0 ? Math.min(current / total, 1) : 0;
      if (status === 'Downloading') {
        layer.totalBytes = total ?? layer.totalBytes;
        layer.downloadedBytes = current ?? layer.downloadedBytes;
        layer.done = part * DOWNLOADED;
        return;
      }
      if (status === 'Extracting') layer.done = DOWNLOADED + part * (1 - DOWNLOADED);
      else if (status.startsWith('Download') || status.startsWith('Verif')) layer.done = DOWNLOADED;
      else if (status === 'Pull complete' || status.startsWith('Already')) layer.done = 1;
      else return;
      layer.wasHere ||= status.startsWith('Already');
      layer.isDownloaded = true;
      layer.downloadedBytes = layer.totalBytes ?? layer.downloadedBytes;
    },
    percent() {
      // Layers that are here come first: with them alone, the pull would be done before it begins.
      const all = [...layers.values()].filter(({ wasHere }) => !wasHere);
      if (all.length === 0) return null;
      const sizes = all.flatMap(({ totalBytes }) => (totalBytes === null ? [] : [totalBytes]));
      // A waiting layer does not report its size: use the average of the others.
      const usual = sizes.length === 0 ? 1 : sum(sizes) / sizes.length;
      const weights = all.map(({ totalBytes, done }) => ({ weight: totalBytes ?? usual, done }));
      const total = sum(weights.map(({ weight }) => weight));
      const done = sum(weights.map(({ weight, done: part }) => weight * part));
      most = Math.max(most, Math.floor((done / total) * 100));
      return most;
    },
    amounts() {
      const all = [...layers.values()];
      const isKnown =
        all.length > 0 && all.every(({ totalBytes, isDownloaded }) => isDownloaded || totalBytes !== null);
      return {
        downloadedBytes: sum(all.map(({ downloadedBytes }) => downloadedBytes)),
        totalBytes: isKnown ? sum(all.map(({ totalBytes, downloadedBytes }) => totalBytes ?? downloadedBytes)) : null,
        layers: all.length,
        layersDone: all.filter(({ done }) => done === 1).length,
      };
    },
  };
}
