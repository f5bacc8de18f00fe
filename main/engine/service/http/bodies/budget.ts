/** The memory for large bodies, in bytes. Without room a body waits; the oldest goes first. */
import type { Cancel } from '../../../domain/core/ports.ts';

export interface BodyBudget {
  /**
   * Calls `granted` once there is room for `bytes`, maybe at once. The returned function gives the room back, or stops
   * waiting.
   */
  claim(bytes: number, granted: () => void): Cancel;
}

interface Claim {
  readonly bytes: number;
  readonly granted: () => void;
}

export function createBodyBudget(totalBytes: number): BodyBudget {
  const line = new Set<Claim>();
  let usedBytes = 0;

  function serve(): void {
    for (const claim of line) {
      // A body that is larger than the whole budget gets it alone.
      if (usedBytes > 0 && usedBytes + claim.bytes > totalBytes) return;
      line.delete(claim);
      usedBytes += claim.bytes;
      claim.granted();
    }
  }

  return {
    claim(bytes, granted) {
      const claim: Claim = { bytes, granted };
      let over = false;
      line.add(claim);
      serve();
      return () => {
        if (over) return;
        over = true;
        if (!line.delete(claim)) usedBytes -= bytes;
        serve();
      };
    },
  };
}
