/** Finds the line of a spec at which a test failed. */

import { relative } from 'node:path';
import { root } from '../run24.mjs';

/**
 * The first frame of an error within the spec, as `path:line` from the root: what fails deeper down was called there.
 * Undefined for an error without such a frame.
 */
export function placeIn(/** @type {string} */ spec, /** @type {readonly { file: string, line: number }[]} */ frames) {
  const frame = frames.find(({ file }) => file === spec);
  return frame && `${relative(root, spec).replaceAll('\\', '/')}:${frame.line}`;
}
