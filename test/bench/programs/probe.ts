/** What the prober is told; it answers with the times of all its requests, microseconds from when each was due. */
export interface ProbeOrders {
  address: string;
  key: string;
  path: string;
  forMs: number;
}
