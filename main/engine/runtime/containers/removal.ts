/** The removal of a container of a worker or a Pod. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'dockerode';
import { messageOf } from '#contract/core/errors.ts';
import { isStatus } from './engine/errorMessages.ts';

/** The error texts while an engine still uses the disk of an ended container. On a busy machine this takes more than 5 s. */
const DISK_BUSY = /device or resource busy|failed to remove root filesystem/i;
const BUSY_ATTEMPTS = 60;
const BUSY_PAUSE_MS = 500;

/**
 * Removes a container, also one that runs, and its volumes. A container that is gone, or that another caller removes now,
 * counts as removed.
 */
export async function removeContainer(container: Container): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await container.remove({ force: true, v: true }).catch((error: unknown) => {
        // 409: its removal is in progress.
        if (!isStatus(error, 404, 409)) throw error;
      });
      return;
    } catch (error) {
      if (attempt === BUSY_ATTEMPTS || !DISK_BUSY.test(messageOf(error))) throw error;
      await delay(BUSY_PAUSE_MS);
    }
  }
}
