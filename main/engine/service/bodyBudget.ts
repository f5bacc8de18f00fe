/** How many bytes of large bodies may be in memory at once; who comes when there is no room waits, oldest first. */
import type { Cancel } from '../domain/ports.ts';

export interface BodyBudget {
  /** Calls `granted` once there is room for `bytes`, at once where there is. The answer gives the room back, or leaves the line. */
  claim(bytes: number, granted: () => void): Cancel;
}

interface Claim {
  bytes: number;
  granted: (() => void) | null;
}

export function createBodyBudget(totalBytes: number): BodyBudget {
  const line = new Set<Claim>();
  let usedBytes = 0;

  function serve(): void {
    for (const claim of line) {
      // One that is larger than all the room there is gets it alone.
      if (usedBytes > 0 && usedBytes + claim.bytes > totalBytes) return;
      line.delete(claim);
      usedBytes += claim.bytes;
      const { granted } = claim;
      claim.granted = null;
      granted?.();
    }
  }

  return {
    claim(bytes, granted) {
      const claim: Claim = { bytes, granted };
      let given = false;
      line.add(claim);
      serve();
      return () => {
        if (given) return;
        given = true;
        if (!line.delete(claim)) usedBytes -= bytes;
        serve();
      };
    },
  };
}

/** Who sends a large body holds room that others wait for: this much must come in this time. */
const STALL_MS = 30_000;
const STALL_BYTES = 256 * 1024;

/** Calls `stalled` once fewer bytes than that have come in a while. */
export function watchProgress(received: () => number, stalled: () => void): Cancel {
  let before = received();
  const timer = setInterval(() => {
    const now = received();
    if (now - before < STALL_BYTES) stalled();
    before = now;
  }, STALL_MS);
  return () => clearInterval(timer);
}
