/** The positions in the output of a session, in bytes since the session began. */

/** Drawn bytes are reported in steps of this size, or when no more bytes are waiting. */
const REPORT_BYTES = 64 * 1024;

export interface OutputProgress {
  /** Received bytes; null before the first attachment. Output continues here after a lost connection. */
  readonly received: number | null;
  /** The screen shows a snapshot that ends at this byte. */
  restart(from: number): void;
  /** Output continues at this byte. */
  resume(from: number): void;
  receive(bytes: number): void;
  /** Notes this many drawn bytes. */
  draw(bytes: number): void;
}

/** `report` is called with the number of drawn bytes, so that the engine can limit the bytes in flight. */
export function createOutputProgress(report: (drawn: number) => void): OutputProgress {
  let received: number | null = null;
  let drawn = 0;
  let reported = 0;
  return {
    get received() {
      return received;
    },
    restart(from) {
      received = from;
      drawn = from;
      reported = from;
    },
    resume(from) {
      received = from;
    },
    receive(bytes) {
      received = (received ?? 0) + bytes;
    },
    draw(bytes) {
      drawn += bytes;
      if (drawn - reported < REPORT_BYTES && drawn !== received) return;
      reported = drawn;
      report(drawn);
    },
  };
}
