/** How many bytes of large bodies may be in memory at once; who comes when there is no room waits, oldest first. */
import type { Cancel } from '../../domain/core/ports.ts';

export interface BodyBudget {
  /** Calls `granted` once there is room for `bytes`, at once where there is. The answer gives the room back, or leaves the line. */
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
      // One that is larger than all the room there is gets it alone.
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
