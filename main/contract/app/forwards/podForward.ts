/** Ports of Pods that are forwarded to this computer. */
import * as z from 'zod';

const portSchema = z.int().min(1).max(65_535);

/** A port of a Pod, which this computer has at a port of its own until it is stopped. */
export const podForwardSchema = z.object({
  id: z.string(),
  /** In the Pod. */
  port: portSchema,
  /** On loopback of this computer. */
  localPort: portSchema,
  /** Open connections. */
  open: z.int(),
  /** All connections since its start, with those that failed. */
  total: z.int(),
  /** Bytes to the Pod, and from it. */
  sentBytes: z.number(),
  receivedBytes: z.number(),
  /** Why the latest connection failed, as a sentence; null if it did not. */
  problem: z.string().nullable(),
});
export type PodForward = z.infer<typeof podForwardSchema>;

/** `localPort`: null for that of the Pod if it is free, otherwise any free one. */
export const podForwardStartSchema = z.object({
  accountId: z.string(),
  podId: z.string(),
  port: portSchema,
  localPort: portSchema.nullable(),
});
export type PodForwardStart = z.infer<typeof podForwardStartSchema>;
