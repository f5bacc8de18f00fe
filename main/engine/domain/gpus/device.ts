/** A GPU as it is assigned to a worker or a Pod. */

/** A GPU as it is passed to a worker. */
export interface GpuDevice {
  readonly uuid: string;
  readonly index: number;
  readonly vendor: 'nvidia' | 'amd';
  /** The GPU type: its product name. */
  readonly typeId: string;
  readonly memoryBytes: number;
}
