/** Builds the bundles where they are older than their sources. */

import { buildIfStale } from './bundles.mjs';
import { onNode24 } from './run24.mjs';

await onNode24();
await buildIfStale();
