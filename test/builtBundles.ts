/**
 * Global setup of Playwright, and of Vitest for what starts hosts: they drive the built bundles, so these are made
 * first where they are old.
 */

import { buildIfStale } from '../scripts/bundles.mjs';

export default buildIfStale;
