/** Whether the machine runs on its battery: as the host reports it, else as the system says. */
import { onBattery } from './battery.ts';

export interface PowerSource {
  /** Null: the host does not know. */
  report(isOnBattery: boolean | null): void;
  /**
   * Null where neither the host nor the system knows. The system is asked only without a report: on macOS and Windows,
   * each question starts a program.
   */
  onBattery(askSystem?: () => Promise<boolean | null>): Promise<boolean | null>;
}

export function createPowerSource(): PowerSource {
  let reported: boolean | null = null;
  return {
    report(isOnBattery) {
      reported = isOnBattery;
    },
    onBattery: async (askSystem = onBattery) => reported ?? askSystem(),
  };
}
