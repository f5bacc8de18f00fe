/** Playwright's global setup: the tests drive the built bundles, so these are made first where they are old. */

import { buildIfStale } from '../scripts/bundles.mjs';

export default buildIfStale;
